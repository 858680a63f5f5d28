// Temporary places for tests, gone when the test ends: a directory, a git repository whose
// hashes are the same on every machine, and a home for running the program as a new user.

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";

export type FileContent = string | Uint8Array;

export class OutsideScratch extends Error {
  override readonly name = "OutsideScratch";
}

export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number;
  readonly stderr: string;

  constructor(args: string[], exitCode: number, stderr: string) {
    super(`git ${args.join(" ")} ended with ${exitCode}: ${stderr.trim()}`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface ScratchDirectory extends AsyncDisposable {
  /** Absolute and without links, so that it equals what programs report. */
  readonly root: string;
  /** Always inside the directory; throws `OutsideScratch` otherwise. */
  path(...parts: string[]): string;
  /** Creates missing directories on the way. Returns the absolute path. */
  write(path: string, content: FileContent): Promise<string>;
  read(path: string): Promise<string>;
}

// Virus scanners and dying children may hold a file for a moment.
const REMOVE_RETRIES = 5;
const REMOVE_RETRY_DELAY_MS = 50;

export async function createScratchDirectory(): Promise<ScratchDirectory> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "tau-scratch-")));
  const path = (...parts: string[]): string => {
    const target = resolve(root, ...parts);
    const inside = relative(root, target);
    if (inside === ".." || inside.startsWith(join("..", "/")) || isAbsolute(inside)) {
      throw new OutsideScratch(`${target} is outside of ${root}`);
    }
    return target;
  };
  return {
    root,
    path,
    async write(name, content) {
      const target = path(name);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
      return target;
    },
    read: (name) => readFile(path(name), "utf8"),
    [Symbol.asyncDispose]: () =>
      rm(root, {
        recursive: true,
        force: true,
        maxRetries: REMOVE_RETRIES,
        retryDelay: REMOVE_RETRY_DELAY_MS,
      }),
  };
}

export interface ScratchCommit {
  message: string;
  /** null removes the file. */
  files: Record<string, FileContent | null>;
}

export interface RepositoryOptions {
  /** The first commit, "Initial commit"; without any file the branch stays unborn. */
  files?: Record<string, FileContent>;
  /** Further commits, in order. */
  commits?: ScratchCommit[];
  branch?: string;
}

export interface ScratchRepository extends ScratchDirectory {
  /** What isolates git from this machine; for running other programs in the repository. */
  readonly gitEnv: Readonly<Record<string, string>>;
  /** Standard output as it is; throws `GitError` with standard error. */
  git(...args: string[]): Promise<string>;
  /** The lines of `git status --porcelain`, untracked files one by one. */
  status(): Promise<string[]>;
}

const AUTHOR = { name: "Ada Tester", email: "ada@example.test" };
const FIRST_COMMIT_TIME_S = Date.UTC(2024, 0, 1, 12) / 1000;
// Commits a minute apart keep the order of `git log` independent of ties.
const COMMIT_INTERVAL_S = 60;
// These stamp a time; other commands leave the clock alone, so that looking at a
// repository does not change the hashes of later commits.
const STAMPING_COMMANDS: ReadonlySet<string> = new Set([
  "commit",
  "merge",
  "cherry-pick",
  "revert",
  "rebase",
  "tag",
  "stash",
]);

function gitEnvironment(home: string): Record<string, string> {
  return {
    ...systemEnvironment(),
    HOME: home,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    LC_ALL: "C",
    TZ: "UTC",
  };
}

async function runGit(cwd: string, env: Record<string, string>, args: string[]): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new GitError(args, exitCode, stderr);
  return stdout;
}

export async function createScratchRepository(
  options: RepositoryOptions = {},
): Promise<ScratchRepository> {
  const directory = await createScratchDirectory();
  const gitEnv = gitEnvironment(directory.root);
  let stamps = 0;

  const git = (...args: string[]): Promise<string> => {
    const date = `${FIRST_COMMIT_TIME_S + stamps * COMMIT_INTERVAL_S} +0000`;
    if (STAMPING_COMMANDS.has(args[0] ?? "")) stamps += 1;
    return runGit(directory.root, { ...gitEnv, ...identity(date) }, args);
  };
  const commit = async (message: string, files: ScratchCommit["files"]): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      if (content === null) await rm(directory.path(name));
      else await directory.write(name, content);
    }
    await git("add", "--all");
    await git("commit", "--quiet", "--allow-empty", "--message", message);
  };

  try {
    // No template: a machine's own may bring hooks.
    const branch = `--initial-branch=${options.branch ?? "main"}`;
    await git("init", "--quiet", "--template=", "--object-format=sha1", branch);
    const settings = {
      "user.name": AUTHOR.name,
      "user.email": AUTHOR.email,
      "commit.gpgsign": "false",
      "core.autocrlf": "false",
      // A background process would outlive the test and race its removal.
      "gc.auto": "0",
      "maintenance.auto": "false",
    };
    for (const [key, value] of Object.entries(settings)) await git("config", key, value);
    const { files = {}, commits = [] } = options;
    if (Object.keys(files).length > 0) await commit("Initial commit", files);
    for (const next of commits) await commit(next.message, next.files);
  } catch (error) {
    await directory[Symbol.asyncDispose]();
    throw error;
  }

  return {
    ...directory,
    gitEnv,
    git,
    async status() {
      const lines = (await git("status", "--porcelain", "--untracked-files=all")).split("\n");
      return lines.filter((line) => line !== "");
    },
  };
}

function identity(date: string): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: AUTHOR.name,
    GIT_AUTHOR_EMAIL: AUTHOR.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: AUTHOR.name,
    GIT_COMMITTER_EMAIL: AUTHOR.email,
    GIT_COMMITTER_DATE: date,
  };
}

// Without these Windows can start nothing.
const WINDOWS_VARIABLES = ["SystemRoot", "ComSpec", "PATHEXT", "windir"];

/** Only what is needed to start programs; no keys, no settings of whoever runs the tests. */
function systemEnvironment(): Record<string, string> {
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? ["/usr/bin", "/bin"].join(delimiter),
  };
  if (process.platform !== "win32") return env;
  for (const name of WINDOWS_VARIABLES) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

export interface IsolatedHome extends ScratchDirectory {
  /** The whole environment for a child: pass it as it is, not merged with process.env. */
  readonly env: Readonly<Record<string, string>>;
}

/** A new user's empty home, and an environment in which programs see nothing else. */
export async function isolatedHome(): Promise<IsolatedHome> {
  const directory = await createScratchDirectory();
  const places = {
    XDG_CONFIG_HOME: directory.path(".config"),
    XDG_DATA_HOME: directory.path(".local/share"),
    XDG_STATE_HOME: directory.path(".local/state"),
    XDG_CACHE_HOME: directory.path(".cache"),
    XDG_RUNTIME_DIR: directory.path(".run"),
    TMPDIR: directory.path(".tmp"),
  };
  for (const place of Object.values(places)) await mkdir(place, { recursive: true, mode: 0o700 });
  const env: Record<string, string> = {
    ...systemEnvironment(),
    ...places,
    HOME: directory.root,
    LANG: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
  if (process.platform === "win32") {
    Object.assign(env, { USERPROFILE: directory.root, TEMP: places.TMPDIR, TMP: places.TMPDIR });
  }
  return { ...directory, env };
}
