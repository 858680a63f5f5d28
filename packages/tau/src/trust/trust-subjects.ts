// From the items of a project to what a decision is about. Code is taken with everything that stands
// where it is loaded from: a module is no safer than the file beside it that it imports.

import { existsSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { parseDocument } from "../discovery/document.ts";
import type { DiscoveredItem } from "../discovery/item.ts";
import type { KindId } from "../discovery/kinds.ts";
import { isBelow } from "../base/is-below.ts";
import { MAX_DOCUMENT_BYTES } from "../discovery/limits.ts";
import { NotAFile, readBounded } from "../base/read-bounded.ts";
import { CannotVouch, hashOf, type FileHasher } from "./file-hash.ts";
import { namedScripts, programFiles } from "./program-files.ts";
import { basesOf, referencedPaths, wordsIn, type WordBudget } from "./referenced-paths.ts";
import { needsTrust, subjectId, type TrustSubject } from "./trust-subject.ts";

/** Kinds whose files are code that may load its neighbours. */
const CODE_KINDS: ReadonlySet<KindId> = new Set(["extensions", "hooks", "tools"]);
/** Kinds whose entries are a line or a program with its arguments. */
const RUNNING_KINDS: ReadonlySet<KindId> = new Set(["hooks", "mcp", "lsp"]);
/** Settings that name code to load. */
const CODE_SETTINGS = ["extensions", "hooks", "tools", "customTools", "plugins"];
/** Where the manifest of an extension names what it loads and starts. */
const MANIFESTS: Readonly<Record<string, readonly string[]>> = {
  "package.json": ["tau", "omp", "pi", "main", "module", "exports"],
  "gemini-extension.json": ["mcpServers"],
};

/** What an environment would be started with, on any system. */
const PYTHON_PROGRAMS = ["bin/python3", "bin/python", "Scripts/python3.exe", "Scripts/python.exe"];

interface Looking {
  root: string;
  hasher: FileHasher;
  budget: WordBudget;
}

/** Sorted by id. */
export async function trustSubjects(
  root: string,
  items: readonly DiscoveredItem[],
  hasher: FileHasher,
): Promise<TrustSubject[]> {
  const looking: Looking = { root, hasher, budget: { used: 0 } };
  const subjects: TrustSubject[] = [];
  const wanted = items.filter(needsTrust);
  const code = wanted.filter(isCode);
  for (const group of Map.groupBy(code, ({ holder }) => holder).values()) {
    subjects.push(...(await codeSubjects(group, looking)));
  }
  for (const item of wanted) {
    if (isCode(item)) continue;
    const id = subjectId(root, item);
    const { kind } = item;
    subjects.push({ id, kind, item, ...(await vouched(() => configHash(item, looking))) });
  }
  return subjects.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** An entry in a file of settings is none; what it names is. */
function isCode({ kind, member }: DiscoveredItem): boolean {
  return CODE_KINDS.has(kind) && member === undefined;
}

/** Of one directory: each item with its own files, then whatever else stands there. */
async function codeSubjects(
  items: readonly DiscoveredItem[],
  { root, hasher, budget }: Looking,
): Promise<TrustSubject[]> {
  const { holder, kind } = items[0]!;
  let files: Map<string, string>;
  try {
    files = await hasher.tree(holder);
  } catch (error) {
    if (!(error instanceof CannotVouch)) throw error;
    const unvouchable = error.message;
    return items.map((item) => ({ id: subjectId(root, item), kind, item, unvouchable }));
  }
  const others = new Set(files.keys());
  const subjects: TrustSubject[] = [];
  for (const item of items) {
    const place = ownPlace(item);
    const own = [...files].filter(([path]) => path === place || path.startsWith(place + sep));
    for (const [path] of own) others.delete(path);
    const parts = own.flatMap(([path, hash]) => [relative(holder, path), hash]);
    const made = await vouched(async () => {
      const keys = MANIFESTS[basename(item.path)];
      if (keys) {
        // A manifest may name modules that stand elsewhere in the project.
        const manifest = await documentOf(item);
        const naming = keys.map((key) => manifest[key]);
        const named = await referencedPaths(naming, { root, file: item.path, budget });
        for (const { path, kind } of named) {
          if (kind === "file") parts.push(relative(root, path), await hasher.fileOrTarget(path));
        }
      }
      return hashOf(parts);
    });
    subjects.push({ id: subjectId(root, item), kind: item.kind, item, ...made });
  }
  if (others.size > 0) {
    const parts = [...others].flatMap((path) => [relative(holder, path), files.get(path)!]);
    subjects.push({ id: `${relative(root, holder)}${sep}`, kind, hash: hashOf(parts) });
  }
  return subjects;
}

/** The file, or for a tool or an extension that has one, its directory. */
function ownPlace({ kind, path, holder }: DiscoveredItem): string {
  if (kind === "hooks" || dirname(path) === holder) return path;
  return join(holder, relative(holder, path).split(sep)[0]!);
}

async function configHash(
  item: DiscoveredItem,
  { root, hasher, budget }: Looking,
): Promise<string> {
  const parts: string[] = [];
  let naming: unknown = item.member?.value;
  if (item.member) parts.push(canonical(item.member.value));
  else {
    parts.push(await hasher.file(item.path));
    naming = item.kind === "settings" ? codeSettings(await documentOf(item)) : undefined;
  }
  if (item.kind === "python") {
    for (const program of PYTHON_PROGRAMS.map((name) => join(dirname(item.path), name))) {
      if (existsSync(program)) parts.push(program, await hasher.fileOrTarget(program));
    }
  }
  const named = await referencedPaths(naming, { root, file: item.path, budget });
  if (item.member && RUNNING_KINDS.has(item.kind)) {
    const directories = named.filter(({ kind }) => kind === "directory").map(({ path }) => path);
    parts.push(...(await programParts(item, directories, { root, hasher, budget })));
  }
  for (const { path, kind } of named) {
    // A server's working directory is no code; a directory in the settings is.
    if (kind === "file") {
      parts.push(relative(root, path), await hasher.fileOrTarget(path));
      const beside = scriptsBeside(item, path);
      if (beside === undefined) continue;
      for (const [file, hash] of await hasher.tree(beside)) parts.push(relative(root, file), hash);
    } else if (!item.member) {
      for (const [file, hash] of await hasher.tree(path)) parts.push(relative(root, file), hash);
    }
  }
  return hashOf(parts);
}

/** What the programs of a line read to know what to do, with the files that a package's scripts name. */
async function programParts(
  { member, path: file }: DiscoveredItem,
  named: readonly string[],
  { root, hasher, budget }: Looking,
): Promise<string[]> {
  const words = wordsIn(member?.value);
  const { files, packages } = programFiles(words, [...basesOf(root, file), ...named], root);
  const parts: string[] = [];
  for (const path of files.filter((one) => existsSync(one))) {
    parts.push(relative(root, path), await hasher.fileOrTarget(path));
  }
  for (const path of packages.filter((one) => existsSync(one))) {
    const { scripts } = await documentOf({ path });
    if (typeof scripts !== "object" || scripts === null) continue;
    const meant = namedScripts(scripts as Record<string, unknown>, words);
    parts.push(relative(root, path), canonical(meant));
    for (const { path: script, kind } of await referencedPaths(meant, {
      root,
      file: path,
      budget,
    })) {
      if (kind === "file") parts.push(relative(root, script), await hasher.fileOrTarget(script));
    }
  }
  return parts;
}

/** A hook's script may load what lies next to it, if that is a place for scripts: `.claude/hooks/`. */
function scriptsBeside({ kind, path }: DiscoveredItem, script: string): string | undefined {
  const directory = dirname(script);
  const own = dirname(path);
  return kind === "hooks" && directory !== own && isBelow(directory, own) ? directory : undefined;
}

function codeSettings(document: Record<string, unknown>): unknown {
  return CODE_SETTINGS.map((key) => document[key]);
}

/** Empty where it cannot be understood: its bytes are part of the hash anyway. */
async function documentOf({ path, realPath = path }: Pick<DiscoveredItem, "path" | "realPath">) {
  try {
    const { text } = await readBounded(realPath, MAX_DOCUMENT_BYTES);
    const parsed = await parseDocument(path, text);
    return parsed.ok ? parsed.data : {};
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined && !(error instanceof NotAFile)) throw error;
    throw new CannotVouch(`it cannot be read (${code ?? basename(path)})`);
  }
}

/** The same for the same value, whatever the order of its keys. */
function canonical(value: unknown): string {
  try {
    return JSON.stringify(value, (_, one: unknown) =>
      typeof one === "object" && one !== null && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
        : one,
    );
  } catch (error) {
    if (error instanceof RangeError) throw new CannotVouch("it is nested too deeply");
    throw error;
  }
}

async function vouched(
  make: () => Promise<string>,
): Promise<{ hash: string } | { unvouchable: string }> {
  try {
    return { hash: await make() };
  } catch (error) {
    if (error instanceof CannotVouch) return { unvouchable: error.message };
    throw error;
  }
}
