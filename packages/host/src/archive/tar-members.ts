// Walks through a tar member by member. A member is what belongs together: headers with long
// names and attributes, the header itself, and the data.

import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { MAX_MEMBERS } from "./archive-limits.ts";
import { safeMemberName } from "./member-name.ts";
import {
  BLOCK_BYTES,
  isZeroBlock,
  kindOfType,
  padded,
  parsePax,
  parseTarHeader,
  type TarHeader,
} from "./tar-header.ts";
import type { ArchiveMember } from "./archive-member.ts";
import type { TarSource } from "./tar-source.ts";

/** Names and attributes of one member; real ones have less than a kilobyte. */
const MAX_META_BYTES = 1024 * 1024;
const GNU_LONG_NAME = "L";
const GNU_LONG_LINK = "K";
const PAX = "x";
const PAX_GLOBAL = "g";
const GNU_SPARSE = "S";

export interface TarMember extends ArchiveMember {
  /** All blocks before the data, as they are. */
  headers: Buffer;
  /** Those of them that are about the archive and not about this member. */
  globals: Buffer;
  /** How many bytes of data follow, without padding. */
  dataBytes: number;
  /** Data is holes and pieces, not the file's own bytes. */
  isSparse: boolean;
}

/**
 * Each member in turn; its data is to be taken from the source before the next is asked for,
 * or is to be skipped.
 */
export async function* tarMembers(source: TarSource): AsyncGenerator<TarMember> {
  for (let count = 0; ; count++) {
    if (count >= MAX_MEMBERS) {
      throw new ArchiveError(
        "too_many",
        `${source.path} has more than ${MAX_MEMBERS} members: use the tar command instead.`,
      );
    }
    const found = await nextMember(source, count === 0);
    if (!found) return;
    yield found;
  }
}

async function nextMember(source: TarSource, isFirst: boolean): Promise<TarMember | undefined> {
  const blocks: Buffer[] = [];
  const globals: Buffer[] = [];
  let metaBytes = 0;
  let pax = new Map<string, string>();
  let longName: string | undefined;
  let longLink: string | undefined;
  for (;;) {
    const block = await source.read(BLOCK_BYTES);
    if (block.length === 0 || (block.length === BLOCK_BYTES && isZeroBlock(block))) {
      return undefined;
    }
    const header = block.length === BLOCK_BYTES ? parseTarHeader(block) : undefined;
    if (!header) {
      const what = isFirst && blocks.length === 0 ? "it is not a tar" : "a header is not readable";
      throw corruptArchive(source.path, what);
    }
    blocks.push(block);
    if (![GNU_LONG_NAME, GNU_LONG_LINK, PAX, PAX_GLOBAL].includes(header.type)) {
      const isSparse = header.type === GNU_SPARSE;
      if (isSparse) blocks.push(...(await sparseMap(source, block)));
      const full = { ...header, ...fullHeader(header, pax, longName, longLink) };
      return {
        ...member(source, full, isSparse || isPaxSparse(pax)),
        headers: Buffer.concat(blocks),
        globals: Buffer.concat(globals),
      };
    }
    metaBytes += padded(header.size);
    if (metaBytes > MAX_META_BYTES) throw corruptArchive(source.path, "its names are too long");
    const data = await source.read(padded(header.size));
    if (data.length < padded(header.size)) throw corruptArchive(source.path, "it ends too early");
    blocks.push(data);
    const content = data.subarray(0, header.size);
    if (header.type === PAX_GLOBAL) globals.push(block, data);
    else if (header.type === GNU_LONG_NAME) longName = untilZero(content);
    else if (header.type === GNU_LONG_LINK) longLink = untilZero(content);
    else {
      const pairs = parsePax(content);
      if (!pairs) throw corruptArchive(source.path, "an extended header is not readable");
      pax = pairs;
    }
  }
}

function fullHeader(
  header: TarHeader,
  pax: ReadonlyMap<string, string>,
  longName: string | undefined,
  longLink: string | undefined,
): Partial<TarHeader> {
  const size = Number(pax.get("size") ?? header.size);
  const modifiedS = Number(pax.get("mtime") ?? header.modifiedS);
  return {
    name: pax.get("path") ?? longName ?? header.name,
    linkName: pax.get("linkpath") ?? longLink ?? header.linkName,
    size,
    modifiedS: Number.isFinite(modifiedS) ? modifiedS : header.modifiedS,
  };
}

function member(
  source: TarSource,
  header: TarHeader,
  isSparse: boolean,
): Omit<TarMember, "headers" | "globals"> {
  if (!Number.isSafeInteger(header.size) || header.size < 0) {
    throw corruptArchive(source.path, "a size is not readable");
  }
  const kind = isSparse ? "other" : kindOfType(header.type);
  // Links and directories have no data, whatever their size says.
  const hasData = !["1", "2", "3", "4", "5", "6"].includes(header.type);
  return {
    name: safeMemberName(header.name),
    kind,
    size: kind === "file" || isSparse ? header.size : 0,
    mode: header.mode,
    modifiedMs: header.modifiedS * 1000,
    target: kind === "link" ? header.linkName : undefined,
    dataBytes: hasData ? header.size : 0,
    isSparse,
  };
}

function isPaxSparse(pax: ReadonlyMap<string, string>): boolean {
  return [...pax.keys()].some((key) => key.startsWith("GNU.sparse."));
}

/** An old sparse header goes on in further blocks as long as a flag says so. */
async function sparseMap(source: TarSource, header: Buffer): Promise<Buffer[]> {
  const blocks: Buffer[] = [];
  for (let goesOn = header[482] === 1; goesOn;) {
    const block = await source.read(BLOCK_BYTES);
    if (block.length < BLOCK_BYTES || blocks.length * BLOCK_BYTES > MAX_META_BYTES) {
      throw corruptArchive(source.path, "a sparse file is not readable");
    }
    blocks.push(block);
    goesOn = block[504] === 1;
  }
  return blocks;
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}
