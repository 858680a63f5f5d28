// From the text of a settings file to its tree. The fast built-in parser reads the values, but of two
// equal keys it takes the last without a word; a key that is there twice makes a file unreadable,
// because nobody can say which of the two was meant. The parser that keeps positions is loaded only
// if something is wrong, or might be.

export type ParsedSettings =
  | { ok: true; data: Record<string, unknown> }
  | { ok: false; message: string; line?: number | undefined };

export async function parseSettings(file: string, text: string): Promise<ParsedSettings> {
  const isJson = file.endsWith(".json") || file.endsWith(".jsonc");
  let data: unknown;
  try {
    if (isJson) data = text.trim() === "" ? {} : Bun.JSONC.parse(text);
    else data = Bun.YAML.parse(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return notUnderstood(isJson ? "JSON" : "YAML", text, error);
  }
  const odd = ODD_INDENT.exec(text);
  if (odd) {
    const message =
      "the line begins with a character that is not an indent, such as a no-break space";
    return { ok: false, message, line: text.slice(0, odd.index).split("\n").length };
  }
  if (data === null || data === undefined) data = {};
  if (!isRecord(data)) {
    return { ok: false, message: "settings are keys with values: `key: value`", line: 1 };
  }
  const doubled = isJson ? doubledInJson(text) : await doubledInYaml(text, data);
  return doubled ?? { ok: true, data };
}

/** It looks as if the line stood below the heading above it, and it does not. */
const ODD_INDENT = /^[ \t]*[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]/m;

async function notUnderstood(
  format: "JSON" | "YAML",
  text: string,
  error: Error,
): Promise<ParsedSettings> {
  // JSON is YAML; a comment in it is not.
  const { yamlError } = await import("./yaml-position.ts");
  const problem = await yamlError(format === "JSON" ? text.replace(/^\s*\/\/.*$/gm, "") : text);
  const why = problem?.why ?? error.message.replace(/^\w+ Parse error: /, "");
  const line = problem?.line ?? (format === "YAML" ? lineAfterLongestBeginning(text) : undefined);
  return { ok: false, message: `this is not ${format} (${why})`, line };
}

/** Trying every beginning takes time that grows with its square. */
const MAX_TRIED_LINES = 400;

/** For what only the fast parser objects to. */
function lineAfterLongestBeginning(text: string): number | undefined {
  const lines = text.split("\n");
  if (lines.length > MAX_TRIED_LINES) return undefined;
  for (let count = lines.length - 1; count > 0; count--) {
    try {
      Bun.YAML.parse(lines.slice(0, count).join("\n"));
      return count + 1;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
  return 1;
}

async function doubledInYaml(
  text: string,
  data: Record<string, unknown>,
): Promise<ParsedSettings | undefined> {
  if (!mayBeDoubled(text, data)) return undefined;
  const { yamlError } = await import("./yaml-position.ts");
  const problem = await yamlError(text);
  if (!problem) return undefined;
  const { why, line, isDoubledKey } = problem;
  if (!isDoubledKey) return { ok: false, message: `this is not YAML (${why})`, line };
  return twice(keyIn(text.split("\n")[line - 1] ?? ""), line);
}

/** A colon that can end a key. Those in words and comments count as well, which costs only time. */
const KEY_END = /:(?=[\s,[\]{}]|$)|(?<=["'\]}]):/g;
/** Ways to have a key without such a colon, or the keys of one map in two; and two odd line ends. */
const UNUSUAL = /^[\s-]*\?(?:\s|$)|[{,]\s*\?|(?:^|[\s,[{])&\S|\r(?!\n)|\t/m;

/**
 * False is certain: a text with no more ends of keys than its tree has keys has none of them twice.
 */
export function mayBeDoubled(text: string, data: unknown): boolean {
  // A mark of quotation may begin before the line.
  const words = text.replace(/^[ \t]*#[^"'\n]*$/gm, "");
  if (UNUSUAL.test(words) || hasBareKey(words)) return true;
  return (words.match(KEY_END)?.length ?? 0) > keysIn(data);
}

/** `{a, b: 1}`: in braces a key may stand alone. An entry of a list looks the same. */
function hasBareKey(text: string): boolean {
  if (!text.includes("{")) return false;
  for (const [, part = ""] of text.matchAll(/(?<=[{,])([^{}[\],]*)(?=[,}])/g)) {
    if (part.trim() !== "" && part.match(KEY_END) === null) return true;
  }
  return false;
}

function keysIn(data: unknown): number {
  let count = 0;
  const open: unknown[] = [data];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== "object" || one === null) continue;
    const values: unknown[] = Object.values(one);
    if (!Array.isArray(one)) count += values.length;
    for (const value of values) open.push(value);
  }
  return count;
}

/** Strings, comments and what opens, closes or separates. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|[{}[\],:]/g;

function doubledInJson(text: string): ParsedSettings | undefined {
  const maps: (Set<string> | undefined)[] = [];
  let word: { text: string; at: number } | undefined;
  for (const { 0: token, index } of text.matchAll(JSON_TOKEN)) {
    if (token.startsWith("/")) continue;
    if (token === "{") maps.push(new Set());
    else if (token === "[") maps.push(undefined);
    else if (token === "}" || token === "]") maps.pop();
    else if (token === ":" && word) {
      const key = JSON.parse(word.text) as string;
      const known = maps.at(-1);
      if (known?.has(key)) return twice(key, text.slice(0, word.at).split("\n").length);
      known?.add(key);
    }
    word = token.startsWith('"') ? { text: token, at: index } : undefined;
  }
  return undefined;
}

function twice(key: string, line: number): ParsedSettings {
  return { ok: false, message: key ? `duplicate key ${key}` : "duplicate key", line };
}

function keyIn(line: string): string {
  return /^[\s-]*["']?([^"'{:]+?)["']?\s*:/.exec(line)?.[1] ?? "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
