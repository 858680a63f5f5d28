// Looks at the beginning of a file and says what it is: a session of this format, one of an
// older one, or no session at all. It decides before anything is written, so that a file
// that cannot be understood stays exactly as it is.

import type { Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { SESSION_VERSION, type SessionHeader } from "../entry.ts";
import { NotASession } from "../session-log.ts";
import { decodeLine, NEWLINE, parseObject } from "./line.ts";

/** A header is a few paths; a first line longer than this is something else. */
const MAX_HEADER_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export type FoundHeader =
  | {
      format: "current";
      header: SessionHeader;
      /** Where the first entry begins. */
      dataStart: number;
      size: number;
      /** The header reads well but its checksum does not match. */
      damaged: boolean;
      /** The header is whole, but its line end is missing. */
      lacksLineEnd: boolean;
    }
  | { format: "legacy"; version: 1 | 2 | 3; header: Record<string, unknown>; size: number };

export async function readHeader(storage: Storage, path: string): Promise<FoundHeader> {
  const stat = await storage.stat(path);
  if (stat === undefined) throw new StorageError({ code: "ENOENT", path, operation: "open" });
  if (stat.kind !== "file") {
    const what = stat.kind === "directory" ? "a directory" : "no regular file";
    throw refusal(path, `is ${what}`, "Name a session file, which ends in .jsonl.");
  }
  const bytes = await storage.read(path, { length: MAX_HEADER_BYTES });
  const { line, dataStart, ended } = firstLine(path, bytes);
  const checked = decodeLine(line);
  const value = checked?.value ?? parseObject(new TextDecoder().decode(line));
  if (value?.type !== "session" || typeof value.id !== "string") {
    throw refusal(path, "does not begin with a session header", CHECK_PATH);
  }
  const version = value.version ?? 1;
  if (version === 1 || version === 2 || version === 3) {
    return { format: "legacy", version, header: value, size: stat.size };
  }
  if (version !== SESSION_VERSION) {
    const written = typeof version === "number" ? `version ${version}` : "an unknown version";
    const next = `This one reads versions 1 to ${SESSION_VERSION}; update it to open the file.`;
    throw refusal(path, `is a session of ${written}`, next);
  }
  const header = headerOf(value);
  if (!header) throw refusal(path, "has a session header without time or directory", CHECK_PATH);
  const damaged = checked === undefined;
  const lacksLineEnd = !ended;
  if (damaged && lacksLineEnd) throw refusal(path, "ends within its session header", CHECK_PATH);
  return { format: "current", header, dataStart, size: stat.size, damaged, lacksLineEnd };
}

const CHECK_PATH = "Check the path; the file was not changed.";

function refusal(path: string, problem: string, next: string): NotASession {
  return new NotASession(`${path} ${problem}. ${next}`);
}

interface FirstLine {
  line: Uint8Array;
  dataStart: number;
  ended: boolean;
}

function firstLine(path: string, bytes: Uint8Array): FirstLine {
  if (bytes.length === 0) throw refusal(path, "is empty", CHECK_PATH);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw refusal(path, "is UTF-16 text, and a session is UTF-8", CHECK_PATH);
  }
  const begin = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)
    ? BYTE_ORDER_MARK.length
    : 0;
  const newline = bytes.indexOf(NEWLINE);
  const end = newline < 0 ? bytes.length : newline;
  if (newline < 0 && bytes.length >= MAX_HEADER_BYTES) {
    throw refusal(path, "begins with a line too long for a session header", CHECK_PATH);
  }
  const line = bytes.subarray(begin, end);
  if (line.includes(0)) throw refusal(path, "holds binary data", CHECK_PATH);
  const ended = newline >= 0;
  return { line, dataStart: ended ? newline + 1 : bytes.length, ended };
}

function headerOf(value: Record<string, unknown>): SessionHeader | undefined {
  // A damaged header was read past its checksum, which is no part of it.
  const { id, timestamp, cwd, crc: _crc, ...rest } = value;
  if (typeof timestamp !== "string" || typeof cwd !== "string") return undefined;
  return { ...rest, type: "session", version: SESSION_VERSION, id: id as string, timestamp, cwd };
}
