// A row of tabs, and below it what the chosen one shows. Keys go to the content first.

import type { Component, FocusableComponent, Rendered, RequestRender } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { SelectionKeys } from "./selection-actions.ts";
import { tabRow } from "./tab-row.ts";

export interface Tab {
  title: string;
  content: Component | FocusableComponent;
}

export interface TabsOptions {
  tabs: readonly Tab[];
  theme: Theme;
  requestRender: RequestRender;
  bindings?: KeyBindings;
}

export class Tabs implements FocusableComponent {
  readonly state = "live";
  readonly #options: TabsOptions;
  readonly #keys: SelectionKeys;
  #chosen = 0;

  constructor(options: TabsOptions) {
    this.#options = options;
    this.#keys = new SelectionKeys(options.bindings);
  }

  get chosen(): number {
    return this.#chosen;
  }

  choose(index: number): void {
    const { length } = this.#options.tabs;
    this.#chosen = (index + length) % length;
    this.#options.requestRender();
  }

  render(columns: number): Rendered {
    const { tabs, theme } = this.#options;
    const titles = tabs.map(({ title }) => title);
    const inner = tabs[this.#chosen]?.content.render(columns);
    const rows = [
      tabRow(theme, titles, this.#chosen, Math.max(1, columns)),
      ...(inner?.rows ?? []),
    ];
    if (!inner?.caret) return { rows, stableRows: 0 };
    return { rows, stableRows: 0, caret: { row: inner.caret.row + 1, column: inner.caret.column } };
  }

  handleKey(input: KeyInput): boolean {
    const content = this.#options.tabs[this.#chosen]?.content;
    if (content && "handleKey" in content && content.handleKey(input)) return true;
    if (input.type === "paste") return false;
    const action = this.#keys.actionOf(input);
    if (action === "next" || action === "right") this.choose(this.#chosen + 1);
    else if (action === "previous" || action === "left") this.choose(this.#chosen - 1);
    else return false;
    return true;
  }
}
