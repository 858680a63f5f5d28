// Makes the executable that a checkout starts from, in a directory of its own that is then pointed
// at, so that two starts cannot disturb each other. Run by Bun, from scripts/launch.mjs.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { ASSET_FOLDER } from "../../packages/host/src/engines/embedded-engines.ts";
import { packEngines } from "../../packages/host/src/engines/pack-engines.ts";
import { compile } from "../compile.ts";
import { startProgress } from "../progress.mjs";
import { isFresh, recordInputs } from "./inputs.ts";

const PREFIX = "build-";
/** A Tau that is running starts its helpers from the executable that it is. */
const KEEP_BUILDS = 3;
const NAME = process.platform === "win32" ? "tau.exe" : "tau";

/** The newest executable, made anew if a source has changed. */
export async function currentExecutable(root: string): Promise<string> {
  const home = join(root, "node_modules", ".tau");
  const [newest] = builds(home);
  const present = newest && join(home, newest, NAME);
  if (present && existsSync(present) && isFresh(root, present)) return point(home, newest);
  const started = Date.now();
  const endProgress = startProgress("Compiling Tau's sources", { quiet: true });
  try {
    return await build(root, home, started);
  } finally {
    endProgress();
  }
}

async function build(root: string, home: string, started: number): Promise<string> {
  const engines = await packedEngines(home);
  // Not a private one: whoever may read the checkout may start it.
  const directory = join(home, `${PREFIX}${started.toString(36)}-${process.pid}`);
  mkdirSync(directory);
  const outfile = join(directory, NAME);
  try {
    const entry = join(root, "scripts", "checkout", "entry.ts");
    const { inputs } = await compile({ root, entry, engines, outfile });
    recordInputs(root, outfile, inputs, started);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
  for (const old of builds(home).slice(KEEP_BUILDS)) {
    rmSync(join(home, old), { recursive: true, force: true });
  }
  return point(home, directory.slice(home.length + 1));
}

/** Names begin with the time, so the newest is the first. */
function builds(home: string): string[] {
  return readdirSync(home)
    .filter((name) => name.startsWith(PREFIX))
    .toSorted()
    .toReversed();
}

/** `./tau` follows the link without asking anyone. On Windows every start asks here. */
function point(home: string, build: string): string {
  const executable = join(home, build, NAME);
  if (process.platform === "win32") return executable;
  const link = join(home, "tau");
  const target = join(build, NAME);
  if (existsSync(link) && readlinkSync(link) === target) return executable;
  const fresh = join(home, build, "link");
  symlinkSync(target, fresh);
  renameSync(fresh, link);
  return executable;
}

/** Packing takes a second and changes with the packages only. */
async function packedEngines(home: string): Promise<string> {
  const packed = join(home, "packed");
  const engines = join(packed, ASSET_FOLDER);
  const stamp = statSync(join(home, "runtime"), { throwIfNoEntry: false });
  const present = statSync(packed, { throwIfNoEntry: false });
  if (present && stamp && present.mtimeMs > stamp.mtimeMs) return engines;
  const staging = join(home, `packing-${process.pid}`);
  rmSync(staging, { recursive: true, force: true });
  await packEngines(join(staging, ASSET_FOLDER));
  rmSync(packed, { recursive: true, force: true });
  try {
    renameSync(staging, packed);
  } catch (error) {
    // Another start was faster; what it packed is the same.
    if (!existsSync(engines)) throw error;
    rmSync(staging, { recursive: true, force: true });
  }
  return engines;
}
