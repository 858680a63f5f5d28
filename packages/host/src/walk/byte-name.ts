// Names that are not UTF-8, as people and models read and write them: bash's `$'caf\351.txt'`, part by
// part of a path. What is written so is read back as the same bytes, by rules that do not look at the
// disk: whoever judges a path and whoever opens it mean the same file.

import { systemCode } from "../storage-error.ts";
import { BASH_FORM, bytePath, isByteName, pathBytes, REPLACEMENT } from "./byte-path.ts";
import {
  childPath,
  listDirectory,
  type DirectoryPath,
  type ListedEntry,
} from "./list-directory.ts";

const ESCAPE = /\\(?:([0-7]{1,3})|x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|(.))/gs;
const NAMED_BYTES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  e: 27,
  E: 27,
  "'": 39,
  '"': 34,
  "?": 63,
  "\\": 92,
};

const ESCAPES: Readonly<Record<string, string>> = {
  "'": "\\'",
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Part by part, so that those which can be read stay as they are; the shell joins them. */
export function writtenPath(location: DirectoryPath): string {
  const path = typeof location === "string" ? location : bytePath(location);
  return isByteName(path) ? path.split("/").map(writtenPart).join("/") : path;
}

export function writtenName({ name, rawName }: ListedEntry): string {
  return rawName ? writtenPart(bytePath(rawName)) : name;
}

/** Part of a name in bash's form, and something that does not belong to it. */
const HALF_WRITTEN = /\$'(?:[^'\\]|\\.)*\\[0-7]{3}(?:[^'\\]|\\.)*'/s;

/** A slip, and no name that anybody gives a file: `$'caf\351.zip':member`. */
export function isHalfWritten(path: string): boolean {
  return path.split("/").some((part) => HALF_WRITTEN.test(part) && !BASH_FORM.test(part));
}

/** What a written path means; every other path is what it is. */
export function readWrittenPath(path: string): string {
  // A backslash parts directories on Windows, where all names are text.
  if (process.platform === "win32") return path;
  if (!path.includes("$'") && !isByteName(path)) return path;
  return path.split("/").map(readPart).join("/");
}

/** Also what looks like our own form of bytes is the name that those bytes are. */
function readPart(part: string): string {
  const bytes = partBytes(part);
  if (bytes) return bytePath(bytes);
  return isByteName(part) ? bytePath(pathBytes(part)) : part;
}

function writtenPart(part: string): string {
  if (!isByteName(part)) return part;
  const text = Array.from(part, (character) => {
    if (!isByteName(character)) return escaped(character);
    const [byte] = pathBytes(character) as unknown as [number];
    return byte < 0x80 ? String.fromCharCode(byte) : octal(byte);
  });
  return `$'${text.join("")}'`;
}

/** Undefined if the part is not in bash's form, or no name. */
function partBytes(part: string): Buffer | undefined {
  const quoted = BASH_FORM.exec(part)?.[1];
  if (quoted === undefined) return undefined;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: octals, 2: hex, 3: code, 4: sign } of quoted.matchAll(ESCAPE)) {
    pieces.push(pathBytes(quoted.slice(from, index)));
    from = index + whole.length;
    if (octals !== undefined) pieces.push(Buffer.of(Number.parseInt(octals, 8)));
    else if (hex !== undefined) pieces.push(Buffer.of(Number.parseInt(hex, 16)));
    else if (code !== undefined)
      pieces.push(Buffer.from(String.fromCharCode(Number.parseInt(code, 16))));
    else pieces.push(signBytes(sign!));
  }
  const bytes = Buffer.concat([...pieces, pathBytes(quoted.slice(from))]);
  return bytes.includes(0) ? undefined : bytes;
}

/** As bash does, an escape that it does not know stays as it stands. */
function signBytes(sign: string): Buffer {
  const known = NAMED_BYTES[sign];
  return known === undefined ? pathBytes(`\\${sign}`) : Buffer.of(known);
}

/**
 * What this path seems to mean: one that was copied with the decoder's signs in place of its bytes.
 * Undefined if it means nothing of the kind.
 */
export async function lostName(path: string): Promise<string | undefined> {
  if (!path.includes(REPLACEMENT)) return undefined;
  const parts = path.split("/");
  let at: DirectoryPath = parts[0] === "" ? "/" : parts[0]!;
  let isFound = false;
  for (const part of parts.slice(1)) {
    const lost = part.includes(REPLACEMENT)
      ? (await listedIn(at)).find(({ name, rawName }) => rawName && name === part)
      : undefined;
    isFound ||= lost !== undefined;
    at = childPath(at, lost ?? { name: part, kind: "other" });
  }
  return isFound && typeof at !== "string" ? bytePath(at) : undefined;
}

async function listedIn(directory: DirectoryPath): Promise<readonly ListedEntry[]> {
  try {
    return await listDirectory(directory);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, "0")}`;
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  if (ESCAPES[character]) return ESCAPES[character];
  if (code < 0x20 || code === 0x7f) return octal(code);
  return character;
}
