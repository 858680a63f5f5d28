// Reads part of an artifact of any size: what is held in memory is what is given back, and the
// stretch of the file that is being looked at.

import type { ByteSource } from "../log/byte-source.ts";
import { linesForward } from "../log/read-lines.ts";
import type { ArtifactPart, LineRange } from "./artifact-store.ts";

/** One reading; more than a model is ever given at once. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;

const WHOLE: LineRange = { from: 1, count: Number.POSITIVE_INFINITY };

export async function readLines(
  source: ByteSource,
  totalBytes: number,
  range: LineRange = WHOLE,
  maxBytes: number = MAX_READ_BYTES,
): Promise<ArtifactPart> {
  const firstLine = Math.max(1, Math.floor(range.from));
  const parts: Uint8Array[] = [];
  const given = { firstLine, lines: 0, totalBytes, cutBytes: 0 };
  let held = 0;
  let line = 0;
  for await (const raw of linesForward(source, 0, totalBytes)) {
    line += 1;
    if (line < firstLine) continue;
    const bytes = raw.end - raw.start;
    if (given.lines > 0 && held + bytes > maxBytes)
      return { ...given, text: decode(parts), nextLine: line };
    const whole = raw.bytes ?? (await source.read(raw.start, maxBytes));
    const kept = whole.length > maxBytes ? wholeCharacters(whole.subarray(0, maxBytes)) : whole;
    parts.push(kept);
    if (raw.ended) parts.push(LINE_END);
    given.lines += 1;
    given.cutBytes += bytes - kept.length - (raw.ended ? 1 : 0);
    held += kept.length + 1;
    // Without a look at the next one, which may be all the rest.
    if (given.lines >= range.count && raw.end < totalBytes) {
      return { ...given, text: decode(parts), nextLine: line + 1 };
    }
  }
  return { ...given, text: decode(parts) };
}

const LINE_END = Uint8Array.of(0x0a);

function decode(parts: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(parts));
}

/** Without the beginning of a character at its end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && ((bytes[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + length > bytes.length ? bytes.subarray(0, lead) : bytes;
}
