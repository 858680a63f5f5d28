// Words of strangers on one line of a terminal: nothing in them commands it, hides or turns text
// around, and they are as wide as they may be.

/** Control and format characters, line and paragraph separators, halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export function shownText(text: string, columns = Infinity): string {
  return cutEnd(text.replace(UNPRINTABLE, escaped), columns);
}

/** Names at the end of a path say more than those at its beginning. */
export function shownPath(path: string, columns: number): string {
  const plain = shownText(path);
  if (Bun.stringWidth(plain) <= columns) return plain;
  const characters = [...plain];
  while (characters.length > 0 && Bun.stringWidth(characters.join("")) > columns - 1) {
    characters.shift();
  }
  return `…${characters.join("")}`;
}

/** JSON with everything escaped that a terminal might take for something else. */
export function shownJson(data: unknown): string {
  return JSON.stringify(data, null, 2).replace(UNPRINTABLE, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

export function cutEnd(text: string, columns: number): string {
  if (columns === Infinity || Bun.stringWidth(text) <= columns) return text;
  const characters = [...text].slice(0, columns);
  while (characters.length > 0 && Bun.stringWidth(characters.join("")) > columns - 1) {
    characters.pop();
  }
  return `${characters.join("")}…`;
}

export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - Bun.stringWidth(text)));
}

/** As JSON writes them. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }).join("");
}
