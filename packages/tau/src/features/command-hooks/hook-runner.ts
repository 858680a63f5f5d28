// Runs the hooks of an event: all that match, side by side, each with the same description of what
// happened, and each in a process group of its own that ends with its time, with Esc, and with the session.

import { SLOW_HOOK_MS } from "@tau/agent/hook-calls";
import type { Environment } from "@tau/ai/environment";
import { LeftRunning } from "@tau/host/left-running";
import { programOnPath } from "@tau/host/process/program-on-path";
import { ProgramStartError, runWithInput } from "@tau/host/run-with-input";
import { attendedEnvironment } from "../../tools/bash/child-environment.ts";
import { UserError } from "../../user-error.ts";
import type { CommandHook } from "./command-hook.ts";
import type { HookEvent } from "./hook-events.ts";
import { readResult, silenced, type HookSaid } from "./hook-said.ts";
import { matches } from "./matches.ts";

/** Of each stream: more than any answer, less than what would hurt. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

export interface RunnerPlace {
  cwd: string;
  env: Environment;
  /** What every hook is told. */
  facts: () => Record<string, unknown>;
  /** Something for the user: of a hook that failed, or from one. */
  tell: (event: HookEvent, message: string | UserError) => void;
  /** It has not answered for a while, and is waited for. */
  slow: (hook: CommandHook, waitedMs: number) => void;
  /** Whether the project is as the user allowed it: only then may its hooks run. */
  isStillTrusted: () => Promise<boolean>;
}

export interface Happening {
  event: HookEvent;
  /** What matchers are compared with. */
  names?: readonly string[];
  /** What hooks are told of it beyond what they always are. */
  input?: Record<string, unknown>;
}

export class HookRunner implements AsyncDisposable {
  readonly #hooks: readonly CommandHook[];
  readonly #place: RunnerPlace;
  readonly #left = new LeftRunning();
  /** Those that nobody waits for. */
  readonly #background = new Set<Promise<void>>();
  readonly #leaving = new AbortController();
  #isChangeTold = false;

  constructor(hooks: readonly CommandHook[], place: RunnerPlace) {
    this.#hooks = hooks;
    this.#place = place;
  }

  has(...events: readonly HookEvent[]): boolean {
    return this.#hooks.some(({ event }) => events.includes(event));
  }

  /** What they said, in the order in which they are written; the user has been told what is theirs. */
  async run(happening: Happening, signal?: AbortSignal): Promise<HookSaid[]> {
    const { event, names = [], input = {} } = happening;
    const wanted = distinct(
      this.#hooks.filter((hook) => hook.event === event && matches(hook, names)),
    );
    if (wanted.length === 0) return [];
    const { allowed, held } = await this.#underTrust(wanted);
    const text = JSON.stringify({ ...this.#place.facts(), hook_event_name: event, ...input });
    const awaited: Promise<HookSaid>[] = [];
    for (const hook of allowed) {
      const running = this.#start(hook, text, hook.isAsync ? this.#leaving.signal : signal);
      if (!hook.isAsync) awaited.push(this.#watched(hook, running));
      else this.#keep(running.then((one) => this.#tell(one)));
    }
    const said = await Promise.all(awaited);
    for (const one of said) this.#tell(one);
    return [...held, ...said];
  }

  /** Tells which one keeps everybody waiting, for as long as it does. */
  async #watched(hook: CommandHook, running: Promise<HookSaid>): Promise<HookSaid> {
    let waitedMs = 0;
    const timer = setInterval(() => {
      waitedMs += SLOW_HOOK_MS;
      this.#place.slow(hook, waitedMs);
    }, SLOW_HOOK_MS);
    try {
      return await running;
    } finally {
      clearInterval(timer);
    }
  }

  /** A project's hooks only as they were allowed: what one of them guards is blocked without it. */
  async #underTrust(
    wanted: readonly CommandHook[],
  ): Promise<{ allowed: readonly CommandHook[]; held: HookSaid[] }> {
    const ofProject = wanted.filter(({ origin }) => origin.level === "project");
    if (ofProject.length === 0 || (await this.#place.isStillTrusted())) {
      return { allowed: wanted, held: [] };
    }
    if (!this.#isChangeTold) {
      this.#isChangeTold = true;
      this.#place.tell(ofProject[0]!.event, new UserError(`${CHANGED}. They do not run.`));
    }
    const guard = ofProject.find(({ event, isAsync }) => event === "PreToolUse" && !isAsync);
    return {
      allowed: wanted.filter(({ origin }) => origin.level !== "project"),
      held: guard ? [{ hook: guard, block: `Not run: ${CHANGED}.` }] : [],
    };
  }

  /** Without anybody waiting for it; it ends with the session. */
  inBackground(happening: Happening): void {
    this.#keep(this.run(happening, this.#leaving.signal).then(() => undefined));
  }

  /** A program with its arguments, likewise. */
  launch(argv: readonly string[], timeoutMs: number, origin: CommandHook["origin"]): void {
    const started = this.#execute(argv, {
      text: "",
      timeoutMs,
      origin,
      signal: this.#leaving.signal,
    });
    this.#keep(started.then(() => undefined));
  }

