// The helpers that every JavaScript cell finds as globals: showing values, files and text, and the
// way to the session's tools, models and agents. The same as in Python, with options in an object.

import { appendFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { CallKind } from "../kernel-frame.ts";
import type { CellOutput } from "./cell-output.ts";
import { displayBundle } from "./cell-value.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** Of a listing; a larger one is a question for the find tool. */
const MAX_TREE_ENTRIES = 1000;
/** Where the host names no width for calls side by side. */
const DEFAULT_WIDTH = 32;

export type Ask = (kind: CallKind, args: object) => Promise<unknown>;

type Thunk<T> = () => T | Promise<T>;
type Stage = (item: unknown) => unknown;

export function createHelpers(output: CellOutput, ask: Ask): Record<string, unknown> {
  const parallel = async <T>(thunks: Iterable<Thunk<T>>): Promise<T[]> => {
    const all = [...thunks];
    if (all.length === 0) return [];
    const named = await ask("concurrency", {});
    const width = typeof named === "number" ? named : DEFAULT_WIDTH;
    return runAll(all, width > 0 ? width : all.length);
  };
  return {
    display: (...values: unknown[]) => {
      for (const value of values) output.display(displayBundle(value));
    },
    print: (...values: unknown[]) => console.log(...values),
    ...fileHelpers(output, ask),
    ...textHelpers,
    env: (key?: string, value?: string) => {
      if (key === undefined) return { ...process.env };
      if (value !== undefined) process.env[key] = String(value);
      return process.env[key];
    },
    output: async (...ids: unknown[]) => {
      const texts = await Promise.all(ids.map((id) => ask("output", { id: String(id) })));
      return texts.length === 1 ? texts[0] : texts;
    },
    tool: new Proxy(
      {},
      {
        get: (_, name) =>
          // Something that has `then` would be taken for a promise.
          typeof name === "string" && name !== "then"
            ? (args: object = {}) => ask("tool", { name, args })
            : undefined,
      },
    ),
    completion: (prompt: string, options: object = {}) => ask("completion", { prompt, options }),
    agent: (prompt: string, options: object = {}) => ask("agent", { prompt, options }),
    parallel,
    pipeline: (items: Iterable<unknown>, ...stages: Stage[]) =>
      parallel(
        [...items].map((item) => async () => {
          let value = item;
          for (const stage of stages) value = await stage(value);
          return value;
        }),
      ),
  };
}

/** In order; after a failure nothing new is begun. */
async function runAll<T>(thunks: readonly Thunk<T>[], width: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  let hasFailed = false;
  const work = async (): Promise<void> => {
    while (next < thunks.length && !hasFailed) {
      const at = next++;
      try {
        results[at] = await thunks[at]!();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, thunks.length) }, work));
  return results;
}

function place(path: string): string {
  if (path.includes("://")) {
    throw new Error(`${path} is an address and no file: use tool.read({ path })`);
  }
  return resolve(path.replace(/^~(?=\/|$)/, homedir()));
}

function fileHelpers(output: CellOutput, ask: Ask): Record<string, unknown> {
  const read = async (
    path: string,
    { offset = 1, limit }: { offset?: number; limit?: number } = {},
  ): Promise<string> => {
    const file = place(path);
    if ((await stat(file)).isDirectory()) {
      throw new Error(`${path} is a directory: use tree(path)`);
    }
    let text = await readFile(file, "utf8");
    if (offset > 1 || limit !== undefined) {
      const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      const from = Math.max(0, offset - 1);
      text = lines.slice(from, limit === undefined ? undefined : from + limit).join("");
    }
    output.status("read", { path, characters: text.length });
    return text;
  };
  const put = async (path: string, content: string, op: "write" | "append"): Promise<string> => {
    const file = place(path);
    await ask("touch", { path: file });
    await mkdir(dirname(file), { recursive: true });
    await (op === "write" ? writeFile : appendFile)(file, content);
    output.status(op, { path, characters: content.length });
    return file;
  };
  return {
    read,
    write: (path: string, content: string) => put(path, content, "write"),
    append: (path: string, content: string) => put(path, content, "append"),
    diff: async (a: string, b: string) => {
      const text = unifiedDiff(await read(a), await read(b), { a, b });
      output.status("diff", { a, b, same: text === "" });
      return text;
    },
    tree: async (path = ".", options: { maxDepth?: number; hidden?: boolean } = {}) => {
      const lines: string[] = [];
      await listTree(place(path), 0, options, lines);
      if (lines.length >= MAX_TREE_ENTRIES) {
        lines.push(`[only the first ${MAX_TREE_ENTRIES} entries]`);
      }
      output.status("tree", { path, entries: lines.length });
      return lines.join("\n");
    },
  };
}

async function listTree(
  directory: string,
  depth: number,
  options: { maxDepth?: number; hidden?: boolean },
  lines: string[],
): Promise<void> {
  const { maxDepth = 3, hidden = false } = options;
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith(".") && !hidden) continue;
    if (lines.length >= MAX_TREE_ENTRIES) return;
    const isDirectory = entry.isDirectory();
    lines.push(`${"  ".repeat(depth)}${entry.name}${isDirectory ? "/" : ""}`);
    if (isDirectory && depth + 1 < maxDepth) {
      await listTree(join(directory, entry.name), depth + 1, options, lines);
    }
  }
}

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

const textHelpers: Record<string, unknown> = {
  sort: (text: string, { reverse = false, unique = false } = {}) => {
    const lines = linesOf(text);
    const sorted = (unique ? [...new Set(lines)] : lines).sort();
    return (reverse ? sorted.toReversed() : sorted).join("\n");
  },
  uniq: (text: string, { count = false } = {}) => {
    const runs: [number, string][] = [];
    for (const line of linesOf(text)) {
      const last = runs.at(-1);
      if (last?.[1] === line) last[0]++;
      else runs.push([1, line]);
    }
    return runs.map(([times, line]) => (count ? `${times} ${line}` : line)).join("\n");
  },
  counter: (
    items: string | Iterable<unknown>,
    { limit, reverse = false }: { limit?: number; reverse?: boolean } = {},
  ) => {
    const counts = new Map<unknown, number>();
    for (const item of typeof items === "string" ? linesOf(items) : items) {
      counts.set(item, (counts.get(item) ?? 0) + 1);
    }
    const ordered = [...counts].sort((a, b) => (reverse ? a[1] - b[1] : b[1] - a[1]));
    return ordered.slice(0, limit);
  },
};
