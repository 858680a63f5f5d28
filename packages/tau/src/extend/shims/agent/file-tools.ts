// The family's own tools for files, for extensions that wrap them. Where the files are is theirs to say: an
// extension may bring operations that reach another machine.

import { access, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { truncateHead } from "./truncation.ts";

interface FileOperations {
  readFile(path: string): Promise<Buffer | string>;
  writeFile(path: string, content: string): Promise<void>;
  mkdir(path: string): Promise<unknown>;
  access(path: string): Promise<void>;
  readdir(path: string): Promise<string[]> | string[];
  stat(path: string): Promise<{ isDirectory(): boolean }> | { isDirectory(): boolean };
}

export interface FileToolOptions {
  readonly operations?: Partial<FileOperations>;
}

const LOCAL: FileOperations = {
  readFile: (path) => readFile(path),
  writeFile: (path, content) => writeFile(path, content),
  mkdir: (path) => mkdir(path, { recursive: true }),
  access: (path) => access(path),
  readdir: (path) => readdir(path),
  stat: (path) => stat(path),
};

const given = ({ operations }: FileToolOptions): FileOperations => ({ ...LOCAL, ...operations });

const said = (words: string, details?: unknown) => ({
  content: [{ type: "text" as const, text: words }],
  details,
});

export function createReadToolDefinition(cwd: string, options: FileToolOptions = {}) {
  const files = given(options);
  return {
    name: "read",
    label: "read",
    description: "Reads a file; long ones in parts, with offset and limit.",
    parameters: Type.Object({
      path: Type.String(),
      offset: Type.Optional(Type.Number({ description: "The first line, from 1" })),
      limit: Type.Optional(Type.Number({ description: "How many lines" })),
    }),
    async execute(_id: string, params: { path: string; offset?: number; limit?: number }) {
      const { path, offset = 1, limit } = params;
      const lines = String(await files.readFile(resolve(cwd, path))).split("\n");
      const from = Math.max(0, offset - 1);
      const chosen = lines.slice(from, limit === undefined ? undefined : from + limit);
      const { content, truncated, outputLines } = truncateHead(chosen.join("\n"));
      const more = truncated
        ? `\n\n[${lines.length} lines; continue with offset=${from + outputLines + 1}]`
        : "";
      return said(content + more);
    },
  };
}

export function createWriteToolDefinition(cwd: string, options: FileToolOptions = {}) {
  const files = given(options);
  return {
    name: "write",
    label: "write",
    description: "Writes a file, and the directories that it needs.",
    parameters: Type.Object({ path: Type.String(), content: Type.String() }),
    async execute(_id: string, { path, content }: { path: string; content: string }) {
      const target = resolve(cwd, path);
      await files.mkdir(dirname(target));
      await files.writeFile(target, content);
      return said(`Wrote ${content.length} characters to ${path}`);
    },
  };
}

interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

export function createEditToolDefinition(cwd: string, options: FileToolOptions = {}) {
  const files = given(options);
  return {
    name: "edit",
    label: "edit",
    description: "Replaces texts in a file; each has to be there exactly once.",
    parameters: Type.Object({
      path: Type.String(),
      edits: Type.Array(Type.Object({ oldText: Type.String(), newText: Type.String() })),
    }),
    async execute(_id: string, { path, edits }: { path: string; edits: readonly Replacement[] }) {
      const target = resolve(cwd, path);
      await files.access(target);
      const before = String(await files.readFile(target));
      const after = replaced(before, edits, path);
      await files.writeFile(target, after);
      return said(`Replaced ${edits.length} texts in ${path}`, { diff: "", patch: "" });
    },
  };
}

/** All of them as the file was before, from its end on: none of them meets what another has written. */
function replaced(text: string, edits: readonly Replacement[], path: string): string {
  const found = edits.map(({ oldText, newText }) => {
    const at = text.indexOf(oldText);
    if (oldText === "" || at < 0) throw new Error(`The text to replace is not in ${path}.`);
    if (text.includes(oldText, at + 1)) {
      throw new Error(`The text to replace is in ${path} several times; give more of it.`);
    }
    return { from: at, to: at + oldText.length, newText };
  });
  found.sort((one, other) => other.from - one.from);
  let after = text;
  let end = Infinity;
  for (const { from, to, newText } of found) {
    if (to > end) throw new Error(`Two of the texts to replace in ${path} overlap.`);
    after = after.slice(0, from) + newText + after.slice(to);
    end = from;
  }
  return after;
}

export function createLsToolDefinition(cwd: string, options: FileToolOptions = {}) {
  const files = given(options);
  return {
    name: "ls",
    label: "ls",
    description: "Lists a directory.",
    parameters: Type.Object({
      path: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Number()),
    }),
    async execute(_id: string, { path = ".", limit }: { path?: string; limit?: number }) {
      const directory = resolve(cwd, path);
      const names = (await files.readdir(directory)).toSorted().slice(0, limit);
      const shown = names.map(async (name) => {
        const kind = await files.stat(resolve(directory, name));
        return kind.isDirectory() ? `${name}/` : name;
      });
      return said((await Promise.all(shown)).join("\n"));
    },
  };
}

export const createReadTool = createReadToolDefinition;
export const createWriteTool = createWriteToolDefinition;
export const createEditTool = createEditToolDefinition;
export const createLsTool = createLsToolDefinition;

/** What was read, behind a path: `:10-19`. */
export function formatReadLineRange(offset: unknown, limit: unknown): string {
  const from = Number(offset ?? 1);
  const count = Number(limit);
  if ((offset === undefined && limit === undefined) || !Number.isFinite(from)) return "";
  return limit === undefined || !Number.isFinite(count)
    ? `:${from}`
    : `:${from}-${from + count - 1}`;
}
