// The terminal that a program believes to be in. It takes the program's bytes and answers its
// questions; what is to be seen of it is asked for row by row. Nothing of what it takes reaches the
// real terminal.

import type { CaretPlace } from "@tau/tui/component";
import type { Terminal } from "@xterm/headless";
import { drawCells } from "./draw-cells.ts";
import type { InputModes } from "./encode-input.ts";

export interface TerminalSize {
  columns: number;
  rows: number;
}

/**
 * Of a program that prints faster than can be drawn, this much is waited for: what is older would be
 * gone from the screen anyway. The tool keeps all of it.
 */
const MAX_WAITING_BYTES = 1024 * 1024;
/** DEC mode 25. */
const CURSOR_MODE = 25;
const UNICODE_VERSION = "tau";

export class Emulator {
  readonly #terminal: Terminal;
  #isCursorShown = true;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isTaking = false;

  private constructor(terminal: Terminal, reply: (text: string) => void) {
    this.#terminal = terminal;
    terminal.unicode.register(WIDTHS);
    terminal.unicode.activeVersion = UNICODE_VERSION;
    terminal.onData(reply);
    this.#followCursorMode();
  }

  /** `reply`: answers to what the program asks of its terminal. */
  static async create(size: TerminalSize, reply: (text: string) => void): Promise<Emulator> {
    const { Terminal } = await import("@xterm/headless");
    const terminal = new Terminal({
      cols: size.columns,
      rows: size.rows,
      scrollback: 0,
      allowProposedApi: true,
    });
    return new Emulator(terminal, reply);
  }

  /** `changed` runs when bytes have taken effect. They are the callee's for the call only. */
  write(bytes: Uint8Array, changed: () => void): void {
    this.#waiting.push(new Uint8Array(bytes));
    this.#waitingBytes += bytes.length;
    while (this.#waitingBytes > MAX_WAITING_BYTES && this.#waiting.length > 1) {
      this.#waitingBytes -= this.#waiting.shift()!.length;
    }
    this.#take(changed);
  }

  /** Resolves when all that was written has taken effect. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.#waiting.length === 0) resolve();
        else this.#terminal.write("", look);
      };
      this.#terminal.write("", look);
    });
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#terminal.resize(columns, rows);
  }

  /** The program is in the middle of a frame that it wants to be seen whole. */
  get isUpdating(): boolean {
    return this.#terminal.modes.synchronizedOutputMode;
  }

  get inputModes(): InputModes {
    const { applicationCursorKeysMode, bracketedPasteMode } = this.#terminal.modes;
    return { applicationCursor: applicationCursorKeysMode, bracketedPaste: bracketedPasteMode };
  }

  /** Each row of the screen, as wide as it must be. */
  rows(): string[] {
    const { cols, rows, buffer } = this.#terminal;
    const { active } = buffer;
    return Array.from({ length: rows }, (_, row) => {
      const line = active.getLine(active.viewportY + row);
      return line ? drawCells(line, cols) : "";
    });
  }

  /** Undefined while the program hides it. */
  caret(): CaretPlace | undefined {
    if (!this.#isCursorShown) return undefined;
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { row: cursorY, column: Math.min(cursorX, this.#terminal.cols - 1) };
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  /** One piece at a time: what still waits here can be let go. */
  #take(changed: () => void): void {
    const piece = this.#isTaking ? undefined : this.#waiting.shift();
    if (!piece) return;
    this.#waitingBytes -= piece.length;
    this.#isTaking = true;
    this.#terminal.write(piece, () => {
      this.#isTaking = false;
      changed();
      this.#take(changed);
    });
  }

  #followCursorMode(): void {
    const { parser } = this.#terminal;
    const follow = (final: string, isShown: boolean): void => {
      parser.registerCsiHandler({ prefix: "?", final }, (modes) => {
        if (modes.includes(CURSOR_MODE)) this.#isCursorShown = isShown;
        // The emulator has work to do with it as well.
        return false;
      });
    };
    follow("h", true);
    follow("l", false);
    parser.registerEscHandler({ final: "c" }, () => {
      this.#isCursorShown = true;
      return false;
    });
  }
}

/** Characters are as wide here as where they are drawn. */
const WIDTHS = {
  version: UNICODE_VERSION,
  wcwidth(code: number): 0 | 1 | 2 {
    if (code >= 0x20 && code < 0x7f) return 1;
    const width = Bun.stringWidth(String.fromCodePoint(code));
    return width >= 2 ? 2 : width === 1 ? 1 : 0;
  },
  /** The emulator's packing: a bit for joining the character before, two for the width. */
  charProperties(code: number, preceding: number): number {
    const own = WIDTHS.wcwidth(code);
    const before = (preceding >> 1) & 3;
    const isJoined = own === 0 && before > 0;
    const width = isJoined ? before : own;
    return (width << 1) | (isJoined ? 1 : 0);
  },
};
