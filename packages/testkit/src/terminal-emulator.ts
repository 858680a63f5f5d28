// What a user would see: an in-memory terminal that turns a program's bytes into rows,
// cursor and styles, and answers the program's questions as a real one does. It wraps
// xterm's headless emulator and knows nothing of processes.

import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal, type IBufferCell } from "@xterm/headless";
import type { KeyModes } from "./terminal-keys.ts";

export interface EmulatorOptions {
  columns: number;
  rows: number;
  /** Answers that belong on the program's input: device attributes, cursor position, … */
  reply: (text: string) => void;
  /** Rows of history that are kept. */
  historyRows?: number;
  /** Reported for OSC 10 and OSC 11, as #rrggbb. */
  foreground?: string;
  background?: string;
  /** "kitty" understands that protocol's "disambiguate" level; "legacy" ignores it. */
  keyboard?: "legacy" | "kitty";
}

/** "default", an index of the palette, or #rrggbb. */
export type CellColor = "default" | number | string;

export interface Cell {
  /** A whole grapheme; empty for a blank cell and for the second half of a wide one. */
  text: string;
  /** Columns taken: 1 or 2, and 0 for the second half of a wide character. */
  width: number;
  foreground: CellColor;
  background: CellColor;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  invisible: boolean;
  strikethrough: boolean;
  /** Target of the OSC 8 hyperlink. */
  link: string | undefined;
}

/** Counted from 0, within the visible screen. */
export interface Cursor {
  row: number;
  column: number;
  visible: boolean;
}

const DEFAULT_HISTORY_ROWS = 10_000;
const DEFAULT_FOREGROUND = "#d0d0d0";
const DEFAULT_BACKGROUND = "#101010";
const OSC_FOREGROUND = 10;
const OSC_BACKGROUND = 11;
// The only level of the kitty protocol that the harness can produce keys for.
const KITTY_DISAMBIGUATE = 1;

// Two facts that the public interface of the emulator does not give. The version is
// pinned, and the tests of this file fail when these names move.
interface EmulatorInternals {
  _core: {
    coreService: { isCursorHidden: boolean };
    _oscLinkService: { getLinkData(id: number): { uri: string } | undefined };
  };
}
interface CellInternals {
  extended?: { urlId: number };
}

export class TerminalEmulator {
  readonly #terminal: Terminal;
  readonly #kittyLevels: number[] = [];
  #title = "";

  constructor(options: EmulatorOptions) {
    this.#terminal = new Terminal({
      cols: options.columns,
      rows: options.rows,
      scrollback: options.historyRows ?? DEFAULT_HISTORY_ROWS,
      allowProposedApi: true,
    });
    // Typed against the browser build, which shares this interface.
    const graphemes = new UnicodeGraphemesAddon() as unknown as {
      activate(): void;
      dispose(): void;
    };
    this.#terminal.loadAddon(graphemes);
    this.#terminal.onTitleChange((title) => {
      this.#title = title;
    });
    this.#terminal.onData(options.reply);
    this.#answerColor(OSC_FOREGROUND, options.foreground ?? DEFAULT_FOREGROUND, options.reply);
    this.#answerColor(OSC_BACKGROUND, options.background ?? DEFAULT_BACKGROUND, options.reply);
    if (options.keyboard === "kitty") this.#speakKitty(options.reply);
  }

  /** `done` runs when the bytes have taken effect. */
  write(bytes: Uint8Array | string, done?: () => void): void {
    this.#terminal.write(bytes, done);
  }

  /** Resolves when all that was written has taken effect. */
  flush(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write("", resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** The visible rows, blanks at their ends removed. Always as many as the screen has. */
  screen(): string[] {
    const { baseY } = this.#terminal.buffer.active;
    return this.#rows(baseY, baseY + this.#terminal.rows);
  }

  /** History and then the visible rows. */
  scrollback(): string[] {
    return this.#rows(0, this.#terminal.buffer.active.length);
  }

  cursor(): Cursor {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const { coreService } = this.#internals();
    return { row: cursorY, column: cursorX, visible: !coreService.isCursorHidden };
  }

  /** Undefined outside of the screen. */
  cell(row: number, column: number): Cell | undefined {
    if (row < 0 || row >= this.#terminal.rows) return undefined;
    const { active } = this.#terminal.buffer;
    const cell = active.getLine(active.baseY + row)?.getCell(column);
    return cell && this.#describe(cell);
  }

  title(): string {
    return this.#title;
  }

  get bracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** Between the begin and end of a synchronized update a real terminal shows nothing new. */
  get updating(): boolean {
    return this.#terminal.modes.synchronizedOutputMode;
  }

  get alternateScreen(): boolean {
    return this.#terminal.buffer.active.type === "alternate";
  }

  get keyModes(): KeyModes {
    return {
      applicationCursor: this.#terminal.modes.applicationCursorKeysMode,
      disambiguate: ((this.#kittyLevels.at(-1) ?? 0) & KITTY_DISAMBIGUATE) !== 0,
    };
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #rows(from: number, to: number): string[] {
    const rows: string[] = [];
    for (let index = from; index < to; index += 1) {
      const line = this.#terminal.buffer.active.getLine(index);
      rows.push((line?.translateToString(true) ?? "").replace(/ +$/, ""));
    }
    return rows;
  }

  #describe(cell: IBufferCell): Cell {
    return {
      text: cell.getChars(),
      width: cell.getWidth(),
      foreground: colorOf(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor()),
      background: colorOf(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor()),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      inverse: cell.isInverse() !== 0,
      invisible: cell.isInvisible() !== 0,
      strikethrough: cell.isStrikethrough() !== 0,
      link: this.#linkOf(cell),
    };
  }

  #linkOf(cell: IBufferCell): string | undefined {
    const id = (cell as CellInternals).extended?.urlId ?? 0;
    return id === 0 ? undefined : this.#internals()._oscLinkService.getLinkData(id)?.uri;
  }

  #internals(): EmulatorInternals["_core"] {
    return (this.#terminal as unknown as EmulatorInternals)._core;
  }

  // The headless build has no colours of its own, so it leaves these questions open.
  #answerColor(osc: number, color: string, reply: (text: string) => void): void {
    this.#terminal.parser.registerOscHandler(osc, (data) => {
      if (data !== "?") return false;
      const channels = [1, 3, 5].map((start) => color.slice(start, start + 2).repeat(2));
      reply(`\x1b]${osc};rgb:${channels.join("/")}\x1b\\`);
      return true;
    });
  }

  #speakKitty(reply: (text: string) => void): void {
    const { parser } = this.#terminal;
    const levels = this.#kittyLevels;
    parser.registerCsiHandler({ prefix: ">", final: "u" }, ([level = 0]) => {
      levels.push(Number(level) & KITTY_DISAMBIGUATE);
      return true;
    });
    parser.registerCsiHandler({ prefix: "<", final: "u" }, ([count = 1]) => {
      levels.splice(-Math.max(Number(count), 1));
      return true;
    });
    parser.registerCsiHandler({ prefix: "=", final: "u" }, ([level = 0]) => {
      levels.splice(-1, 1, Number(level) & KITTY_DISAMBIGUATE);
      return true;
    });
    parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
      reply(`\x1b[?${levels.at(-1) ?? 0}u`);
      return true;
    });
  }
}

function colorOf(isDefault: boolean, isRgb: boolean, value: number): CellColor {
  if (isDefault) return "default";
  return isRgb ? `#${value.toString(16).padStart(6, "0")}` : value;
}
