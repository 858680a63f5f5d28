// Why a picture cannot be shown to a model: callers act on the code, people and models read
// the sentence.

export type ImageErrorCode =
  /** A picture, but of a format that this machine does not decode. */
  | "unsupported"
  /** No picture, or a damaged one. */
  | "corrupt"
  | "too_large";

export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
