// Prepares the helper files of a change: the new content under a name beside its place, with the
// permissions and the owner it will have there, and a second name for the old file.

import { chmod, chown, copyFile, constants, open, type FileHandle } from "node:fs/promises";
import { SHARED_FILE_MODE, type Storage } from "@tau/host/storage";
import { attempt, StorageError, systemCode } from "@tau/host/storage-error";
import { NO_LINKS } from "@tau/host/publish-file";
import { onDisk } from "@tau/host/walk/byte-path";

const POINT = { stage: "edit.stage", backup: "edit.backup" } as const;
/** Nobody else may look before the permissions are right. */
const UNFINISHED_MODE = 0o600;
const READ_BITS = 0o444;

export interface OwnerAndMode {
  uid: number;
  gid: number;
  mode: number;
}

export interface StageOptions {
  /** The file whose place it takes; a new file gets what the umask leaves. */
  like: OwnerAndMode | undefined;
  isExecutable: boolean;
}

/** Durable when it resolves. */
export async function stageContent(
  storage: Storage,
  path: string,
  bytes: Uint8Array,
  { like, isExecutable }: StageOptions,
): Promise<void> {
  if (!like) {
    const mode = isExecutable ? 0o777 : SHARED_FILE_MODE;
    return storage.createExclusive(path, bytes, { point: POINT.stage, mode });
  }
  await storage.createExclusive(path, bytes, { point: POINT.stage, mode: UNFINISHED_MODE });
  const mode = like.mode & 0o7777;
  const wanted = isExecutable ? executableMode(mode) : mode;
  await attempt("create", path, async () => {
    await using handle = await open(onDisk(path), "r+");
    await giveTo(handle, like);
    // After the owner, whose change clears the set-id bits.
    await handle.chmod(wanted);
    await handle.sync();
  });
}

/** Whoever may read it may run it. */
export function executableMode(mode: number): number {
  return mode | ((mode & READ_BITS) >> 2);
}

async function giveTo(handle: FileHandle, { uid, gid }: OwnerAndMode): Promise<void> {
  const ours = await handle.stat();
  if (ours.uid === uid && ours.gid === gid) return;
  try {
    await handle.chown(uid, gid);
  } catch (error) {
    // Only root may give files away; who may replace the file then owns it, as in every editor.
    if (systemCode(error) !== "EPERM") throw error;
  }
}

/** The old file under a second name; a copy where the file system knows no second names. */
export async function keepBackup(
  storage: Storage,
  target: string,
  backup: string,
  like: OwnerAndMode,
): Promise<void> {
  try {
    await storage.link(target, backup, { point: POINT.backup });
  } catch (error) {
    if (!(error instanceof StorageError) || !NO_LINKS.has(error.code)) throw error;
    await attempt("create", backup, () => copyWhole(target, backup, like));
  }
}

async function copyWhole(target: string, backup: string, like: OwnerAndMode): Promise<void> {
  await copyFile(onDisk(target), onDisk(backup), constants.COPYFILE_EXCL);
  await chown(onDisk(backup), like.uid, like.gid).catch((error: unknown) => {
    if (systemCode(error) !== "EPERM") throw error;
  });
  await chmod(onDisk(backup), like.mode & 0o7777);
  await using handle = await open(onDisk(backup), "r");
  await handle.sync();
}
