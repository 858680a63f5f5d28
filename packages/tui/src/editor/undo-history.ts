// What was done to the text, in steps that a person would call one. It keeps changes,
// not copies: a step on a large text costs as much as its change.

import type { Position } from "./text-buffer.ts";

export interface Edit {
  from: Position;
  removed: string;
  inserted: string;
}

/** Which changes may become one step: typing a word, rubbing out in one direction. */
export type EditKind = "type" | "erase-back" | "erase-forward" | "other";

export interface UndoStep {
  edits: Edit[];
  before: Position;
  after: Position;
  kind: EditKind;
}

const MAX_STEPS = 1_000;
// Of text held by all steps together, so that large replacements cannot pile up.
const MAX_CHARS = 16 * 1024 * 1024;

const sizeOf = (step: UndoStep): number =>
  step.edits.reduce((sum, edit) => sum + edit.removed.length + edit.inserted.length, 0);

export class UndoHistory {
  #done: UndoStep[] = [];
  #undone: UndoStep[] = [];
  #chars = 0;
  #open = false;

  record(edit: Edit, kind: EditKind, before: Position, after: Position): void {
    for (const step of this.#undone) this.#chars -= sizeOf(step);
    this.#undone = [];
    this.#chars += edit.removed.length + edit.inserted.length;
    const last = this.#done.at(-1);
    if (this.#open && last && last.kind === kind && joins(last, edit, kind)) {
      merge(last.edits.at(-1)!, edit, kind);
      last.after = after;
    } else this.#done.push({ edits: [{ ...edit }], before, after, kind });
    this.#open = kind !== "other";
    this.#bound();
  }

  /** The next change begins a step of its own: the caret was moved. */
  close(): void {
    this.#open = false;
  }

  undo(): UndoStep | undefined {
    this.#open = false;
    const step = this.#done.pop();
    if (step) this.#undone.push(step);
    return step;
  }

  redo(): UndoStep | undefined {
    this.#open = false;
    const step = this.#undone.pop();
    if (step) this.#done.push(step);
    return step;
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#chars = 0;
    this.#open = false;
  }

  #bound(): void {
    while (this.#done.length > MAX_STEPS || (this.#chars > MAX_CHARS && this.#done.length > 1)) {
      this.#chars -= sizeOf(this.#done.shift()!);
    }
  }
}

/** Typing goes on into one step until a new word begins after a blank. */
function joins(step: UndoStep, edit: Edit, kind: EditKind): boolean {
  const last = step.edits.at(-1)!;
  if (edit.inserted.includes("\n") || edit.removed.includes("\n")) return false;
  if (edit.from.line !== last.from.line) return false;
  if (kind === "type") {
    if (edit.removed !== "" || last.from.offset + last.inserted.length !== edit.from.offset)
      return false;
    return !(/\s$/.test(last.inserted) && /^\S/.test(edit.inserted));
  }
  if (edit.inserted !== "" || last.inserted !== "") return false;
  return kind === "erase-back"
    ? edit.from.offset + edit.removed.length === last.from.offset
    : edit.from.offset === last.from.offset;
}

function merge(into: Edit, edit: Edit, kind: EditKind): void {
  if (kind === "type") into.inserted += edit.inserted;
  else if (kind === "erase-forward") into.removed += edit.removed;
  else {
    into.removed = edit.removed + into.removed;
    into.from = edit.from;
  }
}
