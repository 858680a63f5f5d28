// The block of YAML between two lines of dashes with which skills, rules, commands and agents begin.
// Every tool of this field writes it, not all of them write YAML: what a strict parser refuses is
// read again, key by key, so that one careless line costs at most itself.

import { MAX_FRONTMATTER_BYTES } from "./limits.ts";
import { readKeyByKey } from "./lenient-yaml.ts";

export interface Frontmatter {
  /** As they stand, unknown ones too; types are for the caller to check. */
  attributes: Record<string, unknown>;
  /** What follows, as it stands. */
  body: string;
  /** What was left out. */
  problems: FrontmatterProblem[];
}

export interface FrontmatterProblem {
  /** In the whole text, from 1. */
  line: number;
  message: string;
}

const FENCE = /^---[ \t]*$/;
const LOOKS_LIKE_KEY = /^[\w-]+[ \t]*:/;

export function parseFrontmatter(text: string): Frontmatter {
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  const none = { attributes: {}, body: plain, problems: [] };
  const opening = /^---[ \t]*\r?\n/.exec(plain);
  if (!opening) return none;
  const block = findBlock(plain, opening[0].length);
  if (!block) {
    // A line of dashes is also a rule between paragraphs.
    const [second = ""] = plain.slice(opening[0].length).split("\n", 1);
    if (!LOOKS_LIKE_KEY.test(second)) return none;
    const message = "the frontmatter has no end; close it with a line of three dashes";
    return { ...none, problems: [{ line: 1, message }] };
  }
  const { yaml, body } = block;
  try {
    const value: unknown = Bun.YAML.parse(yaml);
    if (value === null || value === undefined) return { attributes: {}, body, problems: [] };
    if (isRecord(value)) return { attributes: withoutPrototype(value), body, problems: [] };
    const message = "the frontmatter is not a list of names with values (`name: value`)";
    return { attributes: {}, body, problems: [{ line: 2, message }] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { attributes, failed } = readKeyByKey(yaml);
    const problems = failed.map(({ line, message }) => ({ line: line + 1, message }));
    return { attributes: withoutPrototype(attributes), body, problems };
  }
}

function findBlock(text: string, start: number): { yaml: string; body: string } | undefined {
  for (let at = start; at < text.length && at - start <= MAX_FRONTMATTER_BYTES;) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? text.length : end).replace(/\r$/, "");
    const next = end === -1 ? text.length : end + 1;
    if (FENCE.test(line)) {
      return { yaml: text.slice(start, at).replaceAll("\r\n", "\n"), body: text.slice(next) };
    }
    at = next;
  }
  return undefined;
}

/** Nobody means it, and assigning it would change the object instead of filling it. */
function withoutPrototype(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
