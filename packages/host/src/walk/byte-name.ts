// Names that are not UTF-8. A string cannot hold them: decoded, they have signs in place of bytes,
// and no file answers to that. They are written as bash's `$'caf\351.txt'`, which names the file to
// the shell and to nobody else.

import { systemCode } from "../storage-error.ts";
import { listDirectory, type DirectoryPath, type ListedEntry } from "./list-directory.ts";

/** What a decoder puts in place of a byte that it cannot read. */
const REPLACEMENT = "\ufffd";
/** A part of a path that was written as here: only bytes that are not UTF-8 make it so. */
const WRITTEN = /\$'(?:[^'\\]|\\.)*\\[0-7]{3}(?:[^'\\]|\\.)*'/;

/** Within it, what is not text. */
const HIGH_BYTE = /\\[23][0-7]{2}/;
/** Parts of a path that every shell takes as they are. */
const HARMLESS = /^[\w@%+=:,.-]*$/;

const ESCAPES: Readonly<Record<string, string>> = {
  "'": "\\'",
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** As one word of a shell. Bytes that are no character become octal escapes. */
export function bashName(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = characterAt(bytes, at);
    text += length === 0 ? octal(bytes[at]!) : escaped(bytes.toString("utf8", at, at + length));
    at += Math.max(length, 1);
  }
  return `$'${text}'`;
}

/** Part by part, so that those which can be read stay as they are; the shell joins them. */
export function writtenPath(location: DirectoryPath): string {
  if (typeof location === "string") return location;
  return partsOf(location)
    .map((part) => (isText(part) ? part.toString() : bashName(part)))
    .join("/");
}

export function writtenName({ name, rawName }: ListedEntry): string {
  return rawName ? bashName(rawName) : name;
}

/**
 * A written path for a command line, with `?` for each byte that is not text: a line whose words are
 * all text can be judged, and so runs where the exact name would have to be asked about.
 */
export function shellGlob(written: string): string {
  return written.split("/").map(globOfPart).join("/");
}

function globOfPart(part: string): string {
  if (HARMLESS.test(part)) return part;
  if (!WRITTEN.test(part)) return `'${part.replaceAll("'", String.raw`'\''`)}'`;
  const texts = part.slice("$'".length, -1).split(HIGH_BYTE);
  return texts.map((text) => (HARMLESS.test(text) ? text : `$'${text}'`)).join("?");
}

/**
 * How a list would write what this path seems to mean: one that was copied from a list, written as
 * above or with the decoder's signs. Undefined if it means nothing of the kind.
 */
export async function lostName(path: string): Promise<string | undefined> {
  if (WRITTEN.test(path)) return path;
  if (!path.includes(REPLACEMENT)) return undefined;
  const parts = path.split("/");
  const at = parts.findIndex((part) => part.includes(REPLACEMENT));
  const above = parts.slice(0, at).join("/") || "/";
  const entry = (await listedIn(above)).find(({ name, rawName }) => rawName && name === parts[at]);
  if (!entry?.rawName) return undefined;
  const found = Buffer.concat([Buffer.from(above === "/" ? "/" : `${above}/`), entry.rawName]);
  const rest = parts.slice(at + 1);
  return writtenPath(await lostBelow(found, rest));
}

/** The rest of the path, each part by its bytes if it has lost some. */
async function lostBelow(directory: Buffer, parts: readonly string[]): Promise<Buffer> {
  let at = directory;
  for (const part of parts) {
    const entry = (await listedIn(at)).find(({ name, rawName }) => rawName && name === part);
    at = Buffer.concat([at, Buffer.from("/"), entry?.rawName ?? Buffer.from(part)]);
  }
  return at;
}

async function listedIn(directory: DirectoryPath): Promise<readonly ListedEntry[]> {
  try {
    return await listDirectory(directory);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function partsOf(path: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", from)) {
    parts.push(path.subarray(from, at));
    from = at + 1;
  }
  return [...parts, path.subarray(from)];
}

function isText(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

/** How many bytes the character here has; 0 if they are none. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const piece = bytes.subarray(at, at + length);
  return length > 0 && piece.length === length && isText(piece) ? length : 0;
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
