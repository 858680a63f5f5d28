// The pixels of a PNG with a palette, as the runtime's encoder writes it: eight bits a pixel or
// fewer, not interlaced. For terminals that want pixels and not a file.

import { inflateSync } from "node:zlib";

export interface IndexedPicture {
  width: number;
  height: number;
  /** Red, green, blue of each colour. */
  palette: Uint8Array;
  /** One index a pixel, row by row. */
  pixels: Uint8Array;
}

const SIGNATURE_BYTES = 8;
const INDEXED = 3;

/** Undefined for a PNG of another kind. */
export function readIndexedPng(png: Uint8Array): IndexedPicture | undefined {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  let width = 0;
  let height = 0;
  let depth = 0;
  let palette: Uint8Array | undefined;
  const data: Uint8Array[] = [];
  for (let at = SIGNATURE_BYTES; at + 8 <= png.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      width = view.getUint32(at + 8);
      height = view.getUint32(at + 12);
      depth = body[8]!;
      if (body[9] !== INDEXED || body[12] !== 0) return undefined;
    } else if (type === "PLTE") palette = body;
    else if (type === "IDAT") data.push(body);
    at += length + 12;
  }
  if (!palette || data.length === 0) return undefined;
  const rows = new Uint8Array(inflateSync(Buffer.concat(data)));
  return { width, height, palette, pixels: unpack(unfilter(rows, width, depth), width, depth) };
}

/** Takes back what each row's filter did, in place; the filters' bytes stay. */
function unfilter(rows: Uint8Array, width: number, depth: number): Uint8Array {
  const stride = Math.ceil((width * depth) / 8) + 1;
  for (let start = 0; start < rows.length; start += stride) {
    const filter = rows[start];
    for (let x = 1; x < stride; x++) {
      const left = x > 1 ? rows[start + x - 1]! : 0;
      const up = start > 0 ? rows[start - stride + x]! : 0;
      const corner = x > 1 && start > 0 ? rows[start - stride + x - 1]! : 0;
      const at = start + x;
      if (filter === 1) rows[at]! += left;
      else if (filter === 2) rows[at]! += up;
      else if (filter === 3) rows[at]! += (left + up) >> 1;
      else if (filter === 4) rows[at]! += paeth(left, up, corner);
    }
  }
  return rows;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function unpack(rows: Uint8Array, width: number, depth: number): Uint8Array {
  const stride = Math.ceil((width * depth) / 8) + 1;
  const height = rows.length / stride;
  const pixels = new Uint8Array(width * height);
  const mask = (1 << depth) - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = rows[y * stride + 1 + (bit >> 3)]!;
      pixels[y * width + x] = (byte >> (8 - depth - (bit & 7))) & mask;
    }
  }
  return pixels;
}
