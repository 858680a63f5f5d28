// What the screens that are lists share: a filter that is typed, a list below it, and a row in
// between for what has to be said. Esc first takes the filter back, then closes; Ctrl+C closes.

import type { FocusableComponent, Rendered } from "@tau/tui/component";
import { fitLine } from "@tau/tui/width";
import type { KeyHint } from "@tau/tui/components/key-hints";
import type { KeyInput } from "@tau/tui/key-input";
import type { ForegroundToken } from "@tau/tui/theme/tokens";
import type { Stage } from "../stage.ts";
import type { PickColumn } from "./pick-columns.ts";
import { PickList, type PickRow } from "./pick-list.ts";
import { QueryLine } from "./query-line.ts";
import { QUERY_CONTEXT, type ScreenContext } from "./screen-actions.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";

export interface ListScreenOptions {
  stage: Stage;
  /** Absent for a list without keys of its own. */
  context?: ScreenContext;
  columns: readonly PickColumn[];
  placeholder: string;
  empty: string;
  onCancel(): void;
}

export interface ListScreenView {
  title: string;
  aside?: string;
  /** Above the list, below the filter. */
  head?: readonly string[];
  foot?: readonly string[];
  hints: readonly KeyHint[];
}

export abstract class ListScreen<T> implements FocusableComponent {
  readonly state = "live";
  protected readonly stage: Stage;
  protected readonly list: PickList<T>;
  readonly #options: ListScreenOptions;
  readonly #keys: ScreenKeys;
  readonly #query: QueryLine;
  #said: { text: string; tone: ForegroundToken } | undefined;

  constructor(options: ListScreenOptions) {
    const { stage, columns, empty, placeholder, context } = options;
    this.#options = options;
    this.stage = stage;
    this.list = new PickList<T>({ stage, columns, empty });
    this.#query = new QueryLine(stage, placeholder);
    const own = context === undefined ? [] : [context];
    this.#keys = new ScreenKeys(stage.bindings, ...own, QUERY_CONTEXT);
  }

  render(columns: number): Rendered {
    const { title, aside, head = [], foot = [], hints } = this.view(Math.max(1, columns));
    const { row, caret } = this.#query.render(Math.max(1, columns));
    const { theme } = this.stage;
    const said = this.#said;
    const note = said ? theme.style(said.tone)(fitLine(said.text, Math.max(1, columns))) : "";
    return drawScreen(this.stage, columns, {
      title,
      aside: aside === undefined ? undefined : () => aside,
      head: [row, note, ...head],
      needs: this.list.height,
      body: (rows, width) => this.list.render(rows, width),
      foot,
      hints: hints.map((hint) => this.#asNow(hint)),
      caret,
    });
  }

  /** An open screen takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    const action = input.type === "paste" ? undefined : this.#keys.actionOf(input);
    this.#said = undefined;
    this.#handle(input, action);
    this.stage.requestRender();
    return true;
  }

  protected get query(): string {
    return this.#query.text;
  }

  /** Below the filter, until the next key. */
  protected say(text: string, tone: ForegroundToken = "warning"): void {
    this.#said = { text, tone };
    this.stage.requestRender();
  }

  protected abstract view(columns: number): ListScreenView;
  protected abstract choose(row: PickRow<T>): void;

  /** True where the action was one of its own. */
  protected act(_action: string): boolean {
    return false;
  }

  /** Something else is selected, or something else is looked for. */
  protected changed(_what: "selection" | "query"): void {}

  /** What Esc does depends on whether there is a filter. */
  #asNow(hint: KeyHint): KeyHint {
    const takesBack = hint.action === "selection.cancel" && this.#query.text !== "";
    return takesBack ? { ...hint, label: "clear the filter" } : hint;
  }

  #handle(input: KeyInput, action: string | undefined): void {
    if (action !== undefined && this.act(action)) return;
    if (action === "selection.cancel") return this.#cancel(input);
    if (action === "selection.accept") {
      const row = this.list.selected;
      if (row) this.choose(row);
      return;
    }
    if (this.list.move(action)) return this.changed("selection");
    if (this.#query.handle(input, action)) this.#filter();
  }

  #cancel(input: KeyInput): void {
    // Ctrl+C is the way out at once; Esc takes back one step.
    const isAtOnce = input.type === "key" && input.ctrl;
    if (this.#query.text === "" || isAtOnce) return this.#options.onCancel();
    this.#query.clear();
    this.#filter();
  }

  #filter(): void {
    this.list.setQuery(this.#query.text);
    this.changed("query");
    this.changed("selection");
  }
}
