/**
 * How a login tells the Cloud Code wire its project. It never leaves this process: the wire
 * moves it into each request's envelope.
 */
export const CLOUD_PROJECT_HEADER = "x-tau-cloud-project";
