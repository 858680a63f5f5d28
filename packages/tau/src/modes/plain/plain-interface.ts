// What extensions can ask and show at a terminal that can only print: questions are lines with a line for
// the answer, notices are lines, and there is no place for anything that stays. One thing is asked at a
// time, and never while a prompt is being typed.

import { cleanLine, cleanLines } from "@tau/tui/components/clean-text";
import { PRODUCT } from "../../brand.ts";
import {
  NOBODY,
  withdrawalOf,
  type NoticeTone,
  type QuestionOptions,
  type Sender,
  type UserInterface,
} from "../../feature-api/user-interface.ts";
import { senderName, withSender } from "../../feature-api/sender.ts";
import { askAsTyped, type Asking } from "./ask-line.ts";
import type { Keyboard } from "./keyboard.ts";

/** More than anybody reads before they answer. */
const MAX_LINES = 60;

export class PlainInterface implements UserInterface {
  readonly front = "plain";
  readonly canAsk = true;
  readonly canDraw = false;
  readonly theme = undefined;
  readonly draft = "";
  readonly editText = NOBODY.editText;
  readonly setStatus = NOBODY.setStatus;
  readonly setWidget = NOBODY.setWidget;
  readonly setTitle = NOBODY.setTitle;
  readonly setWorking = NOBODY.setWorking;
  readonly setDraft = NOBODY.setDraft;
  readonly show = NOBODY.show;
  readonly #asking: Asking;
  #keyboard: Keyboard | undefined;
  #write = (text: string): void => void process.stdout.write(text);
  #last: Promise<unknown> = Promise.resolve();
  /** Makes room for a question: nothing is drawn over it. */
  clear = (): void => {};

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** There is a conversation: its keyboard rests while somebody answers. */
  begin(keyboard: Keyboard, write: (text: string) => void): void {
    this.#keyboard = keyboard;
    this.#write = write;
  }

  /** One reads from the terminal after the other; undefined if it was withdrawn before its turn came. */
  async inTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    const before = this.#last;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => done);
    try {
      await (signal ? Promise.race([before, aborted(signal)]) : before);
      return signal?.aborted ? undefined : await work();
    } finally {
      resolve();
    }
  }

  async select(...[title, choices, options = {}]: Parameters<UserInterface["select"]>) {
    const lines = choices.map(({ value, label = value, description }, at) =>
      cleanLine(`${at + 1}. ${label}${description === undefined ? "" : `: ${description}`}`),
    );
    const prompt = "Which one? Its number, or Enter for none:";
    const word = await this.#ask(`${title}\n${lines.join("\n")}`, prompt, options);
    return choices.find(({ value }, at) => word === String(at + 1) || word === value)?.value;
  }

  async confirm(...[title, message, options]: Parameters<UserInterface["confirm"]>) {
    const word = await this.#ask(`${title}\n${message}`, "yes, no (Enter):", options);
    return word?.toLowerCase() === "yes";
  }

  async questions(...[posed, options = {}]: Parameters<UserInterface["questions"]>) {
    const { askQuestions } = await import("./ask-questions.ts");
    const { pickWithinMs, from = PRODUCT } = options;
    return askQuestions(posed, async ({ about, prompt }) => {
      const late = withdrawalOf({ timeoutMs: pickWithinMs });
      const line = await this.#ask(about, prompt, { ...options, from }, late);
      if (line !== undefined) return { line };
      return late?.aborted && !options.signal?.aborted ? "late" : undefined;
    });
  }

  async input(...[title, options = {}]: Parameters<UserInterface["input"]>) {
    const { placeholder, initial } = options;
    const hint = initial ?? placeholder;
    const shown = hint === undefined || hint === "" ? "" : ` (${cleanLine(hint)})`;
    const words = await this.#ask(title, `Your answer${shown}:`, options);
    return words === "" ? initial : words;
  }

  notify(text: string, tone: NoticeTone = "info", { from }: Sender = {}): void {
    const { style } = this.#asking;
    const paint = tone === "error" ? style.error : style.dim;
    this.#write(
      cleanLines(withSender(text, from))
        .slice(0, MAX_LINES)
        .map((line) => `${paint(line)}\n`)
        .join(""),
    );
  }

  async #ask(
    about: string,
    prompt: string,
    options: QuestionOptions = {},
    late?: AbortSignal,
  ): Promise<string | undefined> {
    const signal = withdrawalOf(options);
    const { style } = this.#asking;
    const [head = "", ...rest] = cleanLines(about.trim()).slice(0, MAX_LINES);
    const asks = style.dim(`${senderName(options.from)} asks:`);
    const text = [`${asks} ${style.bold(head)}`, ...rest.map((line) => `  ${line}`)].join("\n");
    const question = { text: `${text}\n`, prompt };
    const ask = () => {
      this.clear();
      return askAsTyped(question, { ...this.#asking, signal, late });
    };
    return this.inTurn(() => this.#keyboard?.resting(ask) ?? ask(), signal);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
