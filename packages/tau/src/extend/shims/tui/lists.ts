// The family's lists: one to choose from, and one of settings to change.

import type { FamilyComponent } from "./basics.ts";
import { fuzzyFilter } from "./fuzzy.ts";
import { matchesKey } from "./keys.ts";
import { truncateToWidth, visibleWidth } from "./widths.ts";

type Paint = (text: string) => string;
const plain: Paint = (text) => text;

export interface SelectItem {
  value: string;
  label?: string;
  description?: string;
}

interface SelectListTheme {
  selectedPrefix?: Paint;
  selectedText?: Paint;
  description?: Paint;
  scrollInfo?: Paint;
  noMatch?: Paint;
}

/** Between what is chosen from and what is said about it. */
const GAP = "  ";
const MIN_DESCRIPTION_COLUMNS = 20;
const MAX_LABEL_COLUMNS = 32;

export class SelectList implements FamilyComponent {
  onSelect?: (item: SelectItem) => void;
  onCancel?: () => void;
  onSelectionChange?: (item: SelectItem) => void;
  readonly #items: readonly SelectItem[];
  readonly #rows: number;
  readonly #theme: SelectListTheme;
  #shown: readonly SelectItem[];
  #at = 0;

  constructor(items: readonly SelectItem[], maxVisible: number, theme: SelectListTheme = {}) {
    this.#items = items;
    this.#shown = items;
    this.#rows = Math.max(1, maxVisible);
    this.#theme = theme;
  }

