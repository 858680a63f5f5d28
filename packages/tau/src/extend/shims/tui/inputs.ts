// What the family's screens are typed into: a line, and a text of several lines.

import type { FamilyComponent } from "./basics.ts";
import { matchesKey } from "./keys.ts";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "./widths.ts";

/** Shown reversed, where the next character will stand. */
const caret = (text: string): string => `\x1b[7m${text}\x1b[27m`;
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";

function typed(data: string): string | undefined {
  const text = data.startsWith(PASTE_BEGIN)
    ? data.slice(PASTE_BEGIN.length).replace(PASTE_END, "")
    : data;
  return /[\u0000-\u0008\u000b-\u001f\u007f]/.test(text) ? undefined : text;
}

export class Input implements FamilyComponent {
  onSubmit?: (value: string) => void;
  onEscape?: () => void;
  focused = false;
  #value = "";
  #at = 0;

  getValue(): string {
    return this.#value;
  }

  setValue(value: string): void {
    this.#value = value;
    this.#at = Math.min(this.#at, value.length);
    if (this.#at === 0) this.#at = value.length;
  }

  invalidate(): void {}

  handleInput(data: string): void {
    if (matchesKey(data, "enter")) this.onSubmit?.(this.#value);
    else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.onEscape?.();
    else if (matchesKey(data, "left")) this.#at = Math.max(0, this.#at - 1);
    else if (matchesKey(data, "right")) this.#at = Math.min(this.#value.length, this.#at + 1);
    else if (matchesKey(data, "home") || matchesKey(data, "ctrl+a")) this.#at = 0;
    else if (matchesKey(data, "end") || matchesKey(data, "ctrl+e")) this.#at = this.#value.length;
    else if (matchesKey(data, "backspace")) this.#replace(Math.max(0, this.#at - 1), this.#at, "");
    else if (matchesKey(data, "delete")) this.#replace(this.#at, this.#at + 1, "");
    else if (matchesKey(data, "ctrl+u")) this.#replace(0, this.#at, "");
    else if (matchesKey(data, "ctrl+k")) this.#replace(this.#at, this.#value.length, "");
    else {
      const text = typed(data);
      if (text !== undefined) this.#replace(this.#at, this.#at, text.replace(/\s*\n\s*/g, " "));
    }
  }

  render(width: number): string[] {
    const before = this.#value.slice(0, this.#at);
    const under = this.#value.slice(this.#at, this.#at + 1) || " ";
    const line = `> ${before}${caret(under)}${this.#value.slice(this.#at + 1)}`;
    const hidden = Math.max(0, visibleWidth(`> ${before}`) + 1 - width);
    if (hidden === 0) return [truncateToWidth(line, width, "")];
    return [truncateToWidth(`> ${before.slice(hidden + 2)}${caret(under)}`, width, "")];
  }

  #replace(from: number, to: number, text: string): void {
    this.#value = this.#value.slice(0, from) + text + this.#value.slice(to);
    this.#at = from + text.length;
  }
}

/** Enter sends, Shift+Enter breaks the line, as at Tau's own prompt. */
export class Editor implements FamilyComponent {
  onSubmit?: (text: string) => void;
  onChange?: (text: string) => void;
  focused = false;
  disableSubmit = false;
  borderColor: (text: string) => string = (text) => text;
  #text = "";
  #at = 0;

  getText(): string {
    return this.#text;
  }

  getExpandedText(): string {
    return this.#text;
  }

  getLines(): string[] {
    return this.#text.split("\n");
  }

  setText(text: string): void {
    this.#text = String(text);
    this.#at = this.#text.length;
    this.onChange?.(this.#text);
  }

  insertTextAtCursor(text: string): void {
    this.#replace(this.#at, this.#at, text);
  }

  addToHistory(): void {}
  setAutocompleteProvider(): void {}
  setPaddingX(): void {}
  invalidate(): void {}

  handleInput(data: string): void {
    const isBreak =
      matchesKey(data, "shift+enter") || matchesKey(data, "alt+enter") || data === "\n";
    if (isBreak) this.#replace(this.#at, this.#at, "\n");
    else if (matchesKey(data, "enter")) {
      if (!this.disableSubmit) this.onSubmit?.(this.#text);
    } else if (matchesKey(data, "left")) this.#at = Math.max(0, this.#at - 1);
    else if (matchesKey(data, "right")) this.#at = Math.min(this.#text.length, this.#at + 1);
    else if (matchesKey(data, "up")) this.#vertically(-1);
    else if (matchesKey(data, "down")) this.#vertically(1);
    else if (matchesKey(data, "backspace")) this.#replace(Math.max(0, this.#at - 1), this.#at, "");
    else if (matchesKey(data, "delete")) this.#replace(this.#at, this.#at + 1, "");
    else {
      const text = typed(data);
      if (text !== undefined) this.#replace(this.#at, this.#at, text);
    }
  }

  render(width: number): string[] {
    const rule = this.borderColor("─".repeat(Math.max(1, width)));
    const under = this.#text.slice(this.#at, this.#at + 1);
    const shown = under === "" || under === "\n" ? ` ${under}` : under;
    const marked =
      this.#text.slice(0, this.#at) +
      caret(shown[0]!) +
      shown.slice(1) +
      this.#text.slice(this.#at + 1);
    return [rule, ...wrapTextWithAnsi(marked, width), rule];
  }

  #vertically(step: number): void {
    const lines = this.getLines();
    const before = this.#text.slice(0, this.#at).split("\n");
    const row = before.length - 1 + step;
    if (row < 0 || row >= lines.length) return;
    const column = Math.min(before.at(-1)!.length, lines[row]!.length);
    this.#at = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0) + column;
  }

  #replace(from: number, to: number, text: string): void {
    this.#text = this.#text.slice(0, from) + text + this.#text.slice(to);
    this.#at = from + text.length;
    this.onChange?.(this.#text);
  }
}
