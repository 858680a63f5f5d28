// What lies over the prompt: screens one on another, and the question that is put, which is not a
// screen among them but stands over all of them or waits as a strip. Who gets a key is decided
// here, for the prompt and for every screen alike; the rule is the guard's.

import type { Component, FocusableComponent, Rendered } from "@tau/tui/component";
import { typedText } from "@tau/tui/components/selection-actions";
import type { KeyInput } from "@tau/tui/key-input";
import { ChordMatcher } from "@tau/tui/keys/chord-matcher";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import { compose, type Window } from "@tau/tui/screen/overlay";
import type { Theme } from "@tau/tui/theme/theme";
import type { GuardClock } from "./guard-clock.ts";
import { ANSWER_ACTION, QUESTION_CONTEXT } from "./question-actions.ts";
import {
  QuestionGuard,
  type KeyMeaning,
  type Moment,
  type OpenedBy,
  type Standing,
  type Step,
} from "./question-guard.ts";
import { QuestionStrip, type Strip } from "./question-strip.ts";
import type { AskOptions, Close, GuardedQuestion, ShowOptions, Turn } from "./stage.ts";

export interface OverlaysOptions {
  theme: Theme;
  bindings(): KeyBindings;
  /** Of the terminal. */
  size(): { columns: number; rows: number };
  requestRender(): void;
  clock: GuardClock;
  /** Where keys go that no screen and no question takes. */
  prompt: {
    handleKey(input: KeyInput): void;
    /** There is a draft in it, or somebody works on one elsewhere. */
    isInUse(): boolean;
  };
}

interface Shown {
  component: FocusableComponent;
  keys: "own" | "all";
  cancel(): void;
}

interface Asked {
  component: GuardedQuestion;
  openedBy: OpenedBy;
  cancel(): void;
}

export class Overlays implements Component {
  readonly state = "live";
  /** For the place above the prompt; empty while a screen has it. */
  readonly strip: QuestionStrip;
  readonly #options: OverlaysOptions;
  readonly #stripBelow: QuestionStrip;
  readonly #shown: Shown[] = [];
  readonly #asked: Asked[] = [];
  /** Since the last time that none was asked. */
  #answered = 0;
  /** The first that is asked, and what guards it. */
  #guarded: Asked | undefined;
  #guard: QuestionGuard | undefined;
  #claimKey: { bindings: KeyBindings; matcher: ChordMatcher } | undefined;
  #lastKey = Number.NEGATIVE_INFINITY;
  #callOff: (() => void) | undefined;

