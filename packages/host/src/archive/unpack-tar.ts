// Unpacks a tar from a stranger into a new directory: nothing is written outside of it, no link leads out,
// and it stops at a bound long before a disk is full. What is unsafe is refused as a whole, never skipped:
// half of a package is not what somebody wanted.

import { lstat, mkdir, open, realpath, rm, symlink, unlink } from "node:fs/promises";
import { dirname, isAbsolute, join, sep } from "node:path";
import { StorageError, systemCode } from "../storage-error.ts";
import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { padded } from "./tar-header.ts";
import { tarMembers, type TarMember } from "./tar-members.ts";
import { TarSource } from "./tar-source.ts";

export interface UnpackOptions {
  signal: AbortSignal;
  /** Of all files together. */
  maxBytes: number;
  maxFiles: number;
  /** So many leading directories are left out of each name: npm packs everything into `package/`. */
  strip?: number;
}

const BLOCK_BYTES = 512;
const TYPE_AT = 156;
const HARD_LINK = "1".charCodeAt(0);
const EXECUTABLE_BITS = 0o111;

/** No package of note is half as deep; systems bound how long a path may be, and walks how deep they go. */
const MAX_DEPTH = 100;
/** What systems say of a name that they cannot have. */
const BAD_NAMES: ReadonlySet<unknown> = new Set(["ENAMETOOLONG", "EINVAL", "EILSEQ"]);

export interface Unpacked {
  files: number;
  bytes: number;
}

/**
 * `target` is an empty directory of the caller's, who removes it if this fails. Rejects with `ArchiveError`, and
 * with `StorageError` if the disk does not take it.
 */
export async function unpackTar(
  archive: string,
  target: string,
  options: UnpackOptions,
): Promise<Unpacked> {
  try {
    return await unpackAll(archive, target, options);
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof StorageError) throw error;
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (BAD_NAMES.has(code)) {
      throw new ArchiveError("unsafe_name", `it has a name that cannot be written (${code})`);
    }
    throw new StorageError({ code, path: target, operation: "create", cause: error });
  }
}

async function unpackAll(
  archive: string,
  target: string,
  options: UnpackOptions,
): Promise<Unpacked> {
  const { signal, maxBytes, maxFiles, strip = 0 } = options;
  await using source = await TarSource.open(archive, { signal, maxBytes });
  const links: { path: string; to: string }[] = [];
  let files = 0;
  let bytes = 0;
  for await (const member of tarMembers(source)) {
    const name = safeName(member, strip);
    bytes += member.dataBytes;
    const isWanted = name !== "" && name.split("/")[0] !== ".git";
    if (isWanted && ++files > maxFiles) {
      throw new ArchiveError("too_many", `it has more than ${maxFiles} files`);
    }
    const path = join(target, name);
    if (!isWanted || member.kind === "directory") {
      if (isWanted) await makeDirectory(path);
      await source.skip(padded(member.dataBytes));
    } else if (member.kind === "link") {
      links.push({ path, to: member.target ?? "" });
      await source.skip(padded(member.dataBytes));
    } else if (member.kind === "file") await writeFile(source, path, member);
    else throw new ArchiveError("unsupported", `${name} is a device or a sparse file`);
  }
  // Only now: nothing may be written through a link.
  for (const link of links) await makeLink(target, link);
  return { files, bytes };
}

function safeName({ name, kind, headers }: TarMember, strip: number): string {
  if (name === undefined) {
    throw new ArchiveError("unsafe_name", "it has a file whose name leads out of it");
  }
  if (kind === "link" && headers.at(-BLOCK_BYTES + TYPE_AT) === HARD_LINK) {
    throw new ArchiveError("is_link", `${name} is a hard link`);
  }
  const parts = name.split("/").slice(strip);
  if (parts.length > MAX_DEPTH) {
    throw new ArchiveError("unsafe_name", `it has directories more than ${MAX_DEPTH} deep`);
  }
  return parts.join("/");
}

/** A later one of the same name counts, as everywhere. */
async function removeEarlier(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return;
    if (BAD_NAMES.has(code)) throw error;
    throw twice();
  }
}

function twice(): ArchiveError {
  return new ArchiveError("not_directory", "it has a file and a directory of the same name");
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const code = systemCode(error);
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw twice();
  }
}

async function writeFile(source: TarSource, path: string, member: TarMember): Promise<void> {
  await makeDirectory(dirname(path));
  await removeEarlier(path);
  const mode = ((member.mode ?? 0) & EXECUTABLE_BITS) !== 0 ? 0o755 : 0o644;
  await using file = await open(path, "wx", mode);
  let left = member.dataBytes;
  for await (const piece of source.pieces(padded(member.dataBytes))) {
    const own = piece.subarray(0, Math.max(0, left));
    if (own.length > 0) await file.write(own);
    left -= own.length;
  }
  if (left > 0) throw corruptArchive(source.path, "it ends before its members do");
}

/** A link may lead anywhere inside; one that leads nowhere is left out, before it leads somewhere. */
async function makeLink(root: string, { path, to }: { path: string; to: string }): Promise<void> {
  const inside = await realpath(root);
  const refused = new ArchiveError("is_link", `${path.slice(root.length + 1)} leads out of it`);
  if (to === "") return;
  if (isAbsolute(to)) throw refused;
  await makeDirectory(dirname(path));
  if (await lstat(path).catch(() => undefined)) return;
  await symlink(to, path);
  try {
    const real = await realpath(path);
    if (real !== inside && !real.startsWith(inside + sep)) throw refused;
  } catch (error) {
    await rm(path, { force: true });
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ELOOP" && code !== "ENOTDIR") throw error;
  }
}
