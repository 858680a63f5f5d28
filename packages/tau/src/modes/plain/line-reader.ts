// A place to type one line at a terminal that can only print. It erases with backspaces, and a line that
// has outgrown its row is written anew below: nothing else works on every such terminal.

import { displayWidth } from "@tau/tui/width";
import { editLine, SEQUENCES } from "./edit-line.ts";

const INTERRUPT = "\u0003";
const END = "\u0004";
const UP = /^\u001b[[O]A$/;
const DOWN = /^\u001b[[O]B$/;
const KEYS = new RegExp(`${SEQUENCES.source}|\\r\\n|[^]`, "gu");
/** A sequence that the next piece may complete; the key Esc alone is one too, and means nothing. */
const OPEN = /\u001b(?:\[[0-?]*[ -/]*|O)?$/;

export interface LineHeard {
  /** `rest`: what came with it and is more than the line. */
  line(line: string, rest: string): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** Ctrl-D on an empty line, or there is no keyboard any more. */
  end(): void;
}

export interface LineReaderOptions {
  /** Stands before the line. */
  prompt: string;
  /** What Up brings back, the last one first. */
  history?: readonly string[];
  heard: LineHeard;
}

export class LineReader implements Disposable {
  readonly #options: LineReaderOptions;
  readonly #decoder = new TextDecoder();
  #line = "";
  #held = "";
  /** The place in the history; the draft is before its first. */
  #at = -1;
  #draft = "";
  #isOpen = true;

  constructor(options: LineReaderOptions) {
    this.#options = options;
    const { stdin } = process;
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on("data", this.#onData);
    stdin.once("end", this.#onEnd);
    stdin.resume();
    this.draw();
  }

  get line(): string {
    return this.#line;
  }

  /** From now on it is this. */
  set(line: string): void {
    this.#change(line);
  }

  /** Once more, from the margin. */
  draw(): void {
    process.stdout.write(`${this.#options.prompt}${this.#line}`);
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { stdin } = process;
    stdin.off("data", this.#onData);
    stdin.off("end", this.#onEnd);
    stdin.pause();
    if (stdin.isTTY) stdin.setRawMode(false);
  }

  readonly #onData = (bytes: Uint8Array | string): void => {
    const text =
      this.#held +
      (typeof bytes === "string" ? bytes : this.#decoder.decode(bytes, { stream: true }));
    const whole = text.replace(OPEN, "");
    this.#held = text.slice(whole.length);
    for (const { 0: key, index } of whole.matchAll(KEYS)) {
      if (!this.#isOpen) return;
      if (key.startsWith("\r") || key === "\n") {
        return this.#take(whole.slice(index + key.length) + this.#held);
      }
      this.#press(key);
    }
  };

  readonly #onEnd = (): void => this.#options.heard.end();

  #take(rest: string): void {
    process.stdout.write("\n");
    this[Symbol.dispose]();
    this.#options.heard.line(this.#line, rest);
  }

  #press(key: string): void {
    const { heard } = this.#options;
    if (key === INTERRUPT) return heard.interrupt();
    if (key === END) return this.#line === "" ? heard.end() : undefined;
    if (UP.test(key)) return this.#recall(this.#at + 1);
    if (DOWN.test(key)) return this.#recall(this.#at - 1);
    if (!key.startsWith("\u001b")) this.#change(editLine(this.#line, key));
  }

  #recall(at: number): void {
    const { history = [] } = this.#options;
    if (at < -1 || at >= history.length) return;
    if (this.#at === -1) this.#draft = this.#line;
    this.#at = at;
    this.#change(at === -1 ? this.#draft : history[at]!);
  }

  #change(line: string): void {
    const before = this.#line;
    this.#line = line;
    if (line.startsWith(before)) {
      process.stdout.write(line.slice(before.length));
      return;
    }
    const kept = before.startsWith(line) ? line : "";
    const gone = before.slice(kept.length);
    if (this.#isOneRow(before)) {
      process.stdout.write("\b \b".repeat(displayWidth(gone)) + line.slice(kept.length));
      return;
    }
    process.stdout.write("\n");
    this.draw();
  }

  #isOneRow(line: string): boolean {
    const columns = process.stdout.columns ?? DEFAULT_COLUMNS;
    return !line.includes("\t") && displayWidth(this.#options.prompt + line) < columns;
  }
}

const DEFAULT_COLUMNS = 80;
