// Which kind of picture some bytes are, by what they begin with: names lie.

export type ImageType =
  "png" | "jpeg" | "gif" | "webp" | "bmp" | "tiff" | "heic" | "avif" | "svg" | "ico";

const MIME: Record<ImageType, string> = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  tiff: "image/tiff",
  heic: "image/heic",
  avif: "image/avif",
  svg: "image/svg+xml",
  ico: "image/x-icon",
};

/** As many bytes as `sniffImage` needs to be sure. */
export const SNIFF_BYTES = 1024;

export function mimeOf(type: ImageType): string {
  return MIME[type];
}

/** Undefined for what is no picture. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  // A character for each byte; the decoder of that name has another code page in truth.
  const text = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (text.startsWith("\xff\xd8\xff")) return "jpeg";
  if (/^GIF8[79]a/.test(text)) return "gif";
  if (/^RIFF[^]{4}WEBP/.test(text)) return "webp";
  // Two letters are little to go by: the size of the header behind them must be one of the known.
  if (text.startsWith("BM") && isBitmapHeader(bytes)) return "bmp";
  if (/^(?:II\*\0|MM\0\*)/.test(text)) return "tiff";
  if (text.startsWith("\0\0\x01\0") && bytes[4] !== 0) return "ico";
  const brand = /^[^]{4}ftyp([^]{4})/.exec(text)?.[1];
  if (brand !== undefined) return brandType(text.slice(8, 64), brand);
  return /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(
    text,
  )
    ? "svg"
    : undefined;
}

function isBitmapHeader(bytes: Uint8Array): boolean {
  if (bytes.length < 26) return false;
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(14, true);
  return [12, 40, 52, 56, 64, 108, 124].includes(size);
}

function brandType(brands: string, main: string): ImageType | undefined {
  if (/^avi[fs]$/.test(main)) return "avif";
  if (/^(?:hei[cxms]|hev[cxms])$/.test(main)) return "heic";
  if (!/^m[is]f1$/.test(main)) return undefined;
  return brands.includes("avif") ? "avif" : "heic";
}
