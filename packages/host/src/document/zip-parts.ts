// The parts of a document that is a zip of XML files: read one by one, by name, each bounded,
// and all of them together.

import { ArchiveError } from "../archive/archive-error.ts";
import { findMember } from "../archive/archive-member.ts";
import { memoryRanges } from "../archive/file-ranges.ts";
import { safeMemberName } from "../archive/member-name.ts";
import { readZipDirectory } from "../archive/zip-directory.ts";
import { readZipEntry } from "../archive/zip-read.ts";
import { corruptDocument, DocumentError } from "./document-error.ts";
import { localName, xmlEvents } from "./xml.ts";

/** Text of a part; a novel has one or two. */
const MAX_PART_BYTES = 16 * 1024 * 1024;
/** All parts that are read; a document that has more is no text. */
const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

export interface ZipParts {
  /** Undefined where there is no such part. */
  text(name: string): Promise<string | undefined>;
  /** Names, in the order of the archive. */
  names: readonly string[];
}

export async function openZipParts(name: string, bytes: Uint8Array): Promise<ZipParts> {
  const file = memoryRanges(name, bytes);
  const { entries } = await typed(name, () => readZipDirectory(file));
  let total = 0;
  return {
    names: entries.flatMap((entry) => entry.name ?? []),
    async text(part) {
      const entry = findMember(entries, part);
      if (entry?.kind !== "file") return undefined;
      total += entry.size;
      if (total > MAX_TOTAL_BYTES) {
        throw new DocumentError("too_large", `${name} unpacks to too much: convert it to text.`);
      }
      const content = await typed(name, () => readZipEntry(file, entry, MAX_PART_BYTES));
      return new TextDecoder().decode(content);
    },
  };
}

/** The targets of a part's relations by their ids, as names of parts. */
export async function relationsOf(parts: ZipParts, part: string): Promise<Map<string, string>> {
  const slash = part.lastIndexOf("/") + 1;
  const directory = part.slice(0, slash);
  const xml = await parts.text(`${directory}_rels/${part.slice(slash)}.rels`);
  const targets = new Map<string, string>();
  for (const event of xmlEvents(xml ?? "")) {
    if (event.type !== "open" || localName(event.name) !== "Relationship") continue;
    const id = event.attributes.get("Id");
    const target = resolvePart(directory, event.attributes.get("Target") ?? "");
    if (id !== undefined && target !== undefined) targets.set(id, target);
  }
  return targets;
}

/** The name of a part as another one, in this directory, refers to it. */
export function resolvePart(directory: string, reference: string): string | undefined {
  const path = reference.split(/[#?]/)[0]!;
  // Names in a package are those of a web site: dots are resolved, and escapes undone.
  const base = `http://part/${directory}`;
  if (!URL.canParse(path, base)) return undefined;
  const { host, pathname } = new URL(path, base);
  if (host !== "part") return undefined;
  try {
    return safeMemberName(decodeURIComponent(pathname).replace(/^\/+/, ""));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

async function typed<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    if (error.code === "encrypted") {
      throw new DocumentError("encrypted", `${name} is encrypted: save it without a password.`);
    }
    if (error.code === "too_large" || error.code === "too_many") {
      throw new DocumentError("too_large", `${name} unpacks to too much: convert it to text.`);
    }
    throw corruptDocument(name);
  }
}
