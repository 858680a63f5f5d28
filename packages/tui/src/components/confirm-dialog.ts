// Asks yes or no. Nothing is preselected as yes unless the caller says so: Enter is pressed
// too easily. A letter is, too: it marks an answer, and Enter gives it.

import type { Rendered, RequestRender } from "../component.ts";
import type { KeyInput } from "../key-input.ts";
import type { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import { Dialog } from "./dialog.ts";
import { SelectionKeys, typedText } from "./selection-actions.ts";
import { fitSpans } from "./spans.ts";
import { paintedRows } from "./text-block.ts";

export interface ConfirmDialogOptions {
  title: string;
  question: string;
  theme: Theme;
  requestRender: RequestRender;
  preselected?: "yes" | "no";
  /** False while somebody keeps the keys from it: nothing looks chosen then. */
  takesKeys?(): boolean;
  yes?: string;
  no?: string;
  bindings?: KeyBindings;
  signal?: AbortSignal;
}

export class ConfirmDialog extends Dialog<boolean> {
  readonly #options: ConfirmDialogOptions;
  readonly #keys: SelectionKeys;
  #chosen: "yes" | "no";

  constructor(options: ConfirmDialogOptions) {
    super(options);
    this.#options = options;
    this.#keys = new SelectionKeys(options.bindings);
    this.#chosen = options.preselected ?? "no";
  }

  protected override renderContent(columns: number): Rendered {
    const { question, theme, yes = "Yes", no = "No", takesKeys } = this.#options;
    const isAsleep = takesKeys?.() === false;
    const button = (label: string, isChosen: boolean) => ({
      text: isChosen && !isAsleep ? `[${label}]` : ` ${label} `,
      paint: theme.style(isAsleep ? "dim" : isChosen ? "accent" : "muted"),
    });
    const buttons = [
      button(yes, this.#chosen === "yes"),
      { text: "  " },
      button(no, this.#chosen === "no"),
    ];
    return {
      rows: [...paintedRows(question, columns), "", fitSpans(buttons, columns)],
      stableRows: 0,
    };
  }

  choose(answer: "yes" | "no"): void {
    this.#chosen = answer;
    this.#options.requestRender();
  }

  protected override handleOwnKey(input: KeyInput): void {
    if (input.type === "paste") return;
    const letter = typedText(input).toLowerCase();
    if (letter === "y") return this.choose("yes");
    if (letter === "n") return this.choose("no");
    const action = this.#keys.actionOf(input);
    if (action === "accept") return this.answer(this.#chosen === "yes");
    if (action === "cancel") return this.cancel();
    if (action === undefined || action === "erase") return;
    this.choose(this.#chosen === "yes" ? "no" : "yes");
  }
}
