// What a program printed, as a reader without a terminal sees it: no colours, no cursor, and of a
// line that was drawn over and over only what it came to.

// oxlint-disable-next-line no-control-regex -- those are what is taken out
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/g;
const BACKSPACE = "\b";

export function plainOutput(text: string): string {
  // Most output has none of it.
  // oxlint-disable-next-line no-control-regex -- see above
  if (!/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) return text;
  let plain = Bun.stripANSI(withoutOpenStrings(text)).replaceAll("\r\n", "\n");
  if (plain.includes(BACKSPACE)) plain = withoutBackspaced(plain);
  if (plain.includes("\r")) plain = plain.split("\n").map(lastDrawn).join("\n");
  return plain.replace(CONTROL, "");
}

/**
 * A sequence that takes a text (a title, a picture) goes to its end mark. Without one it would take
 * everything that follows: then only its beginning goes.
 */
function withoutOpenStrings(text: string): string {
  // oxlint-disable-next-line no-control-regex -- see above
  return text.replace(/\x1b[\]PX^_](?![^\x07\x1b]*(?:\x07|\x1b\\))/g, "");
}

/** Each takes the character before it, up to the beginning of its line; in one pass, however many. */
function withoutBackspaced(text: string): string {
  const kept: string[] = [];
  for (const character of text) {
    if (character !== BACKSPACE) kept.push(character);
    else if (kept.length > 0 && kept.at(-1) !== "\n") kept.pop();
  }
  return kept.join("");
}

/** A progress bar's last state; an empty one means that it was cleared. */
function lastDrawn(line: string): string {
  const states = line.split("\r").filter((state) => state !== "");
  return states.at(-1) ?? "";
}
