// Which part of a path is a database and which part says what is wanted of it.

import { open } from "node:fs/promises";
import { attempt, systemCode } from "../storage-error.ts";
import { onDisk } from "../walk/byte-path.ts";

export interface DatabasePath {
  /** The file on disk, as it was written. */
  database: string;
  /** What stands behind it, with its colon or question mark; empty for the database itself. */
  selector: string;
}

const SUFFIX = /\.(?:sqlite3?|db3?)(?=[:?]|$)/gi;
const HEADER = "SQLite format 3\0";

/** The candidates, the longest file first: a file may have a colon in its own name. */
export function splitDatabasePath(path: string): DatabasePath[] {
  const found: DatabasePath[] = [];
  for (const match of path.matchAll(SUFFIX)) {
    const end = match.index + match[0].length;
    if (match.index === 0 || /[/\\]$/.test(path.slice(0, match.index))) continue;
    found.push({ database: path.slice(0, end), selector: path.slice(end) });
  }
  return found.toReversed();
}

/** Whether the content is a database; undefined where there is no such file. */
export async function isDatabaseFile(path: string): Promise<boolean | undefined> {
  return attempt("open", path, async () => {
    try {
      await using file = await open(onDisk(path), "r");
      if (!(await file.stat()).isFile()) return false;
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(HEADER.length),
        0,
        HEADER.length,
        0,
      );
      return bytesRead === HEADER.length && buffer.toString("latin1") === HEADER;
    } catch (error) {
      const code = systemCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw error;
    }
  });
}
