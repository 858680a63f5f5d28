// A file that a command reads, in all the words that a rule may have for it: as the project shows it,
// as it is named, and where it really is. Of a pattern, the files that it stands for now.

import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { hasGlob } from "@tau/host/walk/glob";
import type { GuardContext } from "./guard-context.ts";
import type { Workspace } from "./workspace.ts";

/** Of one directory; whoever has more in it is not asked about each. */
const MAX_NAMES = 2000;
const MAX_FILES = 500;

export function readSpellings(
  paths: Iterable<string>,
  { files }: Workspace,
  { real }: Pick<GuardContext, "real">,
): string[][] {
  const all = [...paths].flatMap(filesOf).slice(0, MAX_FILES);
  return all.map((path) => {
    const target = real(path);
    return [...new Set([files.shown(path), path, files.shown(target), target])];
  });
}

function filesOf(path: string): string[] {
  if (!hasGlob(basename(path)) || hasGlob(dirname(path))) return [path];
  const glob = new Bun.Glob(basename(path));
  try {
    const names = readdirSync(dirname(path)).slice(0, MAX_NAMES);
    return [
      path,
      ...names.filter((name) => glob.match(name)).map((name) => `${dirname(path)}/${name}`),
    ];
  } catch (error) {
    // Not there, or not to be read by anybody: then there is nothing that it stands for.
    if (typeof (error as { code?: unknown }).code === "string") return [path];
    throw error;
  }
}
