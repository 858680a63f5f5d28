// The family's own tools that look for something, for extensions that wrap them, and all tools in a list.

import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { Type } from "typebox";
import { runProgram } from "../../family/run-program.ts";
import { createBashToolDefinition } from "./bash-tool.ts";
import {
  createEditToolDefinition,
  createLsToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
} from "./file-tools.ts";
import { truncateHead } from "./truncation.ts";

const DEFAULT_PATHS = 1000;
const DEFAULT_MATCHES = 100;
/** More than a project has that somebody looks through; what is larger is not one. */
const MAX_FILES = 50_000;
const LEFT_OUT = /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/;

interface FindOperations {
  glob(
    pattern: string,
    cwd: string,
    options: { ignore: string[]; limit: number },
  ): Promise<string[]> | string[];
}

interface GrepOperations {
  readFile(path: string): Promise<string> | string;
  isDirectory(path: string): Promise<boolean> | boolean;
}

const said = (words: string) => ({
  content: [{ type: "text" as const, text: truncateHead(words).content }],
  details: undefined,
});

async function globbed(pattern: string, cwd: string, limit: number): Promise<string[]> {
  // What git leaves out is not looked for; without git everything is there.
  const listed = await runProgram("git", ["ls-files", "-co", "--exclude-standard"], { cwd });
  const glob = new Bun.Glob(pattern.includes("/") ? pattern : `**/${pattern}`);
  const found: string[] = [];
  const all =
    listed.code === 0 ? listed.stdout.split("\n") : new Bun.Glob("**/*").scan({ cwd, dot: true });
  let seen = 0;
  for await (const path of all) {
    if (found.length >= limit || ++seen > MAX_FILES) break;
    if (path !== "" && !LEFT_OUT.test(path) && glob.match(path)) found.push(path);
  }
  return found;
}

export function createFindToolDefinition(
  cwd: string,
  { operations }: { operations?: Partial<FindOperations> } = {},
) {
  return {
    name: "find",
    label: "find",
    description: "Finds files by a glob pattern.",
    parameters: Type.Object({
      pattern: Type.String({ description: "Glob, such as **/*.ts" }),
      path: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Number()),
    }),
    async execute(_id: string, params: { pattern: string; path?: string; limit?: number }) {
      const { pattern, path = ".", limit = DEFAULT_PATHS } = params;
      const directory = resolve(cwd, path);
      const ignore = ["**/node_modules/**", "**/.git/**"];
      const found = operations?.glob
        ? await operations.glob(pattern, directory, { ignore, limit })
        : await globbed(pattern, directory, limit);
      return said(found.length === 0 ? "No files found matching pattern" : found.join("\n"));
    },
  };
}

interface GrepParams {
  readonly pattern: string;
  readonly path?: string;
  readonly glob?: string;
  readonly ignoreCase?: boolean;
  readonly literal?: boolean;
  readonly limit?: number;
}

export function createGrepToolDefinition(
  cwd: string,
  { operations }: { operations?: Partial<GrepOperations> } = {},
) {
  const readText = operations?.readFile ?? ((path: string) => Bun.file(path).text());
  const isDirectory =
    operations?.isDirectory ?? (async (path: string) => (await stat(path)).isDirectory());
  return {
    name: "grep",
    label: "grep",
    description: "Searches files for a pattern.",
    parameters: Type.Object({
      pattern: Type.String({ description: "Regular expression" }),
      path: Type.Optional(Type.String()),
      glob: Type.Optional(Type.String()),
      ignoreCase: Type.Optional(Type.Boolean()),
      literal: Type.Optional(Type.Boolean()),
      context: Type.Optional(Type.Number()),
      limit: Type.Optional(Type.Number()),
    }),
    async execute(_id: string, params: GrepParams) {
      const { path = ".", glob = "**/*", limit = DEFAULT_MATCHES } = params;
      const place = resolve(cwd, path);
      const files = (await isDirectory(place))
        ? (await globbed(glob, place, MAX_FILES)).map((name) => join(place, name))
        : [place];
      const pattern = patternOf(params);
      const matches: string[] = [];
      for (const file of files) {
        const lines = (await readText(file)).split("\n");
        for (const [at, line] of lines.entries()) {
          if (matches.length >= limit) break;
          if (pattern.test(line)) matches.push(`${relative(cwd, file)}:${at + 1}: ${line}`);
        }
        if (matches.length >= limit) break;
      }
      return said(matches.length === 0 ? "No matches found" : matches.join("\n"));
    },
  };
}

function patternOf({ pattern, ignoreCase, literal }: GrepParams): RegExp {
  const source = literal ? pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : pattern;
  return new RegExp(source, ignoreCase ? "i" : "");
}

export const createFindTool = createFindToolDefinition;
export const createGrepTool = createGrepToolDefinition;

export function createCodingTools(cwd: string): object[] {
  return [
    createReadToolDefinition(cwd),
    createBashToolDefinition(cwd),
    createEditToolDefinition(cwd),
    createWriteToolDefinition(cwd),
  ];
}

export function createReadOnlyTools(cwd: string): object[] {
  return [
    createReadToolDefinition(cwd),
    createGrepToolDefinition(cwd),
    createFindToolDefinition(cwd),
    createLsToolDefinition(cwd),
  ];
}
