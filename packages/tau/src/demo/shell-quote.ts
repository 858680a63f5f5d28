// The one way in which text from outside becomes part of a shell command. Everything
// between single quotes is literal to every POSIX shell, so only the single quote
// itself needs care.

/** A word that the shell reads back as exactly `text`. No argument can carry a NUL. */
export function shellQuote(text: string): string {
  if (text.includes("\0")) throw new RangeError("A shell word cannot contain a NUL character.");
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
