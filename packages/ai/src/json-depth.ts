// How deep JSON is nested, told from its text: whoever walks over such values does so by calling
// itself, and a hostile one must not end that in an overflow.

/** Real arguments have a handful of levels; schemas and syntax trees some dozens. */
export const MAX_JSON_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    // Letters of either kind of bracket differ in this one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}
