// A text of several lines, to be changed over the window, with the same editing as the prompt.

import type { FocusableComponent, Rendered } from "@tau/tui/component";
import type { KeyHint } from "@tau/tui/components/key-hints";
import { paintedRows } from "@tau/tui/components/text-block";
import { PromptEditor } from "@tau/tui/editor/prompt-editor";
import type { KeyInput } from "@tau/tui/key-input";
import type { Close, Stage } from "../stage.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";

export interface TextScreenDeps {
  title: string;
  /** Above the text: what it is an answer to. */
  about?: string;
  text: string;
  /** In an editor of the person's own. */
  editOutside?(text: string): Promise<string | undefined>;
  failed?(error: unknown): void;
  signal?: AbortSignal;
}

/** Undefined if it was cancelled. */
export function openTextScreen(stage: Stage, deps: TextScreenDeps): Promise<string | undefined> {
  const { signal } = deps;
  return stage.show<string>((close) => new TextScreen(stage, deps, close), { signal });
}

/** A pasted page is not folded: it is the text itself. */
const NEVER_FOLD = { lines: Number.MAX_SAFE_INTEGER, chars: Number.MAX_SAFE_INTEGER };
/** Rows of the title, the air and the keys. */
const AROUND_ROWS = 3;
/** Of what it is about, at most this share of the screen. */
const ABOUT_SHARE = 1 / 3;

const HINTS: readonly KeyHint[] = [
  { action: "editor.submit", label: "done" },
  { action: "editor.newline", label: "new line" },
  { action: "editor.external", label: "your editor" },
  { action: "selection.cancel", label: "cancel" },
];

class TextScreen implements FocusableComponent {
  readonly state = "live";
  readonly #stage: Stage;
  readonly #deps: TextScreenDeps;
  readonly #close: Close<string>;
  readonly #editor: PromptEditor;
  readonly #keys: ScreenKeys;

  constructor(stage: Stage, deps: TextScreenDeps, close: Close<string>) {
    this.#stage = stage;
    this.#deps = deps;
    this.#close = close;
    this.#keys = new ScreenKeys(stage.bindings);
    const { editOutside, failed, text } = deps;
    this.#editor = new PromptEditor({
      theme: stage.theme,
      bindings: stage.bindings,
      requestRender: () => stage.requestRender(),
      onSubmit: (submission) => close(submission.text),
      onFailure: failed,
      externalEditor: editOutside,
      escape: "pass",
      maxRows: Number.MAX_SAFE_INTEGER,
      room: () =>
        Math.max(1, stage.size.rows - AROUND_ROWS - this.#about(stage.size.columns).length),
      fold: NEVER_FOLD,
    });
    this.#editor.setText(text);
  }

  render(columns: number): Rendered {
    const { rows, caret } = this.#editor.render(columns);
    return drawScreen(this.#stage, columns, {
      title: this.#deps.title,
      head: this.#about(columns),
      needs: rows.length,
      body: (room) => rows.slice(0, room),
      hints: HINTS,
      caret: caret && { ...caret, in: "body" },
    });
  }

  #about(columns: number): string[] {
    const { about } = this.#deps;
    if (about === undefined) return [];
    const rows = paintedRows(about, columns, this.#stage.theme.style("muted"));
    const most = Math.max(1, Math.floor(this.#stage.size.rows * ABOUT_SHARE));
    const { ellipsis } = this.#stage.theme.symbols;
    return rows.length <= most ? [...rows, ""] : [...rows.slice(0, most - 1), ellipsis, ""];
  }

  /** An open screen takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    if (input.type === "key" && this.#keys.actionOf(input) === "selection.cancel") this.#close();
    // An empty text is an answer, too, but the editor sends none.
    else if (input.type === "key" && input.key === "enter" && this.#editor.text.trim() === "") {
      this.#close("");
    } else this.#editor.handleKey(input);
    return true;
  }
}
