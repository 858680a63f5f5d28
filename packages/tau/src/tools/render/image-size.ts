// How large a picture is, from its first bytes: enough to name it where it is not drawn.

/** Base64 characters that are looked at: sizes stand near the beginning, after a JPEG's notes. */
const HEAD_CHARACTERS = 64 * 1024;

export interface ImageSize {
  width: number;
  height: number;
}

/** Undefined where the bytes do not say. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = Buffer.from(base64.slice(0, HEAD_CHARACTERS), "base64");
  if (bytes.length < 30) return undefined;
  const head = bytes.toString("latin1", 0, 16);
  if (head.startsWith("\x89PNG")) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (head.startsWith("GIF8"))
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (head.startsWith("RIFF") && head.startsWith("WEBPVP8X", 8)) {
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  }
  return head.startsWith("\xff\xd8") ? jpegSize(bytes) : undefined;
}

/** Segment after segment up to the one that begins a frame. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const kind = bytes[at + 1]!;
    const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
