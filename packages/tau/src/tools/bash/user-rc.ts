// What the user's own startup file gives the agent's shells. It is run once for each content of it,
// behind the first command: nothing waits for a slow one longer than a moment, and one that fails or
// hangs is said to, once, and left out.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ShellDefinition } from "@tau/host/shell-line/shell-context";
import type { Environment } from "@tau/ai/environment";
import { UNATTENDED_ENVIRONMENT } from "@tau/host/pty/unattended-environment";
import { rcScript, usableSnapshot, type RcSnapshot } from "@tau/host/shell/rc-snapshot";
import { takeRcSnapshot, type RcOutcome } from "@tau/host/shell/take-rc-snapshot";
import { zshAliases } from "@tau/host/shell/zsh-aliases";
import { environmentSecrets } from "../../config/secret-entry.ts";
import { shownPath } from "../../resources/local-path.ts";
import { isModelKey } from "./child-environment.ts";
import { readCachedRc, writeCachedRc } from "./rc-cache.ts";
import { rcDefinitions, rcNames } from "./rc-names.ts";

export interface RcPlace {
  env: Environment;
  home: string;
  agentDirectory: string;
  /** Private, and writable for what is confined. */
  scratchDirectory: string;
  /** The bash that will read it. */
  shell: string;
  /** What commands are confined to. */
  wrapper?: readonly string[] | undefined;
}

export interface LoadedRc {
  /** For a shell to read. */
  script: string;
  /** Names that are no longer the programs they look like. */
  names: ReadonlySet<string>;
  /** What the others stand for. */
  definitions: ReadonlyMap<string, ShellDefinition>;
}

/** A first command is held up this long at most; its shell then begins without. */
const WAIT_MS = 300;
/** A startup file that takes longer would be a nuisance at every prompt. */
const RUN_LIMIT_MS = 5000;
/** Startup files read others that are not looked at here: what is older is taken again, behind. */
const FRESH_MS = 24 * 60 * 60 * 1000;
/** Changes with the meaning of what is kept. */
const FORMAT = "1";

/** The first that is there is run; the rest are what it commonly reads. */
const RC_FILES = [".bashrc", ".bash_profile"];
const READ_BY_RC = [".bash_aliases", ".bash_functions", ".aliases", ".functions", ".exports"];
const SYSTEM_FILES = ["/etc/bash.bashrc", "/etc/bashrc"];

/** Of the person's session, for the file to find what it expects of a terminal. */
const GIVEN_VARIABLE =
  /^(?:PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|DISPLAY|WAYLAND_DISPLAY|TMUX|STY|SSH_AUTH_SOCK)$|^(?:LC|XDG|DBUS|WSL)_/;
/** Of one shell or one terminal, or of a helper that ended with the file. */
const PASSING_VARIABLE =
  /^(?:_|HOME|PWD|OLDPWD|SHLVL|TERM|COLUMNS|LINES|PS\d|SHELLOPTS|PROMPT_\w+|HIST\w*|BASH\w*|TAU_\w+|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_\w+)$/;

/** By what they were made from: the sessions of one process share them. */
const taken = new Map<string, Promise<RcOutcome>>();
const told = new Set<string>();

export class UserRc {
  readonly #place: RcPlace;
  readonly #file: string | undefined;
  #loaded: LoadedRc | undefined;
  #failure: string | undefined;
  #ready: Promise<void> | undefined;

  constructor(place: RcPlace) {
    this.#place = place;
    this.#file = RC_FILES.map((name) => join(place.home, name)).find((path) => existsSync(path));
  }

  /** Undefined while it is not known, and where there is nothing. */
  get loaded(): LoadedRc | undefined {
    return this.#loaded;
  }

