// Asks for one of several.

import type { Rendered, RequestRender } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { Dialog } from "./dialog.ts";
import { ListView, type ListItem, type RankItems } from "./list-view.ts";

export interface SelectDialogOptions<T> {
  title: string;
  items: readonly ListItem<T>[];
  theme: Theme;
  requestRender: RequestRender;
  rank?: RankItems;
  maxRows?: number | (() => number);
  /** The first one where left out. */
  selected?: number;
  /** Hears what Enter would take now, to show what it would do. */
  onMove?(item: ListItem<T> | undefined): void;
  /** False while somebody keeps the keys from it: nothing looks chosen then. */
  takesKeys?(): boolean;
  bindings?: KeyBindings;
  /** Cancels the dialog. */
  signal?: AbortSignal;
}

export class SelectDialog<T> extends Dialog<T> {
  readonly #list: ListView<T>;

  constructor(options: SelectDialogOptions<T>) {
    super(options);
    this.#list = new ListView<T>({
      ...options,
      onChoose: ({ value }) => this.answer(value),
      onCancel: () => this.cancel(),
    });
    if (options.selected !== undefined) this.select(options.selected);
  }

  select(index: number): void {
    this.#list.select(index);
  }

  protected override renderContent(columns: number): Rendered {
    return this.#list.render(columns);
  }

  protected override handleOwnKey(input: KeyInput): void {
    this.#list.handleKey(input);
  }
}
