// Puts what stands behind a command into its text: `$1`, `$@[2:3]`, `$ARGUMENTS`, `{{args}}`. A text
// without a place for them gets them at its end.

/** Quotes hold words together; one that is never closed runs to the end. */
export function splitArguments(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const sign of text) {
    if (quote !== undefined) {
      if (sign === quote) quote = undefined;
      else word += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= "";
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + sign;
  }
  if (word !== undefined) words.push(word);
  return words;
}

const PLACE =
  /\$@\[(\d+)(?::(\d+))?\]|\$ARGUMENTS\b|\$@|\$(\d+)|\{\{\s*(?:args|arguments|ARGUMENTS)\s*\}\}/g;

export function fillArguments(body: string, given: string): string {
  const words = splitArguments(given);
  const all = words.join(" ");
  let isUsed = false;
  // In one pass: what an argument brings along is never filled in again.
  const filled = body.replace(PLACE, (_, start?: string, length?: string, nth?: string) => {
    isUsed = true;
    if (nth !== undefined) return words[Number(nth) - 1] ?? "";
    if (start === undefined) return all;
    const from = Math.max(0, Number(start) - 1);
    const to = length === undefined ? undefined : from + Number(length);
    return words.slice(from, to).join(" ");
  });
  return isUsed || given.trim() === "" ? filled : `${filled.trimEnd()}\n\n${given.trim()}`;
}
