// The environment of one start: the process's own, which always wins; what a project's `.env` may
// add; the user's `.env`, at Tau's files and at home; and the other names of Tau's variables turned into their own, once, so that
// nobody else has to know them.

import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { systemCode } from "@tau/host/storage-error";
import { COMMAND, CONFIG_DIRECTORY } from "../brand.ts";
import { describeProblem, UNTIL_MENDED } from "../base/config-problem.ts";
import type { VariableName } from "./environment-table.ts";
import type { KnownVariables } from "./known-variables.ts";
import { agentDirectory, homeOf } from "./places.ts";
import type { KnownRows } from "./settings-layer.ts";

const FILE = ".env";
/** More is no environment. */
const MAX_BYTES = 256 * 1024;
const OWN_NAME = /^(?:TAU|OMP|PI)_/;

export interface OpenedEnvironment {
  env: Environment;
  /** What was left out and why, a sentence each; no value is repeated. */
  notices: string[];
}

export async function openEnvironment(place: {
  env: Environment;
  /** Undefined where there is no directory to work in. */
  cwd: string | undefined;
  /** The variables that there are; asked for if any is set, or could be. */
  variables: () => Promise<KnownVariables>;
  /** The settings that variables may outweigh; asked for if a file cannot be read. */
  settings: () => Promise<KnownRows>;
  /** What the user says of the project; asked if it wants a say in what needs that. */
  trustOf: TrustOf;
}): Promise<OpenedEnvironment> {
  const { env, cwd, settings, trustOf } = place;
  const userFile = join(agentDirectory(env), FILE);
  // The nearer to Tau first: of two files the first one's word counts.
  const projectFiles =
    cwd === undefined ? [] : [join(cwd, CONFIG_DIRECTORY, FILE), join(cwd, FILE)];
  const atHome = join(homeOf(env), FILE);
  // Whoever works in the home directory has there what belongs to that project.
  const homeFile = projectFiles.includes(atHome) ? undefined : atHome;
  const isPlain =
    ![userFile, atHome, ...projectFiles].some((file) => existsSync(file)) &&
    !Object.keys(env).some((name) => OWN_NAME.test(name));
  // Most starts: nothing is loaded, nothing read.
  if (isPlain) return { env, notices: [] };
  const variables = await place.variables();
  const notices: string[] = [];
  const real = withOwnNames(env, variables);
  const user = new Map(await readFile(userFile, { notices, variables, guards: settings }));
  const home = homeFile === undefined ? [] : await homeValues(homeFile, variables);
  const merged: Record<string, string | undefined> = {
    ...Object.fromEntries(home),
    ...Object.fromEntries(user),
    ...real,
  };
  if (cwd !== undefined) {
    const found = await projectValues(projectFiles, {
      cwd,
      env: real,
      notices,
      variables,
      trustOf,
    });
    for (const [name, value] of found) if (real[name] === undefined) merged[name] = value;
  }
  return { env: await checked(merged, notices, variables), notices };
}

interface Reading {
  notices: string[];
  variables: KnownVariables;
  /** A variable that outweighs one of these that guards has its strictest value if its line is lost. */
  guards?: () => Promise<KnownRows>;
}

function withOwnNames(env: Environment, variables: KnownVariables): Environment {
  const named: Record<string, string | undefined> = { ...env };
  for (const name of variables.names) {
    if (named[name] !== undefined) continue;
    const alias = variables.aliasesOf(name).find((one) => env[one] !== undefined);
    if (alias !== undefined) named[name] = env[alias];
  }
  return named;
}

