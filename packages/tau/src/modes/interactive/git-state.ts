// The branch and whether anything is changed, for the status line. Asked in a process of its own
// that runs nothing of the repository's, and never waited for; a repository that answers slowly is
// asked less often.

import type { Environment } from "@tau/ai/environment";

export interface GitState {
  branch: string;
  staged: number;
  changed: number;
  untracked: number;
}

/** An answer that takes longer is of a repository too large to be asked for decoration. */
const TIMEOUT_MS = 2_000;
const MAX_OUTPUT_BYTES = 256 * 1024;
/** What takes less may be asked at any time. */
const QUICK_MS = 50;
/** After a slow answer the next question waits this many times as long. */
const REST_FACTOR = 20;

export class GitWatch {
  readonly #cwd: string;
  readonly #env: Environment;
  readonly #changed: () => void;
  #state: GitState | undefined;
  #asking = false;
  #again = false;
  #restUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ cwd, env }: { cwd: string; env: Environment }, changed: () => void) {
    this.#cwd = cwd;
    this.#env = env;
    this.#changed = changed;
  }

  get state(): GitState | undefined {
    return this.#state;
  }

  /** Something may have changed. */
  look(): void {
    const rest = this.#restUntil - performance.now();
    if (rest > 0) return this.#lookAfter(rest);
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    void this.#ask().finally(() => {
      this.#asking = false;
      if (!this.#again) return;
      this.#again = false;
      this.look();
    });
  }

  /** Once, however often it is wanted until then. */
  #lookAfter(milliseconds: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.look();
    }, milliseconds);
    this.#timer.unref();
  }

  async #ask(): Promise<void> {
    const since = performance.now();
    const next = await askGit(this.#cwd, this.#env);
    const took = performance.now() - since;
    this.#restUntil = took < QUICK_MS ? 0 : performance.now() + took * REST_FACTOR;
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return;
    this.#state = next;
    this.#changed();
  }
}

async function askGit(cwd: string, env: Environment): Promise<GitState | undefined> {
  const { inertStatus } = await import("@tau/host/git/inert-git");
  const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const text = await inertStatus({ cwd, env, ...limits });
  return text === undefined ? undefined : readStatus(text);
}

/** From `git status --porcelain=v2 --branch`. */
export function readStatus(text: string): GitState | undefined {
  const state: GitState = { branch: "", staged: 0, changed: 0, untracked: 0 };
  let commit = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("# branch.head ")) state.branch = line.slice("# branch.head ".length);
    else if (line.startsWith("# branch.oid ")) commit = line.slice("# branch.oid ".length, 20);
    else if (line.startsWith("? ")) state.untracked += 1;
    else if (/^[12u] /.test(line)) {
      if (line[2] !== ".") state.staged += 1;
      if (line[3] !== ".") state.changed += 1;
    }
  }
  if (state.branch === "(detached)") state.branch = commit;
  return state.branch === "" ? undefined : state;
}
