// Reads a file that is to be edited: all of it, as the exact text that its bytes are. What could
// not be written back byte for byte is refused: text in another encoding (unless the caller takes
// bytes), binary data, and more than anybody edits.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { attempt } from "@tau/host/storage-error";
import { onDisk } from "@tau/host/walk/byte-path";
import { findFile, type ExistingFile } from "./file-kind.ts";
import { FileProblem, type ShowPath } from "./file-problem.ts";

/** Text that people and models edit is far smaller; a text and its copies must fit in memory. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;
/** As git does: a zero byte early on means that this is not text. */
const SNIFF_BYTES = 8000;

export interface TextFile extends ExistingFile {
  /** With its byte order mark and its line ends. */
  text: string;
  /** The text has a character for each byte, whatever the encoding is. */
  isBytes: boolean;
}

export interface TextOptions {
  /** Take a text as its bytes: never, if it is not UTF-8, or in any case. */
  bytes?: "never" | "if_needed" | "always";
}

/** Undefined where nothing is there. */
export async function readTextFile(
  path: string,
  show: ShowPath = (one) => one,
  { bytes: taken = "never" }: TextOptions = {},
): Promise<TextFile | undefined> {
  const file = await findFile(path, show);
  if (!file) return undefined;
  if (file.stats.size > MAX_TEXT_BYTES) throw tooLarge(path, file.stats.size, show);
  const bytes = await attempt("read", path, () => readAll(file.real));
  if (bytes.length > MAX_TEXT_BYTES) throw tooLarge(path, bytes.length, show);
  if (isBinary(bytes)) {
    throw new FileProblem(
      "binary",
      path,
      `${show(path)} is a binary file and cannot be edited as text. Use a program for its format.`,
    );
  }
  const text = taken === "always" ? undefined : decodeUtf8(bytes);
  if (text !== undefined) return { ...file, text, isBytes: false };
  if (taken === "never") {
    throw new FileProblem(
      "not_utf8",
      path,
      `${show(path)} is not UTF-8. Convert it first (iconv), or change it with a program that keeps its encoding.`,
    );
  }
  return { ...file, text: Buffer.from(bytes).toString("latin1"), isBytes: true };
}

export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, SNIFF_BYTES).includes(0);
}

/** Undefined for what is not UTF-8: encoding the text again gives the same bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** At most one byte more than may be read, whatever the file has become since it was looked at. */
async function readAll(path: string): Promise<Uint8Array> {
  // Without waiting: where a pipe has taken the file's place, nobody may ever write to it.
  await using handle = await open(onDisk(path), constants.O_RDONLY | constants.O_NONBLOCK);
  const { size } = await handle.stat();
  let buffer = Buffer.alloc(Math.min(size, MAX_TEXT_BYTES) + 1);
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
    if (filled > MAX_TEXT_BYTES) return buffer.subarray(0, filled);
    if (filled === buffer.length) {
      const room = Math.min(buffer.length * 2, MAX_TEXT_BYTES + 1);
      buffer = Buffer.concat([buffer], room);
    }
  }
}

function tooLarge(path: string, size: number, show: ShowPath): FileProblem {
  const most = MAX_TEXT_BYTES / 1024 / 1024;
  return new FileProblem(
    "too_large",
    path,
    `${show(path)} has ${size} bytes, more than the ${most} MiB that can be edited. Change it with a command such as sed.`,
  );
}