  setFilter(filter: string): void {
    this.#shown = this.#items.filter((item) =>
      labelOf(item).toLowerCase().includes(filter.toLowerCase()),
    );
    this.#at = 0;
  }

  setSelectedIndex(index: number): void {
    this.#at = Math.max(0, Math.min(index, this.#shown.length - 1));
  }

  getSelectedItem(): SelectItem | null {
    return this.#shown[this.#at] ?? null;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { noMatch = plain, scrollInfo = plain } = this.#theme;
    if (this.#shown.length === 0) return [noMatch("  No matching entries")];
    const first = firstShown(this.#at, this.#rows, this.#shown.length);
    const rows = this.#shown
      .slice(first, first + this.#rows)
      .map((item, at) => this.#row(item, first + at === this.#at, width));
    if (this.#shown.length > this.#rows) {
      rows.push(scrollInfo(`  (${this.#at + 1}/${this.#shown.length})`));
    }
    return rows;
  }

  handleInput(data: string): void {
    const count = this.#shown.length;
    if (matchesKey(data, "up")) this.#move(this.#at === 0 ? count - 1 : this.#at - 1);
    else if (matchesKey(data, "down")) this.#move(this.#at === count - 1 ? 0 : this.#at + 1);
    else if (matchesKey(data, "pageup")) this.#move(Math.max(0, this.#at - this.#rows));
    else if (matchesKey(data, "pagedown")) this.#move(Math.min(count - 1, this.#at + this.#rows));
    else if (matchesKey(data, "enter")) {
      const item = this.getSelectedItem();
      if (item) this.onSelect?.(item);
    } else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.onCancel?.();
  }

  #move(to: number): void {
    this.setSelectedIndex(to);
    const item = this.getSelectedItem();
    if (item) this.onSelectionChange?.(item);
  }

  #row(item: SelectItem, isSelected: boolean, width: number): string {
    const { selectedPrefix = plain, selectedText = plain, description = plain } = this.#theme;
    const mark = isSelected ? selectedPrefix("→ ") : "  ";
    const longest = Math.max(...this.#shown.map((one) => visibleWidth(labelOf(one))));
    const label = Math.min(longest, MAX_LABEL_COLUMNS, Math.max(1, width - 2));
    const room = width - 2 - label - GAP.length;
    const words = item.description?.replace(/\s+/g, " ").trim();
    if (!words || room < MIN_DESCRIPTION_COLUMNS) {
      const alone = truncateToWidth(labelOf(item), Math.max(1, width - 2));
      return mark + (isSelected ? selectedText(alone) : alone);
    }
    const row = truncateToWidth(labelOf(item), label, "…", true) + GAP;
    const said = truncateToWidth(words, room);
    return mark + (isSelected ? selectedText(row + said) : row + description(said));
  }
}

export interface SettingItem {
  id: string;
  label: string;
  description?: string;
  currentValue: string;
  values?: readonly string[];
  submenu?: (current: string, done: (value?: string) => void) => FamilyComponent;
}

interface SettingsListTheme {
  label?: (text: string, selected: boolean) => string;
  value?: (text: string, selected: boolean) => string;
  description?: Paint;
  cursor?: string;
  hint?: Paint;
}

export class SettingsList implements FamilyComponent {
  readonly #items: SettingItem[];
  readonly #rows: number;
  readonly #theme: SettingsListTheme;
  readonly #onChange: (id: string, value: string) => void;
  readonly #onCancel: () => void;
  readonly #searches: boolean;
  #query = "";
  #at = 0;
  #submenu: FamilyComponent | undefined;

  constructor(
    items: readonly SettingItem[],
    maxVisible: number,
    theme: SettingsListTheme,
    onChange: (id: string, value: string) => void,
    onCancel: () => void,
    options: { enableSearch?: boolean } = {},
  ) {
    this.#items = items.map((item) => ({ ...item }));
    this.#rows = Math.max(1, maxVisible);
    this.#theme = theme;
    this.#onChange = onChange;
    this.#onCancel = onCancel;
    this.#searches = options.enableSearch ?? false;
  }

  updateValue(id: string, value: string): void {
    const item = this.#items.find((one) => one.id === id);
    if (item) item.currentValue = value;
  }

  invalidate(): void {
    this.#submenu?.invalidate?.();
  }

  render(width: number): string[] {
    if (this.#submenu) return this.#submenu.render(width);
    const {
      label = plain,
      value = plain,
      description = plain,
      cursor = "→ ",
      hint = plain,
    } = this.#theme;
    const shown = this.#shown();
    const first = firstShown(this.#at, this.#rows, shown.length);
    const columns = Math.max(0, ...shown.map((item) => visibleWidth(item.label)));
    const rows = shown.slice(first, first + this.#rows).map((item, at) => {
      const isSelected = first + at === this.#at;
      const name = truncateToWidth(item.label, columns, "…", true);
      const mark = isSelected ? cursor : " ".repeat(visibleWidth(cursor));
      return truncateToWidth(
        `${mark}${label(name, isSelected)}  ${value(item.currentValue, isSelected)}`,
        width,
      );
    });
    const words = shown[this.#at]?.description;
    if (words) rows.push("", truncateToWidth(description(`  ${words}`), width));
    if (this.#searches && this.#query !== "") rows.unshift(`  ${this.#query}`, "");
    return [...rows, "", truncateToWidth(hint("  Enter changes · Esc closes"), width)];
  }

  handleInput(data: string): void {
    if (this.#submenu) {
      this.#submenu.handleInput?.(data);
      return;
    }
    const shown = this.#shown();
    if (matchesKey(data, "up"))
      this.#at = this.#at === 0 ? Math.max(0, shown.length - 1) : this.#at - 1;
    else if (matchesKey(data, "down")) this.#at = this.#at >= shown.length - 1 ? 0 : this.#at + 1;
    else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.#onCancel();
    else if (matchesKey(data, "enter") || matchesKey(data, "space"))
      this.#activate(shown[this.#at]);
    else if (this.#searches) this.#search(data);
  }

  #shown(): readonly SettingItem[] {
    return this.#query === ""
      ? this.#items
      : fuzzyFilter(this.#items, this.#query, ({ label }) => label);
  }

  #search(data: string): void {
    if (matchesKey(data, "backspace")) this.#query = this.#query.slice(0, -1);
    else if (/^[^\u0000-\u001f\u007f]+$/.test(data)) this.#query += data;
    this.#at = 0;
  }

  #activate(item: SettingItem | undefined): void {
    if (!item) return;
    const take = (value: string): void => {
      item.currentValue = value;
      this.#onChange(item.id, value);
    };
    if (item.submenu) {
      this.#submenu = item.submenu(item.currentValue, (value) => {
        this.#submenu = undefined;
        if (value !== undefined) take(value);
      });
    } else if (item.values && item.values.length > 0) {
      const next = item.values[(item.values.indexOf(item.currentValue) + 1) % item.values.length]!;
      take(next);
    }
  }
}

function labelOf({ label, value }: SelectItem): string {
  return (label ?? value).replace(/\s+/g, " ").trim() || value;
}

/** Keeps what is chosen in the middle, as far as the ends allow. */
function firstShown(at: number, rows: number, count: number): number {
  return Math.max(0, Math.min(at - Math.floor(rows / 2), count - rows));
}
