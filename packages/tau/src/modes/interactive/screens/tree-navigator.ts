// Goes to another point of the session. The tree is read behind the open screen, once; filters
// and searches look at it again without reading. Choosing a point asks what is to become of
// what is left, where something is left.

import type { FocusableComponent, Rendered } from "@tau/tui/component";
import { fitLine } from "@tau/tui/width";
import { wrapSpans } from "@tau/tui/components/spans";
import type { KeyInput } from "@tau/tui/key-input";
import { MAX_LABEL_CHARACTERS } from "../../../session/operations/name-session.ts";
import type { SessionTree } from "../../../session/operations/session-tree.ts";
import { TREE_FILTERS, type TreeFilter } from "../../../session/operations/tree-filter.ts";
import type { Close, Stage } from "../stage.ts";
import { askOneOf, askText } from "./ask-over.ts";
import { QueryLine } from "./query-line.ts";
import { QUERY_CONTEXT } from "./screen-actions.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";
import { TreeRows } from "./tree-rows.ts";

export interface TreeChoice {
  entryId: string;
  /** Absent where nothing is left behind, or nobody was asked. */
  summarise?: boolean;
  /** What the summary is to attend to. */
  instructions?: string;
}

export interface TreeNavigatorDeps {
  /** Called once the screen is open; undefined where it was aborted. */
  read(options: {
    signal: AbortSignal;
    onProgress(entries: number): void;
  }): Promise<SessionTree | undefined>;
  /** Without a label, it is taken away. Throws a sentence for the user. */
  label(entryId: string, label: string | undefined): Promise<void>;
  /** Whether to ask about a summary of what is left. */
  summaries: "ask" | "never";
  filter?: TreeFilter;
  signal?: AbortSignal;
}

export function openTreeNavigator(
  stage: Stage,
  deps: TreeNavigatorDeps,
): Promise<TreeChoice | undefined> {
  const { signal } = deps;
  const closed = new AbortController();
  const open = (close: Close<TreeChoice>) => new TreeNavigator(stage, deps, close, closed.signal);
  return stage.show<TreeChoice>(open, signal ? { signal } : {}).finally(() => closed.abort());
}

const FILTER_NAMES: Readonly<Record<TreeFilter, string>> = {
  default: "conversation",
  "no-tools": "without tools",
  "user-only": "yours only",
  "labeled-only": "labelled only",
  all: "everything",
};

const DIRECT: Readonly<Record<string, TreeFilter>> = {
  "screen.tree.showDefault": "default",
  "screen.tree.showNoTools": "no-tools",
  "screen.tree.showUser": "user-only",
  "screen.tree.showLabelled": "labeled-only",
  "screen.tree.showAll": "all",
};

const ABOUT_ROWS = 2;

class TreeNavigator implements FocusableComponent {
  readonly state = "live";
  readonly #stage: Stage;
  readonly #deps: TreeNavigatorDeps;
  readonly #close: Close<TreeChoice>;
  readonly #closed: AbortSignal;
  readonly #keys: ScreenKeys;
  readonly #query: QueryLine;
  readonly #rows: TreeRows;
  #filter: TreeFilter;
  #tree: SessionTree | undefined;
  #said = "";
  #progress = "reading…";
  /** What was chosen before the last search or filter hid it. */
  #wanted: string | undefined;
  #isCentred = false;

