// Makes the executable that a checkout starts from, in a directory of its own that is then pointed
// at, so that nobody ever starts half of one. Run by Bun, from scripts/launch.mjs.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { compile } from "../compile.ts";
import { startProgress } from "../progress.mjs";
import { hasInputs, isFresh, recordInputs } from "./inputs.ts";

const PREFIX = "build-";
/** Where one cannot see which of them run: a Tau starts its helpers from the executable that it is. */
const KEEP_BUILDS = 3;
const NAME = process.platform === "win32" ? "tau.exe" : "tau";
const LOCK = "compiling";
const LOCK_POLL_MS = 100;

/** The newest executable, made anew if a source has changed. */
export async function currentExecutable(root: string): Promise<string> {
  const home = join(root, "node_modules", ".tau");
  const present = freshBuild(root, home);
  if (present !== undefined) return point(home, present);
  const endProgress = startProgress("Compiling Tau's sources", { quiet: true });
  try {
    return await alone(home, async () => {
      // Whoever was faster may have made it.
      const build = freshBuild(root, home) ?? (await makeBuild(root, home));
      removeOld(home, build);
      return point(home, build);
    });
  } finally {
    endProgress();
  }
}

function freshBuild(root: string, home: string): string | undefined {
  const newest = builds(home).find((name) => hasInputs(join(home, name, NAME)));
  if (newest === undefined) return undefined;
  return isFresh(root, join(home, newest, NAME)) ? newest : undefined;
}

async function makeBuild(root: string, home: string): Promise<string> {
  const started = Date.now();
  const name = `${PREFIX}${started.toString(36)}-${process.pid}`;
  // Not a private one: whoever may read the checkout may start it.
  mkdirSync(join(home, name));
  const outfile = join(home, name, NAME);
  try {
    const entry = join(root, "scripts", "checkout", "entry.ts");
    const { inputs } = await compile({ root, entry, outfile });
    recordInputs(root, outfile, inputs, started);
    return name;
  } catch (error) {
    rmSync(join(home, name), { recursive: true, force: true });
    throw error;
  }
}

/** One at a time; what a start that was killed left behind is no hindrance. */
async function alone<T>(home: string, work: () => Promise<T>): Promise<T> {
  const lock = join(home, LOCK);
  for (;;) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: "wx" });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isHeld(lock)) await Bun.sleep(LOCK_POLL_MS);
      else rmSync(lock, { force: true });
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // Made a moment ago, it may be empty still.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Those that run stay; of the others the last ones, and none that was not finished. */
function removeOld(home: string, current: string): void {
  const running = runningBuilds(home);
  const old = builds(home).filter((name) => name !== current && !running?.has(name));
  const kept = running ? [] : old.filter((name) => hasInputs(join(home, name, NAME)));
  for (const name of old) {
    if (kept.slice(0, KEEP_BUILDS - 1).includes(name)) continue;
    rmSync(join(home, name), { recursive: true, force: true });
  }
}

/** Undefined where the system does not tell. */
function runningBuilds(home: string): Set<string> | undefined {
  if (process.platform !== "linux") return undefined;
  const running = new Set<string>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const path = readlinkSync(`/proc/${pid}/exe`);
      if (path.startsWith(`${home}/`)) running.add(path.slice(home.length + 1).split("/")[0]!);
    } catch (error) {
      // Gone, or somebody else's.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }
  return running;
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
  const fresh = join(home, build, `link-${process.pid}`);
  symlinkSync(target, fresh);
  renameSync(fresh, link);
  return executable;
}
