// What an executable was compiled from, recorded beside it: size and time of every source. Packages
// change with the lockfile only, and installing them leaves a newer stamp, which stands for them all.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const RECORD = "inputs.json";
/** Written by scripts/install.mjs; from the root. */
const INSTALLED = "node_modules/.tau/runtime";
/** What makes the executable what it is, beside the sources that the bundler tells of. */
const MAKERS = ["scripts/checkout/build.ts", "scripts/compile.ts", INSTALLED];

type Input = [path: string, mtimeMs: number, size: number];

/** `started`: what was saved while it was being read may be in it or not, so it counts as changed. */
export function recordInputs(
  root: string,
  executable: string,
  paths: string[],
  started: number,
): void {
  const own = paths.filter((path) => !path.startsWith("node_modules"));
  const inputs = [...own, ...MAKERS].map((path): Input => {
    const { mtimeMs, size } = statSync(join(root, path));
    return [path, mtimeMs < started ? mtimeMs : -1, size];
  });
  writeFileSync(join(dirname(executable), RECORD), JSON.stringify(inputs));
}

/** Whether it was finished: the record is written last. */
export function hasInputs(executable: string): boolean {
  return existsSync(join(dirname(executable), RECORD));
}

/** A file that is gone differs from any. */
export function isFresh(root: string, executable: string): boolean {
  for (const [path, mtimeMs, size] of readInputs(executable)) {
    // Joined by hand: a thousand of these are on the way of every start.
    const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stat === undefined || stat.mtimeMs !== mtimeMs || stat.size !== size) return false;
  }
  return true;
}

/** A record that cannot be read is that of a build that changed with something. */
function readInputs(executable: string): Input[] {
  try {
    return JSON.parse(readFileSync(`${dirname(executable)}/${RECORD}`, "utf8")) as Input[];
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") {
      return [["", -1, -1]];
    }
    throw error;
  }
}
