// `$'…'`: the escapes of C, and a few of bash's own.

const SIMPLE: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

const ESCAPE =
  /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

/** Undefined where the text cannot be said: single bytes beyond ASCII, and the zero byte. */
export function decodeAnsiQuote(inner: string): string | undefined {
  let isKnown = true;
  const text = inner.replace(ESCAPE, (whole, hex, short, long, octal, control, letter) => {
    const code =
      hex !== undefined
        ? Number.parseInt(hex, 16)
        : octal !== undefined
          ? Number.parseInt(octal, 8) & 0xff
          : control !== undefined
            ? control.charCodeAt(0) & 0x1f
            : undefined;
    if (code !== undefined) {
      if (code === 0 || code > 0x7f) isKnown = false;
      return String.fromCharCode(code);
    }
    const point = short ?? long;
    if (point !== undefined) {
      const value = Number.parseInt(point, 16);
      if (value === 0 || value > 0x10_ff_ff) isKnown = false;
      return isKnown ? String.fromCodePoint(value) : "";
    }
    return SIMPLE[letter] ?? whole;
  });
  return isKnown ? text : undefined;
}
