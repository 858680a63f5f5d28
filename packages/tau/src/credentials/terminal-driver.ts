// A login on a terminal: addresses and codes are printed, questions asked, a browser opened
// where there is one. Everything goes to standard error, so that standard output stays the
// command's own.

import type { Environment } from "@tau/ai/environment";
import type { LoginDriver, LoopbackListener, LoopbackOptions } from "@tau/ai/oauth/oauth";
import { styleFor, type Style } from "../base/style.ts";
import { askLine, type AskOptions, type Terminal } from "./ask-line.ts";
import { listenOnLoopback } from "./loopback-listener.ts";
import { openBrowser } from "./open-browser.ts";

export interface TerminalDriverOptions {
  env: Environment;
  platform?: NodeJS.Platform;
  terminal?: Terminal;
  /** Takes every question back. */
  signal?: AbortSignal;
}

export class TerminalDriver implements LoginDriver {
  readonly #env: Environment;
  readonly #platform: NodeJS.Platform;
  readonly #terminal: Terminal;
  readonly #style: Style;
  readonly #signal: AbortSignal | undefined;

  constructor(options: TerminalDriverOptions) {
    this.#env = options.env;
    this.#platform = options.platform ?? process.platform;
    this.#terminal = options.terminal ?? { input: process.stdin, output: process.stderr };
    this.#signal = options.signal;
    this.#style = styleFor(this.#terminal.output, this.#env);
  }

  open(url: string, instructions: string): void {
    // Alone on its line and never wrapped by us, so that it can be copied whole.
    this.#write(`${printable(instructions)}\n\n${this.#style.accent(printable(url))}\n\n`);
    openBrowser(url, { platform: this.#platform, env: this.#env });
  }

  showCode(code: string, url: string): void {
    const { accent, bold } = this.#style;
    this.#write(`Go to ${accent(printable(url))}\nand enter  ${bold(printable(code))}\n\n`);
    openBrowser(url, { platform: this.#platform, env: this.#env });
  }

  ask(question: string, { secret, signal }: AskOptions): Promise<string> {
    const signals = [signal, this.#signal].filter((each) => each !== undefined);
    return askLine(question, { secret, signal: AbortSignal.any(signals) }, this.#terminal);
  }

  async listen(options: LoopbackOptions): Promise<LoopbackListener> {
    return listenOnLoopback(options);
  }

  progress(text: string): void {
    this.#write(`${this.#style.dim(text)}\n`);
  }

  say(text: string): void {
    this.#write(`${printable(text)}\n`);
  }

  #write(text: string): void {
    this.#terminal.output.write(text);
  }
}

/** What a vendor sends must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, "");
}
