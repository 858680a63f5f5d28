// How wide text is on a terminal, and how to make it fit. One model of width for the
// whole program: two that disagree tear a screen apart.

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Columns that `text` takes: wide characters two, combining marks and escapes none. */
export function displayWidth(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : Bun.stringWidth(text);
}

const ELLIPSIS = "…";

/** `text` on one line of at most `columns`, with an ellipsis where something was cut. */
export function fitLine(text: string, columns: number): string {
  const line = oneLine(text);
  if (displayWidth(line) <= columns) return line;
  if (columns <= 0) return "";
  let width = 0;
  let fitted = "";
  for (const { segment } of graphemes(line)) {
    const next = displayWidth(segment);
    if (width + next > columns - 1) break;
    width += next;
    fitted += segment;
  }
  return fitted + ELLIPSIS;
}

let segmenter: Intl.Segmenter | undefined;

function graphemes(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

/** Escapes and control characters in data must never reach the terminal as commands. */
export function oneLine(text: string): string {
  return (
    Bun.stripANSI(text)
      .replace(/\s*\n\s*/g, " ⏎ ")
      .replace(/\t/g, "  ")
      // eslint-disable-next-line no-control-regex -- control characters are what this removes
      .replace(/[\u0000-\u001f\u007f-\u009f]/g, "")
  );
}