  constructor(
    stage: Stage,
    deps: TreeNavigatorDeps,
    close: Close<TreeChoice>,
    closed: AbortSignal,
  ) {
    this.#stage = stage;
    this.#deps = deps;
    this.#close = close;
    this.#closed = closed;
    this.#filter = deps.filter ?? "default";
    this.#keys = new ScreenKeys(stage.bindings, "screen.tree", QUERY_CONTEXT);
    this.#query = new QueryLine(stage, "type to search");
    this.#rows = new TreeRows(stage);
    void this.#read();
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    const { theme } = this.#stage;
    const { row, caret } = this.#query.render(width);
    return drawScreen(this.#stage, columns, {
      title: "Session tree",
      aside: () =>
        [this.#progress, FILTER_NAMES[this.#filter], this.#rows.position]
          .filter(Boolean)
          .join(` ${theme.symbols.separator} `),
      head: [row, theme.style("warning")(fitLine(this.#said, width))],
      needs: this.#tree?.size ?? 0,
      body: (rows, room) => this.#body(rows, room),
      foot: this.#about(width),
      hints: [
        { action: "selection.accept", label: "go there" },
        { action: "screen.tree.nextFilter", label: "filter" },
        { action: "screen.tree.label", label: "label" },
        { action: "selection.cancel", label: this.#query.text === "" ? "close" : "clear" },
        { action: "selection.left", label: "fold" },
        { action: "selection.right", label: "unfold" },
      ],
      caret,
    });
  }

  /** An open screen takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    const action = input.type === "paste" ? undefined : this.#keys.actionOf(input);
    this.#said = "";
    this.#handle(input, action);
    this.#stage.requestRender();
    return true;
  }

  #handle(input: KeyInput, action: string | undefined): void {
    if (action === "selection.cancel") return this.#cancel(input);
    if (action === "selection.accept") {
      void this.#choose();
      return;
    }
    if (action === "screen.tree.label") {
      void this.#label();
      return;
    }
    if (action === "screen.tree.nextFilter") return this.#show(nextOf(this.#filter, 1));
    if (action === "screen.tree.previousFilter") return this.#show(nextOf(this.#filter, -1));
    const direct = DIRECT[action ?? ""];
    if (direct !== undefined) return this.#show(direct);
    if (this.#rows.move(action)) {
      this.#wanted = undefined;
      return;
    }
    if (this.#query.handle(input, action)) this.#project();
  }

  #cancel(input: KeyInput): void {
    const isAtOnce = input.type === "key" && input.ctrl;
    if (this.#query.text === "" || isAtOnce) return this.#close();
    this.#query.clear();
    this.#project();
  }

  #show(filter: TreeFilter): void {
    this.#filter = filter;
    this.#project();
  }

  #project(): void {
    if (!this.#tree) return;
    // Narrowing a list moves the selection; taking it back brings it home again.
    this.#wanted ??= this.#rows.selected?.id;
    const rows = this.#tree.rows({ filter: this.#filter, search: this.#query.text });
    this.#rows.setRows(rows, this.#wanted);
  }

  #body(rows: number, columns: number): string[] {
    if (this.#rows.count === 0) {
      const words = this.#tree ? "Nothing matches." : "Reading the session…";
      return [this.#stage.theme.style("muted")(fitLine(`  ${words}`, columns))];
    }
    if (!this.#isCentred) {
      this.#rows.centre(rows);
      this.#isCentred = true;
    }
    return this.#rows.render(rows, columns);
  }

  #about(columns: number): string[] {
    const { theme } = this.#stage;
    const row = this.#rows.selected;
    const label = row?.label === undefined ? "" : `[${row.label}] `;
    const text = row ? `${label}${row.kind}: ${row.text}` : "";
    const wrapped = wrapSpans([{ text, paint: theme.style("muted") }], columns);
    const shown = wrapped.slice(0, ABOUT_ROWS);
    return [...shown, ...Array.from({ length: ABOUT_ROWS - shown.length }, () => "")];
  }

  async #read(): Promise<void> {
    const onProgress = (entries: number): void => {
      this.#progress = `reading… ${entries}`;
      this.#stage.requestRender();
    };
    try {
      const tree = await this.#deps.read({ signal: this.#closed, onProgress });
      if (!tree || this.#closed.aborted) return;
      this.#tree = tree;
      this.#progress = "";
      if (tree.omitted > 0) this.#said = `${tree.omitted} further entries are not shown.`;
      this.#project();
      this.#standAtLeaf(tree);
    } catch (error) {
      if (this.#closed.aborted) return;
      if (!(error instanceof Error)) throw error;
      this.#progress = "";
      this.#said = `The session cannot be read: ${error.message}`;
    } finally {
      this.#stage.requestRender();
    }
  }

  #standAtLeaf({ leafId }: SessionTree): void {
    this.#wanted = undefined;
    if (leafId === null || !this.#rows.select(leafId)) this.#rows.selectLast();
  }

  async #label(): Promise<void> {
    const row = this.#rows.selected;
    const tree = this.#tree;
    if (!row || !tree) return;
    const given = await askText(this.#stage, {
      title:
        row.label === undefined ? "A label for this entry" : "Its label; leave empty to remove it",
      signal: this.#closed,
      initial: row.label ?? "",
      check: (text) =>
        [...text].length > MAX_LABEL_CHARACTERS ? "That is too long for a label." : undefined,
    });
    if (given === undefined || this.#closed.aborted) return;
    const label = given.trim() === "" ? undefined : given.trim();
    if (label === row.label) return;
    try {
      await this.#deps.label(row.id, label);
      tree.setLabel(row.id, label);
      this.#wanted = row.id;
      this.#project();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#said = `The label stays as it was: ${error.message}`;
    }
    this.#stage.requestRender();
  }

  async #choose(): Promise<void> {
    const row = this.#rows.selected;
    const tree = this.#tree;
    if (!row || !tree) return;
    const entryId = row.id;
    const asks = this.#deps.summaries === "ask" && !row.isLeaf && tree.leavesSomething(entryId);
    if (!asks) return this.#close({ entryId });
    const wish = await askForSummary(this.#stage, this.#closed);
    // Esc leads back to the tree.
    if (wish) this.#close({ entryId, ...wish });
  }
}

type SummaryWish = Pick<TreeChoice, "summarise" | "instructions">;

async function askForSummary(stage: Stage, signal: AbortSignal): Promise<SummaryWish | undefined> {
  for (;;) {
    const choice = await askOneOf<"no" | "yes" | "own">(stage, {
      title: "Summarise the branch you leave?",
      signal,
      items: [
        { value: "no", label: "No", detail: "leave it as it is" },
        { value: "yes", label: "Yes", detail: "the model reads a summary of it" },
        { value: "own", label: "Yes, with instructions", detail: "say what to focus on" },
      ],
    });
    if (choice === undefined) return undefined;
    if (choice === "no") return { summarise: false };
    if (choice === "yes") return { summarise: true };
    const title = "What should the summary focus on?";
    const instructions = await askText(stage, { title, signal });
    if (instructions !== undefined && instructions.trim() !== "") {
      return { summarise: true, instructions: instructions.trim() };
    }
  }
}

function nextOf(filter: TreeFilter, step: 1 | -1): TreeFilter {
  const { length } = TREE_FILTERS;
  return TREE_FILTERS[(TREE_FILTERS.indexOf(filter) + step + length) % length]!;
}
