// Why a file is not read as text or not changed, where that is no failure of the disk: as a code
// to decide on and a sentence that says what to do next. Whoever gets one may rely on it that
// nothing was changed.

export type FileProblemCode =
  // What is there
  | "missing"
  | "exists"
  | "directory"
  | "special"
  | "below_file"
  | "dangling_link"
  | "link"
  | "binary"
  | "not_utf8"
  | "lost_name"
  | "too_large"
  | "read_only"
  | "denied"
  | "generated"
  // What is wanted of it
  | "changed"
  | "named_twice"
  | "too_many"
  | "half_character"
  | "busy"
  | "no_journal";

export class FileProblem extends Error {
  override readonly name = "FileProblem";
  readonly code: FileProblemCode;
  readonly path: string;

  constructor(code: FileProblemCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** How a path is written in a message; as it is where nobody says otherwise. */
export type ShowPath = (path: string) => string;
