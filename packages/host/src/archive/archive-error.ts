// The ways in which an archive can refuse to be read or changed, as one type: callers act on
// the code, people and models read the sentence.

export type ArchiveErrorCode =
  /** There is no such member. */
  | "not_found"
  /** The bytes are not what the format says. */
  | "corrupt"
  | "encrypted"
  /** A compression method or a kind of member that is not read here. */
  | "unsupported"
  /** Beyond one of the bounds on bytes. */
  | "too_large"
  /** Beyond the bound on members. */
  | "too_many"
  /** A name that leads out of the archive, or that no archive may hold. */
  | "unsafe_name"
  | "is_directory"
  | "is_link"
  /** Somebody else wrote the archive meanwhile. */
  | "changed"
  /** A part of the path is a file. */
  | "not_directory";

export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
  readonly code: ArchiveErrorCode;

  constructor(code: ArchiveErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export function corruptArchive(path: string, what: string, cause?: unknown): ArchiveError {
  return new ArchiveError(
    "corrupt",
    `${path} is damaged (${what}): create it again or download it again.`,
    cause === undefined ? undefined : { cause },
  );
}
