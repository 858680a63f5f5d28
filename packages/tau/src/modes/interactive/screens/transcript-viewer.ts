// The whole conversation over the window, to scroll and to search. It opens at the end and
// lays out only what is seen; Esc closes it whatever it is doing.

import type { FocusableComponent, Rendered } from "@tau/tui/component";
import type { KeyInput } from "@tau/tui/key-input";
import { displayWidth, fitLine, sliceColumns } from "@tau/tui/width";
import type { Close, Stage } from "../stage.ts";
import { QueryLine } from "./query-line.ts";
import { QUERY_CONTEXT } from "./screen-actions.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";
import { TranscriptBlocks, type TranscriptSource } from "./transcript-blocks.ts";
import { plainText, searchTranscript } from "./transcript-search.ts";
import { TranscriptWindow, type SeenRow, type TranscriptPlace } from "./transcript-window.ts";

export interface TranscriptViewerDeps {
  source: TranscriptSource;
  title?: string;
  signal?: AbortSignal;
}

export async function openTranscriptViewer(
  stage: Stage,
  deps: TranscriptViewerDeps,
): Promise<void> {
  const { signal } = deps;
  const closed = new AbortController();
  await stage
    .show<true>(
      (close) => new TranscriptViewer(stage, deps, close, closed.signal),
      signal ? { signal } : {},
    )
    .finally(() => closed.abort());
}

class TranscriptViewer implements FocusableComponent {
  readonly state = "live";
  readonly #stage: Stage;
  readonly #title: string;
  readonly #close: Close<true>;
  readonly #closed: AbortSignal;
  readonly #keys: ScreenKeys;
  readonly #queryKeys: ScreenKeys;
  readonly #query: QueryLine;
  readonly #blocks: TranscriptBlocks;
  readonly #window: TranscriptWindow;
  #isTyping = false;
  /** What is looked for, once Enter was pressed. */
  #wanted = "";
  #match: TranscriptPlace | undefined;
  #search: AbortController | undefined;
  #said = "";

