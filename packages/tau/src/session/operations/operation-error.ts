// Why an operation on a session was refused, as types: callers act on the class, people read
// the sentence. What keeps a file from being read or written at all has types of its own
// (`NotASession`, `SessionLocked`, `UnknownEntry`, `StorageError`).

/** The name or the id is taken, and nobody's session is written over. */
export class SessionExists extends Error {
  override readonly name = "SessionExists";
  readonly path: string;

  constructor(path: string, what: string, next: string) {
    super(`${what} already exists (${path}). ${next}`);
    this.path = path;
  }
}

/** The session went on while something was prepared for where it had stood. */
export class SessionMovedOn extends Error {
  override readonly name = "SessionMovedOn";

  constructor() {
    super("The session has changed in the meantime, so nothing was done. Choose the entry again.");
  }
}

/** What was asked for is not possible with this session. */
export class OperationRefused extends Error {
  override readonly name = "OperationRefused";
}
