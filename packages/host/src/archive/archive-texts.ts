// The texts below a directory of an archive, in one pass, for whoever searches them. What is not
// text, too large or cannot be unpacked is counted, not read.

import { ArchiveError } from "./archive-error.ts";
import { archiveFormat } from "./archive-path.ts";
import { FileRanges } from "./file-ranges.ts";
import { wantedMember } from "./member-name.ts";
import { padded } from "./tar-header.ts";
import { tarMembers } from "./tar-members.ts";
import { TarSource } from "./tar-source.ts";
import { readZipDirectory } from "./zip-directory.ts";
import { readZipEntry } from "./zip-read.ts";

/** Of one member: larger ones are data. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Of all of them together; they are held in memory while they are searched. */
const MAX_TEXTS_BYTES = 64 * 1024 * 1024;

export interface ArchiveText {
  /** Of the member, within the archive. */
  name: string;
  text: string;
}

export interface ArchiveTexts {
  texts: ArchiveText[];
  /** Members that were not read. */
  skipped: number;
  /** Whether there was more than can be held. */
  isCut: boolean;
}

export async function textsBelow(
  archive: string,
  directory: string,
  signal: AbortSignal,
): Promise<ArchiveTexts> {
  const below = wantedMember(directory);
  const taken = new TakenTexts(below === "" ? "" : `${below.replace(/\/$/, "")}/`);
  if (archiveFormat(archive) === "zip") await takeZip(archive, taken, signal);
  else await takeTar(archive, taken, signal);
  return taken;
}

class TakenTexts implements ArchiveTexts {
  readonly texts: ArchiveText[] = [];
  skipped = 0;
  isCut = false;
  readonly #prefix: string;
  #bytes = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Whether its bytes are wanted; counts it if not. */
  wants({ name, kind, size }: { name?: string; kind: string; size: number }): boolean {
    if (kind !== "file" || name === undefined || !name.startsWith(this.#prefix)) return false;
    if (this.#bytes + size > MAX_TEXTS_BYTES) this.isCut = true;
    else if (size <= MAX_TEXT_BYTES) return true;
    this.skipped++;
    return false;
  }

  take(name: string, bytes: Uint8Array): void {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    if (bytes.includes(0) || text.includes("\ufffd")) this.skipped++;
    else {
      this.#bytes += bytes.length;
      this.texts.push({ name, text });
    }
  }
}

async function takeZip(archive: string, taken: TakenTexts, signal: AbortSignal): Promise<void> {
  await using file = await FileRanges.open(archive);
  const { entries } = await readZipDirectory(file);
  for (const entry of entries) {
    signal.throwIfAborted();
    if (!taken.wants(entry)) continue;
    try {
      taken.take(entry.name!, await readZipEntry(file, entry));
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      taken.skipped++;
    }
  }
}

async function takeTar(archive: string, taken: TakenTexts, signal: AbortSignal): Promise<void> {
  await using source = await TarSource.open(archive, { signal });
  for await (const { name, kind, size, dataBytes } of tarMembers(source)) {
    if (taken.wants({ name, kind, size })) {
      const data = await source.read(padded(dataBytes));
      taken.take(name!, data.subarray(0, size));
    } else await source.skip(padded(dataBytes));
  }
}
