// Git in a repository of Tau's own, over somebody else's working tree. Its directory borrows the objects of the
// clone and writes new ones only to itself, so that the clone never has anything of it to notice. Nothing of the clone's
// configuration is read, and its attributes are overruled: no filter, no line ending, no encoding is
// converted. What git sees here are the files' bytes, before and after, whatever the clone says of them.

import { copyFile, mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { INERT_ENVIRONMENT, INERT_OVERRIDES } from "../git/inert-git.ts";
import { programOnPath } from "../process/program-on-path.ts";
import { freeVariables, ownedEnvironment } from "../process/reaper.ts";
import { systemCode } from "../storage-error.ts";
import { IsolationRefused } from "./isolated-tree.ts";

/** Of a command that was not expected to fail. */
export class GitFailed extends Error {
  override readonly name = "GitFailed";
  readonly exitCode: number;
  /** What git said last. */
  readonly said: string;

  constructor(args: readonly string[], exitCode: number, said: string) {
    super(`git ${args[0]} ended with ${exitCode}: ${said}`);
    this.exitCode = exitCode;
    this.said = said;
  }
}

/** In the file with the highest precedence of all. `working-tree-encoding` cannot be unset, only unspecified. */
const RAW_ATTRIBUTES = "* -text -ident !eol !crlf !filter !working-tree-encoding !diff !merge\n";

const OVERRIDES = [
  ...INERT_OVERRIDES,
  // Small objects that live for minutes.
  "core.looseCompression=0",
  "core.splitIndex=false",
  "core.sparseCheckout=false",
  "gc.auto=0",
  "maintenance.auto=false",
  // A patch is applied as it is or not at all.
  "apply.whitespace=nowarn",
  "apply.ignoreWhitespace=no",
  // Names that only Windows cannot have are names.
  `core.protectNTFS=${process.platform === "win32"}`,
  // Below, one process is faster than sharing the work.
  "checkout.workers=0",
  "checkout.thresholdForParallelism=500",
];

/** Which attributes there are runs nothing yet. */
export const WITH_ATTRIBUTES = INERT_OVERRIDES.filter(
  (one) => !one.startsWith("core.attributesFile="),
);

/** Git's last words. */
const MAX_SAID_CHARACTERS = 300;

export interface GitRun {
  /** Without a working tree if absent. */
  workTree?: string;
  /** The index file; a default of the directory's own if absent. */
  index?: string;
  input?: Uint8Array;
  signal?: AbortSignal;
  /** Exit codes that are answers as well. */
  answers?: readonly number[];
  /** It is to be finished even if Tau is killed meanwhile. */
  isFinished?: boolean;
  /** More variables. */
  variables?: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  output: Buffer;
  exitCode: number;
  said: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where git is asked, in the clone itself or in a directory of ours. */
export async function runGit(
  {
    cwd,
    env,
    overrides = INERT_OVERRIDES,
  }: { cwd: string; env: Environment; overrides?: readonly string[] },
  args: readonly string[],
  { input, signal, answers = [0], isFinished, variables }: GitRun = {},
): Promise<GitAnswer> {
  const program = programOnPath("git", env.PATH);
  if (program === undefined) {
    throw new IsolationRefused("An isolated tree needs git, which is not installed here.");
  }
  signal?.throwIfAborted();
  const command = [program, ...overrides.flatMap((one) => ["-c", one]), ...args];
  const environment = { ...withoutGit(env), ...INERT_ENVIRONMENT, LC_ALL: "C", ...variables };
  const child = Bun.spawn(command, {
    cwd,
    env: isFinished ? { ...environment, ...freeVariables() } : ownedEnvironment(environment),
    stdin: input ?? "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal: isFinished ? undefined : signal,
    killSignal: "SIGKILL",
  });
  const [output, words] = await Promise.all([child.stdout.bytes(), child.stderr.text()]);
  const exitCode = await child.exited;
  if (!isFinished) signal?.throwIfAborted();
  const said = words.trim().slice(-MAX_SAID_CHARACTERS);
  if (!answers.includes(exitCode)) throw new GitFailed(args, exitCode, said);
  return { output: Buffer.from(output), exitCode, said };
}

/** Variables of a user's git say where the repository is, and which index: here that is known. Who commits is theirs to say. */
function withoutGit(env: Environment): Record<string, string | undefined> {
  const isKept = (name: string): boolean =>
    !name.startsWith("GIT_") ||
    /^GIT_(?:AUTHOR|COMMITTER)_|^GIT_CONFIG_(?:GLOBAL|NOSYSTEM)$/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isKept(name)));
}

