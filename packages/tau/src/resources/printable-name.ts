// A path on a line of its own. A name may hold anything, line breaks too; what is printed of it
// must stay on its line and command no terminal.

/** With control characters as JSON escapes them; most names are what they were. */
export function printableName(name: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what must not be printed
  return name.replace(/[\x00-\x1f\x7f-\x9f]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return NAMED[character] ?? `\\u${code}`;
  });
}

/** Said once in a list that has such names. */
export const BYTE_NAMES_NOTE =
  "[names written as $'…' are not UTF-8: tools take them as they stand; in bash, write ? for each \\NNN]";

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
