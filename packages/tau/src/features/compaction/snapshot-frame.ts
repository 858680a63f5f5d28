// A page of text as a PNG: black on white, one bit a dot, so that a cell's row is one byte of
// the picture. No drawing library is worth loading for that.

import { crc32, deflateSync } from "node:zlib";
import type { ImageBlock } from "@tau/ai/message";
import { CELL_PIXELS, isDrawn, letterRow, UNKNOWN_CODE } from "./snapshot-font.ts";

/** 1,024 dots across: the largest square that vendors read without scaling it down. */
export const FRAME_COLUMNS = 128;
export const FRAME_LINES = 128;

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const GREYSCALE = 0;
const ONE_BIT = 1;
/** Each row of dots begins with the filter it was put through. */
const NO_FILTER = 0;

/** Characters that text is full of and that have a plain counterpart. */
const PLAIN: Record<string, string> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
  "•": "*",
  "·": "*",
  "×": "x",
  "→": "->",
  "←": "<-",
  "≤": "<=",
  "≥": ">=",
  "¶": "P#",
};

/** Text in the letters that there are: accents fall away, blanks are one space. */
export function drawable(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[‘’“”–—…•·×→←≤≥¶]/g, (character) => PLAIN[character]!)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[^\x20-\x7e]/gu, String.fromCharCode(UNKNOWN_CODE));
}

/** The share of a text's characters that would be boxes. */
export function unreadableShare(drawn: string): number {
  if (drawn === "") return 0;
  return (drawn.split(String.fromCharCode(UNKNOWN_CODE)).length - 1) / drawn.length;
}

/** At most FRAME_LINES lines of at most FRAME_COLUMNS characters. */
export function drawFrame(lines: readonly string[]): ImageBlock {
  const width = FRAME_COLUMNS * CELL_PIXELS;
  const height = lines.length * CELL_PIXELS;
  const dots = new Uint8Array(height * (1 + FRAME_COLUMNS)).fill(0xff);
  for (let y = 0; y < height; y++) {
    const line = lines[Math.floor(y / CELL_PIXELS)]!;
    const start = y * (1 + FRAME_COLUMNS);
    dots[start] = NO_FILTER;
    for (let column = 0; column < line.length; column++) {
      const code = line.charCodeAt(column);
      const row = letterRow(isDrawn(code) ? code : UNKNOWN_CODE, y % CELL_PIXELS);
      dots[start + 1 + column] = ~row & 0xff;
    }
  }
  const png = Buffer.concat([
    SIGNATURE,
    chunk("IHDR", headerOf(width, height)),
    chunk("IDAT", deflateSync(dots)),
    chunk("IEND", new Uint8Array()),
  ]);
  return { type: "image", mimeType: "image/png", data: png.toString("base64") };
}

function headerOf(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = ONE_BIT;
  header[9] = GREYSCALE;
  return header;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