/** Nothing where there is no file; what cannot be read is told. */
async function readFile(
  file: string,
  { notices, variables, within, guards }: Reading & { within?: string },
): Promise<[string, string][]> {
  if (!existsSync(file)) return [];
  const [{ readBounded, NotAFile }, { parseEnvFile }, { isBelow }] = await Promise.all([
    import("../base/read-bounded.ts"),
    import("./parse-env-file.ts"),
    import("../base/is-below.ts"),
  ]);
  const tell = (message: string, line?: number): void => {
    const at = line === undefined ? {} : { line };
    notices.push(describeProblem({ file, message, severity: "warning", ...at }));
  };
  const lost = async (text?: string, known: object = {}): Promise<[string, string][]> => {
    if (guards === undefined) return [];
    const { closedVariables } = await import("./closed-variables.ts");
    const closed = closedVariables(text, await guards()).filter(
      ([name]) => !Object.hasOwn(known, name),
    );
    for (const [name, value] of closed) tell(`${name} is ${value} ${UNTIL_MENDED}`);
    return closed;
  };
  try {
    const real = await realpath(file);
    if (within !== undefined && !isBelow(real, await realpath(within))) {
      tell("leads out of the project and is ignored");
      return [];
    }
    const { text, isCut } = await readBounded(real, MAX_BYTES);
    if (isCut) {
      tell(`is larger than ${MAX_BYTES / 1024} KB and is ignored`);
      return await lost();
    }
    const { values, problems } = parseEnvFile(text);
    for (const { line, message } of problems) tell(message, line);
    const own = withOwnNames(Object.fromEntries(values), variables);
    const missed = problems.length === 0 ? [] : await lost(text, own);
    const named = { ...Object.fromEntries(missed), ...own };
    return Object.entries(named).flatMap(([name, value]): [string, string][] => {
      if (value === undefined) return [];
      if (variables.row(name)?.file !== "never") return [[name, value]];
      tell(`${name} is read before this file; set it in the environment itself`);
      return [];
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined && !(error instanceof NotAFile)) throw error;
    tell(`cannot be read (${code ?? "not a file"}) and is ignored`);
    return await lost();
  }
}

/** `~/.env` is everybody's: what Tau reads is taken, and lines for others are theirs to check. */
async function homeValues(file: string, variables: KnownVariables): Promise<[string, string][]> {
  if (!existsSync(file)) return [];
  const { readsVariable } = await import("./project-variables.ts");
  const values = await readFile(file, { notices: [], variables });
  return values.filter(([name]) => readsVariable(name, variables));
}

type TrustOf = (cwd: string, env: Environment) => Promise<{ state: string; isDenied: boolean }>;

interface ProjectReading extends Reading {
  trustOf: TrustOf;
  cwd: string;
  /** What is set already, and needs nobody's leave. */
  env: Environment;
}

async function projectValues(
  files: readonly string[],
  { cwd, env, notices, variables, trustOf }: ProjectReading,
): Promise<Map<string, string>> {
  const taken = new Map<string, string>();
  const guarded = new Map<string, string>();
  const refused = new Set<string>();
  if (!files.some((file) => existsSync(file))) return taken;
  const { projectSay } = await import("./project-variables.ts");
  for (const file of files) {
    for (const [name, value] of await readFile(file, { notices, variables, within: cwd })) {
      const say = projectSay(name, variables);
      if (say === "never") refused.add(name);
      if (env[name] !== undefined) continue;
      if (say === "may" && !taken.has(name)) taken.set(name, value);
      if (say === "if_trusted" && !guarded.has(name)) guarded.set(name, value);
    }
  }
  if (guarded.size === 0 && refused.size === 0) return taken;
  const trust = await trustOf(cwd, env);
  if (trust.state === "trusted") for (const [name, value] of guarded) taken.set(name, value);
  // Whoever said no to the project knows already.
  if (trust.isDenied) return taken;
  if (refused.size > 0) {
    notices.push(
      `ignored in this project's ${FILE}, because a project may not set it: ${listed(refused)}; set it in your own environment if you want it`,
    );
  }
  if (guarded.size > 0 && trust.state !== "trusted") {
    notices.push(
      `this project is not trusted, so ${listed(guarded.keys())} in its ${FILE} is ignored; \`${COMMAND} trust\` decides`,
    );
  }
  return taken;
}

/** Names of one file; the rest is counted. */
const MAX_NAMES = 8;

function listed(names: Iterable<string>): string {
  const all = [...names].toSorted();
  const more = all.length - MAX_NAMES;
  const shown = all.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** What does not fit its row is told and left out, wherever it came from. */
async function checked(
  env: Record<string, string | undefined>,
  notices: string[],
  variables: KnownVariables,
): Promise<Environment> {
  const { parseBoolean } = await import("./setting-value.ts");
  const leaveOut = (name: VariableName, what: string): void => {
    notices.push(`${name} is not ${what}, so it is ignored`);
    delete env[name];
  };
  for (const name of variables.names) {
    const value = env[name];
    if (value === undefined || value === "") continue;
    const { type, setting } = variables.row(name)!;
    // The layer of settings that it becomes says so, and knows what holds instead.
    if (setting !== undefined) continue;
    if (type === "boolean" && parseBoolean(value) === undefined) {
      leaveOut(name, "yes or no (1, true, yes, on; 0, false, no, off)");
    }
    if (type === "number" && !Number.isFinite(Number(value))) leaveOut(name, "a number");
  }
  return env;
}
