/** A code block that its own content cannot end. */
export function fence(text: string, info = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${info}\n${text.replace(/\n$/, "")}\n${marks}`;
}
