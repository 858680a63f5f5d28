// Guarded places inside what may be written: git's hooks and settings, and if the whole home is the
// project, everything in it that is run or obeyed later. They stay as they are. Only what is there when
// the sandbox is made can be kept so.

import { dirname, join } from "node:path";
import { GUARDED_ROWS, HISTORY } from "../guard/guarded-places.ts";
import { all, entriesOf, existing } from "./existing-places.ts";
import { isWithin, type Mount } from "./mount-plan.ts";

/** Tau's own, which no row names. */
const OWN = ".tau";

/** Both without links. */
export function guardedIn(workspace: string, home: string): Mount[] {
  // Commands commit: what git writes stays writable.
  const rows = GUARDED_ROWS.filter(({ what }) => what !== HISTORY);
  const ofProject = rows.flatMap(({ files = [], anywhere = [] }) =>
    [...files, ...anywhere].flatMap((each) => matching(workspace, each)),
  );
  const ofHome = isWithin(home, workspace)
    ? [OWN, ...GUARDED_ROWS.flatMap(({ home: names = [] }) => names)].flatMap((each) =>
        matching(home, each),
      )
    : [];
  return [...ofProject, ...ofHome].flatMap((path) => guard(workspace, path));
}

function guard(workspace: string, path: string): Mount[] {
  const [found] = unlinked([path], "readable");
  // A repository's own directory is for git to write; a file in its place leads to another.
  if (!found || (path === join(workspace, ".git") && existing([path])[0]!.isDirectory)) return [];
  // A directory that is a place of its own cannot be put aside and made anew under its name.
  const around: string[] = [];
  for (let at = dirname(path); at !== workspace && isWithin(at, workspace); at = dirname(at)) {
    around.push(at);
  }
  return [...unlinked(around, "writable"), found];
}

/** A link of the project's leads where the project wants: it must not open anything there. */
function unlinked(paths: readonly string[], kind: Mount["kind"]): Mount[] {
  return paths.flatMap((given) => all([given], kind).filter(({ path }) => path === given));
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
  return found;
}
