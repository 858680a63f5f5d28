// Guarded places inside what may be written: git's hooks and settings, and if the whole home is the
// project, everything in it that is run or obeyed later. They stay as they are. Only what is there when
// the sandbox is made can be kept so.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { GUARDED_ROWS } from "../guard/guarded-places.ts";
import { all, entriesOf } from "./existing-places.ts";
import { isWithin, type Mount } from "./mount-plan.ts";

/** Tau's own, which no row names. */
const OWN = ".tau";

export function guardedIn(workspace: string, home: string): Mount[] {
  const ofProject = GUARDED_ROWS.flatMap(({ files = [], anywhere = [] }) =>
    [...files, ...anywhere].flatMap((each) => matching(workspace, each)),
  );
  const ofHome = isWithin(home, workspace)
    ? [OWN, ...GUARDED_ROWS.flatMap(({ home: names = [] }) => names)].flatMap((each) =>
        matching(home, each),
      )
    : [];
  return [...ofProject.flatMap((path) => guard(workspace, path)), ...all(ofHome, "readable")];
}

function guard(workspace: string, path: string): Mount[] {
  // A repository's own directory is for git to write; a file in its place leads to another.
  if (path === join(workspace, ".git") && statSync(path).isDirectory()) return [];
  const kept = all([path], "readable");
  if (kept.length === 0) return [];
  // A directory that is a place of its own cannot be put aside and made anew under its name.
  const around: string[] = [];
  for (let at = dirname(path); at !== workspace && isWithin(at, workspace); at = dirname(at)) {
    around.push(at);
  }
  return [...all(around, "writable"), ...kept];
}

/** `*` stands for any one name. */
function matching(directory: string, pattern: string): string[] {
  let found = [directory];
  for (const part of pattern.split("/")) {
    if (!part.includes("*")) found = found.map((path) => join(path, part));
    else if (part === "*")
      found = found.flatMap((path) => entriesOf(path).map(({ name }) => join(path, name)));
    else found = [];
  }
  return found.filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
}
