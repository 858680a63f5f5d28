// The keys of lists, trees, tabs and dialogs, as rows for the table of keys.

import { ChordMatcher } from "../keys/chord-matcher.ts";
import { KeyBindings, type KeyAction } from "../keys/key-bindings.ts";
import type { KeyPress } from "../key-input.ts";

export const SELECTION_CONTEXT = "selection";

const row = (id: string, description: string, ...defaultKeys: string[]): KeyAction => ({
  id: `selection.${id}`,
  description,
  defaultKeys,
  context: SELECTION_CONTEXT,
});

export const SELECTION_ACTIONS: readonly KeyAction[] = [
  row("up", "Move up", "Up", "Ctrl+P"),
  row("down", "Move down", "Down", "Ctrl+N"),
  row("pageUp", "Page up", "PageUp"),
  row("pageDown", "Page down", "PageDown"),
  row("first", "Go to the first item", "Home"),
  row("last", "Go to the last item", "End"),
  row("left", "Fold, or move left", "Left"),
  row("right", "Unfold, or move right", "Right"),
  row("next", "Next", "Tab"),
  row("previous", "Previous", "Shift+Tab"),
  row("accept", "Choose", "Enter"),
  row("cancel", "Cancel", "Escape", "Ctrl+C"),
  row("erase", "Delete a character", "Backspace", "Ctrl+H"),
];

export type SelectionAction =
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "left"
  | "right"
  | "next"
  | "previous"
  | "accept"
  | "cancel"
  | "erase";

/** Finds the action of a press; undefined where it is none of these. */
export class SelectionKeys {
  readonly #matcher: ChordMatcher;

  constructor(bindings: KeyBindings = new KeyBindings(SELECTION_ACTIONS)) {
    this.#matcher = new ChordMatcher(bindings);
  }

  actionOf(press: KeyPress): SelectionAction | undefined {
    const match = this.#matcher.press([SELECTION_CONTEXT], press);
    if (match.kind !== "action") return undefined;
    return match.action.slice("selection.".length) as SelectionAction;
  }
}

/** What a press types, where it types something. */
export const typedText = (press: KeyPress): string =>
  press.ctrl || press.alt || press.meta ? "" : press.text;