/** What such a directory takes over from the clone. */
export interface Borrowed {
  objects: readonly string[];
  objectFormat: string;
  /** The clone's own list of what it ignores. */
  exclude: string;
  /** Configured in the clone, if it is. */
  excludesFile: string | undefined;
}

export class OwnGit {
  readonly directory: string;
  readonly #env: Environment;
  readonly #overrides: readonly string[];

  private constructor(directory: string, env: Environment, excludesFile: string | undefined) {
    this.directory = directory;
    this.#env = env;
    this.#overrides =
      excludesFile === undefined ? OVERRIDES : [...OVERRIDES, `core.excludesFile=${excludesFile}`];
  }

  /** By hand: `git init` takes longer than all of this, and looks for templates. */
  static async create(directory: string, env: Environment, borrowed: Borrowed): Promise<OwnGit> {
    await mkdir(join(directory, "objects", "info"), { recursive: true });
    await mkdir(join(directory, "refs", "heads"), { recursive: true });
    await mkdir(join(directory, "info"), { recursive: true });
    await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n");
    await writeFile(join(directory, "config"), configText(borrowed.objectFormat));
    await writeFile(join(directory, "info", "attributes"), RAW_ATTRIBUTES);
    await writeAlternates(directory, borrowed.objects);
    await copyIfThere(borrowed.exclude, join(directory, "info", "exclude"));
    return new OwnGit(directory, env, borrowed.excludesFile);
  }

  /** One that is there. */
  static open(directory: string, env: Environment): OwnGit {
    return new OwnGit(directory, env, undefined);
  }

  get objects(): string {
    return join(this.directory, "objects");
  }

  async run(args: readonly string[], run: GitRun = {}): Promise<GitAnswer> {
    const variables: Record<string, string> = { GIT_DIR: this.directory, ...run.variables };
    // Without one it would take the directory it is started in for it.
    variables.GIT_WORK_TREE = run.workTree ?? this.directory;
    if (run.index !== undefined) variables.GIT_INDEX_FILE = run.index;
    const place = {
      cwd: run.workTree ?? this.directory,
      env: this.#env,
      overrides: this.#overrides,
    };
    return runGit(place, args, { ...run, variables });
  }

  /** Asks the clone itself, with the attributes that hold there; 1 is an answer. */
  async inParent(root: string, args: readonly string[], input?: Uint8Array): Promise<GitAnswer> {
    const place = { cwd: root, env: this.#env, overrides: WITH_ATTRIBUTES };
    return runGit(place, args, { input, answers: [0, 1] });
  }

  /** Its output as one word. */
  async word(args: readonly string[], run: GitRun = {}): Promise<string> {
    return (await this.run(args, run)).output.toString().trim();
  }
}

function configText(objectFormat: string): string {
  const isOld = objectFormat === "sha1";
  const core = `[core]\n\trepositoryformatversion = ${isOld ? 0 : 1}\n\tbare = false\n\tfilemode = true\n`;
  return isOld ? core : `${core}[extensions]\n\tobjectFormat = ${objectFormat}\n`;
}

/** A quoted line may hold anything, also a line break. */
export async function writeAlternates(
  directory: string,
  objects: readonly string[],
): Promise<void> {
  const lines = objects.map((path) => (/["\\\n#]/.test(path) ? JSON.stringify(path) : path));
  await writeFile(join(directory, "objects", "info", "alternates"), `${lines.join("\n")}\n`);
}

/**
 * With its time, rounded down: git takes a file that is as new as the index for one that may have changed since,
 * and a copy that looks newer than the index was would hide such changes.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  if (!(await copyIfThere(from, to))) return false;
  const { atimeMs, mtimeMs } = await stat(from);
  await utimes(to, Math.floor(atimeMs) / 1000, Math.floor(mtimeMs) / 1000);
  return true;
}

export async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  }
}
