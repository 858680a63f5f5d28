// The prompt editor as a component: keys in, rows and submissions out. The text is the
// model's, the drawing the view's; here keys find their action.

import type { FocusableComponent, Rendered, RequestRender } from "../component.ts";
import type { KeyInput, KeyPress } from "../key-input.ts";
import { ChordMatcher } from "../keys/chord-matcher.ts";
import { KeyBindings } from "../keys/key-bindings.ts";
import type { Theme } from "../theme/theme.ts";
import {
  CompletionPopup,
  completionSpot,
  demandedSpot,
  type CompletionProvider,
} from "./completion.ts";
import {
  COMPLETION_CONTEXT,
  EDITOR_ACTIONS,
  EDITOR_CONTEXT,
  SEARCH_CONTEXT,
} from "./editor-actions.ts";
import { EditorModel } from "./editor-model.ts";
import { EditorView, textColumns, type EditorLook } from "./editor-view.ts";
import type { FoldLimits } from "./paste-tokens.ts";
import { HistorySearch, HistoryWalk, type HistorySource } from "./prompt-history.ts";

export interface Submission {
  /** Pastes expanded. */
  text: string;
  /** As it stood in the editor. */
  shown: string;
  how: "send" | "followUp";
}

export interface PromptEditorOptions {
  theme: Theme;
  requestRender: RequestRender;
  onSubmit(submission: Submission): void;
  onChange?(): void;
  /** What broke in a provider or the external editor; typing goes on. */
  onFailure?(error: unknown): void;
  bindings?: KeyBindings;
  history?: HistorySource;
  completion?: CompletionProvider;
  /** Resolves with the new text, or undefined to leave it as it is. */
  externalEditor?(text: string): Promise<string | undefined>;
  /** `pass` leaves the key to whoever is around the editor. */
  escape?: "clear" | "pass";
  /** A backslash right before Enter breaks the line where no other key can. */
  backslashEnter?: "newline" | "submit";
  prompt?: string;
  placeholder?: string;
  maxRows?: number;
  /** Rows that the screen has for all of it; asked anew for every frame. */
  room?(): number;
  fold?: FoldLimits;
}

const DEFAULT_MAX_ROWS = 10;
const DEFAULT_COLUMNS = 80;

export class PromptEditor implements FocusableComponent {
  readonly state = "live";
  readonly model: EditorModel;
  readonly #options: PromptEditorOptions;
  #matcher: ChordMatcher;
  readonly #view = new EditorView();
  readonly #walk: HistoryWalk | undefined;
  readonly #popup: CompletionPopup | undefined;
  #look: EditorLook;
  #search: HistorySearch | undefined;
  #columns = DEFAULT_COLUMNS;
  #editingOutside = false;
  // The text was put there, not typed: offering to complete it would only be in the way.
  #quiet = false;

