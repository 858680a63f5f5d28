// Asks for a line of text, with the same editing as the prompt.

import type { Rendered, RequestRender } from "../component.ts";
import { PromptEditor } from "../editor/prompt-editor.ts";
import type { KeyInput } from "../key-input.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { fitLine } from "../width.ts";
import { Dialog } from "./dialog.ts";
import { SelectionKeys } from "./selection-actions.ts";

export interface InputDialogOptions {
  title: string;
  theme: Theme;
  requestRender: RequestRender;
  initial?: string;
  placeholder?: string;
  /** `hidden` for secrets: only how much was typed is shown. */
  show?: "text" | "hidden";
  /** One sentence where the text will not do. */
  check?(text: string): string | undefined;
  bindings?: KeyBindings;
  signal?: AbortSignal;
}

/** A line pasted into a dialog is never a reason to fold it. */
const NEVER_FOLD = { lines: Number.MAX_SAFE_INTEGER, chars: Number.MAX_SAFE_INTEGER };
const VISIBLE_ROWS = 3;

const onOneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, " ").trim();

export class InputDialog extends Dialog<string> {
  readonly #options: InputDialogOptions;
  readonly #editor: PromptEditor;
  readonly #keys: SelectionKeys;
  #complaint: string | undefined;

  constructor(options: InputDialogOptions) {
    super(options);
    this.#options = options;
    this.#keys = new SelectionKeys(options.bindings);
    this.#editor = new PromptEditor({
      theme: options.theme,
      requestRender: options.requestRender,
      onSubmit: () => undefined,
      escape: "pass",
      maxRows: VISIBLE_ROWS,
      fold: NEVER_FOLD,
      placeholder: options.placeholder,
    });
    if (options.initial !== undefined) this.#editor.setText(onOneLine(options.initial));
  }

  protected override renderContent(columns: number): Rendered {
    const rendered =
      this.#options.show === "hidden" ? this.#hidden(columns) : this.#editor.render(columns);
    if (this.#complaint === undefined) return rendered;
    const note = this.#options.theme.style("error")(fitLine(this.#complaint, columns));
    return { ...rendered, rows: [...rendered.rows, note] };
  }

  protected override handleOwnKey(input: KeyInput): void {
    if (input.type === "paste") {
      this.#editor.handleKey({ ...input, text: onOneLine(input.text) });
      return;
    }
    const action = this.#keys.actionOf(input);
    if (action === "cancel") return this.cancel();
    if (action === "accept") return this.#submit();
    // One line: the keys that would break it do nothing.
    if (input.key === "enter" || (input.ctrl && input.key === "j")) return;
    this.#complaint = undefined;
    this.#editor.handleKey(input);
  }

  #submit(): void {
    const { text } = this.#editor;
    this.#complaint = this.#options.check?.(text);
    if (this.#complaint === undefined) this.answer(text);
    else this.#options.requestRender();
  }

  #hidden(columns: number): Rendered {
    const stars = "*".repeat(Math.min([...this.#editor.text].length, Math.max(0, columns - 1)));
    return { rows: [stars], stableRows: 0, caret: { row: 0, column: stars.length } };
  }
}
