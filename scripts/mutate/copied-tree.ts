// A copy of the repository in a temporary directory, so that nothing which is broken on purpose is
// ever in the working tree. Our packages are real copies; what others wrote is linked.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** History and products: no test reads them. */
const LEFT_OUT = new Set([".git", "dist", "node_modules", "results"]);
/** Links to our own packages, and the launcher's products: they must not lead back. */
const OWN_MODULES = new Set(["@tau", ".tau"]);

export class CopiedTree implements Disposable {
  readonly root: string;

  constructor(from: string) {
    this.root = mkdtempSync(join(tmpdir(), "tau-mutate-"));
    for (const name of readdirSync(from)) {
      if (LEFT_OUT.has(name)) continue;
      // Times too: a lockfile that looks newer than the installation would install anew.
      const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
      cpSync(join(from, name), join(this.root, name), options);
    }
    linkModules(join(from, "node_modules"), join(this.root, "node_modules"));
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function linkModules(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const source = join(from, name);
    if (OWN_MODULES.has(name)) {
      cpSync(source, join(to, name), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      });
    } else symlinkSync(source, join(to, name), lstatSync(source).isDirectory() ? "dir" : "file");
  }
}