  constructor(options: PromptEditorOptions) {
    this.#options = options;
    this.model = new EditorModel(options.fold);
    this.#matcher = new ChordMatcher(options.bindings ?? new KeyBindings(EDITOR_ACTIONS));
    this.#walk = options.history && new HistoryWalk(options.history);
    this.#look = {
      theme: options.theme,
      prompt: options.prompt ?? "",
      placeholder: options.placeholder ?? "",
      maxRows: Math.max(1, options.maxRows ?? DEFAULT_MAX_ROWS),
    };
    this.#popup =
      options.completion &&
      new CompletionPopup(options.completion, {
        changed: options.requestRender,
        failed: (error) => this.#fail(error),
      });
  }

  get text(): string {
    return this.model.text;
  }

  /** Somebody is in it: there is a text, an offer, a search through earlier ones, another editor. */
  get isInUse(): boolean {
    const isOpen = this.#search !== undefined || this.#popup?.isOpen === true;
    return !this.model.isEmpty || isOpen || this.#editingOutside;
  }

  setText(text: string): void {
    this.model.setText(text);
    this.#changed();
  }

  /** The user's keys have changed. */
  rebind(bindings: KeyBindings): void {
    this.#matcher = new ChordMatcher(bindings);
  }

  /** Another prompt sign, colour or height from the next frame on. */
  setLook(look: Partial<EditorLook>): void {
    this.#look = { ...this.#look, ...look };
    this.#options.requestRender();
  }

  render(columns: number): Rendered {
    this.#columns = Math.max(1, columns);
    const { model } = this;
    const parts = { model, popup: this.#popup, search: this.#search };
    const room = this.#options.room?.();
    const look = room === undefined ? this.#look : { ...this.#look, room };
    return this.#view.render(parts, look, this.#columns);
  }

  handleKey(input: KeyInput): boolean {
    // The screen belongs to the other editor; what still arrives was not meant for us.
    if (this.#editingOutside) return true;
    const before = this.model.version;
    const taken = input.type === "paste" ? this.#paste(input.text) : this.#press(input);
    if (this.model.version !== before) this.#changed();
    if (taken) this.#options.requestRender();
    return taken;
  }

  #paste(text: string): boolean {
    if (this.#search) this.#search.setQuery(this.#search.query + text.replace(/\s+/g, " "));
    else this.model.paste(text);
    this.#walk?.leave();
    return true;
  }

  #press(press: KeyPress): boolean {
    if (this.#search) return this.#pressInSearch(this.#search, press);
    const contexts = this.#popup?.isOpen ? [COMPLETION_CONTEXT, EDITOR_CONTEXT] : [EDITOR_CONTEXT];
    const match = this.#matcher.press(contexts, press);
    if (match.kind === "action") return this.#act(match.action);
    if (match.kind !== "none") return true;
    if (press.text === "" || press.ctrl || press.alt || press.meta) return false;
    this.model.insert(press.text);
    this.#walk?.leave();
    return true;
  }

  #act(action: string): boolean {
    const motion = this.#motions[action];
    if (motion) {
      motion();
      return true;
    }
    const edit = this.#edits[action];
    if (edit) {
      edit();
      this.#walk?.leave();
      return true;
    }
    return this.#command(action);
  }

  readonly #motions: Readonly<Record<string, () => void>> = {
    "editor.left": () => this.model.move("backward"),
    "editor.right": () => this.model.move("forward"),
    "editor.wordLeft": () => this.model.moveWord("backward"),
    "editor.wordRight": () => this.model.moveWord("forward"),
    "editor.pageUp": () => this.model.moveRows(-this.#look.maxRows, this.#textColumns),
    "editor.pageDown": () => this.model.moveRows(this.#look.maxRows, this.#textColumns),
    "editor.rowStart": () => this.model.moveToRowEdge("backward", this.#textColumns),
    "editor.rowEnd": () => this.model.moveToRowEdge("forward", this.#textColumns),
    "editor.lineStart": () => this.model.moveToLineEdge("backward"),
    "editor.lineEnd": () => this.model.moveToLineEdge("forward"),
    "editor.textStart": () => this.model.moveToTextEdge("backward"),
    "editor.textEnd": () => this.model.moveToTextEdge("forward"),
  };

  readonly #edits: Readonly<Record<string, () => void>> = {
    "editor.newline": () => this.model.insert("\n"),
    "editor.deleteBackward": () => this.model.delete("backward"),
    "editor.killWordBackward": () => this.model.killWord("backward", "blank-delimited"),
    "editor.killWordStart": () => this.model.killWord("backward", "word"),
    "editor.killWordForward": () => this.model.killWord("forward", "word"),
    "editor.killToEnd": () => this.model.killLine("forward"),
    "editor.killToStart": () => this.model.killLine("backward"),
    "editor.yank": () => this.model.yank(),
    "editor.yankPop": () => this.model.yankPop(),
    "editor.undo": () => this.model.undo(),
    "editor.redo": () => this.model.redo(),
  };

  #command(action: string): boolean {
    switch (action) {
      case "editor.submit":
        return this.#submit("send");
      case "editor.followUp":
        return this.#submit("followUp");
      case "editor.escape":
        return this.#escape();
      case "editor.up":
        return this.model.moveRows(-1, this.#textColumns) || this.#recallOlder();
      case "editor.down":
        return this.model.moveRows(1, this.#textColumns) || this.#recallNewer();
      case "editor.deleteForward":
        // On an empty prompt the key means something to whoever is around the editor.
        if (this.model.isEmpty) return false;
        this.model.delete("forward");
        this.#walk?.leave();
        return true;
      case "editor.searchHistory":
        if (!this.#options.history) return false;
        this.#popup?.close();
        this.#search = new HistorySearch(this.#options.history);
        return true;
      case "editor.complete":
        if (!this.#popup) return false;
        this.#popup.follow(demandedSpot(this.model.beforeCaret));
        return true;
      case "editor.external":
        return this.#editOutside();
      default:
        return this.#completionCommand(action);
    }
  }

  #completionCommand(action: string): boolean {
    const popup = this.#popup;
    if (!popup) return false;
    if (action === "editor.completion.next") popup.move(1);
    else if (action === "editor.completion.previous") popup.move(-1);
    else if (action === "editor.completion.dismiss") popup.dismiss();
    else if (action === "editor.completion.accept") this.#acceptOffer(popup);
    else if (action === "editor.completion.acceptAndSend") {
      if (this.#acceptOffer(popup)?.submits) return this.#submit("send");
    } else return false;
    return true;
  }

  #acceptOffer(popup: CompletionPopup): { submits?: boolean } | undefined {
    const { chosen, spot } = popup;
    if (!chosen || !spot) return undefined;
    this.model.replaceBeforeCaret(spot.start, chosen.insert);
    this.#walk?.leave();
    popup.close();
    // A directory is only half the way.
    this.#quiet = !chosen.insert.endsWith("/");
    return chosen;
  }

  #submit(how: Submission["how"]): boolean {
    const { model } = this;
    const isNewline = how === "send" && (this.#options.backslashEnter ?? "newline") === "newline";
    if (isNewline && model.beforeCaret.endsWith("\\")) {
      model.replaceBeforeCaret(model.caret.offset - 1, "\n");
      return true;
    }
    const submission = { text: model.text, shown: model.shownText, how };
    if (submission.text.trim() === "") return true;
    model.reset();
    this.#walk?.leave();
    this.#popup?.close();
    this.#options.onSubmit(submission);
    return true;
  }

  #escape(): boolean {
    if (this.#options.escape === "pass" || this.model.isEmpty) return false;
    this.model.setText("");
    this.#walk?.leave();
    return true;
  }

  #recallOlder(): boolean {
    const { model } = this;
    const prefix = model.lineCount === 1 ? model.beforeCaret : "";
    return this.#show(this.#walk?.older(model.text, prefix));
  }

  #recallNewer(): boolean {
    return this.#show(this.#walk?.newer(this.model.text));
  }

  #show(text: string | undefined): boolean {
    if (text !== undefined) this.#put(text);
    return true;
  }

  #put(text: string): void {
    this.model.setText(text);
    this.#quiet = true;
  }

  #pressInSearch(search: HistorySearch, press: KeyPress): boolean {
    const match = this.#matcher.press([SEARCH_CONTEXT], press);
    if (match.kind === "action") {
      if (match.action === "editor.search.older") search.again("older");
      else if (match.action === "editor.search.newer") search.again("newer");
      else if (match.action === "editor.search.erase")
        search.setQuery([...search.query].slice(0, -1).join(""));
      else this.#endSearch(match.action === "editor.search.accept" ? search.hit : undefined);
      return true;
    }
    if (match.kind !== "none") return true;
    if (press.text !== "" && !press.ctrl && !press.alt && !press.meta) {
      search.setQuery(search.query + press.text);
      return true;
    }
    // Any other key takes the match and then does what it always does.
    this.#endSearch(search.hit);
    return this.#press(press);
  }

  #endSearch(text: string | undefined): void {
    this.#search = undefined;
    if (text !== undefined) this.#put(text);
  }

  #editOutside(): boolean {
    const edit = this.#options.externalEditor;
    if (!edit) return false;
    this.#editingOutside = true;
    this.#popup?.close();
    const done = (): void => {
      this.#editingOutside = false;
      this.#options.requestRender();
    };
    edit(this.model.text).then(
      (text) => {
        if (text !== undefined) this.setText(text);
        done();
      },
      (error: unknown) => {
        done();
        this.#fail(error);
      },
    );
    return true;
  }

  get #textColumns(): number {
    return textColumns(this.#columns, this.#look.prompt);
  }

  #changed(): void {
    const spot = completionSpot(this.model.beforeCaret, this.model.caret.line);
    this.#popup?.follow(this.#quiet ? undefined : spot);
    this.#quiet = false;
    this.#options.onChange?.();
  }

  #fail(error: unknown): void {
    this.#options.onFailure?.(error);
    this.#options.requestRender();
  }
}
