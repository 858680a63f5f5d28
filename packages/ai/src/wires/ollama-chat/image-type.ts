// Ollama's pictures come without their type; it is in their first bytes.

/** The first bytes of each format, as the base64 text begins with them. */
const MAGIC: readonly [prefix: string, type: string][] = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

export function imageTypeOf(base64: string): string {
  return MAGIC.find(([prefix]) => base64.startsWith(prefix))?.[1] ?? "image/png";
}
