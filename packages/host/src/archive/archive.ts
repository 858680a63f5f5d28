// Zip, tar and packed tar as directories of files: list one, read one member, put one in. The
// format is told by the name of the archive; for tars packing is told by the content.

import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { attempt, StorageError, systemCode } from "../storage-error.ts";
import { ArchiveError } from "./archive-error.ts";
import { MAX_MEMBER_BYTES } from "./archive-limits.ts";
import {
  findMember,
  isDirectory,
  listMembers,
  missingMember,
  type ArchiveListing,
  type ArchiveMember,
} from "./archive-member.ts";
import { archiveFormat, type ArchiveFormat } from "./archive-path.ts";
import { FileRanges } from "./file-ranges.ts";
import { wantedMember, writableMember } from "./member-name.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { rebuildFile } from "./rebuild-file.ts";
import { readTar } from "./tar-read.ts";
import { writeTarMember } from "./tar-write.ts";
import { readZipDirectory } from "./zip-directory.ts";
import { readZipEntry } from "./zip-read.ts";
import { writeZipMember } from "./zip-write.ts";

export interface ArchiveOptions {
  signal?: AbortSignal;
  /** Children in a listing. */
  limit?: number;
}

export type ArchiveContent =
  | { type: "directory"; listing: ArchiveListing }
  | { type: "file"; member: ArchiveMember; bytes: Uint8Array };

const NEVER = new AbortController().signal;

/** What is at `member`: the children of a directory, or the bytes of a file. */
export async function openMember(
  archive: string,
  member: string,
  options: ArchiveOptions = {},
): Promise<ArchiveContent> {
  const name = wantedMember(member);
  const { signal = NEVER, limit } = options;
  signal.throwIfAborted();
  if (formatOf(archive) === "zip") return openZipMember(archive, name, limit);
  const { members, bytes } = await readTar(archive, { name, signal });
  const file = fileAt(archive, members, name);
  if (!file) return { type: "directory", listing: listMembers(members, name, limit) };
  return { type: "file", member: file, bytes: bytes! };
}

/**
 * Puts a file into an archive, in place of the one that has this name or behind all others.
 * All other members stay as they are. The archive is made if it does not exist, and is
 * replaced at once: nobody sees half of it.
 */
export async function writeMember(
  archive: string,
  member: string,
  content: Uint8Array,
  options: { signal?: AbortSignal } = {},
): Promise<{ created: boolean }> {
  const name = writableMember(member);
  const format = formatOf(archive);
  const { signal = NEVER } = options;
  if (content.length > MAX_MEMBER_BYTES) {
    throw new ArchiveError(
      "too_large",
      `The content has ${content.length} bytes and at most ${MAX_MEMBER_BYTES} are written into an archive: write a file and pack it with a command.`,
    );
  }
  return oneAtATime(resolve(archive), async () => {
    const before = await identityOf(archive);
    await rebuildFile(archive, async (target) => {
      if (format === "zip") {
        await using old = before === undefined ? undefined : await FileRanges.open(archive);
        await writeZipMember(old, target, name, content, signal);
      } else {
        const isPacked = format === "tar.gz";
        const existing = before === undefined ? undefined : archive;
        await writeTarMember(target, { existing, isPacked, name, content, signal });
      }
      // What another program put in meanwhile would be lost.
      if ((await identityOf(archive)) !== before) throw changed(archive);
    });
    return { created: before === undefined };
  });
}

function changed(archive: string): ArchiveError {
  return new ArchiveError(
    "changed",
    `${archive} was changed by another program in the meantime: check it and try again.`,
  );
}

async function openZipMember(
  archive: string,
  name: string,
  limit: number | undefined,
): Promise<ArchiveContent> {
  await using file = await FileRanges.open(archive);
  const { entries } = await readZipDirectory(file);
  const found = findMember(entries, name);
  if (found?.kind === "link") throw linkError(name, await zipLinkTarget(file, found));
  if (!fileAt(archive, entries, name)) {
    return { type: "directory", listing: listMembers(entries, name, limit) };
  }
  return { type: "file", member: found!, bytes: await readZipEntry(file, found!) };
}

/** The file at `name`; undefined for a directory. */
function fileAt(
  archive: string,
  members: readonly ArchiveMember[],
  name: string,
): ArchiveMember | undefined {
  const found = findMember(members, name);
  if (found?.kind === "file") return found;
  if (found?.kind === "link") throw linkError(name, found.target);
  if (isDirectory(members, name)) return undefined;
  if (!found) throw missingMember(members, name);
  throw new ArchiveError(
    "unsupported",
    `${name} is not a plain file (a device, or a sparse file): unpack ${archive} with tar first.`,
  );
}

async function zipLinkTarget(
  file: FileRanges,
  entry: Parameters<typeof readZipEntry>[1],
): Promise<string> {
  return new TextDecoder().decode(await readZipEntry(file, entry, MAX_LINK_BYTES));
}

/** The longest path of any system. */
const MAX_LINK_BYTES = 64 * 1024;

function linkError(name: string, target = ""): ArchiveError {
  return new ArchiveError(
    "is_link",
    `${name} is a link to ${JSON.stringify(target)}: read that member of the archive instead.`,
  );
}

function formatOf(archive: string): ArchiveFormat {
  const format = archiveFormat(archive);
  if (format) return format;
  throw new ArchiveError(
    "unsupported",
    `${archive} is not a supported archive: use one that ends in .zip, .tar, .tar.gz or .tgz.`,
  );
}

/** Which file it is, and in which state; undefined where there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  return attempt("open", path, async () => {
    try {
      const found = await stat(path, { bigint: true });
      if (found.isFile()) return `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}`;
      throw new StorageError({ code: "EISDIR", path, operation: "open" });
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
  });
}
