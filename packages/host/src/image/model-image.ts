// A picture made fit for a model: upright, no larger than models look at, in a format that all
// of them take, and small enough to be sent. What fits already is passed on untouched.

import { ImageError } from "./image-error.ts";
import { mimeOf, sniffImage, type ImageType } from "./image-type.ts";
import { jpegOrientation } from "./jpeg-orientation.ts";

/** What is read at all. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** The longer edge; models scale down what is larger before they look. */
export const MAX_EDGE_PX = 1568;
/** Vendors take some megabytes in base64, which is a third more. */
export const MAX_MODEL_BYTES = 3 * 1024 * 1024;
/** A picture unpacks to four bytes for each: 400 MB. */
const MAX_PIXELS = 100_000_000;
/** Each try is about a third smaller than the one before; the last is a thumbnail. */
const EDGE_STEPS = [1, 0.75, 0.5, 0.35, 0.2];
const JPEG_QUALITIES = [85, 70, 50];

export interface ImageFacts {
  type: ImageType;
  mimeType: string;
  bytes: number;
  /** As it is to be looked at, with its orientation applied. */
  width: number;
  height: number;
}

export interface ModelImage {
  /** PNG, JPEG, GIF or WebP. */
  mimeType: string;
  bytes: Uint8Array;
  width: number;
  height: number;
  original: ImageFacts;
  /** What was changed, in words. */
  notes: string[];
}

export interface ModelImageLimits {
  maxEdgePx?: number;
  maxBytes?: number;
}

/** Formats that every vendor takes as they are. */
const PASSED: ReadonlySet<ImageType> = new Set(["png", "jpeg", "webp"]);

/** Without decoding more than the header. */
export async function imageFacts(bytes: Uint8Array): Promise<ImageFacts> {
  const type = assertImage(bytes);
  try {
    const { width, height } = await new Bun.Image(bytes, { maxPixels: MAX_PIXELS }).metadata();
    return { type, mimeType: mimeOf(type), bytes: bytes.length, width, height };
  } catch (error) {
    throw imageError(error, type);
  }
}

export async function imageForModel(
  bytes: Uint8Array,
  limits: ModelImageLimits = {},
): Promise<ModelImage> {
  const { maxEdgePx = MAX_EDGE_PX, maxBytes = MAX_MODEL_BYTES } = limits;
  const original = await imageFacts(bytes);
  const edge = Math.max(original.width, original.height);
  const isUpright = original.type !== "jpeg" || jpegOrientation(bytes) === 1;
  const fits = edge <= maxEdgePx && bytes.length <= maxBytes;
  if (fits && isUpright && PASSED.has(original.type)) {
    const { mimeType, width, height } = original;
    // A damaged one must be found out here and not by the vendor.
    await attempt(original.type, () =>
      new Bun.Image(bytes, { maxPixels: MAX_PIXELS }).resize(1).png().bytes(),
    );
    return { mimeType, bytes, width, height, original, notes: [] };
  }
  for (const step of EDGE_STEPS) {
    const size = Math.max(1, Math.floor(Math.min(edge, maxEdgePx) * step));
    const made = await encodeWithin(bytes, original.type, size, maxBytes);
    if (made) return { ...made, original, notes: notesFor(original, made) };
  }
  throw new ImageError(
    "too_large",
    `The image does not fit into ${maxBytes} bytes: crop it or make it smaller.`,
  );
}

type Encoded = Pick<ModelImage, "mimeType" | "bytes" | "width" | "height">;

/** Drawings and screens are sharpest as PNG; photographs get too large for it. */
async function encodeWithin(
  bytes: Uint8Array,
  type: ImageType,
  size: number,
  maxBytes: number,
): Promise<Encoded | undefined> {
  const image = () =>
    new Bun.Image(bytes, { maxPixels: MAX_PIXELS }).resize(size, size, {
      fit: "inside",
      withoutEnlargement: true,
    });
  const isPhoto = type === "jpeg";
  if (!isPhoto) {
    const png = await attempt(type, () => image().png().bytes());
    if (png.length <= maxBytes) return measured("image/png", png);
  }
  for (const quality of JPEG_QUALITIES) {
    const jpeg = await attempt(type, () => image().jpeg({ quality }).bytes());
    if (jpeg.length <= maxBytes) return measured("image/jpeg", jpeg);
  }
  return undefined;
}

async function measured(mimeType: string, bytes: Uint8Array): Promise<Encoded> {
  const { width, height } = await new Bun.Image(bytes).metadata();
  return { mimeType, bytes, width, height };
}

function notesFor(original: ImageFacts, made: Encoded): string[] {
  const notes: string[] = [];
  if (made.width !== original.width || made.height !== original.height) {
    notes.push(`Scaled from ${original.width}×${original.height} to ${made.width}×${made.height}.`);
  }
  if (made.mimeType !== original.mimeType) {
    notes.push(`Converted from ${original.mimeType} to ${made.mimeType}.`);
  }
  if (original.type === "gif") notes.push("Only the first frame of the animation is shown.");
  return notes;
}

function assertImage(bytes: Uint8Array): ImageType {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new ImageError(
      "too_large",
      `The image has ${bytes.length} bytes and at most ${MAX_IMAGE_BYTES} are read: make it smaller first.`,
    );
  }
  const type = sniffImage(bytes);
  if (type === undefined) {
    throw new ImageError("corrupt", "This is not a supported image format: read it as a file.");
  }
  if (type === "svg") {
    throw new ImageError(
      "unsupported",
      "An SVG is text and is not drawn here: read it as a file, or convert it to PNG.",
    );
  }
  return type;
}

async function attempt<T>(type: ImageType, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw imageError(error, type);
  }
}

function imageError(error: unknown, type: ImageType): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  const cause = { cause: error };
  switch (code) {
    case "ERR_IMAGE_FORMAT_UNSUPPORTED":
    case "ERR_IMAGE_UNKNOWN_FORMAT":
      return new ImageError(
        "unsupported",
        `This ${type} image cannot be decoded on this machine: convert it to PNG or JPEG first.`,
        cause,
      );
    case "ERR_IMAGE_TOO_MANY_PIXELS":
      return new ImageError(
        "too_large",
        `This ${type} image has too many pixels: make it smaller first.`,
        cause,
      );
    case "ERR_IMAGE_DECODE_FAILED":
    case "ERR_IMAGE_ENCODE_FAILED":
      return new ImageError(
        "corrupt",
        `This ${type} image is damaged: create it again or download it again.`,
        cause,
      );
    default:
      return error;
  }
}
