// The one way in which Tau changes files: session logs, settings, credentials, blobs and
// locks all go through `Storage`. It exists so that every durable write has a name (its
// fault point) at which tests can break it, and so that the rules of durability (fsync,
// the directory's fsync, atomic replacement, short writes) are written down once.

import { constants, type Dirent } from "node:fs";
import { link, lstat, mkdir, open, readdir, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { identityOf, openAppendFile, type AppendFile, type WriteOptions } from "./append-file.ts";
import { realDiskCalls, syncDirectory, writeFully, type DiskCalls } from "./disk-calls.ts";
import { removeLeftover, replaceFile } from "./replace-file.ts";
import { attempt, StorageError, systemCode } from "./storage-error.ts";
import { onDisk, pathBytes } from "./walk/byte-path.ts";

// Private unless asked otherwise: a session at 0644 is a leak that nobody notices, a
// source file at 0600 is a nuisance that somebody reports. The umask applies to both.
const PRIVATE_FILE_MODE = 0o600;
export const PRIVATE_DIRECTORY_MODE = 0o700;
/** For what belongs to the user's project rather than to Tau. */
export const SHARED_FILE_MODE = 0o666;
export const SHARED_DIRECTORY_MODE = 0o777;

export interface CreateOptions extends WriteOptions {
  /** Permissions of a new file or directory; private when left out. */
  mode?: number;
}

/** Opening is a write only when it may create the file. */
export type OpenOptions = { create?: false } | ({ create: true } & CreateOptions);

export interface ReadOptions {
  /** First byte; 0 when left out. Beyond the end is no error: nothing is there to read. */
  start?: number;
  /** At most this many bytes; up to the end when left out. */
  length?: number;
}

export interface RemoveOptions extends WriteOptions {
  /** "tree" also removes a directory with all it holds. */
  what?: "file" | "tree";
}

export type EntryKind = "file" | "directory" | "link" | "other";

export interface StorageEntry {
  name: string;
  kind: EntryKind;
}

export interface StorageStat {
  kind: Exclude<EntryKind, "link">;
  size: number;
  /** Permission bits only. */
  mode: number;
  modifiedMs: number;
  /** Which file it is, whatever its name: another one after a removal or replacement. */
  identity: string;
}

/** Failures of the system reject with `StorageError`. */
export interface Storage {
  open(path: string, options: OpenOptions): Promise<AppendFile>;
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
  /** Old bytes or new bytes, never a mixture; durable when it resolves. Follows links. */
  replace(path: string, bytes: Uint8Array, options: CreateOptions): Promise<void>;
  /**
   * Creates a file that must not exist (EEXIST): a lock, or a blob's temporary. Durable
   * when it resolves. A crash halfway leaves a file with a prefix of the bytes.
   */
  createExclusive(path: string, bytes: Uint8Array, options: CreateOptions): Promise<void>;
  rename(from: string, to: string, options: WriteOptions): Promise<void>;
  /** A second name for a file; EEXIST when `path` is taken, so it publishes exactly once. */
  link(existing: string, path: string, options: WriteOptions): Promise<void>;
  /** False when there was nothing to remove. */
  remove(path: string, options: RemoveOptions): Promise<boolean>;
  /** With its parents; one that exists is fine. */
  makeDirectory(path: string, options: CreateOptions): Promise<void>;
  /** Sorted by name. */
  list(path: string): Promise<StorageEntry[]>;
  /** Of what a link points to; undefined when there is nothing. */
  stat(path: string): Promise<StorageStat | undefined>;
}

const READ_CHUNK_BYTES = 256 * 1024;
/** So much room is made without asking how much is needed. */
const SMALL_READ_BYTES = 4096;
const NANOSECONDS_PER_MILLISECOND = 1e6;

async function readRange(path: string, { start = 0, length }: ReadOptions): Promise<Uint8Array> {
  const handle = await open(onDisk(path), constants.O_RDONLY);
  try {
    // The size is only a hint: /proc files say 0, and a log may grow while it is read.
    const isSmall = length !== undefined && length <= SMALL_READ_BYTES;
    const hint = isSmall ? length : Math.max((await handle.stat()).size - start, 0);
    let buffer = Buffer.alloc(Math.min(length ?? Infinity, hint + 1));
    let filled = 0;
    for (;;) {
      if (length !== undefined && filled >= length) break;
      if (filled === buffer.length) {
        const room = Math.min(READ_CHUNK_BYTES, (length ?? Infinity) - filled);
        buffer = Buffer.concat([buffer, Buffer.alloc(room)]);
      }
      const { bytesRead } = await handle.read(
        buffer,
        filled,
        buffer.length - filled,
        start + filled,
      );
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

async function createNew(
  calls: DiskCalls,
  path: string,
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(onDisk(path), flags, mode);
  try {
    try {
      await writeFully(calls, handle, bytes);
      await calls.sync(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    // We created it, so it is ours to take back: a half-written lock would block everyone.
    await removeLeftover(path);
    throw error;
  }
  await syncDirectory(calls, dirname(path));
}

async function makeDirectories(calls: DiskCalls, path: string, mode: number): Promise<void> {
  const target = resolve(path);
  const first = await mkdir(onDisk(target), { recursive: true, mode });
  if (first === undefined) return;
  // Each created directory is an entry of its parent, from the deepest to the first, which the
  // system names as text.
  const last = resolve(first);
  for (let created = target; ; created = dirname(created)) {
    await syncDirectory(calls, dirname(created));
    if (pathBytes(created).toString() === last || created === dirname(created)) return;
  }
}

async function removeEntry(
  calls: DiskCalls,
  path: string,
  what: "file" | "tree",
): Promise<boolean> {
  try {
    if (what === "file" && (await lstat(onDisk(path))).isDirectory()) {
      throw new StorageError({ code: "EISDIR", path, operation: "remove" });
    }
    await (what === "tree" ? rm(onDisk(path), { recursive: true }) : unlink(onDisk(path)));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
  await syncDirectory(calls, dirname(path));
  return true;
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

async function statOf(path: string): Promise<StorageStat | undefined> {
  try {
    // As big integers: an inode may be larger than a number holds exactly.
    const found = await stat(onDisk(path), { bigint: true });
    const kind = found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
    const mode = Number(found.mode) & 0o7777;
    const modifiedMs = Number(found.mtimeNs) / NANOSECONDS_PER_MILLISECOND;
    return { kind, size: Number(found.size), mode, modifiedMs, identity: identityOf(found) };
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function byName(a: StorageEntry, b: StorageEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The real disk. `calls` is for tests of failures that a healthy disk does not have. */
export function createDiskStorage(calls: DiskCalls = realDiskCalls): Storage {
  return {
    open(path, options) {
      const mode = options.create ? (options.mode ?? PRIVATE_FILE_MODE) : undefined;
      return openAppendFile(calls, path, mode === undefined ? undefined : { mode });
    },
    read: (path, options = {}) => attempt("read", path, () => readRange(path, options)),
    replace: (path, bytes, { mode = PRIVATE_FILE_MODE }) =>
      attempt("replace", path, () => replaceFile(calls, path, bytes, mode)),
    createExclusive: (path, bytes, { mode = PRIVATE_FILE_MODE }) =>
      attempt("create", path, () => createNew(calls, path, bytes, mode)),
    rename: (from, to) =>
      attempt("rename", from, async () => {
        await rename(onDisk(from), onDisk(to));
        await syncDirectory(calls, dirname(to));
        if (dirname(resolve(from)) !== dirname(resolve(to))) {
          await syncDirectory(calls, dirname(from));
        }
      }),
    link: (existing, path) =>
      attempt("link", path, async () => {
        await link(onDisk(existing), onDisk(path));
        await syncDirectory(calls, dirname(path));
      }),
    remove: (path, { what = "file" }) =>
      attempt("remove", path, () => removeEntry(calls, path, what)),
    makeDirectory: (path, { mode = PRIVATE_DIRECTORY_MODE }) =>
      attempt("make directory", path, () => makeDirectories(calls, path, mode)),
    list: (path) =>
      attempt("list", path, async () => {
        const entries = await readdir(onDisk(path), { withFileTypes: true });
        return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })).sort(byName);
      }),
    stat: (path) => attempt("stat", path, () => statOf(path)),
  };
}
