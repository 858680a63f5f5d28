// A file that a command reads or changes, in all the words that a rule may have for it: as the project shows it,
// as it is named, and where it really is. Of a pattern, the files that it stands for now.

import { basename, dirname } from "node:path";
import type { CommandEffects } from "@tau/host/shell-line/command-effects";
import type { PathTarget } from "@tau/host/shell-line/place-path";
import { entriesOf } from "@tau/host/guard/directory-entries";
import { hasGlob } from "@tau/host/walk/glob";
import { nearPath } from "../resources/local-path.ts";
import type { GuardContext } from "./guard-context.ts";
import type { Workspace } from "./workspace.ts";

/** Of one directory; whoever has more in it is not asked about each. */
const MAX_NAMES = 2000;
const MAX_FILES = 500;

export function readSpellings(
  paths: Iterable<string>,
  { files, cwd }: Workspace,
  { real }: Pick<GuardContext, "real">,
): string[][] {
  const all = [...paths].flatMap(filesOf).slice(0, MAX_FILES);
  return all.map((path) => {
    const target = real(path);
    return [
      ...new Set([files.shown(path), path, files.shown(target), target, nearPath(target, cwd)]),
    ];
  });
}

/** Of files that are created, overwritten or deleted; with a directory goes what is in it. */
export function changeSpellings(
  commands: readonly CommandEffects[],
  workspace: Workspace,
  guard: Pick<GuardContext, "real">,
): string[][] {
  const pathsOf = (targets: readonly PathTarget[]): string[] =>
    targets.flatMap(({ path }) => path ?? []);
  const changed = commands.flatMap(({ writes, overwrites, deletes }) => [
    ...pathsOf([...overwrites, ...writes, ...deletes]),
    ...pathsOf(deletes).flatMap(filesOf).flatMap(filesBelow),
  ]);
  return readSpellings(new Set(changed), workspace, guard);
}

/** Up to a bound: a project of more than that is not looked through for each `rm`. */
function filesBelow(directory: string): string[] {
  const found: string[] = [];
  const waiting = [directory];
  for (let at = 0; at < waiting.length && found.length < MAX_FILES; at++) {
    for (const entry of entriesOf(waiting[at]!)) {
      const path = `${waiting[at]!}/${entry.name}`;
      found.push(path);
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return found;
}

function filesOf(path: string): string[] {
  if (!hasGlob(basename(path)) || hasGlob(dirname(path))) return [path];
  const glob = new Bun.Glob(basename(path));
  const names = entriesOf(dirname(path)).map(({ name }) => name);
  const matching = names.slice(0, MAX_NAMES).filter((name) => glob.match(name));
  return [path, ...matching.map((name) => `${dirname(path)}/${name}`)];
}
