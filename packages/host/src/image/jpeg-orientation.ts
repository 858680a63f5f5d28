// How a photograph is to be turned before it is looked at, as the camera noted it.

const EXIF_MARKER = 0xe1;
const START_OF_SCAN = 0xda;
const ORIENTATION_TAG = 0x0112;

/** 1 for upright; 5 and more are turned by a quarter. */
export function jpegOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    const end = at + 2 + view.getUint16(at + 2);
    if (marker === START_OF_SCAN || end > bytes.length) return 1;
    const isExif = new TextDecoder("latin1").decode(bytes.subarray(at + 4, at + 10)) === "Exif\0\0";
    if (marker === EXIF_MARKER && isExif) return exifOrientation(bytes.subarray(at + 10, end));
    at = end;
  }
  return 1;
}

function exifOrientation(tiff: Uint8Array): number {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 8) return 1;
  const isLittle = tiff[0] === 0x49;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > tiff.length) return 1;
  const count = view.getUint16(directory, isLittle);
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + index * 12;
    if (at + 12 > tiff.length) return 1;
    if (view.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
