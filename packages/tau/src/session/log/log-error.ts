// Why the log refused something, as types: callers act on the class, people read the
// sentence, which ends in what to do next. Failures of the disk itself pass through as
// `StorageError`, which says the same.

import { COMMAND } from "../../brand.ts";

/** One entry is larger than a line may be. */
export class EntryTooLarge extends Error {
  override readonly name = "EntryTooLarge";
  readonly bytes: number;

  constructor(bytes: number, limit: number) {
    super(
      `An entry of ${bytes} bytes exceeds the limit of ${limit} bytes per line of a session. ` +
        "Write large output to a file and refer to the file instead.",
    );
    this.bytes = bytes;
  }
}

/** A position was named that is not in the tree. */
export class UnknownEntry extends Error {
  override readonly name = "UnknownEntry";

  constructor(id: string) {
    super(`The session has no position "${id}". Choose an entry from its tree.`);
  }
}

/** Somebody else wrote to the file although this process holds its lock. */
export class SessionChanged extends Error {
  override readonly name = "SessionChanged";

  readonly path: string;

  constructor(path: string, expected: number, found: number) {
    super(
      `${path} was changed by another program (${found} bytes instead of ${expected}). ` +
        "Nothing more is written to it; open the session again to continue from its current content.",
    );
    this.path = path;
  }
}

/** As `SessionChanged`; and what was still in memory is in a session of its own. */
export class SessionRescued extends Error {
  override readonly name = "SessionRescued";
  readonly rescued: string;

  constructor(path: string, rescued: { path: string; id: string }) {
    super(
      `${path} was changed by another program, and nothing more is written to it. ` +
        `The conversation as Tau still had it is in a new session: ${COMMAND} --resume ${rescued.id}`,
    );
    this.rescued = rescued.path;
  }
}

/** A file that was being copied is not the same file any more. */
export class SessionReplaced extends Error {
  override readonly name = "SessionReplaced";

  constructor(path: string) {
    super(
      `${path} was moved or replaced while it was being read, so nothing was copied. Try again.`,
    );
  }
}

export class SessionClosed extends Error {
  override readonly name = "SessionClosed";

  constructor() {
    super("The session is closed. Open it again to write to it.");
  }
}

export class SessionReadOnly extends Error {
  override readonly name = "SessionReadOnly";

  constructor(path: string) {
    super(`${path} is open for reading only. Open it for writing to change it.`);
  }
}
