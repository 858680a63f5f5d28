// The edit language anchors a patch to the file it was written against by a short tag
// of the whole content. The tag only finds candidates: whether two texts are equal is
// decided on the texts, so a collision can never let a stale edit through.

/** Four characters: short enough to cost a model one or two tokens. */
const TAG_LENGTH = 4;
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's: no I, L, O, U to misread.

/** Line endings do not change a tag: the same text checked out on Windows is the same text. */
export function contentTag(text: string): string {
  // FNV-1a over UTF-16 units: stable everywhere, no dependency, and strength is not its job.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0d && text.charCodeAt(at + 1) === 0x0a) continue;
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  let rest = (hash ^ (hash >>> 20)) >>> 0;
  let tag = "";
  for (let digit = 0; digit < TAG_LENGTH; digit++) {
    tag += ALPHABET[rest & 31];
    rest >>>= 5;
  }
  return tag;
}
