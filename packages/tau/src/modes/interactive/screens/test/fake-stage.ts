// A stage without a terminal: what is shown on it is rendered on demand, keys are pressed by
// their names, and time passes when a test says so. Who gets a key is decided as in the program.

import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import type { FocusableComponent } from "@tau/tui/component";
import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { EDITOR_ACTIONS } from "@tau/tui/editor/editor-actions";
import type { KeyInput, KeyPress } from "@tau/tui/key-input";
import { KeyBindings, type Remaps } from "@tau/tui/keys/key-bindings";
import { parseChord } from "@tau/tui/keys/key-stroke";
import type { Theme } from "@tau/tui/theme/theme";
import { Overlays } from "../../overlays.ts";
import { QUESTION_ACTIONS } from "../../question-actions.ts";
import { ARM_MS, type Standing } from "../../question-guard.ts";
import type {
  AskOptions,
  Close,
  GuardedQuestion,
  NoteTone,
  ShowOptions,
  Stage,
  Turn,
} from "../../stage.ts";
import { SCREEN_ACTIONS } from "../screen-actions.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface FakeStageOptions {
  columns?: number;
  rows?: number;
  theme?: Theme;
  remaps?: Remaps;
  prompt?: { handleKey(input: KeyInput): void; isInUse(): boolean };
}

/** Nothing is typed there, and nothing can be. */
const NO_PROMPT = { handleKey: (): void => {}, isInUse: () => false };
/** As on a terminal, a change is painted a little later. */
const FRAME_MS = 16;

export class FakeStage implements Stage {
  readonly theme: Theme;
  readonly bindings: KeyBindings;
  readonly notes: { text: string; tone: NoteTone }[] = [];
  size: { columns: number; rows: number };
  renders = 0;
  /** What was painted last. */
  frame: readonly string[] = [];
  readonly clock = new VirtualClock();
  readonly #overlays: Overlays;
  #isPainting = false;
  /** What is shown, in the order in which it was; questions among it. */
  readonly #open: FocusableComponent[] = [];

  constructor({
    columns = 80,
    rows = 24,
    theme = colourlessTheme(),
    remaps,
    prompt = NO_PROMPT,
  }: FakeStageOptions = {}) {
    this.theme = theme;
    this.bindings = new KeyBindings(
      [...EDITOR_ACTIONS, ...SELECTION_ACTIONS, ...SCREEN_ACTIONS, ...QUESTION_ACTIONS],
      remaps,
    );
    this.size = { columns, rows };
    this.#overlays = new Overlays({
      theme: this.theme,
      bindings: () => this.bindings,
      size: () => this.size,
      requestRender: () => this.requestRender(),
      clock: this.clock,
      prompt,
    });
  }

  readonly requestRender = (): void => {
    this.renders += 1;
    if (this.#isPainting) return;
    this.#isPainting = true;
    this.clock.after(FRAME_MS, () => {
      this.#isPainting = false;
      this.frame = this.window();
    });
  };

  /** Time passes, and what waits for it happens. */
  wait(milliseconds: number): void {
    this.clock.pass(milliseconds);
  }

  /** Long enough for a question to open, and to take an answer. */
  rest(): void {
    this.wait(ARM_MS + 4 * FRAME_MS);
  }

  /** The person comes back from another window. */
  restAgain(): void {
    this.#overlays.restAgain();
  }

  /** All rows over the prompt, the strip above it included. */
  window(): readonly string[] {
    const { columns } = this.size;
    return [
      ...this.#overlays.strip.render(columns).rows,
      ...(this.#overlays.isCovered ? this.#overlays.render(columns).rows : []),
    ];
  }

  show<T>(
    open: (close: Close<T>) => FocusableComponent,
    options?: ShowOptions,
  ): Promise<T | undefined> {
    const tracked = this.#track();
    const answer = this.#overlays.show<T>(
      (close) => tracked.add(open((value) => (tracked.remove(), close(value)))),
      options,
    );
    return answer.finally(tracked.remove);
  }

  ask<T>(
    open: (close: Close<T>, standing: () => Standing, turn: () => Turn) => GuardedQuestion,
    options?: AskOptions,
  ): Promise<T | undefined> {
    const tracked = this.#track();
    const answer = this.#overlays.ask<T>(
      (close, standing, turn) =>
        tracked.add(open((value) => (tracked.remove(), close(value)), standing, turn)),
      options,
    );
    return answer.finally(tracked.remove);
  }

  /** Knows of an overlay for as long as it is open. */
  #track() {
    let mine: FocusableComponent | undefined;
    return {
      add: <C extends FocusableComponent>(component: C): C => {
        mine = component;
        this.#open.push(component);
        return component;
      },
      remove: (): void => {
        if (mine) this.#open.splice(this.#open.indexOf(mine), 1);
        mine = undefined;
      },
    };
  }

  note(text: string, tone: NoteTone = "plain"): void {
    this.notes.push({ text, tone });
  }

  /** What is on top can let something happen. */
  get isQuestion(): boolean {
    const top = this.#open.at(-1);
    return top !== undefined && "brief" in top;
  }

  get depth(): number {
    return this.#open.length;
  }

  /** The rows of what is on top. */
  rows(columns: number = this.size.columns): readonly string[] {
    return this.#top.render(columns).rows;
  }

  get caret(): { row: number; column: number } | undefined {
    return this.#top.render(this.size.columns).caret;
  }

  /** For snapshots: without the blank rows at the end. */
  picture(columns?: number): string {
    return `\n${this.rows(columns)
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd()}\n`;
  }

  /** Keys by their names: `Down`, `Ctrl+R`, `Shift+L`. */
  press(...keys: readonly string[]): void {
    for (const key of keys) {
      const reading = parseChord(key);
      if (!reading.ok) throw new Error(reading.why);
      for (const stroke of reading.chord) this.send(pressOf(stroke));
    }
  }

  type(text: string): void {
    for (const character of text) {
      const isUpper = character !== character.toLowerCase();
      const key = character === " " ? "space" : character.toLowerCase();
      this.send({ ...PLAIN, key, text: character, shift: isUpper });
    }
  }

  paste(text: string): void {
    this.send({ type: "paste", text });
  }

  send(input: KeyInput): void {
    this.#overlays.handleKey(input);
  }

  get #top(): FocusableComponent {
    const shown = this.#open.at(-1);
    if (!shown) throw new Error("Nothing is shown.");
    return shown;
  }
}

const PLAIN: KeyPress = {
  type: "key",
  key: "",
  text: "",
  ctrl: false,
  alt: false,
  shift: false,
  meta: false,
};

/** The press that a stroke stands for. */
export function pressOf(stroke: string): KeyPress {
  const parts = stroke.split("+");
  const name = parts.pop()!;
  const held = { ctrl: false, alt: false, shift: false, meta: false };
  for (const part of parts) held[part as keyof typeof held] = true;
  const isChord = held.ctrl || held.alt || held.meta;
  const typed = name === "space" ? " " : [...name].length === 1 ? name : "";
  const text = isChord ? "" : held.shift ? typed.toUpperCase() : typed;
  return { ...PLAIN, ...held, key: name, text };
}

/** Lets what goes on behind a screen come to its end. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
