// Questions to the terminal and their answers. Each question has an owner who waits in line;
// an answer goes to the first who asked for its kind. After the questions goes one that every
// terminal answers (DA1): when that answer comes, whoever is still waiting before it learns
// that the terminal does not know. No answer, known or not, late or not, is ever a key.

import type { CaretPlace } from "../component.ts";

export type Question =
  | { kind: "kitty-keyboard" }
  | { kind: "foreground" }
  | { kind: "background" }
  | { kind: "cell-size" }
  | { kind: "cursor" }
  | { kind: "graphics" }
  | { kind: "mode"; mode: number };

/** Channels from 0 to 1. */
export interface Color {
  red: number;
  green: number;
  blue: number;
}

export type Answer =
  | { kind: "kitty-keyboard"; flags: number }
  | { kind: "foreground"; color: Color }
  | { kind: "background"; color: Color }
  | { kind: "cell-size"; width: number; height: number }
  | { kind: "cursor"; place: CaretPlace }
  | { kind: "graphics"; supported: boolean }
  | { kind: "mode"; mode: number; state: "set" | "reset" | "unknown" }
  | { kind: "attributes"; parameters: readonly number[] };

export type AnswerOf<K extends Question["kind"]> = Extract<Answer, { kind: K }>;

type Owner =
  | { kind: Question["kind"]; mode?: number; settle: (answer: Answer | undefined) => void }
  | { kind: "sentinel"; settle: (answer: Answer | undefined) => void };

const SENTINEL_QUERY = "\x1b[c";
// Over a slow line an answer takes a second; without one the features stay at their defaults.
const ANSWER_TIMEOUT_MS = 2_000;

export class Probes {
  readonly #write: (bytes: string) => void;
  readonly #timeoutMs: number;
  #owners: Owner[] = [];

  constructor(write: (bytes: string) => void, timeoutMs = ANSWER_TIMEOUT_MS) {
    this.#write = write;
    this.#timeoutMs = timeoutMs;
  }

  get outstanding(): boolean {
    return this.#owners.length > 0;
  }

  /** Undefined where the terminal does not answer. */
  async ask<Q extends Question>(question: Q): Promise<AnswerOf<Q["kind"]> | undefined> {
    const [answer] = await this.askAll([question]);
    return answer as AnswerOf<Q["kind"]> | undefined;
  }

  /** The answers in the order of the questions. */
  askAll(questions: readonly Question[]): Promise<(Answer | undefined)[]> {
    const waits = questions.map((question) => this.#own(question));
    const sentinel = Promise.withResolvers<void>();
    const own: Owner = { kind: "sentinel", settle: () => sentinel.resolve() };
    this.#owners.push(own);
    this.#write(questions.map(queryOf).join("") + SENTINEL_QUERY);
    const timer = setTimeout(() => this.#release(own), this.#timeoutMs);
    timer.unref();
    return Promise.all(waits).finally(() => clearTimeout(timer));
  }

  /** True where the sequence was an answer of the terminal, whether somebody waited or not. */
  take(sequence: string): boolean {
    const answer = parseAnswer(sequence, this.#waitsFor("cursor"));
    if (!answer) return false;
    if (answer === "unknown") return true;
    if (answer.kind === "attributes") {
      const sentinel = this.#owners.find((owner) => owner.kind === "sentinel");
      if (sentinel) this.#release(sentinel);
      return true;
    }
    const owner = this.#owners.find(
      (owner) =>
        owner.kind === answer.kind &&
        (answer.kind !== "mode" || ("mode" in owner && owner.mode === answer.mode)),
    );
    if (owner) {
      this.#owners = this.#owners.filter((other) => other !== owner);
      owner.settle(answer);
    }
    return true;
  }

  /** Nobody will answer any more. */
  end(): void {
    const owners = this.#owners;
    this.#owners = [];
    for (const owner of owners) owner.settle(undefined);
  }

  #waitsFor(kind: Question["kind"]): boolean {
    return this.#owners.some((owner) => owner.kind === kind);
  }

  #own(question: Question): Promise<Answer | undefined> {
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const mode = question.kind === "mode" ? question.mode : undefined;
    this.#owners.push({ kind: question.kind, mode, settle: resolve });
    return promise;
  }

  /** Everybody in line up to this sentinel has waited long enough. */
  #release(sentinel: Owner): void {
    const at = this.#owners.indexOf(sentinel);
    if (at === -1) return;
    const released = this.#owners.splice(0, at + 1);
    for (const owner of released) owner.settle(undefined);
  }
}

function queryOf(question: Question): string {
  switch (question.kind) {
    case "kitty-keyboard":
      return "\x1b[?u";
    case "foreground":
      return "\x1b]10;?\x1b\\";
    case "background":
      return "\x1b]11;?\x1b\\";
    case "cell-size":
      return "\x1b[16t";
    case "cursor":
      return "\x1b[6n";
    case "graphics":
      return "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\";
    case "mode":
      return `\x1b[?${question.mode}$p`;
  }
}

const MODE_STATES = ["unknown", "set", "reset", "set", "reset"] as const;

/** "unknown": surely from the terminal, but nothing that is asked for here. */
function parseAnswer(sequence: string, cursorAsked: boolean): Answer | "unknown" | undefined {
  if (/^\u001b[\]P_^X]/.test(sequence) && sequence.length > 2) return parseString(sequence);
  const cursor = /^\u001b\[(\d+);(\d+)R$/.exec(sequence);
  // The same bytes are F3 with a modifier; only who asked can tell.
  if (cursor && cursorAsked) {
    return { kind: "cursor", place: { row: Number(cursor[1]) - 1, column: Number(cursor[2]) - 1 } };
  }
  const cell = /^\u001b\[6;(\d+);(\d+)t$/.exec(sequence);
  if (cell) return { kind: "cell-size", height: Number(cell[1]), width: Number(cell[2]) };
  if (!/^\u001b\[(\?|>|=|\d*;?[\d;]*t$)/.test(sequence)) return undefined;
  const kitty = /^\u001b\[\?(\d*)u$/.exec(sequence);
  if (kitty) return { kind: "kitty-keyboard", flags: Number(kitty[1]) };
  const attributes = /^\u001b\[\?([\d;]*)c$/.exec(sequence);
  if (attributes) {
    return { kind: "attributes", parameters: attributes[1]!.split(";").map(Number) };
  }
  const mode = /^\u001b\[\?(\d+);(\d+)\$y$/.exec(sequence);
  if (!mode) return "unknown";
  const state = MODE_STATES[Number(mode[2])] ?? "unknown";
  return { kind: "mode", mode: Number(mode[1]), state };
}

function parseString(sequence: string): Answer | "unknown" {
  const color = /^\u001b\](10|11);rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(sequence);
  if (color) {
    const [red, green, blue] = color.slice(2, 5).map(channel) as [number, number, number];
    const kind = color[1] === "10" ? "foreground" : "background";
    return { kind, color: { red, green, blue } };
  }
  const graphics = /^\u001b_Gi=31;(.*)\u001b\\$/.exec(sequence);
  return graphics ? { kind: "graphics", supported: graphics[1] === "OK" } : "unknown";
}

function channel(hex: string): number {
  return parseInt(hex, 16) / (16 ** hex.length - 1);
}
