// Why a durable read or write failed, as data: callers act on `code`, users read the
// sentence. Every system error that leaves the storage goes through `storageError`.

export type StorageOperation =
  | "open"
  | "append"
  | "sync"
  | "truncate"
  | "measure"
  | "close"
  | "read"
  | "replace"
  | "create"
  | "rename"
  | "link"
  | "remove"
  | "make directory"
  | "list"
  | "stat";

interface Explanation {
  /** What happened, as the second half of a sentence. */
  cause: string;
  /** What the user can do about it. */
  advice: string;
}

const EXPLANATIONS: Record<string, Explanation> = {
  ENOSPC: { cause: "the disk is full", advice: "Free some space and try again." },
  EDQUOT: { cause: "the disk quota is used up", advice: "Free some space or raise the quota." },
  EFBIG: {
    cause: "the file would exceed the size limit",
    advice: "Raise the file size limit (ulimit -f) or use another file system.",
  },
  EACCES: {
    cause: "permission was denied",
    advice: "Check the permissions of the file and of its directory.",
  },
  EPERM: {
    cause: "the operation is not permitted",
    advice: "Check who owns the file and whether it is marked immutable.",
  },
  EROFS: {
    cause: "the file system is read-only",
    advice: "Choose a writable place, or remount it for writing.",
  },
  ENOENT: { cause: "it does not exist", advice: "Check the path, and create its directory first." },
  EEXIST: { cause: "it exists already", advice: "Choose another name, or remove it first." },
  ENOTDIR: { cause: "a part of the path is not a directory", advice: "Check the path." },
  EISDIR: { cause: "it is a directory", advice: "Name a file instead." },
  ENOTEMPTY: { cause: "the directory is not empty", advice: "Remove what is inside it first." },
  EXDEV: {
    cause: "the two paths are on different file systems",
    advice: "Copy the file instead of moving it.",
  },
  EMFILE: {
    cause: "too many files are open",
    advice: "Close some programs or raise the limit (ulimit -n).",
  },
  ENAMETOOLONG: { cause: "the name is too long", advice: "Choose a shorter name." },
  ELOOP: { cause: "its symbolic links form a loop", advice: "Repair the links." },
  EINVAL: { cause: "it is not a regular file", advice: "Name a regular file instead." },
  EBADF: { cause: "it was closed already", advice: "Open it again." },
  EIO: {
    cause: "the device reported an error",
    advice: "Check the disk, and keep a copy of what matters elsewhere.",
  },
};

const UNKNOWN_EXPLANATION: Explanation = {
  cause: "the system refused",
  advice: "Check the path and the disk, then try again.",
};

export interface StorageFailure {
  code: string;
  path: string;
  operation: StorageOperation;
  /** Bytes of the refused write that are on disk all the same. */
  written?: number;
  cause?: unknown;
}

export class StorageError extends Error {
  override readonly name = "StorageError";
  /** The system's name for the failure: ENOSPC, EACCES, … */
  readonly code: string;
  readonly path: string;
  readonly operation: StorageOperation;
  /**
   * Bytes of the refused write that reached the file before it failed. A full disk takes
   * a prefix; the owner of the file format decides whether to cut it off again.
   */
  readonly written: number;

  constructor(failure: StorageFailure) {
    const { cause, advice } = EXPLANATIONS[failure.code] ?? UNKNOWN_EXPLANATION;
    super(
      `Cannot ${failure.operation} ${failure.path}: ${cause} (${failure.code}). ${advice}`,
      failure.cause === undefined ? undefined : { cause: failure.cause },
    );
    this.code = failure.code;
    this.path = failure.path;
    this.operation = failure.operation;
    this.written = failure.written ?? 0;
  }
}

/** The system's code of a thrown error, or undefined when it is not a system error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Runs one storage operation and gives its system failures a type. What is not a system
 * error is a bug of ours and passes through unchanged.
 */
export async function attempt<T>(
  operation: StorageOperation,
  path: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof StorageError) throw cause;
    const code = systemCode(cause);
    // Node marks its own argument errors with ERR_…: those are bugs, not states of the disk.
    if (code === undefined || code.startsWith("ERR_")) throw cause;
    throw new StorageError({ code, path, operation, cause });
  }
}
