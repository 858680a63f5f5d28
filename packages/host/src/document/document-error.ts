// Why a document could not be turned into text: callers act on the code, people and models
// read the sentence.

export type DocumentErrorCode =
  /** A format that is not read here. */
  | "unsupported"
  | "corrupt"
  /** The file is not there, or may not be read. */
  | "unreadable"
  /** A changed notebook that is none any more. */
  | "bad_edit"
  /** It wants a password. */
  | "encrypted"
  | "too_large"
  | "too_slow"
  | "crashed";

export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: DocumentErrorCode;

  constructor(code: DocumentErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

const REASON_CHARS = 120;

export function corruptDocument(name: string, cause?: unknown): DocumentError {
  const said = cause instanceof Error ? cause.message.replace(/\s+/g, " ").trim() : "";
  const why = said === "" ? "" : ` (${said.replace(/[.:]+$/, "").slice(0, REASON_CHARS)})`;
  return new DocumentError(
    "corrupt",
    `${name} cannot be read as what its name says${why}: open and save it again, or convert it to PDF or text.`,
    cause === undefined ? undefined : { cause },
  );
}
