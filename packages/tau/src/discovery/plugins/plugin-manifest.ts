// What a plugin says of itself: in Claude Code's `.claude-plugin/plugin.json`, in a `package.json` under
// `tau`, `omp` or `pi`, in both, or nowhere.

import { join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { NotAFile, readBounded } from "../../base/read-bounded.ts";
import { parseDocument } from "../document.ts";

export const CLAUDE_MANIFEST = ".claude-plugin/plugin.json";
const PACKAGE_MANIFEST = "package.json";
/** Ours first. */
const PACKAGE_KEYS = ["tau", "omp", "pi"] as const;
/** A manifest is a few lines; what is larger is something else. */
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** A manifest that is there and cannot be understood. */
export class BadManifest extends Error {
  override readonly name = "BadManifest";
}

export interface PluginManifest {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly homepage?: string;
  /** Which programs it is for, as npm has it. */
  readonly engines: Readonly<Record<string, unknown>>;
  /** Packages that it needs beside it. */
  readonly hasDependencies: boolean;
  /** Claude Code's. */
  readonly claude?: Readonly<Record<string, unknown>>;
  /** Under `tau`, `omp` or `pi` of a package. */
  readonly family?: Readonly<Record<string, unknown>>;
}

/** Rejects with `BadManifest`. */
export async function readPluginManifest(root: string): Promise<PluginManifest> {
  const claude = await jsonAt(root, CLAUDE_MANIFEST);
  const pack = await jsonAt(root, PACKAGE_MANIFEST);
  const family = PACKAGE_KEYS.map((key) => pack?.[key]).find(isRecord);
  // Who wrote a manifest for plugins means it; a package has a name of its own in any case.
  const said = { ...pack, ...claude };
  return {
    name: textOf(said.name),
    version: textOf(said.version),
    description: textOf(said.description),
    homepage: textOf(said.homepage),
    engines: isRecord(pack?.engines) ? pack.engines : {},
    hasDependencies: [pack?.dependencies, pack?.optionalDependencies].some(
      (one) => isRecord(one) && Object.keys(one).length > 0,
    ),
    claude,
    family,
  };
}

/** Undefined if there is none. */
export async function jsonAt(
  root: string,
  path: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { text, isCut } = await readBounded(join(root, path), MAX_MANIFEST_BYTES);
    if (isCut) throw new BadManifest(`${path} is larger than a manifest may be`);
    const parsed = await parseDocument(path, text);
    if (parsed.ok) return parsed.data;
    throw new BadManifest(`${path}: ${parsed.message}`);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== undefined || error instanceof NotAFile) {
      throw new BadManifest(`${path} cannot be read (${code ?? "not a file"})`);
    }
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
