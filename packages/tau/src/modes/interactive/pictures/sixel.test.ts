// Pixels through the runtime's PNG encoder, our reader and our Sixel, and back.

import { expect, test } from "bun:test";
import { readIndexedPng } from "./indexed-png.ts";
import { encodeSixel } from "./sixel.ts";

/** A picture of a few colours in blocks, as an uncompressed bitmap that the runtime reads. */
function bitmap(width: number, height: number, colorAt: (x: number, y: number) => number[]) {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(54 + stride * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  view.setUint32(34, stride * height, true);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = colorAt(x, y);
      bytes.set([blue!, green!, red!], 54 + (height - 1 - y) * stride + x * 3);
    }
  }
  return bytes;
}

/** Reads Sixel as a terminal does. */
function draw(sixel: string): {
  width: number;
  height: number;
  colorAt(x: number, y: number): string;
} {
  const [, width, height] = /"1;1;(\d+);(\d+)/.exec(sixel)!.map(Number) as [number, number, number];
  const colors = new Map<number, string>();
  const cells = new Map<string, string>();
  const body = sixel.slice(sixel.indexOf('"1;1;') + `"1;1;${width};${height}`.length, -2);
  let x = 0;
  let band = 0;
  let color = 0;
  for (const [token] of body.matchAll(/#\d+;2;\d+;\d+;\d+|#\d+|!\d+.|./g)) {
    const defined = /^#(\d+);2;(\d+);(\d+);(\d+)$/.exec(token);
    if (defined) colors.set(Number(defined[1]), `${defined[2]},${defined[3]},${defined[4]}`);
    else if (token.startsWith("#")) color = Number(token.slice(1));
    else if (token === "$") x = 0;
    else if (token === "-") {
      x = 0;
      band += 1;
    } else {
      const run = token.startsWith("!") ? Number(token.slice(1, -1)) : 1;
      const bits = token.charCodeAt(token.length - 1) - 63;
      for (let count = 0; count < run; count++, x++) {
        for (let row = 0; row < 6; row++) {
          if (bits & (1 << row)) cells.set(`${x},${band * 6 + row}`, colors.get(color)!);
        }
      }
    }
  }
  return { width, height, colorAt: (at, y) => cells.get(`${at},${y}`) ?? "none" };
}

test.each([
  [1, 1],
  [7, 5],
  [16, 6],
  [33, 20],
])("a picture of %i×%i is drawn as it is", async (width, height) => {
  const palette = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
    [0, 0, 0],
  ];
  const colorAt = (x: number, y: number): number[] => palette[(x * 3 + y * 7 + (x >> 2)) % 5]!;
  const png = await new Bun.Image(bitmap(width, height, colorAt)).png({ palette: true }).bytes();
  const picture = readIndexedPng(png)!;
  expect([picture.width, picture.height]).toEqual([width, height]);
  const drawn = draw(encodeSixel(picture));
  expect([drawn.width, drawn.height]).toEqual([width, height]);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wanted = colorAt(x, y).map((value) => Math.round((value / 255) * 100));
      expect(drawn.colorAt(x, y)).toBe(wanted.join(","));
    }
  }
});

test("a PNG without a palette is not taken for one", async () => {
  const png = await new Bun.Image(bitmap(3, 3, () => [1, 2, 3])).png().bytes();
  expect(readIndexedPng(png)).toBeUndefined();
});
