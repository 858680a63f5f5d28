// A file of names and values (JSON with comments, YAML, TOML), and the map inside of it whose entries
// are items. A mistake is named with its line.

import { extname } from "node:path";

export type ParsedDocument =
  { ok: true; data: Record<string, unknown> } | { ok: false; message: string; line?: number };

export async function parseDocument(file: string, text: string): Promise<ParsedDocument> {
  const format = FORMATS[extname(file)] ?? "yaml";
  if (format === "toml" && text.length > MAX_TOML_CHARACTERS) {
    return { ok: false, message: `is longer than ${MAX_TOML_CHARACTERS / 1024} KB` };
  }
  try {
    const data = parsers[format](text);
    if (data === null || data === undefined) return { ok: true, data: {} };
    if (isRecord(data)) return { ok: true, data };
    return { ok: false, message: "expected names with values", line: 1 };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = format === "toml" ? tomlErrorLine(text) : await yamlErrorLine(text);
    const message = error.message.replace(/^\w+ Parse error: /, "");
    return { ok: false, message: `cannot be read: ${message}`, ...(line && { line }) };
  }
}

/** Undefined where there is none; `ok: false` where something else stands there. */
export function mapAt(
  data: Record<string, unknown>,
  path: readonly string[],
): { ok: true; map: Record<string, unknown> } | { ok: false } | undefined {
  let value: unknown = data;
  for (const part of path) {
    if (!isRecord(value)) return { ok: false };
    value = Object.hasOwn(value, part) ? value[part] : undefined;
    if (value === undefined || value === null) return undefined;
  }
  return isRecord(value) ? { ok: true, map: value } : { ok: false };
}

/** The parser takes time that grows with the square of its tables: at this length a quarter of a second. */
const MAX_TOML_CHARACTERS = 128 * 1024;

type Format = "json" | "yaml" | "toml";

const FORMATS: Readonly<Record<string, Format>> = {
  ".json": "json",
  ".jsonc": "json",
  ".toml": "toml",
};

const parsers: Readonly<Record<Format, (text: string) => unknown>> = {
  json: (text) => (text.trim() === "" ? {} : Bun.JSONC.parse(text)),
  yaml: (text) => Bun.YAML.parse(text),
  toml: (text) => Bun.TOML.parse(text),
};

/** The parser that knows of lines is slow. */
const MAX_EXPLAINED_CHARACTERS = 256 * 1024;

/** JSON is YAML; comments in it are not, and are blanked first where a line is one. */
async function yamlErrorLine(text: string): Promise<number | undefined> {
  if (text.length > MAX_EXPLAINED_CHARACTERS) return undefined;
  const { LineCounter, parseDocument: parseYaml } = await import("yaml");
  const counter = new LineCounter();
  const blanked = text.replace(/^[ \t]*\/\/.*$/gm, "");
  const [problem] = parseYaml(blanked, { lineCounter: counter }).errors;
  return problem ? counter.linePos(problem.pos[0]).line : undefined;
}

/** Trying every beginning takes time that grows with its square. */
const MAX_TOML_LINES = 400;

/** The line after the longest beginning that can be read. */
function tomlErrorLine(text: string): number | undefined {
  const lines = text.split("\n");
  if (lines.length > MAX_TOML_LINES || text.length > MAX_EXPLAINED_CHARACTERS) return undefined;
  for (let count = lines.length - 1; count > 0; count--) {
    try {
      Bun.TOML.parse(lines.slice(0, count).join("\n"));
      return count + 1;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
  return 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
