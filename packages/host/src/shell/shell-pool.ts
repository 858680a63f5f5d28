// The shells of one agent. Commands that follow one another share one shell and all that they
// changed in it; one that comes while it is busy, or that goes on behind the rest, gets a shell that
// begins as that one was and ends with it, so that nothing waits and nothing mixes.

import { join } from "node:path";
import { BASH_DRIVER } from "./bash-driver.ts";
import {
  ShellSession,
  type RunOptions,
  type ShellOptions,
  type ShellResult,
} from "./shell-session.ts";
import { StateDirectory } from "./state-directory.ts";
import { terminalCommand } from "./terminal-command.ts";

/** More commands at once than this wait: each may start a build. */
const MAX_SHELLS = 16;

export interface PoolRunOptions extends RunOptions {
  /** From when it aborts the command goes on beside those that follow, and changes nothing for them. */
  aside?: AbortSignal;
  /**
   * Heard when the command has its shell, with the directory that it will run in. Until it resolves
   * nobody else gets that shell; a rejection keeps the command from running.
   */
  begin?: (directory: string) => Promise<void>;
}

type ShellRunOptions = Omit<PoolRunOptions, "aside">;

export class ShellPool implements AsyncDisposable {
  readonly #options: ShellOptions;
  readonly #shells = new Set<ShellSession>();
  readonly #ending = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  /** The one that goes on from command to command. */
  #main: ShellSession;
  #mainUser: symbol | undefined;
  #running = 0;
  #directories = 0;
  #directory: StateDirectory | undefined;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.#main = this.#create(options.cwd);
  }

  /** Where the next command of a sequence runs. */
  get cwd(): string {
    return this.#main.cwd;
  }

  /** The words that run a command in a terminal; undefined where the shell is none for that. */
  forTerminal(
    command: string,
    { cwd = this.cwd, env }: { cwd?: string | undefined; env: ShellOptions["env"] },
  ): string[] | undefined {
    const { driver = BASH_DRIVER, shell = driver.program, wrapper } = this.#options;
    if (driver.name !== "bash" || process.platform === "win32") return undefined;
    return terminalCommand(command, {
      program: shell,
      wrapper: wrapper?.argv ?? [],
      statePath: this.#statePath(),
      cwd,
      env,
    });
  }

  /** What the shell has written down; before that, what it would begin with. */
  #statePath(): string | undefined {
    const written = this.#main.statePath;
    if (written !== undefined) return written;
    const script = this.#options.startScript?.();
    return script === undefined ? undefined : this.#root().write("start", script);
  }

  async run(command: string, { aside, ...options }: PoolRunOptions): Promise<ShellResult> {
    if (this.#running >= MAX_SHELLS) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running += 1;
    try {
      if (this.#mainUser !== undefined || aside?.aborted) {
        return await this.#runBeside(command, options);
      }
      return await this.#runInMain(command, options, aside);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#shells].map((shell) => shell[Symbol.asyncDispose]()));
    await Promise.all(this.#ending);
    this.#shells.clear();
    this.#directory?.[Symbol.dispose]();
    this.#directory = undefined;
  }

  #root(): StateDirectory {
    this.#directory ??= new StateDirectory(this.#options.stateDirectory);
    return this.#directory;
  }

  async #runInMain(
    command: string,
    { begin, ...options }: ShellRunOptions,
    aside: AbortSignal | undefined,
  ): Promise<ShellResult> {
    const shell = this.#main;
    const user = Symbol("command");
    this.#mainUser = user;
    const onAside = (): void => this.#replaceMain();
    aside?.addEventListener("abort", onAside, { once: true });
    try {
      await begin?.(options.cwd ?? shell.cwd);
      return await shell.run(command, options);
    } finally {
      aside?.removeEventListener("abort", onAside);
      if (this.#mainUser === user) this.#mainUser = undefined;
      if (this.#main !== shell) this.#end(shell);
    }
  }

  async #runBeside(command: string, { begin, ...options }: ShellRunOptions): Promise<ShellResult> {
    const main = this.#main;
    const shell = this.#create(this.cwd, () => main.statePath);
    try {
      await begin?.(options.cwd ?? shell.cwd);
      return await shell.run(command, options);
    } finally {
      this.#end(shell);
    }
  }

  /** Its command goes on beside the rest: those that follow begin where it began. */
  #replaceMain(): void {
    const left = this.#main;
    this.#main = this.#create(left.cwd);
    this.#mainUser = undefined;
    // A copy: what is left goes when its command ends.
    this.#main.adopt(left);
  }

  /** Behind the command that it was for: nobody waits for it. */
  #end(shell: ShellSession): void {
    this.#shells.delete(shell);
    const ending = shell[Symbol.asyncDispose]();
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }

  #create(cwd: string, inherits?: () => string | undefined): ShellSession {
    const stateDirectory = join(this.#options.stateDirectory, String(this.#directories++));
    const shell = new ShellSession({
      ...this.#options,
      cwd,
      stateDirectory,
      parent: () => this.#root(),
      inherits,
    });
    this.#shells.add(shell);
    return shell;
  }
}
