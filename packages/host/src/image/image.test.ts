// Pictures of every kind: what they are taken for, how they are made fit for a model, and what
// is said of those that cannot be.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ImageError, type ImageErrorCode } from "./image-error.ts";
import { sniffImage } from "./image-type.ts";
import { jpegOrientation } from "./jpeg-orientation.ts";
import { imageFacts, imageForModel, MAX_EDGE_PX, MAX_IMAGE_BYTES } from "./model-image.ts";

type Color = readonly [number, number, number];

/** An uncompressed bitmap: simple enough to be made by hand. */
function bitmap(width: number, height: number, color: (x: number, y: number) => Color): Uint8Array {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = new Uint8Array(54 + row * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  view.setUint32(34, row * height, true);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = color(x, y);
      bytes.set([blue, green, red], 54 + (height - 1 - y) * row + x * 3);
    }
  }
  return bytes;
}

/** The colour at a place, by way of the bitmap that Bun cannot write: one pixel as PNG. */
async function corner(bytes: Uint8Array): Promise<"red" | "blue"> {
  const { inflateSync } = await import("node:zlib");
  const png = Buffer.from(
    await new Bun.Image(bytes).resize(2, 2, { filter: "nearest" }).png().bytes(),
  );
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") {
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  // The first pixel of the first line is the same under every filter.
  const pixels = inflateSync(Buffer.concat(data));
  return pixels[1]! > pixels[3]! ? "red" : "blue";
}

const RED: Color = [255, 0, 0];
const BLUE: Color = [0, 0, 255];
const halves = (width: number, height: number) =>
  bitmap(width, height, (x) => (x < width / 2 ? RED : BLUE));
const noise = (width: number, height: number) =>
  bitmap(width, height, (x, y) => {
    const value = Math.imul(x * 7919 + y * 104729 + 1, 2654435761) >>> 0;
    return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
  });

/** A photograph whose camera was held in this way. */
async function turned(orientation: number): Promise<Uint8Array> {
  const jpeg = await new Bun.Image(halves(40, 20)).jpeg({ quality: 95 }).bytes();
  const exif = Buffer.from(
    `ffe10022457869660000 49492a0008000000 0100 1201 0300 01000000 0${orientation}000000 00000000`.replaceAll(
      " ",
      "",
    ),
    "hex",
  );
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}

/** Two pictures of one pixel, red and then blue. */
const ANIMATION = Buffer.from(
  [
    "474946383961 0100 0100 80 00 00 ff0000 0000ff",
    "21f904 00 0a00 00 00 2c 0000 0000 0100 0100 00 02 02 4401 00",
    "21f904 00 0a00 00 00 2c 0000 0000 0100 0100 00 02 02 4c01 00 3b",
  ]
    .join("")
    .replaceAll(" ", ""),
  "hex",
);

async function refusal(run: Promise<unknown>): Promise<ImageErrorCode> {
  const outcome = await run.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (!(outcome instanceof ImageError)) throw new Error(`no ImageError: ${String(outcome)}`);
  expect(outcome.message).toMatch(/^[^\n]+: [^\n]+\.$/);
  return outcome.code;
}

