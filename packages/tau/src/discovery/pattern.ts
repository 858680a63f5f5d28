// A pattern of the table, taken apart. Fixed names are looked up one by one; only a glob makes
// anybody list a directory.

export type Segment =
  /** One of these, looked up by name. */
  | { type: "names"; names: readonly string[] }
  /** `tails`: what may follow a leading star, the longest first. */
  | { type: "glob"; matches: (name: string) => boolean; tails: readonly string[] }
  /** Any number of directories, none included. */
  | { type: "deep" };

export interface Pattern {
  text: string;
  segments: readonly Segment[];
}

const known = new Map<string, Pattern>();

export function parsePattern(text: string): Pattern {
  const before = known.get(text);
  if (before) return before;
  const pattern = { text, segments: text.split("/").map(segmentOf) };
  // The table is what it is; this holds each of its patterns once.
  known.set(text, pattern);
  return pattern;
}

function segmentOf(text: string): Segment {
  if (text === "**") return { type: "deep" };
  if (!/[*?[]/.test(text)) return { type: "names", names: alternatives(text) };
  const glob = new Bun.Glob(text);
  const tails = alternatives(text)
    .flatMap((one) => /^\*([^*?[]+)$/.exec(one)?.[1] ?? [])
    .sort((a, b) => b.length - a.length);
  return { type: "glob", matches: (name) => !name.startsWith(".") && glob.match(name), tails };
}

/** `a{b,c}d` is abd and acd. */
function alternatives(text: string): string[] {
  const parts = /^([^{]*)\{([^}]*)\}(.*)$/.exec(text);
  if (!parts) return [text];
  const [, before = "", inside = "", after = ""] = parts;
  return inside.split(",").flatMap((word) => alternatives(`${before}${word}${after}`));
}
