// A stage without a terminal: what is shown on it is rendered on demand, and keys are pressed
// by their names. Tests of screens and the gallery of their pictures use it.

import { colourlessTheme } from "@tau/tui/theme/built-in-theme";
import type { FocusableComponent } from "@tau/tui/component";
import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { EDITOR_ACTIONS } from "@tau/tui/editor/editor-actions";
import type { KeyPress } from "@tau/tui/key-input";
import { KeyBindings, type Remaps } from "@tau/tui/keys/key-bindings";
import { parseChord } from "@tau/tui/keys/key-stroke";
import type { Theme } from "@tau/tui/theme/theme";
import type { Close, NoteTone, ShowOptions, Stage } from "../../stage.ts";
import { SCREEN_ACTIONS } from "../screen-actions.ts";

export interface FakeStageOptions {
  columns?: number;
  rows?: number;
  theme?: Theme;
  remaps?: Remaps;
}

export class FakeStage implements Stage {
  readonly theme: Theme;
  readonly bindings: KeyBindings;
  readonly notes: { text: string; tone: NoteTone }[] = [];
  size: { columns: number; rows: number };
  renders = 0;
  readonly #open: { component: FocusableComponent; cancel: () => void }[] = [];

  constructor({
    columns = 80,
    rows = 24,
    theme = colourlessTheme(),
    remaps,
  }: FakeStageOptions = {}) {
    this.theme = theme;
    this.bindings = new KeyBindings(
      [...EDITOR_ACTIONS, ...SELECTION_ACTIONS, ...SCREEN_ACTIONS],
      remaps,
    );
    this.size = { columns, rows };
  }

  requestRender(): void {
    this.renders += 1;
  }

  show<T>(
    open: (close: Close<T>) => FocusableComponent,
    { signal }: ShowOptions = {},
  ): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<T | undefined>();
    const close: Close<T> = (answer) => {
      const at = this.#open.indexOf(shown);
      if (at >= 0) this.#open.splice(at, 1);
      resolve(answer);
    };
    const shown = { component: open(close), cancel: () => close() };
    this.#open.push(shown);
    if (signal?.aborted) close();
    signal?.addEventListener("abort", () => close(), { once: true });
    return promise;
  }

  note(text: string, tone: NoteTone = "plain"): void {
    this.notes.push({ text, tone });
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
      for (const stroke of reading.chord) this.#send(pressOf(stroke));
    }
  }

  type(text: string): void {
    for (const character of text) {
      const isUpper = character !== character.toLowerCase();
      const key = character === " " ? "space" : character.toLowerCase();
      this.#send({ ...PLAIN, key, text: character, shift: isUpper });
    }
  }

  paste(text: string): void {
    this.#top.handleKey({ type: "paste", text });
  }

  get #top(): FocusableComponent {
    const shown = this.#open.at(-1);
    if (!shown) throw new Error("Nothing is shown.");
    return shown.component;
  }

  #send(press: KeyPress): void {
    const shown = this.#open.at(-1);
    if (!shown) throw new Error("Nothing is shown that could take a key.");
    if (shown.component.handleKey(press)) return;
    const isCancel = press.key === "escape" || (press.ctrl && press.key === "c");
    if (isCancel) shown.cancel();
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

function pressOf(stroke: string): KeyPress {
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
