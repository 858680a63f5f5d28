// Puts one file into a tar. All other members are streamed through as they are, headers and
// padding included; a packed tar is packed again.

import type { FileHandle } from "node:fs/promises";
import { realDiskCalls, writeFully } from "../disk-calls.ts";
import { corruptArchive } from "./archive-error.ts";
import { assertWritable, findMember, type ArchiveMember } from "./archive-member.ts";
import { makeTarHeader, padded } from "./tar-header.ts";
import { tarMembers } from "./tar-members.ts";
import { readTar } from "./tar-read.ts";
import { TarSource } from "./tar-source.ts";

const DEFAULT_MODE = 0o644;
/** Tars are written in records of twenty blocks, and end with two blocks of zeros at least. */
const RECORD_BYTES = 20 * 512;

export interface TarWrite {
  /** Undefined for a new archive. */
  existing: string | undefined;
  /** For a new archive; one that exists stays what it is. */
  isPacked: boolean;
  name: string;
  content: Uint8Array;
  signal: AbortSignal;
}

export async function writeTarMember(target: FileHandle, write: TarWrite): Promise<void> {
  const { existing, name, content, signal } = write;
  // A first pass finds which of several members with this name is the last, and all refusals.
  const members = existing === undefined ? [] : (await readTar(existing, { signal })).members;
  assertWritable(members, name);
  const replaced = findMember(members, name);
  const blocks = fileBlocks(name, content, replaced);
  if (existing === undefined) {
    await drainTo(target, newTar(blocks), write.isPacked);
    return;
  }
  await using source = await TarSource.open(existing, { signal });
  const at = replaced === undefined ? undefined : members.indexOf(replaced);
  await drainTo(target, rewritten(source, name, blocks, at), source.isPacked);
}

function fileBlocks(
  name: string,
  content: Uint8Array,
  replaced: ArchiveMember | undefined,
): Uint8Array {
  const header = makeTarHeader({
    name,
    size: content.length,
    mode: replaced?.kind === "file" ? (replaced.mode ?? DEFAULT_MODE) : DEFAULT_MODE,
    modifiedS: Math.floor(Date.now() / 1000),
  });
  const blocks = new Uint8Array(header.length + padded(content.length));
  blocks.set(header);
  blocks.set(content, header.length);
  return blocks;
}

async function* newTar(blocks: Uint8Array): AsyncGenerator<Uint8Array> {
  yield blocks;
  yield new Uint8Array(toRecord(blocks.length));
}

async function* rewritten(
  source: TarSource,
  name: string,
  blocks: Uint8Array,
  replacedAt: number | undefined,
): AsyncGenerator<Uint8Array> {
  const members = tarMembers(source);
  let index = 0;
  let length = 0;
  let next = await members.next();
  for (; !next.done; next = await members.next()) {
    const member = next.value;
    if (member.name === name) {
      yield member.globals;
      length += member.globals.length;
      if (index === replacedAt) {
        yield blocks;
        length += blocks.length;
      }
      await source.skip(padded(member.dataBytes));
    } else {
      yield member.headers;
      let left = padded(member.dataBytes);
      length += member.headers.length + left;
      for await (const piece of source.pieces(left)) {
        yield piece;
        left -= piece.length;
      }
      if (left > 0) throw corruptArchive(source.path, "it ends before its members do");
    }
    index++;
  }
  if (replacedAt === undefined) {
    yield blocks;
    length += blocks.length;
  }
  // What followed the members is padding; it is made anew for the new length.
  yield new Uint8Array(toRecord(length));
}

/** How many zeros end an archive of this length. */
function toRecord(length: number): number {
  return Math.ceil((length + 2 * 512) / RECORD_BYTES) * RECORD_BYTES - length;
}

async function drainTo(
  target: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  isPacked: boolean,
): Promise<void> {
  if (!isPacked) {
    for await (const chunk of chunks) await writeFully(realDiskCalls, target, chunk);
    return;
  }
  const [{ createGzip }, { pipeline }] = await Promise.all([
    import("node:zlib"),
    import("node:stream/promises"),
  ]);
  await pipeline(chunks, createGzip(), async (packed: AsyncIterable<Uint8Array>) => {
    for await (const chunk of packed) await writeFully(realDiskCalls, target, chunk);
  });
}