  #keep(work: Promise<void>): void {
    const kept = work.catch((error: unknown) => {
      const words = error instanceof Error ? error.message : String(error);
      this.#place.tell("Notification", new UserError(words));
    });
    this.#background.add(kept);
    void kept.finally(() => this.#background.delete(kept));
  }

  async #start(hook: CommandHook, text: string, signal?: AbortSignal): Promise<HookSaid> {
    const { command, timeoutMs, origin, broken } = hook;
    if (broken !== undefined) return silenced(hook, `cannot be read (${broken})`);
    const shell = shellFor(this.#place.env);
    if (shell === undefined) return silenced(hook, "cannot be run: there is no shell");
    try {
      const argv = [shell, "-c", command];
      return readResult(hook, await this.#execute(argv, { text, timeoutMs, origin, signal }));
    } catch (error) {
      if (!(error instanceof ProgramStartError)) throw error;
      return silenced(hook, `cannot be run: ${error.message}`);
    }
  }

  async #execute(
    argv: readonly string[],
    wish: { text: string; timeoutMs: number; origin: CommandHook["origin"]; signal?: AbortSignal },
  ) {
    const { text: input, timeoutMs, origin, signal } = wish;
    const { cwd, env } = this.#place;
    const result = await runWithInput(argv, {
      cwd,
      env: { ...attendedEnvironment(env), ...variablesFor(origin) },
      input,
      timeoutMs,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    this.#left.watch(result.left, timeoutMs);
    return result;
  }

  #tell({ hook: { event }, message, failure }: HookSaid): void {
    if (message !== undefined) this.#place.tell(event, message);
    if (failure !== undefined) this.#place.tell(event, new UserError(failure));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What is being told to somebody else gets the moment that it needs.
    const done = Promise.all(this.#background);
    await Promise.race([done, Bun.sleep(LAST_MOMENT_MS)]);
    this.#leaving.abort();
    await done;
    await this.#left[Symbol.asyncDispose]();
  }
}

const CHANGED =
  "the hooks of this project, or what else it runs, have changed since you allowed them; review them with `tau trust`, and allow them again with `tau trust allow`";

/** As long as what a hook left in the background gets. */
const LAST_MOMENT_MS = 1000;

function variablesFor({ projectDirectory, pluginRoot }: CommandHook["origin"]) {
  return {
    CLAUDE_PROJECT_DIR: projectDirectory,
    TAU_PROJECT_DIR: projectDirectory,
    CLAUDE_PLUGIN_ROOT: pluginRoot,
  };
}

function shellFor({ PATH }: Environment): string | undefined {
  if (process.platform === "win32") return programOnPath("bash.exe", PATH);
  return programOnPath("bash", PATH) ?? "/bin/sh";
}

/** The same command of the same place runs once, however many files name it. */
function distinct(hooks: readonly CommandHook[]): CommandHook[] {
  const known = new Map<string, CommandHook>();
  for (const hook of hooks) {
    const { projectDirectory, pluginRoot = "" } = hook.origin;
    const key = [hook.command, projectDirectory, pluginRoot, hook.broken ?? ""].join("\0");
    // A user's own may allow what a project's may not.
    if (known.get(key)?.origin.level !== "user") known.set(key, hook);
  }
  return [...known.values()];
}
