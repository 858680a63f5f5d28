// Keys that extensions bind. Tau's own are never given away, nor is anything that types; of two that want
// the same key the first has it. What is left out is told once, by name.

import type { KeyInput } from "@tau/tui/key-input";
import { COMPLETION_CONTEXT, EDITOR_CONTEXT, SEARCH_CONTEXT } from "@tau/tui/editor/editor-actions";
import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import { parseChord, printChord, strokeOf, type Stroke } from "@tau/tui/keys/key-stroke";
import type { Feature } from "../../feature-api/feature.ts";
import type { Shortcut } from "../../feature-api/shortcut.ts";
import { APP_CONTEXT } from "./app-actions.ts";
import type { AppContext } from "./app-context.ts";
import { QUESTION_CONTEXT } from "./question-actions.ts";

/** Whatever they are bound to: people press them without looking. */
const RESERVED: ReadonlySet<Stroke> = new Set([
  ..."cdzkplotgq".split("").map((letter) => `ctrl+${letter}`),
  "shift+tab",
  "ctrl+shift+p",
  "alt+enter",
  "alt+m",
  "escape",
  "enter",
]);

/** Where a key of Tau's own would be in the way; screens have their keys to themselves. */
const CONTEXTS: ReadonlySet<string> = new Set([
  APP_CONTEXT,
  QUESTION_CONTEXT,
  EDITOR_CONTEXT,
  COMPLETION_CONTEXT,
  SEARCH_CONTEXT,
]);

const FUNCTION_KEY = /^(?:shift\+)?f\d+$/;
const MODIFIED = /^(?:ctrl|alt|meta)\+|\+meta\+/;

export interface BoundShortcut {
  /** As it is printed. */
  readonly keys: string;
  readonly extension: string;
  readonly help: string;
}

interface Bound extends BoundShortcut {
  readonly shortcut: Shortcut;
}

export class ExtensionShortcuts {
  readonly #app: AppContext;
  readonly #told = new Set<string>();
  #bound: ReadonlyMap<Stroke, Bound> = new Map();

  constructor(app: AppContext) {
    this.#app = app;
  }

  get rows(): readonly BoundShortcut[] {
    return [...this.#bound.values()];
  }

  /** From now on those of these features count, and of no others. */
  use(features: readonly Feature[]): void {
    const { surface } = this.#app;
    const { bound, refused } = bind(features, surface.bindings);
    this.#bound = bound;
    for (const notice of refused) {
      if (!this.#told.has(notice)) surface.note(notice, "warning");
      this.#told.add(notice);
    }
  }

  /** False if it is nobody's. */
  press(input: KeyInput): boolean {
    if (input.type !== "key" || this.#bound.size === 0 || !this.#app.isOpen) return false;
    const bound = this.#bound.get(strokeOf(input));
    if (!bound) return false;
    void this.#run(bound);
    return true;
  }

  async #run({ shortcut, extension, keys }: Bound): Promise<void> {
    const { active, cancels, surface } = this.#app;
    const stopping = new AbortController();
    // Once: one that does not listen must not keep Esc from stopping anything else.
    const scope = cancels.push(`stops ${extension}`, () => {
      scope[Symbol.dispose]();
      stopping.abort();
    });
    try {
      await shortcut.run({ session: active.session, signal: stopping.signal });
    } catch (error) {
      if (stopping.signal.aborted) return;
      surface.note(`${extension} failed at ${keys}: ${String(error)}`, "error");
    } finally {
      scope[Symbol.dispose]();
    }
  }
}

function bind(
  features: readonly Feature[],
  bindings: KeyBindings,
): { bound: ReadonlyMap<Stroke, Bound>; refused: readonly string[] } {
  const bound = new Map<Stroke, Bound>();
  const refused: string[] = [];
  for (const { name: extension, shortcuts = [] } of features) {
    for (const shortcut of shortcuts) {
      const reading = parseChord(String(shortcut.key));
      const stroke = reading.ok && reading.chord.length === 1 ? reading.chord[0]! : undefined;
      const keys = stroke === undefined ? String(shortcut.key) : printChord([stroke]);
      const why =
        stroke === undefined
          ? "it is not one key; write one such as ctrl+shift+k"
          : whyNot(stroke, bindings, bound.get(stroke)?.extension);
      if (why === undefined) bound.set(stroke!, { keys, extension, help: shortcut.help, shortcut });
      else refused.push(`the key ${keys} of the extension ${extension} is not bound: ${why}`);
    }
  }
  return { bound, refused };
}

function whyNot(
  stroke: Stroke,
  { bindings }: KeyBindings,
  other: string | undefined,
): string | undefined {
  const own = bindings.find(
    ({ action, chords }) =>
      CONTEXTS.has(action.context) && chords.some(([first]) => first === stroke),
  );
  if (own) return `it is Tau's own (${own.action.description.toLowerCase()})`;
  if (RESERVED.has(stroke)) return "it is Tau's own";
  if (!MODIFIED.test(stroke) && !FUNCTION_KEY.test(stroke)) {
    return "it types something, or moves; use it with Ctrl or Alt";
  }
  return other === undefined ? undefined : `the extension ${other} has it`;
}
