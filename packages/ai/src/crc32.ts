// CRC-32 as Ethernet, gzip and AWS event streams use it. The web platform has none.

/** The polynomial with its bits in reverse. */
const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let state = byte;
  for (let bit = 0; bit < 8; bit++) state = (state >>> 1) ^ (state & 1 ? POLYNOMIAL : 0);
  return state;
});

export function crc32(bytes: Uint8Array): number {
  let state = 0xffffffff;
  for (const byte of bytes) state = TABLE[(state ^ byte) & 0xff]! ^ (state >>> 8);
  return (state ^ 0xffffffff) >>> 0;
}
