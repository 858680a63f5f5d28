// Asks git something about a repository without letting the repository run anything. A clone's own
// configuration can name programs for nearly everything git does: filters that see files, monitors
// and hooks, pagers, transports for missing objects. Whoever only looks must set none of them off,
// so every question Tau itself has for git goes through here.

import { programOnPath } from "../process/program-on-path.ts";
import { markVariables, ownerMark } from "../process/reaper.ts";
import { systemCode } from "../storage-error.ts";
import { repositoryOf } from "./repository-of.ts";

export interface GitQuestion {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** For the whole answer; whoever is not done by then is ended. */
  timeoutMs: number;
  maxOutputBytes: number;
}

/** What runs nothing of the repository's, whatever its own configuration says. */
export const INERT_OVERRIDES: readonly string[] = [
  // A monitor is a program, or a daemon that stays.
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  // A directory of an ordinary clone that looks like a repository brings its own configuration.
  "safe.bareRepository=explicit",
  "core.pager=cat",
  "core.attributesFile=/dev/null",
  "credential.helper=",
  "diff.external=",
  "log.showSignature=false",
  "submodule.recurse=false",
];

export const INERT_ENVIRONMENT: Readonly<Record<string, string>> = {
  // Missing objects of a partial clone are fetched from wherever, by whatever, it says.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // Without locks of its own it never gets in the way of a commit, and calls no hook for an index.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
};

/**
 * `git status` in the porcelain form of version 2. Undefined where there is no repository, no git, no
 * answer in time, or one that could not be had without running something.
 */
export async function inertStatus(question: GitQuestion): Promise<string | undefined> {
  const ask = await inertGit(question);
  return ask?.(STATUS);
}

/** The status, and a row for each of the last commits. */
export async function inertOverview(
  question: GitQuestion,
): Promise<{ status: string; log: string } | undefined> {
  const ask = await inertGit(question);
  if (!ask) return undefined;
  // Without a commit there is no log, and that is no reason to know nothing.
  const [status, log = ""] = await Promise.all([ask(STATUS), ask(LOG)]);
  return status === undefined ? undefined : { status, log };
}

// Submodules have configurations of their own.
const STATUS = ["status", "--porcelain=v2", "--branch", "--ignore-submodules=all"];
const LOG = ["log", "-5", "--no-show-signature", "--no-color", "--format=%h %s"];

type AskGit = (args: readonly string[]) => Promise<string | undefined>;

/** Undefined where it cannot be asked without running something. */
async function inertGit(question: GitQuestion): Promise<AskGit | undefined> {
  // A user who says where the repository is has been asked.
  if (question.env.GIT_DIR === undefined && repositoryOf(question.cwd) === undefined) {
    return undefined;
  }
  const program = programOnPath("git", question.env.PATH);
  if (program === undefined) return undefined;
  const deadline = performance.now() + question.timeoutMs;
  const ask = (overrides: readonly string[], args: readonly string[]) =>
    run([program, ...overrides.flatMap((one) => ["-c", one]), ...args], question, deadline);
  // Reading the configuration runs nothing; it says which filters there are to switch off.
  const names = await ask(INERT_OVERRIDES, ["config", "--list", "--name-only", "-z"]);
  const filters = names === undefined ? undefined : filterOverrides(names);
  return filters && ((args) => ask([...INERT_OVERRIDES, ...filters], args));
}

/** Undefined where one has a name that cannot be written as an override. */
function filterOverrides(names: string): string[] | undefined {
  const filters = new Set<string>();
  for (const name of names.split("\0")) {
    const filter = /^filter\.([^]*)\.[^.]*$/.exec(name)?.[1];
    if (filter === undefined) continue;
    if (filter.includes("=")) return undefined;
    filters.add(filter);
  }
  return [...filters].flatMap((filter) => [
    `filter.${filter}.clean=`,
    `filter.${filter}.smudge=`,
    `filter.${filter}.process=`,
    `filter.${filter}.required=false`,
  ]);
}

async function run(
  command: readonly string[],
  { cwd, env, maxOutputBytes }: GitQuestion,
  deadline: number,
): Promise<string | undefined> {
  const timeout = Math.ceil(deadline - performance.now());
  if (timeout <= 0) return undefined;
  try {
    const child = Bun.spawn([...command], {
      cwd,
      env: { ...env, ...INERT_ENVIRONMENT, ...markVariables(ownerMark()) },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout,
      killSignal: "SIGKILL",
      maxBuffer: maxOutputBytes,
    });
    const text = await new Response(child.stdout).text();
    return (await child.exited) === 0 ? text : undefined;
  } catch (error) {
    // The directory is gone, or git is none that could be started.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
