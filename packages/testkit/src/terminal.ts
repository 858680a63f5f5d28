// Runs a program in a real pseudo-terminal and lets a test look at it and type like a
// user. It owns the process, its PTY and the waiting; what the bytes mean is the
// emulator's. Nothing waits by polling: every wait is woken by output, exit or its limit.

import { randomUUID } from "node:crypto";
import { endSession, signalProcess } from "./end-session.ts";
import type { EnvironmentMarker } from "./processes.ts";
import { ScreenWaits } from "./screen-waits.ts";
import {
  TerminalEmulator,
  type Cell,
  type Cursor,
  type EmulatorOptions,
} from "./terminal-emulator.ts";
import { encodeKey } from "./terminal-keys.ts";

export interface TerminalOptions extends Partial<Omit<EmulatorOptions, "reply">> {
  cwd?: string;
  /** The child's whole environment but for TERM and COLORTERM; a bare one when left out. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface TerminalExit {
  /** Null when a signal ended the program. */
  code: number | null;
  signal: string | null;
}

export interface WaitOptions {
  timeoutMs?: number;
}

/** Text or a pattern anywhere on the visible screen, or any question about the terminal. */
export type ScreenCondition = string | RegExp | ((terminal: TerminalSession) => boolean);

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
// Below the test runner's own 5 s, so that a failure shows the screen and not just a name.
const DEFAULT_TIMEOUT_MS = 4_000;
const DEFAULT_QUIET_MS = 100;
// The terminal's end of file follows the program's end at once, unless a child that
// survived keeps the terminal open. Then silence has to do: what the program wrote is
// already in the kernel and needs no time but ours.
const DRAIN_QUIET_MS = 100;
const DRAIN_LIMIT_MS = 2_000;
const MARKER_NAME = "TAU_TEST_TERMINAL";
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

function environment(options: TerminalOptions, marker: EnvironmentMarker): Record<string, string> {
  const base = options.env ?? {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LANG: "C.UTF-8",
  };
  const env: Record<string, string> = { TERM: "xterm-256color", COLORTERM: "truecolor" };
  for (const [name, value] of Object.entries(base)) if (value !== undefined) env[name] = value;
  env[marker.name] = marker.value;
  return env;
}

function conditionTest(condition: ScreenCondition): (terminal: TerminalSession) => boolean {
  if (typeof condition === "function") return condition;
  if (typeof condition === "string") {
    return (terminal) => terminal.text().includes(condition);
  }
  // Without the state that /g and /y keep from one test to the next.
  const pattern = new RegExp(condition.source, condition.flags.replace(/[gy]/g, ""));
  return (terminal) => pattern.test(terminal.text());
}

export class TerminalSession implements AsyncDisposable {
  /** Resolves when the program has ended and its last output is on the screen. */
  readonly exited: Promise<TerminalExit>;
  /** In the environment of the program and all it starts; for `processesWithEnv`. */
  readonly marker: EnvironmentMarker = { name: MARKER_NAME, value: randomUUID() };
  readonly #child: Bun.Subprocess;
  readonly #emulator: TerminalEmulator;
  readonly #received: Uint8Array[] = [];
  readonly #waits = new ScreenWaits(() => this.screen());
  #exit: TerminalExit | undefined;
  #disposed = false;

