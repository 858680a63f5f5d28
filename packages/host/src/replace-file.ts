// Replaces a file's content atomically: a reader, or a crash at any moment, sees the old
// bytes or the new ones, never a mixture. It owns the temporary file beside the target.

import { constants, type Stats } from "node:fs";
import {
  lstat,
  open,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  type FileHandle,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { syncDirectory, writeFully, type DiskCalls } from "./disk-calls.ts";
import { StorageError, systemCode } from "./storage-error.ts";
import { onDisk } from "./walk/byte-path.ts";

const TEMPORARY_SUFFIX = ".tau-tmp";
const TEMPORARY_ID_BYTES = 6;
// 255 bytes is the common limit of a name; a long base name is cut so that the temporary
// name of a legal file stays legal.
const TEMPORARY_BASE_CHARACTERS = 50;

/** A name beside `path` for its next content; on the same file system, so rename is atomic. */
export function temporaryPathFor(path: string): string {
  const base = basename(path).slice(0, TEMPORARY_BASE_CHARACTERS);
  // Not from `node:crypto`, which takes longer to load than a start has time for.
  const id = crypto.getRandomValues(new Uint8Array(TEMPORARY_ID_BYTES)).toHex();
  return join(dirname(path), `.${base}.${id}${TEMPORARY_SUFFIX}`);
}

/** Whether a directory entry is what a crash left of an unfinished replacement. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith(".") && name.endsWith(TEMPORARY_SUFFIX);
}

// The kernel's own limit for links in a path.
const MAX_LINKS = 40;

/** The file that a write to `path` means: links are followed, also to a missing target. */
export async function resolveLinks(path: string): Promise<string> {
  let current = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    try {
      return await realpath(current);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    const entry = await statOrMissing(current, lstat);
    if (!entry?.isSymbolicLink()) return current;
    current = resolve(dirname(current), await readlink(current));
  }
  throw new StorageError({ code: "ELOOP", path, operation: "replace" });
}

async function statOrMissing(
  path: string,
  call: (path: string) => Promise<Stats>,
): Promise<Stats | undefined> {
  try {
    return await call(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function keepOwnerAndMode(handle: FileHandle, existing: Stats): Promise<void> {
  const ours = await handle.stat();
  if (ours.uid !== existing.uid || ours.gid !== existing.gid) {
    try {
      await handle.chown(existing.uid, existing.gid);
    } catch (error) {
      // Only root may give files away. Whoever may write to the directory may replace the
      // file, and then owns it: that is what every editor does here.
      if (systemCode(error) !== "EPERM") throw error;
    }
  }
  // After chown, which clears the set-id bits.
  await handle.chmod(existing.mode & 0o7777);
}

/** Takes back a file that a failed write had created. */
export async function removeLeftover(path: string): Promise<void> {
  try {
    await rm(onDisk(path), { force: true });
  } catch {
    // A disk that fails writes may fail this too. The first failure is the one that
    // explains; it is on its way to the caller and must not be replaced by this one.
  }
}

/** `mode` is for a new file and subject to the umask; an existing file keeps its own. */
export async function replaceFile(
  calls: DiskCalls,
  path: string,
  bytes: Uint8Array,
  mode: number,
): Promise<void> {
  const target = await resolveLinks(path);
  const existing = await statOrMissing(target, stat);
  if (existing && !existing.isFile()) {
    const code = existing.isDirectory() ? "EISDIR" : "EINVAL";
    throw new StorageError({ code, path, operation: "replace" });
  }

  const temporary = temporaryPathFor(target);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await open(temporary, flags, mode);
  try {
    try {
      if (existing) await keepOwnerAndMode(handle, existing);
      await writeFully(calls, handle, bytes);
      await calls.sync(handle);
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await removeLeftover(temporary);
    throw error;
  }
  await syncDirectory(calls, dirname(target));
}