describe("what a picture is", () => {
  const ftyp = (brand: string, more = "") =>
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${more}`)]);

  test.each<[string, Uint8Array, string | undefined]>([
    ["gif", ANIMATION, "gif"],
    ["bmp", halves(2, 2), "bmp"],
    ["tiff", Buffer.from("II*\0rest"), "tiff"],
    ["tiff of the other end", Buffer.from("MM\0*rest"), "tiff"],
    ["heic", ftyp("heic"), "heic"],
    ["heic by its second name", ftyp("mif1", "heic"), "heic"],
    ["avif", ftyp("avif"), "avif"],
    ["avif by its second name", ftyp("mif1", "avif"), "avif"],
    ["video", ftyp("isom"), undefined],
    ["icon", Buffer.from([0, 0, 1, 0, 1, 0]), "ico"],
    ["svg", Buffer.from('<?xml version="1.0"?>\n<!-- x --><svg xmlns="x">'), "svg"],
    ["html with a drawing", Buffer.from("<html><svg></svg>"), undefined],
    ["text", Buffer.from("BMW is a car and not a picture"), undefined],
    ["nothing", new Uint8Array(), undefined],
  ])("%s", (_name, bytes, type) => {
    expect(sniffImage(bytes)).toBe(type as never);
  });

  test("is found in whatever this machine writes", async () => {
    const image = () => new Bun.Image(halves(4, 2));
    expect(sniffImage(await image().png().bytes())).toBe("png");
    expect(sniffImage(await image().jpeg().bytes())).toBe("jpeg");
    expect(sniffImage(await image().webp().bytes())).toBe("webp");
    expect(await imageFacts(await image().webp().bytes())).toMatchObject({
      type: "webp",
      mimeType: "image/webp",
      width: 4,
      height: 2,
    });
  });
});

describe("for a model", () => {
  test("what fits is passed on untouched", async () => {
    const png = await new Bun.Image(halves(300, 200)).png().bytes();
    const made = await imageForModel(png);
    expect(made.bytes).toBe(png);
    expect(made).toMatchObject({ mimeType: "image/png", width: 300, height: 200, notes: [] });
  });

  test("what is too large is scaled, in proportion", async () => {
    const made = await imageForModel(await new Bun.Image(halves(3200, 800)).png().bytes());
    expect(made).toMatchObject({
      mimeType: "image/png",
      width: MAX_EDGE_PX,
      height: MAX_EDGE_PX / 4,
    });
    expect(made.original).toMatchObject({ width: 3200, height: 800 });
    expect(made.notes).toEqual([`Scaled from 3200×800 to ${MAX_EDGE_PX}×${MAX_EDGE_PX / 4}.`]);
    expect(await corner(made.bytes)).toBe("red");
  });

  test("what is too heavy becomes lighter until it fits", async () => {
    const png = await new Bun.Image(noise(600, 600)).png().bytes();
    const made = await imageForModel(png, { maxBytes: 60_000 });
    expect(made.bytes.length).toBeLessThanOrEqual(60_000);
    expect(made.mimeType).toBe("image/jpeg");
    expect(sniffImage(made.bytes)).toBe("jpeg");
    expect(await refusal(imageForModel(png, { maxBytes: 10 }))).toBe("too_large");
  });

  test("a photograph stands upright", async () => {
    const sideways = await turned(6);
    expect(jpegOrientation(sideways)).toBe(6);
    expect(await imageFacts(sideways)).toMatchObject({ width: 20, height: 40 });
    const made = await imageForModel(sideways);
    expect(made).toMatchObject({ width: 20, height: 40, mimeType: "image/jpeg" });
    expect(jpegOrientation(made.bytes)).toBe(1);
    expect(await corner(made.bytes)).toBe("red");
    // Upside down: what was on the right is on the left.
    expect(await corner((await imageForModel(await turned(3))).bytes)).toBe("blue");
    expect((await imageForModel(await turned(1))).notes).toEqual([]);
  });

  test("of an animation the first picture is shown, and a bitmap becomes a PNG", async () => {
    const made = await imageForModel(ANIMATION);
    expect(made).toMatchObject({ mimeType: "image/png", width: 1, height: 1 });
    expect(made.notes.join()).toContain("first frame");
    expect(await corner(made.bytes)).toBe("red");
    expect((await imageForModel(halves(8, 4))).mimeType).toBe("image/png");
  });

  test("what cannot be shown is said", async () => {
    const png = await new Bun.Image(noise(60, 60)).png().bytes();
    expect(await refusal(imageForModel(png.subarray(0, png.length / 2)))).toBe("corrupt");
    expect(await refusal(imageForModel(Buffer.from("no picture")))).toBe("corrupt");
    expect(await refusal(imageForModel(Buffer.from("<svg></svg>")))).toBe("unsupported");
    expect(await refusal(imageForModel(Buffer.from([0, 0, 1, 0, 1, 0])))).toBe("unsupported");
    expect(await refusal(imageForModel(new Uint8Array(MAX_IMAGE_BYTES + 1)))).toBe("too_large");
    const claims = await new Bun.Image(halves(2, 2)).png().bytes();
    new DataView(claims.buffer, claims.byteOffset).setUint32(16, 200_000);
    new DataView(claims.buffer, claims.byteOffset).setUint32(20, 200_000);
    expect(["too_large", "corrupt"]).toContain(await refusal(imageForModel(claims)));
  });
});

test("whatever bytes there are, they are a picture or a typed refusal", async () => {
  const starts = [
    ANIMATION,
    halves(4, 4),
    await turned(6),
    await new Bun.Image(halves(9, 9)).webp().bytes(),
  ];
  const bytes = fc
    .record({
      start: fc.constantFrom(...starts),
      at: fc.nat(200),
      noise: fc.uint8Array({ maxLength: 20 }),
    })
    .map(({ start, at, noise: change }) => {
      const changed = new Uint8Array(start);
      changed.set(
        change.subarray(0, Math.max(0, changed.length - at)),
        Math.min(at, changed.length),
      );
      return changed;
    });
  await fc.assert(
    fc.asyncProperty(bytes, async (changed) => {
      try {
        expect((await imageForModel(changed)).bytes.length).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(ImageError);
      }
    }),
    { numRuns: 150 },
  );
});