  /** It is there, or has had its time; the time runs once. */
  ready(): Promise<void> {
    this.#ready ??= this.#wait();
    return this.#ready;
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WAIT_MS);
    await Promise.race([this.#load(), promise]).finally(() => clearTimeout(timer));
  }

  /** What went wrong, for the first who asks in this process. */
  takeNote(): string | undefined {
    const { home } = this.#place;
    if (this.#failure === undefined || this.#file === undefined) return undefined;
    if (told.has(this.#file)) return undefined;
    told.add(this.#file);
    const name = `~/${shownPath(this.#file, home)}`;
    return `${name} ${this.#failure}; commands run without its aliases, functions and variables`;
  }

  async #load(): Promise<void> {
    const zsh = this.#zshAliases();
    const outcome = this.#file === undefined ? undefined : await this.#outcome(this.#file);
    if (outcome?.ok === false) this.#failure = outcome.why;
    const snapshot = outcome?.ok ? outcome.snapshot : undefined;
    if (!snapshot && Object.keys(zsh).length === 0) return;
    const whole: RcSnapshot = { ...EMPTY, ...snapshot, aliases: { ...zsh, ...snapshot?.aliases } };
    const usable = usableSnapshot(whole);
    this.#loaded = {
      script: rcScript(usable),
      names: rcNames(usable),
      definitions: rcDefinitions(usable),
    };
  }

  async #outcome(rcFile: string): Promise<RcOutcome> {
    const { agentDirectory } = this.#place;
    const key = this.#key();
    const cached = readCachedRc(agentDirectory, key);
    if (cached && cached.ageMs < FRESH_MS) return cached.outcome;
    let running = taken.get(key);
    if (!running) {
      running = this.#take(rcFile, key);
      taken.set(key, running);
    }
    // What is merely old is good enough until the new one is there.
    return cached ? cached.outcome : running;
  }

  async #take(rcFile: string, key: string): Promise<RcOutcome> {
    const { env, home, shell, wrapper, agentDirectory, scratchDirectory } = this.#place;
    const given = rcEnvironment(env, home);
    const outcome = await takeRcSnapshot({
      rcFile,
      home,
      env: given,
      shell,
      directory: join(scratchDirectory, `rc-${crypto.randomUUID()}`),
      timeoutMs: RUN_LIMIT_MS,
      wrapper,
    });
    const kept = outcome.ok
      ? { ok: true as const, snapshot: keepable(outcome.snapshot, given) }
      : outcome;
    await writeCachedRc(agentDirectory, key, kept);
    return kept;
  }

  #key(): string {
    const { env, home, shell, wrapper = [] } = this.#place;
    const hash = new Bun.CryptoHasher("sha256");
    hash.update(JSON.stringify([FORMAT, shell, wrapper.length > 0, env.PATH]));
    const names = [...RC_FILES, ...READ_BY_RC].map((name) => join(home, name));
    for (const path of [...names, ...SYSTEM_FILES]) hash.update(`\0${path}\0${textOf(path)}`);
    return hash.digest("hex");
  }

  /** For whom zsh is the shell they sit at, the plain ones of its aliases. */
  #zshAliases(): Record<string, string> {
    const { env, home } = this.#place;
    if (basename(env.SHELL ?? "") !== "zsh") return {};
    const directory = env.ZDOTDIR || home;
    return zshAliases(
      [".zshrc", ".zsh_aliases"].map((name) => textOf(join(directory, name))).join("\n"),
    );
  }
}

const EMPTY: RcSnapshot = {
  aliases: {},
  functions: {},
  options: [],
  variables: {},
  pathEntries: [],
};

function rcEnvironment(env: Environment, home: string): Record<string, string | undefined> {
  const given = Object.entries(env).filter(([name]) => GIVEN_VARIABLE.test(name));
  return { ...Object.fromEntries(given), HOME: home, TERM: "dumb" };
}

/** Secrets stay where they are; what tells programs that nobody is there stays said. */
function keepable(
  snapshot: RcSnapshot,
  given: Readonly<Record<string, string | undefined>>,
): RcSnapshot {
  const variables = Object.entries(snapshot.variables).filter(
    ([name, value]) =>
      value !== given[name] &&
      !PASSING_VARIABLE.test(name) &&
      !Object.hasOwn(UNATTENDED_ENVIRONMENT, name) &&
      !isModelKey(name) &&
      environmentSecrets({ [name]: value }).length === 0,
  );
  return { ...snapshot, variables: Object.fromEntries(variables) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return "";
    throw error;
  }
}