  constructor(
    stage: Stage,
    { source, title = "Conversation" }: TranscriptViewerDeps,
    close: Close<true>,
    closed: AbortSignal,
  ) {
    this.#stage = stage;
    this.#title = title;
    this.#close = close;
    this.#closed = closed;
    this.#keys = new ScreenKeys(stage.bindings, "screen.transcript");
    this.#queryKeys = new ScreenKeys(stage.bindings, QUERY_CONTEXT);
    this.#query = new QueryLine(stage, "search for");
    this.#blocks = new TranscriptBlocks(source, {
      onReady: () => {
        this.#window.settle();
        stage.requestRender();
      },
      onFailure: (error) => {
        this.#said = `A part cannot be shown: ${error.message}`;
      },
    });
    this.#window = new TranscriptWindow(this.#blocks);
    closed.addEventListener("abort", () => this.#search?.abort(), { once: true });
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    this.#blocks.setColumns(width);
    const line = this.#query.render(width);
    const status = this.#stage.theme.style("muted")(fitLine(this.#said, width));
    return drawScreen(this.#stage, columns, {
      title: this.#title,
      aside: () => this.#position,
      body: (rows) => {
        this.#window.setHeight(rows);
        return this.#window.rows().map((row) => this.#draw(row));
      },
      foot: [this.#isTyping ? line.row : status],
      hints: this.#isTyping
        ? [
            { action: "selection.accept", label: "search" },
            { action: "selection.cancel", label: "back" },
          ]
        : [
            { action: "screen.transcript.pageUp", label: "page up" },
            { action: "screen.transcript.pageDown", label: "page down" },
            { action: "screen.transcript.search", label: "search" },
            { action: "screen.transcript.nextMatch", label: "older match" },
            { action: "screen.transcript.close", label: "close" },
          ],
      caret: this.#isTyping ? { ...line.caret, in: "foot" as const } : undefined,
    });
  }

  /** An open screen takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    if (this.#isTyping) this.#typeQuery(input);
    else if (input.type === "key") this.#act(this.#keys.actionOf(input));
    this.#stage.requestRender();
    return true;
  }

  #act(action: string | undefined): void {
    const page = Math.max(1, this.#window.height - 1);
    switch (action) {
      case "screen.transcript.up":
        return this.#window.up(1);
      case "screen.transcript.down":
        return this.#window.down(1);
      case "screen.transcript.pageUp":
        return this.#window.up(page);
      case "screen.transcript.pageDown":
        return this.#window.down(page);
      case "screen.transcript.top":
        return this.#window.toTop();
      case "screen.transcript.bottom":
        return this.#window.toEnd();
      case "screen.transcript.search":
        this.#query.clear();
        this.#isTyping = true;
        return;
      case "screen.transcript.nextMatch":
        void this.#find("older");
        return;
      case "screen.transcript.previousMatch":
        void this.#find("newer");
        return;
      case "screen.transcript.close":
      case "selection.cancel":
        return this.#close();
      default:
        return;
    }
  }

  #typeQuery(input: KeyInput): void {
    const action = input.type === "paste" ? undefined : this.#queryKeys.actionOf(input);
    if (action === "selection.cancel") {
      this.#isTyping = false;
    } else if (action === "selection.accept") {
      this.#isTyping = false;
      this.#wanted = this.#query.text.trim();
      this.#match = undefined;
      void this.#find("older");
    } else this.#query.handle(input, action);
  }

  async #find(direction: "older" | "newer"): Promise<void> {
    this.#search?.abort();
    if (this.#wanted === "" || this.#blocks.length === 0) return;
    const search = new AbortController();
    this.#search = search;
    const total = this.#blocks.length;
    const say = (words: string): void => {
      this.#said = `${this.#wanted}: ${words}`;
      this.#stage.requestRender();
    };
    say("searching…");
    try {
      const found = await searchTranscript(this.#blocks, {
        query: this.#wanted,
        from: this.#match ?? this.#startOf(direction),
        direction,
        signal: search.signal,
        onProgress: (done) => say(`searching… ${done} of ${total}`),
      });
      if (search.signal.aborted || this.#closed.aborted) return;
      if (!found) return say("not found");
      this.#match = found;
      this.#window.show(found);
      say("found");
    } catch (error) {
      if (search.signal.aborted) return;
      if (!(error instanceof Error)) throw error;
      say(`the search failed: ${error.message}`);
    }
  }

  /** Beyond what is seen at the side from which it goes: what is seen counts. */
  #startOf(direction: "older" | "newer"): TranscriptPlace {
    const seen = this.#window.rows();
    const edge = direction === "older" ? seen.at(-1) : seen[0];
    if (!edge) return { block: 0, row: 0 };
    return { block: edge.block, row: edge.row + (direction === "older" ? 1 : -1) };
  }

  get #position(): string {
    if (this.#window.isAtEnd) return "end";
    const top = this.#window.rows()[0];
    if (!top) return "";
    const share = Math.round((100 * top.block) / Math.max(1, this.#blocks.length));
    return top.block === 0 && top.row === 0 ? "beginning" : `${share} %`;
  }

  #draw({ text }: SeenRow): string {
    return this.#wanted === "" ? text : this.#highlighted(text);
  }

  #highlighted(row: string): string {
    const text = plainText(row);
    const lower = text.toLowerCase();
    const wanted = this.#wanted.toLowerCase();
    // Where small letters are longer than large ones, places would be wrong.
    if (lower.length !== text.length || !lower.includes(wanted)) return row;
    const inverse = this.#stage.theme.attribute("inverse");
    let drawn = "";
    let column = 0;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
      const from = displayWidth(text.slice(0, at));
      const found = text.slice(at, at + wanted.length);
      drawn += sliceColumns(row, column, from) + inverse(found);
      column = from + displayWidth(found);
    }
    return drawn + sliceColumns(row, column, displayWidth(text));
  }
}
