// Why nothing could be fetched: callers act on the code, people and models read the sentence.
// An answer of the server that is not a success is no error but a result.

export type WebErrorCode =
  | "bad_url"
  /** The address is inside this machine or its network. */
  | "refused_address"
  | "too_many_redirects"
  /** No such host, no connection, no valid certificate. */
  | "unreachable"
  | "too_slow";

export class WebError extends Error {
  override readonly name = "WebError";
  readonly code: WebErrorCode;

  constructor(code: WebErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
