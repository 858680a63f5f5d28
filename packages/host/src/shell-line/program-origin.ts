// Whose the program is that a command names by a path: the project's own files are the work, the
// system's programs are known by their names, and what lies anywhere else nobody knows.

import { posix } from "node:path";
import { targetsOf, type CommandCall } from "./command-call.ts";
import type { Field } from "./field.ts";

const SYSTEM_DIRECTORY =
  /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$|^\/(?:usr|opt|nix|snap|Library|Applications)\/.*\/[^/]+$/;
/** Where people and package managers install programs that have their usual names. */
const INSTALLED = /\/(?:s?bin|libexec|shims|Scripts)\/[^/]+$/;

/** `named`: by its name as far as the tables know it; `own`: of the project, or temporary. */
export type ProgramOrigin = "named" | "own" | "elsewhere";

export function originOf(call: CommandCall, program: Field): ProgramOrigin {
  const path = program.text ?? "";
  if (!path.includes("/")) return "named";
  const targets = targetsOf(call, program);
  // Wherever the shell is by then, the file is meant that lies there.
  const isRelative = !path.startsWith("/");
  const isOwn = targets.every(
    ({ place, path: found }) =>
      place === "inside" ||
      place === "temporary" ||
      (place === "unknown" && isRelative) ||
      // A link to one of the system's is judged as that.
      (found !== undefined && isRelative && isSystemProgram(found)),
  );
  if (isOwn) return "own";
  if (SYSTEM_DIRECTORY.test(posix.normalize(path))) return "named";
  return INSTALLED.test(path) ? "named" : "elsewhere";
}

export function isSystemProgram(path: string): boolean {
  return SYSTEM_DIRECTORY.test(posix.normalize(path));
}

/** Names of the programs that a link or a copy stands for, made by the line or there before. */
export function standsFor(call: CommandCall, program: Field): string[] {
  const { walk, context } = call;
  const text = program.text ?? "";
  const name = posix.basename(text);
  const isPath = text.includes("/");
  const places = isPath
    ? targetsOf(call, program, { isEntry: true }).flatMap(({ path }) => path ?? [])
    : [];
  const made = [...walk.links, ...walk.copies].flatMap(([link, target]) =>
    (isPath ? places.includes(link) : posix.basename(link) === name) ? [target] : [],
  );
  const real = isPath && context.real ? places.map((path) => context.real!(path)) : [];
  const names = [...made, ...real.filter(isSystemProgram)].map((path) => posix.basename(path));
  return [...new Set(names)].filter((each) => each !== name);
}
