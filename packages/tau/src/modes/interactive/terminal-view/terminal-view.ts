// A program in a terminal, over the conversation: its screen, a title above, below it how to get
// out. Every key goes to the program, Esc and Ctrl+C too; one chord ends it whatever it thinks.

import type { Pty, PtyExit } from "@tau/host/pty/pty";
import type { FocusableComponent, Rendered, RequestRender } from "@tau/tui/component";
import type { KeyInput } from "@tau/tui/key-input";
import type { Theme } from "@tau/tui/theme/theme";
import { fitLine, oneLine } from "@tau/tui/width";
import type { ShownTerminal } from "../../../tools/bash/show-terminal.ts";
import { encodeInput } from "./encode-input.ts";
import { Emulator, type TerminalSize } from "./emulator.ts";

export interface TerminalViewOptions {
  terminal: ShownTerminal;
  theme: Theme;
  /** Of the whole view: title, screen, status. */
  size: TerminalSize;
  requestRender: RequestRender;
}

/** One frame: a program may write a thousand times in it. */
const FRAME_MS = 16;
/** A frame that a program never finishes is shown all the same. */
const MAX_FRAMES_HELD = 10;
/** Title and status. */
const OWN_ROWS = 2;
const MIN_SCREEN = { columns: 2, rows: 1 };
const END_KEY = "]";

export class TerminalView implements FocusableComponent {
  /** Resolves when there is nothing more to see: it ended well, or the person has seen how it ended. */
  readonly closed: Promise<void>;
  readonly #close: () => void;
  readonly #title: string;
  readonly #theme: Theme;
  readonly #requestRender: RequestRender;
  readonly #emulator: Emulator;
  readonly #pty: Pty;
  readonly #signal: AbortSignal;
  #screen: TerminalSize;
  #exit: PtyExit | undefined;
  #isEnding = false;
  #isClosed = false;
  #frame: ReturnType<typeof setTimeout> | undefined;
  #framesHeld = 0;
  #rendered: Rendered | undefined;

  private constructor(options: TerminalViewOptions, emulator: Emulator, screen: TerminalSize) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#close = resolve;
    this.#title = oneLine(options.terminal.title);
    this.#theme = options.theme;
    this.#requestRender = options.requestRender;
    this.#emulator = emulator;
    this.#screen = screen;
    this.#pty = options.terminal.open(screen, (bytes) => {
      if (!this.#isClosed) this.#emulator.write(bytes, () => this.#changed());
    });
    void this.#pty.exited.then((exit) => this.#ended(exit));
    const { signal } = options.terminal;
    this.#signal = signal;
    const onAbort = (): void => {
      if (this.#exit) this.#finish();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    void this.closed.then(() => signal.removeEventListener("abort", onAbort));
  }

  /** Starts the program. Throws `PtyStartError`. */
  static async open(options: TerminalViewOptions): Promise<TerminalView> {
    const screen = screenIn(options.size);
    let view: TerminalView | undefined;
    const emulator = await Emulator.create(screen, (reply) => {
      if (view) view.#pty.write(reply);
    });
    view = new TerminalView(options, emulator, screen);
    return view;
  }

  get state(): "live" | "final" {
    return this.#isClosed ? "final" : "live";
  }

  /** The whole view's new size; the program is told. */
  resize(size: TerminalSize): void {
    const screen = screenIn(size);
    if (screen.columns === this.#screen.columns && screen.rows === this.#screen.rows) return;
    this.#screen = screen;
    if (this.#isClosed) return;
    this.#emulator.resize(screen);
    this.#pty.resize(screen.columns, screen.rows);
    this.#changed();
  }

  render(columns: number): Rendered {
    if (columns !== this.#screen.columns) {
      this.resize({ columns, rows: this.#screen.rows + OWN_ROWS });
      this.#rendered = undefined;
    }
    this.#rendered ??= this.#draw(columns);
    return this.#rendered;
  }

  /** None may act behind it. */
  handleKey(input: KeyInput): boolean {
    if (this.#isClosed) return false;
    if (this.#exit) this.#finish();
    else if (isEndKey(input)) this.#end();
    else {
      const bytes = encodeInput(input, this.#emulator.inputModes);
      if (bytes !== "") this.#pty.write(bytes);
    }
    return true;
  }

  #draw(columns: number): Rendered {
    const rows = this.#isClosed ? [] : this.#emulator.rows();
    const title = this.#theme.attribute("bold")(fitLine(this.#title, columns));
    const status = this.#theme.style(this.#statusToken())(fitLine(this.#status(), columns));
    const caret = this.#exit || this.#isClosed ? undefined : this.#emulator.caret();
    return {
      rows: [title, ...rows, status],
      stableRows: 0,
      caret: caret ? { row: caret.row + 1, column: caret.column } : undefined,
    };
  }

  #statusToken(): "muted" | "error" {
    return this.#exit && this.#exit.code !== 0 ? "error" : "muted";
  }

  #status(): string {
    if (!this.#exit) {
      return this.#isEnding ? "Ending it…" : "All keys go to the program · Ctrl+] ends it";
    }
    const { code, signal, end } = this.#exit;
    const how = end === "timeout" ? "timed out" : signal === null ? `exit code ${code}` : signal;
    return `Ended: ${how} · any key goes back`;
  }

  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#changed();
    void this.#pty.kill();
  }

  async #ended(exit: PtyExit): Promise<void> {
    // Its last words are still on their way to the screen.
    await this.#emulator.flush();
    this.#exit = exit;
    // How it failed is worth a look; everything else the person knows.
    const isNews = exit.end === "timeout" || (exit.end === "exited" && exit.code !== 0);
    if (isNews && !this.#signal.aborted) this.#changed();
    else this.#finish();
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#rendered = this.#draw(this.#screen.columns);
    this.#isClosed = true;
    clearTimeout(this.#frame);
    this.#emulator.dispose();
    this.#close();
    this.#requestRender();
  }

  #changed(): void {
    if (this.#isClosed) return;
    this.#frame ??= setTimeout(() => this.#show(), FRAME_MS);
  }

  #show(): void {
    this.#frame = undefined;
    if (this.#emulator.isUpdating && this.#framesHeld < MAX_FRAMES_HELD) {
      this.#framesHeld += 1;
      this.#changed();
      return;
    }
    this.#framesHeld = 0;
    this.#rendered = undefined;
    this.#requestRender();
  }
}

function isEndKey(input: KeyInput): boolean {
  return input.type === "key" && input.ctrl && input.key === END_KEY;
}

function screenIn({ columns, rows }: TerminalSize): TerminalSize {
  return {
    columns: Math.max(MIN_SCREEN.columns, columns),
    rows: Math.max(MIN_SCREEN.rows, rows - OWN_ROWS),
  };
}
