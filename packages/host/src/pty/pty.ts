// A command in a terminal of its own: programs in it prompt, draw, ask for passwords and see a
// size, as they do for a person. It owns the process, the terminal and all that is started in it:
// when `exited` resolves, nothing of it is running any more and its last output has come.

import { programOnPath } from "../process/program-on-path.ts";
import { OutputCapture } from "../output-capture.ts";
import {
  descendantsOf,
  endProcesses,
  processesWithMark,
  signalGroup,
  signalProcess,
} from "../process/process-tree.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { StrayWatch } from "../process/strays.ts";
import { plainOutput } from "../text/plain-output.ts";
import { UNATTENDED_ENVIRONMENT } from "./unattended-environment.ts";

export interface PtyOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  columns?: number;
  rows?: number;
  /** Whether a person is there to page, edit and answer; one is where absent. */
  attendance?: "attended" | "unattended";
  /** For a command line; `bash` where absent. */
  shell?: string;
  /** As it comes; the bytes are the callee's for the call only. */
  onOutput?: (bytes: Uint8Array) => void;
  /** Bytes kept for `output()`: half from the beginning, half from the end. */
  maxOutputBytes?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface PtyExit {
  /** Null where a signal ended it. */
  code: number | null;
  signal: string | null;
  end: "exited" | "timeout" | "aborted" | "killed";
}

export interface PtyOutput {
  /** Without control sequences; of a line that was drawn over, what it came to. */
  text: string;
  totalBytes: number;
  omittedBytes: number;
}

/** The terminal or the command could not be started at all. */
export class PtyStartError extends Error {
  override readonly name = "PtyStartError";
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** Terminals count in 16 bits; nobody's screen is near this. */
const MAX_CELLS = 10_000;
const DEFAULT_OUTPUT_BYTES = 64 * 1024;
const TERMINAL_NAME = "xterm-256color";
/**
 * The terminal's end of file follows the last process at once. Where one could not be found (not
 * every system lets us look), silence has to do.
 */
const DRAIN_LIMIT_MS = 1000;

/** A command line, or a program and its words. Throws `PtyStartError`. */
export function openPty(command: string | readonly string[], options: PtyOptions): Pty {
  return new Pty(command, options);
}

export class Pty implements AsyncDisposable {
  readonly exited: Promise<PtyExit>;
  readonly #mark = `TAU_PTY=${crypto.randomUUID()}`;
  readonly #child: Bun.Subprocess;
  readonly #capture: OutputCapture;
  #end: PtyExit["end"] = "exited";
  #isOver = false;
  readonly #strays = new StrayWatch();
  #ending: Promise<void> | undefined;

  constructor(command: string | readonly string[], options: PtyOptions) {
    options.signal?.throwIfAborted();
    this.#capture = new OutputCapture(options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
    const hungUp = Promise.withResolvers<void>();
    this.#child = this.#start(command, options, hungUp.resolve);
    const stop = (end: PtyExit["end"]): void => void this.#stop(end);
    const { timeoutMs, signal } = options;
    const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs, "timeout");
    const onAbort = (): void => stop("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    this.exited = this.#settle(hungUp.promise).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** As if typed; false where nobody is there to read it any more. */
  write(input: string | Uint8Array): boolean {
    const terminal = this.#child.terminal;
    if (this.#isOver || !terminal || terminal.closed) return false;
    terminal.write(input);
    return true;
  }

  /** The programs in it are told. */
  resize(columns: number, rows: number): void {
    const terminal = this.#child.terminal;
    if (this.#isOver || !terminal || terminal.closed) return;
    terminal.resize(cells(columns), cells(rows));
  }

  /** To the command and its group; what is typed (`\x03`) reaches whoever has the terminal. */
  signal(name: NodeJS.Signals): void {
    if (!this.#isOver) signalGroup(this.pid, name);
  }

  /** Ends it and everything that it started, whatever they think of it. */
  async kill(): Promise<PtyExit> {
    await this.#stop("killed");
    return this.exited;
  }

  /** What has come so far. */
  output(): PtyOutput {
    const { text, totalBytes, omittedBytes } = this.#capture.result();
    return { text: plainOutput(text), totalBytes, omittedBytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #start(
    command: string | readonly string[],
    options: PtyOptions,
    onHangUp: () => void,
  ): Bun.Subprocess {
    const { cwd, env, attendance, shell = "bash", columns, rows } = options;
    const program = programOnPath(shell, env.PATH) ?? shell;
    const words = typeof command === "string" ? [program, "-c", command] : [...command];
    const given = Object.entries({
      ...env,
      ...(attendance === "unattended" ? UNATTENDED_ENVIRONMENT : {}),
      TERM: TERMINAL_NAME,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined);
    try {
      return Bun.spawn(words, {
        cwd,
        env: ownedEnvironment(Object.fromEntries(given), this.#mark),
        // Options, not a terminal made beforehand: only so does the child lead a session of its
        // own with this as its controlling terminal.
        terminal: {
          cols: cells(columns ?? DEFAULT_COLUMNS),
          rows: cells(rows ?? DEFAULT_ROWS),
          name: TERMINAL_NAME,
          data: (_, bytes) => {
            this.#capture.push(bytes);
            options.onOutput?.(bytes);
          },
          exit: onHangUp,
        },
      });
    } catch (error) {
      if (typeof (error as { code?: unknown }).code !== "string") throw error;
      throw new PtyStartError((error as Error).message, { cause: error });
    }
  }

  async #settle(hungUp: Promise<void>): Promise<PtyExit> {
    await this.#child.exited;
    this.#isOver = true;
    await this.#ending;
    // Those that are still there ignored the hang-up, or left the session.
    await endProcesses(() => this.#outOfSight());
    this.#strays[Symbol.dispose]();
    signalGroup(this.pid, "SIGKILL");
    await Promise.race([hungUp, Bun.sleep(DRAIN_LIMIT_MS)]);
    this.#child.terminal?.close();
    const { exitCode, signalCode } = this.#child;
    return {
      code: exitCode,
      signal: signalCode === null ? null : String(signalCode),
      end: this.#end,
    };
  }

  /** Found by their mark, or because they have none. */
  #outOfSight(): number[] {
    return [...processesWithMark(this.#mark), ...this.#strays.alive()];
  }

  #stop(end: PtyExit["end"]): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#ending ??= this.#endAll(end);
    return this.#ending;
  }

  async #endAll(end: PtyExit["end"]): Promise<void> {
    this.#end = end;
    // What a terminal does when it is closed; an interactive shell heeds nothing softer.
    signalGroup(this.pid, "SIGHUP");
    await endProcesses(() => [
      ...(this.#isOver ? [] : [this.pid]),
      ...descendantsOf(this.pid),
      ...this.#outOfSight().filter((pid) => pid !== this.pid),
    ]);
    if (!this.#isOver) signalProcess(this.pid, "SIGKILL");
  }
}

function cells(count: number): number {
  return Math.min(MAX_CELLS, Math.max(1, Math.floor(count)));
}
