// Makes a file anew beside itself and puts it in place at once, for content that is streamed
// and not held in memory: a reader, or a crash, sees the old archive or the new one.
// `replace-file.ts` does the same for bytes that are at hand.

import { constants } from "node:fs";
import { mkdir, open, rename, stat, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { PartialWrite, realDiskCalls, syncDirectory } from "../disk-calls.ts";
import { removeLeftover, resolveLinks, temporaryPathFor } from "../replace-file.ts";
import { attempt, StorageError, systemCode } from "../storage-error.ts";
import { SHARED_DIRECTORY_MODE, SHARED_FILE_MODE } from "../storage.ts";

/** Runs `build` on an empty file; what it leaves there becomes the content of `path`. */
export async function rebuildFile(
  path: string,
  build: (target: FileHandle) => Promise<void>,
): Promise<void> {
  const target = await attempt("replace", path, () => resolveLinks(path));
  await attempt("make directory", dirname(target), () =>
    mkdir(dirname(target), { recursive: true, mode: SHARED_DIRECTORY_MODE }),
  );
  const temporary = temporaryPathFor(target);
  const step = <T>(run: () => Promise<T>): Promise<T> => attempt("replace", path, run);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const handle = await step(() => open(temporary, flags, SHARED_FILE_MODE));
  try {
    try {
      const mode = await step(() => modeOf(target));
      if (mode !== undefined) await step(() => handle.chmod(mode));
      // Its failures are its own; only those of the disk get a type here.
      await build(handle);
      await step(() => realDiskCalls.sync(handle));
    } finally {
      await handle.close();
    }
    await step(() => rename(temporary, target));
  } catch (error) {
    await removeLeftover(temporary);
    if (!(error instanceof PartialWrite)) throw error;
    throw new StorageError({ code: error.code, path, operation: "replace", cause: error });
  }
  await step(() => syncDirectory(realDiskCalls, dirname(target)));
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o7777;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
