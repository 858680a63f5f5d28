// The `¶PATH#TAG` line that read and search print above a listing and that a section of a
// patch begins with. One spelling in both directions.

const FILE_SIGN = "¶";

export interface FileHeader {
  path: string;
  /** Undefined where the line names a file but no usable tag. */
  tag: string | undefined;
}

export function printFileHeader(path: string, tag: string): string {
  return `${FILE_SIGN}${path}#${tag}`;
}

// Models trained on other patch formats decorate the line; none of this is part of a path.
const NOISE_BEFORE_SIGN = /^\s*(?:\*{3}\s*)?(?:(?:Update|Add)(?: File)?:\s*)?(?=¶)/i;
const NOISE_AFTER_SIGN = /^[¶\s]*(?:\*{3}\s*)?(?:(?:Update|Add)(?: File)?:\s*)?[¶\s]*/i;
const TAG = /^[0-9A-Z]{4}$/;

/** Undefined if the row is no file header. */
export function parseFileHeader(row: string): FileHeader | undefined {
  const noise = NOISE_BEFORE_SIGN.exec(row)?.[0] ?? "";
  if (!row.startsWith(FILE_SIGN, noise.length)) return undefined;
  const written = row.slice(noise.length).replace(NOISE_AFTER_SIGN, "");
  const named = withoutStars(written);
  const hash = named.lastIndexOf("#");
  const tag = hash === -1 ? "" : readTag(named.slice(hash + 1));
  return TAG.test(tag)
    ? { path: named.slice(0, hash).trim(), tag }
    : { path: named, tag: undefined };
}

/** By hand: an expression for blanks at an end takes for ever on many of them elsewhere. */
function withoutStars(named: string): string {
  const trimmed = named.trimEnd();
  return trimmed.endsWith("***") ? trimmed.slice(0, -3).trimEnd() : trimmed;
}

/** Tags avoid the letters that are misread as digits, so reading them back is safe. */
function readTag(written: string): string {
  return written.trim().toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}
