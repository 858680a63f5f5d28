// A picture as Sixel, the oldest way to draw in a terminal: bands of six rows, each colour of a
// band in a run of its own.

import type { IndexedPicture } from "./indexed-png.ts";

const BAND_ROWS = 6;
const FIRST_SIGN = 63;
/** Shorter runs are shorter as they are. */
const MIN_RUN = 4;

export function encodeSixel({ width, height, palette, pixels }: IndexedPicture): string {
  // Pixels that are not set keep what is there.
  let out = `\x1bP0;1q"1;1;${width};${height}`;
  const percent = (value: number): number => Math.round((value / 255) * 100);
  for (let color = 0; color * 3 < palette.length; color++) {
    const [red = 0, green = 0, blue = 0] = palette.subarray(color * 3, color * 3 + 3);
    out += `#${color};2;${percent(red)};${percent(green)};${percent(blue)}`;
  }
  for (let top = 0; top < height; top += BAND_ROWS) {
    out += encodeBand(pixels, { top, width, rows: Math.min(BAND_ROWS, height - top) });
  }
  return `${out}\x1b\\`;
}

function encodeBand(
  pixels: Uint8Array,
  { top, width, rows }: { top: number; width: number; rows: number },
): string {
  const bands = new Map<number, Uint8Array>();
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < width; x++) {
      const color = pixels[(top + row) * width + x]!;
      let bits = bands.get(color);
      if (!bits) bands.set(color, (bits = new Uint8Array(width)));
      bits[x]! |= 1 << row;
    }
  }
  const runs = [...bands].map(([color, bits]) => `#${color}${packed(bits)}`);
  return `${runs.join("$")}-`;
}

function packed(bits: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bits.length;) {
    let end = at + 1;
    while (end < bits.length && bits[end] === bits[at]) end++;
    const sign = String.fromCharCode(FIRST_SIGN + bits[at]!);
    const run = end - at;
    out += run < MIN_RUN ? sign.repeat(run) : `!${run}${sign}`;
    at = end;
  }
  return out;
}
