// Takes one commit of a repository somewhere else, as a tar: nothing is checked out, so that no hook, filter,
// submodule or link of the repository does anything. The user's own configuration counts (credentials,
// proxies), the repository's cannot.

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { programOnPath } from "../process/program-on-path.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { systemCode } from "../storage-error.ts";

export type GitFetchErrorCode = "no_git" | "unreachable" | "no_such_ref" | "too_large" | "too_slow";

export class GitFetchError extends Error {
  override readonly name = "GitFetchError";
  readonly code: GitFetchErrorCode;

  constructor(code: GitFetchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CommitWish {
  url: string;
  /** A branch, a tag or a commit; without, what the repository has checked out. */
  ref?: string;
  /** It must be this commit. */
  sha?: string;
  /** A directory of the repository. */
  path?: string;
  /** As git calls them: `https`, `ssh`, `file`. */
  protocols: readonly string[];
  /** As `git -c` takes them, after its own. */
  settings?: readonly string[];
}

export interface FetchPlace {
  /** Empty, and the caller's to remove. */
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  maxBytes: number;
  timeoutMs: number;
}

const OVERRIDES = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "protocol.ext.allow=never",
  "fetch.recurseSubmodules=false",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "advice.detachedHead=false",
];
const WATCH_MS = 250;
/** Git says why in its last lines. */
const MAX_WORDS = 300;

/** The commit, and the tar with its files. Rejects with `GitFetchError`. */
export async function fetchCommit(
  wish: CommitWish,
  place: FetchPlace,
): Promise<{ commit: string; tar: string }> {
  for (const word of [wish.url, wish.ref, wish.sha, wish.path]) {
    // It would be taken for an option.
    if (word?.startsWith("-") || word?.includes("\0")) {
      throw new GitFetchError(
        "no_such_ref",
        `${JSON.stringify(word)} is not a name git may be given`,
      );
    }
  }
  const git = new Git(place, wish);
  await git.run(["init", "--quiet", "--bare", "--template=", place.directory]);
  const wanted = wish.sha ?? wish.ref ?? "HEAD";
  await fetchWanted(git, wish, wanted);
  const commit = (await git.run(["rev-parse", "--verify", "--quiet", "wanted^{commit}"])).trim();
  if (wish.sha !== undefined && !commit.startsWith(wish.sha)) {
    throw new GitFetchError("no_such_ref", `${wish.url} does not have the commit ${wish.sha}`);
  }
  const tar = join(place.directory, "tree.tar");
  const tree = wish.path === undefined ? commit : `${commit}:${wish.path}`;
  await git.run(["archive", "--format=tar", `--output=${tar}`, tree], {
    failure: new GitFetchError("no_such_ref", `${wish.url} has no directory ${wish.path}`),
  });
  return { commit, tar };
}

async function fetchWanted(git: Git, { url, ref, sha }: CommitWish, wanted: string): Promise<void> {
  const fetch = (what: string, ...more: string[]): Promise<string> =>
    git.run(["fetch", "--quiet", "--no-tags", ...more, "--", url, `+${what}:wanted`]);
  try {
    await fetch(wanted, "--depth=1");
  } catch (error) {
    if (!(error instanceof GitFetchError) || error.code !== "unreachable") throw error;
    if (!/^[0-9a-f]{7,64}$/.test(wanted)) throw error;
    // Not every server gives out a commit by its name: it is looked for in the history.
    await fetch(sha !== undefined && ref !== undefined ? ref : "HEAD");
    await git.run(["update-ref", "refs/heads/wanted", `${wanted}^{commit}`], {
      failure: new GitFetchError("no_such_ref", `${url} does not have the commit ${wanted}`),
    });
  }
}

class Git {
  readonly #place: FetchPlace;
  readonly #program: string;
  readonly #protocols: readonly string[];
  readonly #settings: readonly string[];
  readonly #deadline: number;

  constructor(
    place: FetchPlace,
    { protocols, settings = [] }: Pick<CommitWish, "protocols" | "settings">,
  ) {
    const program = programOnPath("git", place.env.PATH);
    if (program === undefined) throw new GitFetchError("no_git", "git is not installed");
    this.#program = program;
    this.#place = place;
    this.#protocols = protocols;
    this.#settings = settings;
    this.#deadline = performance.now() + place.timeoutMs;
  }

  async run(args: readonly string[], { failure }: { failure?: GitFetchError } = {}) {
    const { directory, env, signal, timeoutMs } = this.#place;
    signal.throwIfAborted();
    const overrides = [...OVERRIDES, ...this.#settings].flatMap((one) => ["-c", one]);
    const child = Bun.spawn([this.#program, ...overrides, ...args], {
      cwd: directory,
      env: ownedEnvironment({
        ...env,
        GIT_DIR: directory,
        GIT_WORK_TREE: undefined,
        GIT_INDEX_FILE: undefined,
        GIT_ALLOW_PROTOCOL: this.#protocols.join(":"),
        GIT_TERMINAL_PROMPT: "0",
        GIT_LFS_SKIP_SMUDGE: "1",
        GIT_SSH_COMMAND: env.GIT_SSH_COMMAND ?? "ssh -oBatchMode=yes",
        LC_ALL: "C",
      }),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      signal,
      timeout: Math.max(1, Math.ceil(this.#deadline - performance.now())),
      killSignal: "SIGKILL",
    });
    let isTooLarge = false;
    const watch = setInterval(() => {
      void this.#bytes().then((bytes) => {
        if (bytes <= this.#place.maxBytes) return;
        isTooLarge = true;
        child.kill("SIGKILL");
      });
    }, WATCH_MS);
    try {
      const [output, words] = await Promise.all([child.stdout.text(), child.stderr.text()]);
      const code = await child.exited;
      signal.throwIfAborted();
      const megabytes = Math.round(this.#place.maxBytes / 1024 / 1024);
      if (isTooLarge || (await this.#bytes()) > this.#place.maxBytes) {
        throw new GitFetchError("too_large", `the repository has more than ${megabytes} MB`);
      }
      if (performance.now() >= this.#deadline) {
        throw new GitFetchError("too_slow", `git took longer than ${timeoutMs / 1000} s`);
      }
      if (code === 0) return output;
      const said = words.trim().split("\n").at(-1)?.slice(0, MAX_WORDS) ?? "";
      throw failure ?? new GitFetchError("unreachable", `git: ${said}`);
    } finally {
      clearInterval(watch);
    }
  }

  /** Of what it has fetched so far. */
  async #bytes(): Promise<number> {
    const directory = join(this.#place.directory, "objects", "pack");
    try {
      let bytes = 0;
      for (const name of await readdir(directory))
        bytes += (await stat(join(directory, name))).size;
      return bytes;
    } catch (error) {
      // Not there yet, or a temporary file has become another one.
      if (systemCode(error) === undefined) throw error;
      return 0;
    }
  }
}
