// What a plugin brings, as the lockfile keeps it: what is installed never changes in its place, so that a start
// need not read manifests again. Only what is there is kept, and only for the Tau that has read it.

import { VERSION } from "../../brand.ts";
import { KINDS, type KindId } from "../kinds.ts";
import type { NamePart } from "../row.ts";
import type { PluginPart } from "./part-kinds.ts";

export interface LockedParts {
  /** The version of Tau that found them. */
  by: string;
  found: readonly PluginPart[];
}

const NAME_PARTS: ReadonlySet<unknown> = new Set<NamePart>(["stem", "file", "directory", "path"]);

/** Those that find anything below `root`. */
export async function partsThere(root: string, parts: readonly PluginPart[]): Promise<LockedParts> {
  const found: PluginPart[] = [];
  for (const part of parts) {
    const patterns: string[] = [];
    for (const pattern of part.patterns) {
      const files = new Bun.Glob(pattern).scan({ cwd: root, dot: true });
      if (!(await files.next()).done) patterns.push(pattern);
    }
    if (patterns.length > 0) found.push({ ...part, patterns });
  }
  return { by: VERSION, found };
}

/** Undefined if they have to be found again. */
export function readLockedParts(given: unknown): LockedParts | undefined {
  if (!isRecord(given) || given.by !== VERSION || !Array.isArray(given.found)) return undefined;
  const found = given.found.filter(isPart);
  return found.length === given.found.length ? { by: VERSION, found } : undefined;
}

function isPart(given: unknown): given is PluginPart {
  if (!isRecord(given)) return false;
  const { kind, name, patterns, isNamespace } = given;
  return (
    Object.hasOwn(KINDS, kind as KindId) &&
    NAME_PARTS.has(name) &&
    typeof isNamespace === "boolean" &&
    Array.isArray(patterns) &&
    patterns.every((one) => typeof one === "string" && !one.split("/").includes(".."))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
