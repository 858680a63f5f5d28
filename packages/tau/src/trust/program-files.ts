// What a program that a hook or a server runs reads to know what to do: `make lint` says nothing until one
// has seen the Makefile. Whoever agreed to the line has agreed to that file as it was. Found by the names
// of programs and of the files that they look for; what these start in turn is not followed.

import { basename, join } from "node:path";
import { isBelow } from "../base/is-below.ts";

interface ProgramRow {
  programs: readonly string[];
  /** All that are there count: which one is taken depends on the program's version. */
  files: readonly string[];
}

/** Their files are a list of commands, and each says in the line which of them is meant. */
const PROGRAM_ROWS: readonly ProgramRow[] = [
  {
    programs: ["make", "gmake", "bmake"],
    files: ["GNUmakefile", "makefile", "Makefile", "BSDmakefile"],
  },
  { programs: ["just"], files: ["justfile", "Justfile", ".justfile"] },
  {
    programs: ["task", "go-task"],
    files: ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"],
  },
  { programs: ["rake"], files: ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"] },
  { programs: ["mise"], files: ["mise.toml", ".mise.toml", "mise.local.toml"] },
  { programs: ["deno"], files: ["deno.json", "deno.jsonc"] },
  { programs: ["composer"], files: ["composer.json"] },
  { programs: ["pre-commit", "prek"], files: [".pre-commit-config.yaml"] },
  { programs: ["lefthook"], files: ["lefthook.yml", ".lefthook.yml", "lefthook-local.yml"] },
  { programs: ["tox"], files: ["tox.ini"] },
  { programs: ["nox"], files: ["noxfile.py"] },
  { programs: ["invoke", "inv"], files: ["tasks.py"] },
];
/** They run the scripts of a package.json, of which the rest changes with every dependency. */
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun", "node"]);
export const PACKAGE_FILE = "package.json";

export interface ProgramFiles {
  /** Files that may be there, whole. */
  files: string[];
  /** Files that may be there, of which the scripts count. */
  packages: string[];
}

/** `words`: of the line. `directories`: where it may run, and those that it names. */
export function programFiles(
  words: Iterable<string>,
  directories: readonly string[],
  root: string,
): ProgramFiles {
  const programs = new Set([...words].map((word) => basename(word)));
  const rows = PROGRAM_ROWS.filter((row) => row.programs.some((one) => programs.has(one)));
  const places = [...new Set(directories)].filter((one) => isBelow(one, root));
  const runsScripts = [...programs].some((one) => SCRIPT_RUNNERS.has(one));
  return {
    files: places.flatMap((place) =>
      rows.flatMap(({ files }) => files.map((file) => join(place, file))),
    ),
    packages: runsScripts ? places.map((place) => join(place, PACKAGE_FILE)) : [],
  };
}

/**
 * Of a package's scripts, those that the words name, with those that run before and after them and those
 * that they name in turn. All of them if none is named: somebody may have written it in another way.
 */
export function namedScripts(
  scripts: Readonly<Record<string, unknown>>,
  words: Iterable<string>,
): Record<string, unknown> {
  const taken = new Map<string, unknown>();
  const open = [...words];
  for (let word = open.pop(); word !== undefined; word = open.pop()) {
    for (const name of [word, `pre${word}`, `post${word}`]) {
      if (taken.has(name) || !Object.hasOwn(scripts, name)) continue;
      taken.set(name, scripts[name]);
      open.push(...String(scripts[name]).split(/[\s"'`;|&=()<>]+/));
    }
  }
  return taken.size > 0 ? Object.fromEntries(taken) : scripts;
}
