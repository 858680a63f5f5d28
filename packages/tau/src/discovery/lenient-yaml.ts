// YAML that a strict parser refuses, as people and other tools write it: `description: Use when: …`,
// `globs: *.ts, *.tsx`, a value that begins with a backtick. Each key at the left edge stands for
// itself; one whose value is no YAML is taken as the plain text that it was meant to be.

export interface KeyByKey {
  attributes: Record<string, unknown>;
  /** Lines are from 1, in the text given. */
  failed: { line: number; message: string }[];
}

interface Chunk {
  line: number;
  lines: string[];
}

const BLOCK = /^[|>][+-]?\d*\s*(?:#.*)?$/;

export function readKeyByKey(yaml: string): KeyByKey {
  const result: KeyByKey = { attributes: {}, failed: [] };
  for (const chunk of chunksOf(yaml)) {
    const value = parsed(chunk.lines.join("\n"));
    if (value !== undefined) Object.assign(result.attributes, own(value));
    else readAsText(chunk, result);
  }
  return result;
}

/** From a line at the left edge to the next one; a list may stand at the left edge too. */
function chunksOf(yaml: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [index, line] of yaml.split("\n").entries()) {
    const last = chunks.at(-1);
    if (/^\s*(#.*)?$/.test(line)) last?.lines.push(line);
    else if (last && /^(?:\s|- |-$)/.test(line)) last.lines.push(line);
    else chunks.push({ line: index + 1, lines: [line] });
  }
  return chunks;
}

function readAsText({ line, lines }: Chunk, { attributes, failed }: KeyByKey): void {
  const [first = "", ...more] = lines;
  // The first colon that a space or the end follows; by hand, because a pattern could take long.
  const colon = /:(?=[ \t]|$)/.exec(first)?.index ?? 0;
  const key = first.slice(0, colon).trim();
  if (key === "" || /^[#-]/.test(key)) {
    failed.push({ line, message: "this is not a name with a value (`name: value`)" });
    return;
  }
  const name = key.replace(/^(["'])(.*)\1$/, "$2");
  const text = first.slice(colon + 1).trim();
  const continued = more.map((each) => each.trim()).filter((each) => each !== "");
  const isList = text === "" || continued.some((each) => each.startsWith("- "));
  if (BLOCK.test(text) || isUnclosed(text) || (continued.length > 0 && isList)) {
    failed.push({ line, message: `the value of ${name} is not YAML; put it in quotes` });
    return;
  }
  // As YAML joins a plain text of several lines.
  if (name !== "__proto__") attributes[name] = [text, ...continued].join(" ");
}

/** A list, map or quotation that was begun; `[a] [b]` and `"a" and b` are text. */
function isUnclosed(text: string): boolean {
  const count = (character: string): number => text.split(character).length - 1;
  if (text.startsWith('"') || text.startsWith("'")) return count(text[0]!) % 2 === 1;
  if (text.startsWith("[")) return count("[") !== count("]");
  return text.startsWith("{") && count("{") !== count("}");
}

/** Undefined where it is no map. */
function parsed(yaml: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = Bun.YAML.parse(yaml);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function own(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "__proto__"));
}
