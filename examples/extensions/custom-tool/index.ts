// A tool with a schema: how many lines of code a directory has, by language. Progress is shown while it
// counts, and a call can be stopped.

import { readdir, readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { defineExtension, defineTool, ToolError } from "@tau/extension";

const SKIPPED = new Set(["node_modules", ".git", "dist", "target"]);
const UPDATE_EVERY = 200;

const countLines = defineTool<{ path?: string }>({
  name: "count_lines",
  description: "Counts the lines of source files below a directory, by file ending.",
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "The directory; the working directory if absent" },
    },
  },
  tier: "read",
  concurrency: "shared",
  async execute({ path = "." }, { host, signal, update }) {
    const counts = new Map<string, number>();
    let files = 0;
    const root = resolve(host.cwd, path);
    const visit = async (directory: string): Promise<void> => {
      for (const entry of await readdir(directory, { withFileTypes: true })) {
        signal.throwIfAborted();
        if (entry.isDirectory() && !SKIPPED.has(entry.name))
          await visit(join(directory, entry.name));
        if (!entry.isFile()) continue;
        const text = await readFile(join(directory, entry.name), "utf8");
        const ending = extname(entry.name) || entry.name;
        counts.set(ending, (counts.get(ending) ?? 0) + text.split("\n").length - 1);
        if (++files % UPDATE_EVERY === 0) update(`${files} files`, "replace");
      }
    };
    try {
      await visit(root);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
      throw new ToolError(`There is no directory ${path}; list the parent to see what there is.`);
    }
    const rows = [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([ending, lines]) => `${ending} ${lines}`);
    return rows.length > 0 ? rows.join("\n") : "No files.";
  },
});

export default defineExtension({ name: "custom-tool", tools: [countLines] });
