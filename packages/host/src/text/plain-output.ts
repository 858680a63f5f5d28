// What a program printed, as a reader without a terminal sees it: no colours, no cursor, and of a
// line that was drawn over and over only what it came to.

// oxlint-disable-next-line no-control-regex -- those are what is taken out
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;
const BACKSPACED = /[^\n\b]\x08/g;

export function plainOutput(text: string): string {
  // Most output has none of it.
  // oxlint-disable-next-line no-control-regex -- see above
  if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return text;
  let plain = Bun.stripANSI(text).replaceAll("\r\n", "\n");
  for (let before = ""; before !== plain && plain.includes("\b");) {
    before = plain;
    plain = plain.replace(BACKSPACED, "");
  }
  if (plain.includes("\r")) plain = plain.split("\n").map(lastDrawn).join("\n");
  return plain.replace(CONTROL, "");
}

/** A progress bar's last state; an empty one means that it was cleared. */
function lastDrawn(line: string): string {
  const states = line.split("\r").filter((state) => state !== "");
  return states.at(-1) ?? "";
}
