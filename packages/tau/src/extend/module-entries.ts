// From a path that somebody names, a file or a directory, to the modules that are meant. What a package
// says of itself comes first; only without that is anything guessed, and never deeper than one directory.

import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isBelow } from "../base/is-below.ts";
import { readBounded } from "../base/read-bounded.ts";
import { isInPackages } from "../discovery/plugins/plugin-path.ts";

/** Keys of a package.json under which a package names its modules; ours first. */
export const MANIFEST_KEYS = ["tau", "omp", "pi"] as const;

const MODULE_FILE = /\.(?:ts|js|mjs|mts)$/;
/** A manifest is a few lines; what is larger is something else. */
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** A directory of extensions is something that a person has put together. */
const MAX_ENTRIES = 1000;

export interface ModuleEntries {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** The package that they belong to, if the path is one, and its name. */
  readonly packageRoot?: string;
  readonly packageName?: string;
  /** Why there are none, or not all that are named, as the second half of a sentence. */
  readonly problem?: string;
}

export interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  /** What stands under `tau`, `omp` or `pi`. */
  readonly brings: Readonly<Record<string, unknown>>;
}

export async function moduleEntries(path: string): Promise<ModuleEntries> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return { files: [], problem: "does not exist" };
  if (found.isFile()) return { files: [path] };
  if (!found.isDirectory()) return { files: [], problem: "is neither a file nor a directory" };
  const own = await packageEntries(path);
  if (own) return own;
  const files: string[] = [];
  const problems: string[] = [];
  const entries = (await readdir(path, { withFileTypes: true })).slice(0, MAX_ENTRIES);
  for (const { name } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inside = join(path, name);
    const kind = await stat(inside).catch(() => undefined);
    if (kind?.isFile() && MODULE_FILE.test(name)) files.push(inside);
    else if (kind?.isDirectory()) {
      const own = await packageEntries(inside);
      files.push(...(own?.files ?? []));
      if (own?.problem !== undefined) problems.push(`${name} ${own.problem}`);
    }
  }
  if (problems.length > 0) return { files, problem: `has problems: ${problems.join("; ")}` };
  return files.length > 0 ? { files } : { files, problem: "contains no extension" };
}

/** Of a package inside of a plugin: only what is the plugin's own. */
export async function pluginModuleEntries(path: string, root: string): Promise<ModuleEntries> {
  const entries = await moduleEntries(path);
  for (const file of entries.files) {
    const real = await realpath(file);
    if (isBelow(real, root) && !isInPackages(real, root)) continue;
    const where = isBelow(real, root) ? "into node_modules" : "out of the plugin";
    return { files: [], problem: `names a module that leads ${where}; it is not loaded` };
  }
  return entries;
}

/** Of one directory: what its package.json names, or its index. */
async function packageEntries(directory: string): Promise<ModuleEntries | undefined> {
  const manifest = await readManifest(directory);
  const { extensions } = manifest?.brings ?? {};
  if (Array.isArray(extensions)) {
    const named = extensions.filter((one): one is string => typeof one === "string");
    const found: string[] = [];
    for (const one of named) found.push(...(await expanded(directory, one)));
    const files = await within(directory, found);
    const outside = found.filter((one) => !files.includes(one));
    const packageName = manifest?.name;
    if (outside.length > 0) {
      const problem = `names what lies outside its package, which is not loaded: ${outside.join(", ")}`;
      return { files, packageRoot: directory, packageName, problem };
    }
    if (files.length > 0) return { files, packageRoot: directory, packageName };
    if (named.length > 0) {
      const problem = `names modules that do not exist: ${named.join(", ")}`;
      return { files, packageRoot: directory, problem };
    }
  }
  for (const index of ["index.ts", "index.js"]) {
    const file = join(directory, index);
    if (!(await isFile(file))) continue;
    if (!manifest) return { files: [file] };
    return { files: [file], packageRoot: directory, packageName: manifest.name };
  }
  return undefined;
}

/** Those that are in a directory, whatever links lead to: who agreed to the directory agreed to nothing else. */
export async function within(directory: string, files: readonly string[]): Promise<string[]> {
  const root = await realpath(directory);
  const inside: string[] = [];
  for (const file of files) if (isBelow(await realpath(file), root)) inside.push(file);
  return inside;
}

/** A manifest may name a file, a directory of modules, or a pattern. */
async function expanded(root: string, named: string): Promise<string[]> {
  if (/[*?{[]/.test(named)) {
    const found: string[] = [];
    for await (const one of new Bun.Glob(named.replace(/^\.\//, "")).scan({ cwd: root })) {
      if (MODULE_FILE.test(one) && !one.endsWith(".d.ts")) found.push(join(root, one));
      if (found.length >= MAX_ENTRIES) break;
    }
    return found.toSorted();
  }
  const path = resolve(root, named);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  return [...(await moduleEntries(path)).files];
}

/** Undefined if there is none that can be understood. */
export async function readManifest(directory: string): Promise<PackageManifest | undefined> {
  try {
    const { text } = await readBounded(join(directory, "package.json"), MAX_MANIFEST_BYTES);
    const manifest = JSON.parse(text) as Record<string, unknown> | null;
    if (typeof manifest !== "object" || manifest === null) return undefined;
    const brings = MANIFEST_KEYS.map((key) => manifest[key]).find(isRecord) ?? {};
    const { name, version } = manifest;
    return {
      name: typeof name === "string" ? name : undefined,
      version: typeof version === "string" ? version : undefined,
      brings,
    };
  } catch {
    // Not there, not readable, not JSON: it says nothing about modules.
    return undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
