// Where the ripgrep program is: in its npm package (a plain file there, no install script
// is needed) or inside the executable, at a path the caller gives, or on the PATH. The
// directory Tau works in must not decide which program runs, so that relative entries of
// the PATH do not count.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";
import { ownEnvironment } from "../process/own-environment.ts";
import { programOnPath } from "../process/program-on-path.ts";
import { RIPGREP } from "../engines/embedded-engines.ts";
import { locateEngine } from "../engines/locate-engine.ts";
import { ownPlace } from "../engines/own-place.ts";
import { systemCode } from "../storage-error.ts";

export interface RipgrepPlaces {
  /** Tried when the package has no program for this machine. */
  path?: string | undefined;
  /** The value of the PATH variable. */
  searchPath?: string | undefined;
  /** Off in tests of the other places. */
  usePackage?: boolean;
}

export async function locateRipgrep(places: RipgrepPlaces = {}): Promise<string | undefined> {
  const candidates = [
    places.usePackage === false ? undefined : await ownProgram(),
    places.path,
    programOnPath("rg", places.searchPath ?? ownEnvironment().PATH),
  ];
  for (const path of candidates) {
    if (path !== undefined && isAbsolute(path) && (await isExecutable(path))) return path;
  }
  return undefined;
}

async function ownProgram(): Promise<string | undefined> {
  const packaged = packagedProgram();
  if (packaged !== undefined) return packaged;
  const place = await locateEngine(RIPGREP);
  // Without it there are the other places, and a search in plain JavaScript.
  return place.kind === "found" ? place.path : undefined;
}

/** For running from source or a checkout's executable, and for the build. */
export function packagedProgram(): string | undefined {
  const own = ownPlace();
  if (own === undefined) return undefined;
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  try {
    // Asked through the package that lists it, since only that one depends on it.
    const owner = createRequire(join(own, "-")).resolve("@vscode/ripgrep");
    return createRequire(owner).resolve(`${name}/bin/${program}`);
  } catch (error) {
    // Not installed for this machine.
    const code = systemCode(error);
    if (code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
