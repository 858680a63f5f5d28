// The shells of one agent. Commands that follow one another share the first shell and all that
// they changed in it; one that comes while it is busy gets a shell that begins as the first one
// was, so that nothing waits and nothing mixes.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BASH_DRIVER } from "./bash-driver.ts";
import {
  ShellSession,
  type RunOptions,
  type ShellOptions,
  type ShellResult,
} from "./shell-session.ts";
import { settledState } from "./shell-state-file.ts";
import { terminalCommand } from "./terminal-command.ts";

/** More commands at once than this wait: each may start a build. */
const MAX_SHELLS = 16;

export class ShellPool implements AsyncDisposable {
  readonly #options: ShellOptions;
  readonly #shells: ShellSession[] = [];
  readonly #waiting: ((shell: ShellSession) => void)[] = [];
  readonly #taken = new Set<ShellSession>();

  constructor(options: ShellOptions) {
    this.#options = options;
  }

  /** Where the next command of a sequence runs. */
  get cwd(): string {
    return this.#shells[0]?.cwd ?? this.#options.cwd;
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

  /** What the first shell has written down; before that, what it would begin with. */
  #statePath(): string | undefined {
    const { startScript, stateDirectory, driver = BASH_DRIVER } = this.#options;
    const [first] = this.#shells;
    const written = first && settledState(first.statePath, driver);
    if (written !== undefined) return written;
    const script = startScript?.();
    if (script === undefined) return undefined;
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    const path = join(stateDirectory, "start");
    writeFileSync(path, script, { mode: 0o600 });
    return path;
  }

  async run(command: string, options: RunOptions): Promise<ShellResult> {
    const shell = await this.#take();
    try {
      return await shell.run(command, options);
    } finally {
      this.#give(shell);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#shells.map((shell) => shell[Symbol.asyncDispose]()));
    this.#shells.length = 0;
    rmSync(this.#options.stateDirectory, { recursive: true, force: true });
  }

  #take(): ShellSession | Promise<ShellSession> {
    const idle = this.#shells.find((shell) => !this.#taken.has(shell));
    if (idle) {
      this.#taken.add(idle);
      return idle;
    }
    if (this.#shells.length >= MAX_SHELLS) {
      return new Promise((resolve) => this.#waiting.push(resolve));
    }
    const shell = this.#create();
    this.#taken.add(shell);
    return shell;
  }

  #give(shell: ShellSession): void {
    const next = this.#waiting.shift();
    if (next) next(shell);
    else this.#taken.delete(shell);
  }

  #create(): ShellSession {
    const [first] = this.#shells;
    const stateDirectory = join(this.#options.stateDirectory, String(this.#shells.length));
    const shell = new ShellSession({
      ...this.#options,
      cwd: this.cwd,
      stateDirectory,
      ...(first ? { inherits: first.statePath } : {}),
    });
    this.#shells.push(shell);
    return shell;
  }
}