  constructor(command: string[], options: TerminalOptions = {}) {
    const columns = options.columns ?? DEFAULT_COLUMNS;
    const rows = options.rows ?? DEFAULT_ROWS;
    const reply = (text: string): void => this.#write(text);
    this.#emulator = new TerminalEmulator({ ...options, columns, rows, reply });
    const closed = Promise.withResolvers<void>();
    try {
      this.#child = Bun.spawn(command, {
        cwd: options.cwd,
        env: environment(options, this.marker),
        // Options, not a `Bun.Terminal` made beforehand: only so does the child lead a
        // session of its own with this as its controlling terminal.
        terminal: {
          cols: columns,
          rows,
          name: "xterm-256color",
          data: (_pty, bytes) => this.#receive(bytes),
          exit: () => closed.resolve(),
        },
      });
    } catch (error) {
      this.#emulator.dispose();
      throw error;
    }
    this.exited = this.#settle(closed.promise);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The visible rows, blanks at their ends removed. */
  screen(): string[] {
    return this.#emulator.screen();
  }

  /** The visible rows as one text. */
  text(): string {
    return this.screen().join("\n");
  }

  /** History, then the visible rows. */
  scrollback(): string[] {
    return this.#emulator.scrollback();
  }

  cursor(): Cursor {
    return this.#emulator.cursor();
  }

  cell(row: number, column: number): Cell | undefined {
    return this.#emulator.cell(row, column);
  }

  title(): string {
    return this.#emulator.title();
  }

  get alternateScreen(): boolean {
    return this.#emulator.alternateScreen;
  }

  /** Everything that the program has sent so far, as it came. */
  bytes(): Uint8Array {
    return Buffer.concat(this.#received);
  }

  /** Sends text as it is. */
  send(text: string): void {
    this.#write(text);
  }

  /** A named key, or a chord such as "ctrl+c" or "alt+up". */
  press(key: string): void {
    this.#write(encodeKey(key, this.#emulator.keyModes));
  }

  /** As terminals do: newlines become carriage returns, brackets only when asked for. */
  paste(text: string): void {
    const typed = text.replaceAll(/\r?\n/g, "\r");
    if (!this.#emulator.bracketedPaste) return this.#write(typed);
    // The end mark inside a text would let its rest pass for keys.
    this.#write(PASTE_BEGIN + typed.replaceAll(PASTE_END, "") + PASTE_END);
  }

  /** Resizes emulator and PTY; the program gets SIGWINCH. */
  async resize(columns: number, rows: number): Promise<void> {
    // What was sent for the old size is laid out in the old size.
    await this.#emulator.flush();
    this.#emulator.resize(columns, rows);
    this.#child.terminal?.resize(columns, rows);
    this.#waits.wake();
  }

  /** Signals the program's process group. */
  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    if (!this.#exit) signalProcess(-this.pid, signal);
  }

  /**
   * Resolves with the screen on which the condition first held. Fails at the time limit,
   * and at once when the program has ended without it. Half-drawn synchronized updates
   * are not looked at, since a user would not see them.
   */
  waitFor(
    condition: ScreenCondition,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions = {},
  ): Promise<string[]> {
    const holds = conditionTest(condition);
    const wanted = typeof condition === "function" ? "the condition" : String(condition);
    return this.#waits.start(`waiting for ${wanted}`, timeoutMs, (finish) => {
      const check = (): void => {
        if (this.#emulator.updating && !this.#exit) return;
        if (holds(this)) finish();
        else if (this.#exit) finish(`the program has ended (${describe(this.#exit)})`);
      };
      return { check };
    });
  }

  /** Resolves when the program has sent nothing for `quietMs`, or has ended. */
  async waitForIdle(
    quietMs = DEFAULT_QUIET_MS,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions = {},
  ): Promise<void> {
    await this.#waits.start(`waiting for ${quietMs} ms of silence`, timeoutMs, (finish) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const check = (): void => {
        clearTimeout(timer);
        if (this.#exit) finish();
        else timer = setTimeout(finish, quietMs);
      };
      return { check, stop: () => clearTimeout(timer) };
    });
  }

  /** Kills the program and everything it has started, and waits until all of it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#waits.end("the terminal was disposed");
    const leaderEnded = this.#exit !== undefined;
    try {
      await endSession({ leader: this.pid, leaderEnded, marker: this.marker });
      await this.exited;
    } finally {
      this.#child.terminal?.close();
      this.#emulator.dispose();
    }
  }

  #receive(bytes: Uint8Array): void {
    // The emulator parses later, and the buffer belongs to the runtime.
    const copy = bytes.slice();
    this.#received.push(copy);
    this.#emulator.write(copy, () => this.#waits.wake());
  }

  #write(text: string): void {
    // A program that has just ended may still have questions in its last output.
    const pty = this.#child.terminal;
    if (pty && !pty.closed) pty.write(text);
  }

  async #drain(hungUp: Promise<void>): Promise<void> {
    const deadline = performance.now() + DRAIN_LIMIT_MS;
    const closed = hungUp.then(() => "closed" as const);
    for (let seen = -1; seen !== this.#received.length && performance.now() < deadline;) {
      seen = this.#received.length;
      const quiet = Bun.sleep(DRAIN_QUIET_MS).then(() => "quiet" as const);
      if ((await Promise.race([closed, quiet])) === "closed") return;
      // If our own loop was late, the timer may have come before the waiting bytes.
      await new Promise(setImmediate);
    }
  }

  async #settle(hungUp: Promise<void>): Promise<TerminalExit> {
    await this.#child.exited;
    await this.#drain(hungUp);
    await this.#emulator.flush();
    const { exitCode, signalCode } = this.#child;
    const exit = { code: exitCode, signal: signalCode === null ? null : String(signalCode) };
    this.#exit = exit;
    this.#waits.wake();
    return exit;
  }
}

function describe({ code, signal }: TerminalExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Starts `command` in a terminal; use it with `await using`. */
export function runInTerminal(command: string[], options: TerminalOptions = {}): TerminalSession {
  return new TerminalSession(command, options);
}
