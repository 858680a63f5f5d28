// What an extension draws, made harmless: rows that fit and only colour, whatever came back; and if it
// throws, or keeps the screen waiting again and again, it is over and its owner is told.

import type { Component, FocusableComponent, Rendered } from "@tau/tui/component";
import type { KeyInput } from "@tau/tui/key-input";
import { clampRow } from "@tau/tui/width";

/** Longer than this is felt at the keyboard. */
const SLOW_MS = 100;
/** The first drawings load what they need; one that stays slow holds up everybody else. */
const MAX_SLOW_DRAWINGS = 5;
/** Nobody waits so long for a frame twice. */
const UNBEARABLE_MS = 1_000;
/** More than any screen has; what is longer is cut before it is looked at. */
const MAX_ROWS = 500;
/** Of one row, before it is cut to the columns there are: colours make rows longer than they look. */
const MAX_ROW_CHARS = 10_000;

const NOTHING: Rendered = { rows: [], stableRows: 0 };

/** It took so long that it was taken away. */
class TooSlow extends Error {
  override readonly name = "TooSlow";
}

export class GuardedDrawing implements Component, Disposable {
  readonly state = "live";
  readonly #component: Component & Partial<Disposable>;
  readonly #failed: (error: unknown) => void;
  #slow = 0;
  #isOver = false;

  /** `failed` is called once; nothing more is asked of the component then. */
  constructor(component: Component & Partial<Disposable>, failed: (error: unknown) => void) {
    if (typeof component?.render !== "function") {
      throw new TypeError("what is to be drawn has no function render");
    }
    this.#component = component;
    this.#failed = failed;
  }

  render(columns: number): Rendered {
    return this.attempt(() => this.#timed(columns)) ?? NOTHING;
  }

  /** Undefined if it fails, or has failed before. */
  protected attempt<T>(work: () => T): T | undefined {
    if (this.#isOver) return undefined;
    try {
      return work();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.attempt(() => this.#component[Symbol.dispose]?.());
    this.#isOver = true;
  }

  #timed(columns: number): Rendered {
    const started = performance.now();
    const drawn = soundDrawing(this.#component.render(columns), columns);
    const took = performance.now() - started;
    if (took > SLOW_MS) this.#slow++;
    if (took > UNBEARABLE_MS || this.#slow > MAX_SLOW_DRAWINGS) {
      throw new TooSlow(`drawing it takes ${Math.round(took)} ms; it is taken away`);
    }
    return drawn;
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    // Never in the middle of a frame: whoever hears of it draws something himself.
    queueMicrotask(() => this.#failed(error));
  }
}

/** With keys. Ctrl+C always leads out, whatever it does with its keys. */
export class GuardedScreen extends GuardedDrawing implements FocusableComponent {
  readonly #screen: FocusableComponent & Partial<Disposable>;
  readonly #leave: () => void;

  constructor(
    screen: FocusableComponent & Partial<Disposable>,
    { failed, leave }: { failed: (error: unknown) => void; leave: () => void },
  ) {
    super(screen, failed);
    this.#screen = screen;
    this.#leave = leave;
  }

  handleKey(input: KeyInput): boolean {
    if (input.type === "key" && input.ctrl && input.key === "c") {
      this.#leave();
      return true;
    }
    return this.attempt(() => this.#screen.handleKey?.(input) === true) ?? false;
  }
}

/** Rows of strings, each of one line and no wider than there is room. */
export function soundRows(given: unknown, columns: number): string[] {
  if (!Array.isArray(given)) throw new TypeError("what was drawn is not a list of rows");
  return given.slice(0, MAX_ROWS).map((row: unknown) =>
    clampRow(
      String(row)
        .slice(0, MAX_ROW_CHARS)
        .replace(/[\r\n]+/g, " "),
      columns,
    ),
  );
}

function soundDrawing(given: Rendered | undefined, columns: number): Rendered {
  const rows = soundRows(given?.rows, columns);
  const { row, column } = given?.caret ?? {};
  const isInside = isPlace(row, rows.length) && isPlace(column, columns);
  return { rows, stableRows: 0, caret: isInside ? { row, column } : undefined };
}

function isPlace(value: number | undefined, end: number): value is number {
  return Number.isInteger(value) && value! >= 0 && value! < end;
}
