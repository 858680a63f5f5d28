// Tau's own wire: the neutral request goes out as it is and the neutral events come back
// as they are, so that nothing is lost between two programs that both speak neutral. Both
// sides say which version of that they speak.

export const PROTOCOL_VERSION = 1;
export const PATH = "/v1/tau/stream";
/** By which related programs call the same thing. */
export const PATH_ALIAS = "/v1/pi/stream";
