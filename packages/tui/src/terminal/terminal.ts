// The terminal itself: raw mode, the modes that are on while it is ours, its size, what it can
// do, going to sleep and waking up, and giving it back in every case. It moves bytes and knows
// nothing of what is on the screen.

import { writeSync } from "node:fs";
import type { CaretPlace } from "../component.ts";
import { InputReader } from "../input/input-reader.ts";
import { Probes } from "../input/probes.ts";
import type { KeyInput } from "../key-input.ts";
import { appearanceOf, type Appearance } from "./appearance.ts";
import { guardExit } from "./exit-guard.ts";
import { signalSelf } from "./own-exit.ts";
import type { CellSize } from "./images.ts";
import { Modes, type Mode } from "./modes.ts";
import { OutputGate, type OutputStream } from "./output-gate.ts";
import { terminalKind, type Environment, type TerminalKind } from "./terminal-kind.ts";

export interface TerminalInput {
  setRawMode?(on: boolean): unknown;
  on(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "data", listener: (bytes: Uint8Array) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface TerminalOutput extends OutputStream {
  fd?: number;
  columns?: number;
  rows?: number;
  on(event: "resize", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "resize", listener: () => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  /** Asks the system anew; between two signals the size may have changed already. */
  _refreshSize?(): void;
}

export interface TerminalHandlers {
  onInput: (input: KeyInput) => void;
  onResize?: () => void;
  onAppearance?: (appearance: Appearance) => void;
  onFocus?: (focused: boolean) => void;
  /** Output can be sent again. */
  onDrain?: () => void;
  /** The process was stopped and goes on. */
  onContinue?: () => void;
  /** Nothing can be read or written any more. */
  onHangup?: () => void;
}

export interface TerminalOptions extends TerminalHandlers {
  input?: TerminalInput;
  output?: TerminalOutput;
  env?: Environment;
  /** What to write when the process ends without having called `stop`. */
  lastWords?: () => string;
  /** How the process goes to sleep. */
  stopProcess?: () => void;
}

export interface TerminalFeatures {
  kittyKeyboard: boolean;
  synchronized: boolean;
  appearance: Appearance;
  cell?: CellSize;
  kittyGraphics: boolean;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const SYNCHRONIZED_MODE = 2026;
// On leaving, an answer still on its way would be typed into the shell.
const LAST_ANSWERS_MS = 200;
const WRITE_ATTEMPTS = 50;
const STILL_AWAKE_MS = 200;

export class Terminal {
  readonly kind: TerminalKind;
  readonly probes: Probes;
  readonly #options: TerminalOptions;
  readonly #input: TerminalInput;
  readonly #output: TerminalOutput;
  readonly #env: Environment;
  readonly #gate: OutputGate;
  readonly #reader: InputReader;
  readonly #modes = new Modes();
  #release: (() => void) | undefined;
  #wanted: readonly Mode[] = [];
  /** Another program has the terminal; not even being woken makes it ours. */
  #isLent = false;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#input = options.input ?? process.stdin;
    this.#output = options.output ?? process.stdout;
    this.#env = options.env ?? process.env;
    this.kind = terminalKind(this.#env);
    this.#gate = new OutputGate(this.#output, () => options.onDrain?.());
    this.probes = new Probes((bytes) => this.#gate.write(bytes));
    this.#reader = new InputReader({
      probes: this.probes,
      onInput: options.onInput,
      onAppearance: options.onAppearance,
      onFocus: options.onFocus,
    });
  }

  /** False while the last frame is still on its way. */
  get ready(): boolean {
    return this.#gate.open && this.#release !== undefined;
  }

  get size(): { columns: number; rows: number } {
    this.#output._refreshSize?.();
    return {
      columns: this.#output.columns || DEFAULT_COLUMNS,
      rows: this.#output.rows || DEFAULT_ROWS,
    };
  }

  write(bytes: string): void {
    this.#gate.write(bytes);
  }

  /** Takes the terminal over; what it can do is known when the promise resolves. */
  async start(): Promise<TerminalFeatures> {
    // Before anything is tried: a terminal that is gone says so in this way, and unheard it would
    // take the process down in the middle of its ending.
    this.#input.on("error", this.#onError);
    this.#take();
    process.on("SIGCONT", this.#onContinue);
    this.#output.on("resize", this.#onResize);
    this.#output.on("error", this.#onError);
    this.#wanted = [
      "ownTitle",
      "bracketedPaste",
      "noAutowrap",
      "appearanceNotices",
      "focusNotices",
    ];
    this.#gate.write(this.#modes.enable(...this.#wanted));
    return this.#discover();
  }

  /** Where the cursor is on the screen; undefined where the terminal does not say. */
  async cursor(): Promise<CaretPlace | undefined> {
    return (await this.probes.ask({ kind: "cursor" }))?.place;
  }

  /** Gives the terminal back. `last` is written before that. */
  async stop(last = ""): Promise<void> {
    if (!this.#release) return;
    this.#gate.write(last);
    if (this.probes.outstanding) {
      await Promise.race([this.probes.askAll([]), Bun.sleep(LAST_ANSWERS_MS)]);
    }
    await this.#written();
    this.#restore();
    process.off("SIGCONT", this.#onContinue);
    this.#output.off("resize", this.#onResize);
    this.#output.off("error", this.#onError);
    this.#input.off("error", this.#onError);
    this.probes.end();
    this.#reader.dispose();
  }

  /** Gives the terminal back for as long as the process sleeps. */
  async suspend(last = ""): Promise<void> {
    if (!this.#release) return;
    this.#gate.write(last);
    await this.#written();
    this.#restore();
    const stop = this.#options.stopProcess ?? (() => signalSelf("SIGTSTP", 0));
    stop();
    // Where nobody could wake it (no shell with jobs), the system does not put it to sleep.
    setTimeout(() => {
      if (!this.#release) this.#onContinue();
    }, STILL_AWAKE_MS);
  }

  /** Gives the terminal to another program for as long as `work` takes. */
  async lend<T>(work: () => Promise<T>, last = ""): Promise<T> {
    this.#gate.write(last);
    await this.#written();
    this.#restore();
    this.#isLent = true;
    try {
      return await work();
    } finally {
      this.#isLent = false;
      this.#onContinue();
    }
  }

  readonly #onResize = (): void => this.#options.onResize?.();
  readonly #onData = (bytes: Uint8Array): void => this.#reader.feed(bytes);
  readonly #onError = (): void => {
    this.#options.onHangup?.();
  };
  readonly #onContinue = (): void => {
    if (this.#isLent) return;
    // Whoever had the terminal meanwhile may have left it in any state.
    this.#restore();
    this.#take();
    this.#gate.write(this.#modes.enable(...this.#wanted));
    this.#options.onContinue?.();
  };

  async #discover(): Promise<TerminalFeatures> {
    const inside = this.kind.multiplexer !== undefined;
    const [keyboard, mode, background, cell, graphics] = await this.probes.askAll([
      { kind: "kitty-keyboard" },
      { kind: "mode", mode: SYNCHRONIZED_MODE },
      { kind: "background" },
      { kind: "cell-size" },
      ...(inside ? [] : [{ kind: "graphics" } as const]),
    ]);
    const kittyKeyboard = keyboard?.kind === "kitty-keyboard";
    this.#wanted = [...this.#wanted, kittyKeyboard ? "kittyKeyboard" : "modifyOtherKeys"];
    if (this.#release) this.#gate.write(this.#modes.enable(...this.#wanted));
    const color = background?.kind === "background" ? background.color : undefined;
    return {
      kittyKeyboard,
      synchronized: mode?.kind === "mode" ? mode.state !== "unknown" : this.kind.synchronized,
      appearance: appearanceOf(color, this.#env),
      cell: cell?.kind === "cell-size" ? { width: cell.width, height: cell.height } : undefined,
      kittyGraphics: graphics?.kind === "graphics" && graphics.supported,
    };
  }

  #take(): void {
    this.#input.setRawMode?.(true);
    this.#input.on("data", this.#onData);
    this.#input.resume();
    this.#release = guardExit(() => this.#restoreAtEnd());
  }

  /** The process ends unasked: what is settled is shown before the terminal is given back. */
  #restoreAtEnd(): void {
    const isClear = this.#gate.open && this.#release !== undefined;
    try {
      if (isClear) this.#writeNow(this.#options.lastWords?.() ?? "");
    } finally {
      this.#restore();
    }
  }

  /** At once and in any state; does nothing where the terminal is not ours. */
  #restore(): void {
    if (!this.#release) return;
    this.#release();
    this.#release = undefined;
    this.#input.off("data", this.#onData);
    this.#writeNow(this.#modes.disableAll());
    this.#input.setRawMode?.(false);
    this.#input.pause();
  }

  async #written(): Promise<void> {
    const deadline = performance.now() + LAST_ANSWERS_MS;
    while (!this.#gate.open && !this.#gate.failed && performance.now() < deadline) {
      await Bun.sleep(1);
    }
  }

  /** Past the stream, which would not get its turn any more in a process that ends. */
  #writeNow(bytes: string): void {
    const { fd } = this.#output;
    if (fd === undefined) return this.#gate.write(bytes);
    let rest = Buffer.from(bytes);
    for (let attempt = 0; rest.length > 0 && attempt < WRITE_ATTEMPTS; attempt += 1) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        // A full line empties in a moment; a terminal that is gone needs no restoring.
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        Bun.sleepSync(1);
      }
    }
  }
}
