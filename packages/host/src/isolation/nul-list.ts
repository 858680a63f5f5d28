// Lists as git writes and reads them with `-z`: each entry ends with a zero byte. Paths are strings as
// `walk/byte-path.ts` keeps them, so that a name that is not UTF-8 comes back as the bytes it was.

import { bytePath, pathBytes } from "../walk/byte-path.ts";

export function entriesOf(output: Buffer): string[] {
  const entries: string[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0, at);
    const stop = end === -1 ? output.length : end;
    entries.push(bytePath(output.subarray(at, stop)));
    at = stop + 1;
  }
  return entries;
}

export function listOf(entries: Iterable<string>): Buffer {
  const pieces: Buffer[] = [];
  for (const entry of entries) pieces.push(pathBytes(entry), ZERO);
  return Buffer.concat(pieces);
}

const ZERO = Buffer.of(0);

export interface IndexEntry {
  mode: string;
  object: string;
  stage: number;
  path: string;
}

/** Of `git ls-files --stage -z`. */
export function indexEntriesOf(output: Buffer): IndexEntry[] {
  return entriesOf(output).map((line) => {
    const tab = line.indexOf("\t");
    const [mode = "", object = "", stage = "0"] = line.slice(0, tab).split(" ");
    return { mode, object, stage: Number(stage), path: line.slice(tab + 1) };
  });
}

export const LINK_TO_REPOSITORY = "160000";

/** Only those, found without reading the rest: there are thousands of files and hardly ever one of these. */
export function repositoryLinksOf(output: Buffer): string[] {
  const links: string[] = [];
  for (let at = 0; ;) {
    const isFirst = at === 0 && output.subarray(0, LINK_TO_REPOSITORY.length).equals(LINK_MODE);
    const found = isFirst ? 0 : output.indexOf(LINK_START, at) + 1;
    if (found === 0 && !isFirst) return links;
    const end = output.indexOf(0, found);
    const [link] = indexEntriesOf(output.subarray(found, end));
    links.push(link!.path);
    at = end;
  }
}

const LINK_MODE = Buffer.from(LINK_TO_REPOSITORY);
const LINK_START = Buffer.from(`\0${LINK_TO_REPOSITORY} `);