  constructor(options: OverlaysOptions) {
    this.#options = options;
    const { theme } = options;
    const isCovered = (): boolean => this.#shown.length > 0;
    this.strip = new QuestionStrip(theme, () => (isCovered() ? undefined : this.#waiting));
    this.#stripBelow = new QuestionStrip(theme, () => (isCovered() ? this.#waiting : undefined));
  }

  /** Something lies over the prompt. */
  get isCovered(): boolean {
    return this.#shown.length > 0 || this.#box !== undefined;
  }

  /** What a screen has: the terminal without the strip. */
  get size(): { columns: number; rows: number } {
    const { columns, rows } = this.#options.size();
    return { columns, rows: Math.max(1, rows - this.#stripBelow.height(columns)) };
  }

  show<T>(
    open: (close: Close<T>) => FocusableComponent,
    { signal, keys = "own" }: ShowOptions = {},
  ): Promise<T | undefined> {
    const now = this.#options.clock.now();
    return this.#lay<T, Shown>(this.#shown, signal, (close) => {
      const component = open(close);
      // What was in view is covered now: nobody answers it by going on.
      this.#run(this.#guard?.startOver(now) ?? []);
      return { overlay: { component, keys, cancel: () => close() }, at: this.#shown.length };
    });
  }

  ask<T>(
    open: (close: Close<T>, standing: () => Standing, turn: () => Turn) => GuardedQuestion,
    { signal, openedBy = "itself" }: AskOptions = {},
  ): Promise<T | undefined> {
    return this.#lay<T, Asked>(this.#asked, signal, (close) => {
      let overlay: Asked | undefined;
      const standing = (): Standing =>
        this.#guarded === overlay ? (this.#guard?.standing ?? "waiting") : "waiting";
      // A letter that has led to an answer is not typed anywhere else.
      const answer = (value?: T): void => {
        if (this.#guarded === overlay) this.#guard?.spend();
        close(value);
      };
      overlay = {
        component: open(answer, standing, () => this.#turn),
        openedBy,
        cancel: () => answer(),
      };
      return { overlay, at: openedBy === "person" ? 0 : this.#asked.length };
    });
  }

  /** The person was away from the terminal, or it from them: a rest meanwhile was none. */
  restAgain(): void {
    this.#lastKey = this.#options.clock.now();
    this.#guard?.restAgain(this.#lastKey);
    this.#update();
  }

  handleKey(input: KeyInput): void {
    const { now } = this.#options.clock;
    this.#update();
    this.#lastKey = now();
    const guard = this.#guard;
    if (!guard) return this.#toField(input);
    const meaning = this.#meaningOf(input);
    if (meaning !== "chord") this.#run(guard.press(input, meaning, this.#lastKey));
    this.#update();
  }

  render(columns: number): Rendered {
    const { rows: height } = this.#options.size();
    const strip = this.#stripBelow.render(columns).rows;
    const size = { columns, rows: Math.max(1, height - strip.length) };
    const box = this.#box;
    const bare: Window = { rows: [] };
    const { rows, caret } = [...this.#shown, ...(box ? [box] : [])].reduce(
      (window, { component }) => compose(window, { component }, size),
      bare,
    );
    if (box?.component.isWhole) this.#guard?.painted(this.#options.clock.now());
    // Only now it is known since when it has been in view.
    this.#schedule();
    return { rows: [...rows, ...strip], stableRows: 0, caret };
  }

  #lay<T, L extends Shown | Asked>(
    overlays: L[],
    signal: AbortSignal | undefined,
    open: (close: Close<T>) => { overlay: L; at: number },
  ): Promise<T | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    let laid: L | undefined;
    let isClosed = false;
    // At once, and not when somebody hears of it: the next key is for what lies beneath.
    const close = (answer?: T): void => {
      if (isClosed) return;
      isClosed = true;
      signal?.removeEventListener("abort", cancel);
      if (laid) overlays.splice(overlays.indexOf(laid), 1);
      if (overlays === this.#asked) this.#answered = overlays.length === 0 ? 0 : this.#answered + 1;
      resolve(answer);
      this.#update();
    };
    const cancel = (): void => close();
    const { overlay, at } = open(close);
    if (isClosed) return promise;
    laid = overlay;
    overlays.splice(at, 0, overlay);
    signal?.addEventListener("abort", cancel, { once: true });
    this.#update();
    return promise;
  }

  /** The question in full view. */
  get #box(): Asked | undefined {
    return this.#guard && this.#guard.standing !== "waiting" ? this.#asked[0] : undefined;
  }

  get #waiting(): Strip | undefined {
    const [first, ...others] = this.#asked;
    if (!first || this.#guard?.standing !== "waiting") return undefined;
    const { asks, about } = first.component.brief;
    const { at, of } = this.#turn;
    const more = others.length === 0 ? "" : ` (${at} of ${of})`;
    return { asks, about, how: this.#how + more };
  }

  /** Of the first. */
  get #turn(): Turn {
    return { at: this.#answered + 1, of: this.#answered + this.#asked.length };
  }

  get #how(): string {
    if (this.#hasAllKeys) return "waits for the program to end";
    const key = this.#options.bindings().hint(ANSWER_ACTION);
    return key === undefined ? "waits until you finish here" : `${key} answers`;
  }

  get #hasAllKeys(): boolean {
    return this.#shown.at(-1)?.keys === "all";
  }

  get #moment(): Moment {
    const isInUse = this.#shown.length > 0 || this.#options.prompt.isInUse();
    return { now: this.#options.clock.now(), isInUse };
  }

  /** Brings everything in line with what is open and what time it is. */
  #update(): void {
    this.#follow();
    this.#run(this.#guard?.tick(this.#moment) ?? []);
    if (this.#guard?.isPassedBy) this.#asked[0]?.cancel();
    this.#schedule();
    this.#options.requestRender();
  }

  /** The guard is that of the first question, and each begins with one of its own. */
  #follow(): void {
    const first = this.#asked[0];
    if (first === this.#guarded) return;
    const steps = this.#guard?.startOver(this.#lastKey) ?? [];
    this.#guarded = first;
    this.#guard = first && new QuestionGuard({ openedBy: first.openedBy, lastKey: this.#lastKey });
    this.#run(steps);
  }

  #run(steps: readonly Step[]): void {
    const component = this.#asked[0]?.component;
    for (const step of steps) {
      switch (step.to) {
        case "field":
          this.#toField(step.input);
          break;
        case "question":
          this.#toQuestion(step.input);
          break;
        case "begin":
          component?.begin();
          break;
        case "mark":
          component?.mark?.(letterOf(step.input));
          break;
        case "settle":
          component?.settle?.();
          break;
      }
    }
  }

  #toQuestion(input: KeyInput): void {
    const first = this.#asked[0];
    if (!first || first.component.handleKey(input)) return;
    if (isCancel(input)) first.cancel();
    else this.#run(this.#guard?.typed(input, this.#lastKey) ?? []);
  }

  #toField(input: KeyInput): void {
    const top = this.#shown.at(-1);
    if (!top) this.#options.prompt.handleKey(input);
    else if (!top.component.handleKey(input) && isCancel(input)) top.cancel();
  }

  #meaningOf(input: KeyInput): KeyMeaning | "chord" {
    if (input.type === "paste") return "typing";
    const match = this.#hasAllKeys ? undefined : this.#matcher.press([QUESTION_CONTEXT], input);
    if (match?.kind === "action") return "claim";
    if (match && match.kind !== "none") return "chord";
    if (isCancel(input)) return "cancel";
    if (typedText(input) === "") return "key";
    return this.#asked[0]?.component.letterMeaning?.(letterOf(input)) ?? "typing";
  }

  get #matcher(): ChordMatcher {
    const bindings = this.#options.bindings();
    if (this.#claimKey?.bindings !== bindings) {
      this.#claimKey = { bindings, matcher: new ChordMatcher(bindings) };
    }
    return this.#claimKey.matcher;
  }

  #schedule(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const next = this.#guard?.nextChange;
    if (next === undefined) return;
    const { now, after } = this.#options.clock;
    this.#callOff = after(Math.max(0, next - now()), () => this.#update());
  }
}

const letterOf = (input: KeyInput): string =>
  input.type === "key" ? typedText(input).toLowerCase() : "";

function isCancel(input: KeyInput): boolean {
  if (input.type !== "key") return false;
  return input.key === "escape" || (input.ctrl && input.key === "c");
}
