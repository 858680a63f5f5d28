// Puts a change to the tests and to the compiler. Runs test files of a copied tree one after another until one is red. What is most likely to
// notice a change runs first: the test beside the file, what noticed the last change to it, then the
// quickest.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** For one test; those of a loop that hangs come to an end too. */
const TEST_TIMEOUT_MS = 5000;
/** A change may make a loop that fills an array for ever. */
const MAX_RESIDENT_BYTES = 2 * 1024 ** 3;
const WATCH_MS = 100;
const PAGE_BYTES = 4096;
const QUIET = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;

export interface TestLimits {
  /** For one file. */
  timeoutMs: number;
  /** Whoever stops the script wants nothing left behind. */
  signal: AbortSignal;
}

export class TestRun {
  readonly #root: string;
  readonly #limits: TestLimits;
  /** How long each took when nothing was broken. */
  readonly #baseline: ReadonlyMap<string, number>;
  readonly #kills = new Map<string, Map<string, number>>();

  constructor(root: string, limits: TestLimits, baseline: ReadonlyMap<string, number>) {
    this.#root = root;
    this.#limits = limits;
    this.#baseline = baseline;
  }

  /** The test file that noticed a change to `source`; undefined where all are green. */
  async firstRed(source: string, files: readonly string[]): Promise<string | undefined> {
    const kills = this.#kills.get(source) ?? new Map<string, number>();
    this.#kills.set(source, kills);
    const own = basename(source).replace(/\.ts$/, ".test.ts");
    const rank = (file: string): number =>
      basename(file) === own ? Number.POSITIVE_INFINITY : (kills.get(file) ?? 0);
    const sorted = files.toSorted(
      (a, b) => rank(b) - rank(a) || (this.#baseline.get(a) ?? 0) - (this.#baseline.get(b) ?? 0),
    );
    for (const file of sorted) {
      if (await isGreen(this.#root, file, this.#limits)) continue;
      kills.set(file, (kills.get(file) ?? 0) + 1);
      return file;
    }
    return undefined;
  }
}

export async function isGreen(
  root: string,
  file: string,
  { timeoutMs, signal }: TestLimits,
): Promise<boolean> {
  const child = Bun.spawn(
    [process.execPath, "test", "--bail", `--timeout=${TEST_TIMEOUT_MS}`, `./${file}`],
    {
      ...QUIET,
      cwd: root,
      timeout: timeoutMs,
      signal,
      killSignal: "SIGKILL",
    },
  );
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > MAX_RESIDENT_BYTES) child.kill("SIGKILL");
  }, WATCH_MS);
  try {
    return (await child.exited) === 0;
  } finally {
    clearInterval(watch);
  }
}

/** What the compiler refuses cannot be committed, whatever the tests say. */
export async function compiles(root: string, file: string): Promise<boolean> {
  if (!existsSync(join(root, "tsconfig.json"))) return true;
  // A name that nobody uses any more would give most changes away, and is none of the compiler's
  // business here.
  const options = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
  const child = Bun.spawn([process.execPath, "check", "--no-script", ...options, file], {
    ...QUIET,
    cwd: root,
  });
  return (await child.exited) === 0;
}

/** Zero where the system does not say. */
function residentBytes(pid: number): number {
  try {
    return (
      Number(readFileSync(join("/proc", `${pid}`, "statm"), "utf8").split(" ")[1]) * PAGE_BYTES
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return 0;
    throw error;
  }
}
