// Looks at files that a search names before an engine touches them: what is no regular
// file would never end or never begin, and an engine treats a file it is given by name as
// text even if it is none.

import { open, stat } from "node:fs/promises";
import { systemCode } from "../storage-error.ts";
import { onDisk } from "../walk/byte-path.ts";
import type { SkippedTarget } from "./search-query.ts";

/** A NUL this far in decides; later ones are rare, and text up to there was text. */
const SNIFFED_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

export type NamedFile =
  { kind: "text"; sizeBytes: number } | { kind: "skipped"; reason: SkippedTarget["reason"] };

export async function lookAtFile(path: string): Promise<NamedFile> {
  try {
    const status = await stat(onDisk(path));
    if (status.isDirectory()) return { kind: "skipped", reason: "directory" };
    if (!status.isFile()) return { kind: "skipped", reason: "special" };
    if (await isBinary(path)) return { kind: "skipped", reason: "binary" };
    return { kind: "text", sizeBytes: status.size };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    return { kind: "skipped", reason: isMissing ? "missing" : "unreadable" };
  }
}

async function isBinary(path: string): Promise<boolean> {
  await using file = await open(onDisk(path), "r");
  const piece = Buffer.alloc(PIECE_BYTES);
  for (let at = 0; at < SNIFFED_BYTES;) {
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
    if (bytesRead === 0) return false;
    const bytes = piece.subarray(0, bytesRead);
    if (at === 0 && isUtf16(bytes)) return false;
    if (bytes.includes(0)) return true;
    at += bytesRead;
  }
  return false;
}

/** By its byte order mark; such text is full of NULs and yet text. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
