// Gives a new session what an old one has beside its file, so that every `artifact://` in the
// conversation still means something. Outputs are never changed once written, so that a second
// name for the same file is a copy that costs nothing; all else is copied.

import { join } from "node:path";
import { temporaryPathFor } from "@tau/host/replace-file";
import type { Storage, StorageEntry } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { NO_LINKS } from "@tau/host/publish-file";
import { removeIfPossible } from "@tau/host/remove-if-possible";

const DIRECTORY = { point: "artifact.copy-directory" };
const LINK = { point: "artifact.link" };
const COPY = { point: "artifact.copy" };

const COPY_CHUNK_BYTES = 1024 * 1024;
/** Subagents' outputs have their own beside them, and so on; deeper is a loop. */
const MAX_DEPTH = 8;

/** Of what several places have under one name, the first one's counts. */
export async function copyArtifacts(
  storage: Storage,
  from: readonly string[],
  to: string,
): Promise<void> {
  for (const directory of from) await copyTree(storage, directory, to, MAX_DEPTH);
}

async function copyTree(storage: Storage, from: string, to: string, depth: number): Promise<void> {
  const entries = (await entriesOf(storage, from)).filter(isWorthCopying);
  if (entries.length === 0) return;
  await storage.makeDirectory(to, DIRECTORY);
  for (const { name, kind } of entries) {
    const [source, target] = [join(from, name), join(to, name)];
    if (kind === "directory") {
      if (depth > 0) await copyTree(storage, source, target, depth - 1);
    } else if (name.endsWith(".log")) await linkOrCopy(storage, source, target);
    else await copyFile(storage, source, target);
  }
}

/** For what is never changed any more. A name that is taken is left as it is. */
export async function linkOrCopy(storage: Storage, source: string, target: string): Promise<void> {
  if (!(await linked(storage, source, target))) await copyFile(storage, source, target);
}

/** Claims, locks and unfinished files belong to whoever is at work there. */
function isWorthCopying({ name, kind }: StorageEntry): boolean {
  return !name.startsWith(".") && !/\.lock(?:\.|$)/.test(name) && kind !== "link";
}

async function entriesOf(storage: Storage, directory: string): Promise<StorageEntry[]> {
  try {
    return await storage.list(directory);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  }
}

const NO_LINKS_HERE: ReadonlySet<string> = new Set([...NO_LINKS, "EXDEV", "EMLINK", "EACCES"]);

/** False where it must be copied. */
async function linked(storage: Storage, source: string, target: string): Promise<boolean> {
  try {
    await storage.link(source, target, LINK);
    return true;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.code === "EEXIST") return true;
    if (NO_LINKS_HERE.has(error.code)) return false;
    throw error;
  }
}

/** Under its name only when it is whole: what a crash left is not taken for a copy. */
async function copyFile(storage: Storage, source: string, target: string): Promise<void> {
  if ((await storage.stat(target)) !== undefined) return;
  const temporary = temporaryPathFor(target);
  try {
    await using file = await storage.open(temporary, { create: true, ...COPY });
    for (let at = 0; ;) {
      const chunk = await storage.read(source, { start: at, length: COPY_CHUNK_BYTES });
      if (chunk.length === 0) break;
      await file.append(chunk, COPY);
      at += chunk.length;
    }
    await file.sync(COPY);
  } catch (error) {
    if (error instanceof StorageError) await removeIfPossible(storage, temporary, COPY);
    throw error;
  }
  await storage.rename(temporary, target, COPY);
}
