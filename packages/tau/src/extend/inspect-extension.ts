// What an extension registers when it is loaded: its modules run, but no session does.

import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { expandHome } from "../config/places.ts";
import { UserError } from "../user-error.ts";
import { moduleName, type ExtensionSource } from "./extension-source.ts";
import { NOTHING, type Inspection } from "./inspection.ts";
import { loadExtensions } from "./load-extensions.ts";
import { moduleEntries, readManifest } from "./module-entries.ts";

export interface InspectedExtension extends Inspection {
  readonly name: string;
  readonly version?: string;
  readonly modules: readonly string[];
  /** Why a module could not be loaded. */
  readonly failures: readonly string[];
  readonly notices: readonly string[];
  /** One of its modules is of Tau's own kind: what it listens to is known in a session only. */
  readonly isOwnKind: boolean;
}

/** `given`: a path, or the name of a package that is installed here. Throws a `UserError` if it is neither. */
export async function inspectExtension(
  given: string,
  { cwd, env }: { cwd: string; env: Environment },
): Promise<InspectedExtension> {
  const path = placeOf(given, cwd, env);
  const { files, packageRoot, problem } = await moduleEntries(path);
  if (problem !== undefined) throw new UserError(`${given} ${problem}`);
  const sources = files.map((file): ExtensionSource => ({
    path: file,
    name: moduleName(file),
    kind: "extension",
    origin: "flag",
    packageRoot,
  }));
  const { loaded, failures } = await loadExtensions(sources, { cwd, flags: {} });
  const manifest = await readManifest(path);
  const all = (key: keyof Inspection): string[] => [
    ...new Set(loaded.flatMap(({ inspection }) => inspection[key])),
  ];
  const keys = Object.keys(NOTHING) as (keyof Inspection)[];
  return {
    ...(Object.fromEntries(keys.map((key) => [key, all(key)])) as unknown as Inspection),
    name: manifest?.name ?? moduleName(path),
    version: manifest?.version,
    modules: files,
    failures: failures.map(({ source, message }) => `${source.path}: ${message}`),
    isOwnKind: loaded.some(({ isOwnKind }) => isOwnKind),
    notices: loaded.flatMap(({ notices }) => notices),
  };
}

function placeOf(given: string, cwd: string, env: Environment): string {
  const expanded = expandHome(given, env);
  const path = isAbsolute(expanded) ? expanded : resolve(cwd, expanded);
  const installed = join(cwd, "node_modules", given);
  if (existsSync(path) || !existsSync(installed)) return path;
  return installed;
}
