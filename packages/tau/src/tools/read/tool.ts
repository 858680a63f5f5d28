// The read tool: a text file by lines, or a directory's entries.

import { open, readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import {
  description,
  integer,
  minValue,
  number,
  optional,
  pipe,
  strictObject,
  string,
} from "valibot";
import prompt from "./prompt.md" with { type: "text" };

/** A screenful of screenfuls; the model asks for more where it needs more. */
const DEFAULT_LINES = 2000;
/** Longer lines are generated text; their head tells as much. */
const MAX_LINE_CHARS = 2000;
const CHUNK_BYTES = 256 * 1024;
/** As git does: a zero byte early on means that this is not text. */
const SNIFF_BYTES = 8000;

const parameters = strictObject({
  path: pipe(string(), description("File or directory")),
  offset: optional(pipe(number(), integer(), minValue(1), description("First line, from 1"))),
  limit: optional(pipe(number(), integer(), minValue(1), description("How many lines"))),
});

export function createReadTool(options: { cwd: string }): Tool {
  return defineTool({
    name: "read",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    async execute({ path, offset = 1, limit = DEFAULT_LINES }, { signal }) {
      const target = resolve(options.cwd, path);
      await using file = await openFor(target, path);
      if ((await file.stat()).isDirectory()) return textOutput(await listDirectory(target));
      const part = await readLines(file, { first: offset, count: limit, signal, path });
      if (part.lines.length === 0 && offset > 1) {
        throw new ToolError(`${path} has ${part.seen} lines; line ${offset} is beyond its end.`);
      }
      if (part.lines.length === 0) return textOutput("(the file is empty)");
      const more = part.hasMore
        ? `\n[more lines follow; go on with offset ${offset + part.lines.length}]`
        : "";
      return textOutput(part.lines.join("\n") + more);
    },
  });
}

async function openFor(target: string, shown: string) {
  try {
    return await open(target, "r");
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT") throw new ToolError(`${shown} does not exist.`);
    if (code === "EACCES" || code === "EPERM") throw new ToolError(`${shown} may not be read.`);
    throw new ToolError(`${shown} cannot be opened (${code ?? "unknown error"}).`);
  }
}

async function listDirectory(target: string): Promise<string> {
  const entries = await readdir(target, { withFileTypes: true });
  const names = entries
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted((a, b) => (a < b ? -1 : 1));
  return names.length > 0 ? names.join("\n") : "(the directory is empty)";
}

interface LinesPart {
  lines: string[];
  hasMore: boolean;
  /** Lines passed over or taken, for the message about an offset beyond the end. */
  seen: number;
}

/** Streams, so that the tenth line of a huge file costs no more than ten lines. */
async function readLines(
  file: {
    read(buffer: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }>;
  },
  want: { first: number; count: number; signal: AbortSignal; path: string },
): Promise<LinesPart> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(CHUNK_BYTES);
  const lines: string[] = [];
  let seen = 0;
  let rest = "";
  let isFirst = true;
  const take = (line: string): boolean => {
    seen++;
    if (seen < want.first) return true;
    if (lines.length === want.count) return false;
    lines.push(shorten(line));
    return true;
  };
  for (;;) {
    want.signal.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    const chunk = buffer.subarray(0, bytesRead);
    if (isFirst && chunk.subarray(0, SNIFF_BYTES).includes(0)) {
      throw new ToolError(`${want.path} is a binary file.`);
    }
    isFirst = false;
    const text = rest + decoder.decode(chunk, { stream: bytesRead > 0 });
    let from = 0;
    for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
      if (!take(text.slice(from, to))) return { lines, hasMore: true, seen };
      from = to + 1;
    }
    rest = text.slice(from);
    // A line without end must not grow without end: keep what will be shown of it.
    if (rest.length > CHUNK_BYTES) rest = rest.slice(0, MAX_LINE_CHARS + 1);
    if (bytesRead === 0) break;
  }
  const hasMore = rest !== "" && !take(rest);
  return { lines, hasMore, seen };
}

function shorten(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  return `${line.slice(0, MAX_LINE_CHARS)} [… line cut]`;
}
