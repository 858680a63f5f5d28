// The text of a file that may be parsed: bounded, UTF-8, and exact, so that what is written
// back later differs only where it was meant to.

import { readFile, stat } from "node:fs/promises";
import { onDisk } from "../walk/byte-path.ts";
import { MAX_SOURCE_CHARS } from "./parse-source.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";

export async function readSourceFile(path: string): Promise<Outcome<string>> {
  try {
    const { size } = await stat(onDisk(path));
    // Bytes for characters: a little strict for other scripts, and nothing large is read.
    if (size > MAX_SOURCE_CHARS) {
      return fail(
        "too_large",
        `${path} has ${size} bytes and the parser takes ${MAX_SOURCE_CHARS}; edit it by lines.`,
      );
    }
    const bytes = await readFile(onDisk(path));
    if (bytes.includes(0)) return notText(path);
    // A byte order mark is content here: it has to come back.
    return succeed(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) return notText(path);
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    return fail("unreadable_file", `${path} cannot be read (${code}); check the path.`);
  }
}

function notText(path: string) {
  return fail("not_text", `${path} is not UTF-8 text; leave it out.`);
}
