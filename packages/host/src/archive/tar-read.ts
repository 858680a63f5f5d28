// Lists a tar and takes one member out of it, in one pass and without holding the rest.

import { ArchiveError, corruptArchive } from "./archive-error.ts";
import { MAX_MEMBER_BYTES } from "./archive-limits.ts";
import type { ArchiveMember } from "./archive-member.ts";
import { padded } from "./tar-header.ts";
import { tarMembers } from "./tar-members.ts";
import { TarSource } from "./tar-source.ts";

export interface TarContents {
  /** In the order of the archive. */
  members: ArchiveMember[];
  /** Of the last member with the wanted name, where it is a file. */
  bytes?: Uint8Array;
}

export async function readTar(
  path: string,
  wanted: { name?: string; maxBytes?: number; signal: AbortSignal },
): Promise<TarContents> {
  const { name: wantedName, maxBytes = MAX_MEMBER_BYTES, signal } = wanted;
  await using source = await TarSource.open(path, { signal });
  const contents: TarContents = { members: [] };
  for await (const { name, kind, size, mode, modifiedMs, target, ...packed } of tarMembers(
    source,
  )) {
    contents.members.push({
      name,
      kind,
      size,
      mode,
      modifiedMs,
      target,
    });
    const isWanted = name !== undefined && name === wantedName;
    if (isWanted) delete contents.bytes;
    if (!isWanted || kind !== "file") {
      await source.skip(padded(packed.dataBytes));
      continue;
    }
    if (size > maxBytes) {
      throw new ArchiveError(
        "too_large",
        `${name} has ${size} bytes and at most ${maxBytes} are read from an archive: unpack ${path} with tar and read the file.`,
      );
    }
    const data = await source.read(padded(size));
    if (data.length < size) throw corruptArchive(path, "it ends before its members do");
    contents.bytes = new Uint8Array(data.subarray(0, size));
  }
  return contents;
}
