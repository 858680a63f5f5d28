// What the keys around the prompt do. Esc has one meaning at a time, the first of these that
// applies: stop what runs, clear the draft, and twice on an empty prompt the tree.

import type { KeyPress } from "@tau/tui/key-input";
import { ChordMatcher } from "@tau/tui/keys/chord-matcher";
import type { AppContext } from "./app-context.ts";
import { APP_CONTEXT } from "./app-actions.ts";
import type { Attachments } from "./attachments.ts";

/** Two presses further apart are two presses. */
const DOUBLE_PRESS_MS = 500;

const EARLY_ACTIONS: ReadonlySet<string> = new Set([
  "app.clear",
  "app.exit",
  "app.suspend",
  "app.display.redraw",
]);

export interface AppKeysOptions {
  app: AppContext;
  attachments: Attachments;
  toggleThinking(): void;
  failed(error: unknown): void;
}

export class AppKeys {
  readonly #options: AppKeysOptions;
  #matcher: ChordMatcher;
  #lastEscape = Number.NEGATIVE_INFINITY;
  #lastClear = Number.NEGATIVE_INFINITY;

  constructor(options: AppKeysOptions) {
    this.#options = options;
    this.#matcher = new ChordMatcher(options.app.surface.bindings);
  }

  /** After a remap. */
  rebind(): void {
    this.#matcher = new ChordMatcher(this.#options.app.surface.bindings);
  }

  press(press: KeyPress): boolean {
    const match = this.#matcher.press([APP_CONTEXT], press);
    if (match.kind !== "action") return match.kind !== "none";
    // Before the session is open there is little that a key could do but leave.
    if (!this.#app.isOpen && !EARLY_ACTIONS.has(match.action)) return true;
    const act = this.#actions[match.action];
    void Promise.resolve(act?.()).catch(this.#options.failed);
    return true;
  }

  readonly #actions: Readonly<Record<string, () => void | Promise<void>>> = {
    "app.interrupt": () => this.#escape(),
    "app.clear": () => this.#clear(),
    "app.exit": () => this.#app.leave(),
    "app.suspend": () => this.#app.surface.suspend(),
    "app.model.select": () => this.#app.submit("/model"),
    "app.model.selectTemporary": () => this.#app.submit("/model --session"),
    "app.model.cycleForward": () => this.#cycle("forward"),
    "app.model.cycleBackward": () => this.#cycle("backward"),
    "app.thinking.cycle": () => this.#cycleThinking(),
    "app.thinking.toggle": () => this.#options.toggleThinking(),
    "app.tools.expand": () => this.#app.submit("/transcript"),
    "app.agents.hub": () => this.#app.submit("/agents"),
    "app.message.dequeue": () => this.#dequeue(),
    "app.clipboard.pasteImage": () => this.#pasteImage(),
    "app.clipboard.copyLine": () => this.#copy(this.#currentLine()),
    "app.clipboard.copyPrompt": () => this.#copy(this.#app.editor.text),
    "app.session.new": () => this.#app.submit("/new"),
    "app.session.resume": () => this.#app.submit("/resume"),
    "app.session.tree": () => this.#app.submit("/tree"),
    "app.session.fork": () => this.#app.submit("/fork"),
    "app.display.redraw": () => {
      const { surface } = this.#app;
      surface.screen.repaint();
      surface.requestRender();
    },
  };

  get #app(): AppContext {
    return this.#options.app;
  }

  #escape(): void {
    const { cancels, editor, settings } = this.#app;
    const now = performance.now();
    const isSecond = now - this.#lastEscape < DOUBLE_PRESS_MS;
    this.#lastEscape = Number.NEGATIVE_INFINITY;
    if (cancels.cancel()) return;
    if (this.#isBusy) return this.#app.stop();
    this.#app.guide?.leave();
    if (editor.text !== "") return editor.setText("");
    if (!isSecond) {
      this.#lastEscape = now;
      return;
    }
    if (settings.doubleEscapeAction === "tree") this.#app.submit("/tree");
    if (settings.doubleEscapeAction === "branch") this.#app.submit("/branch");
  }

  #clear(): void {
    const { cancels, editor, surface } = this.#app;
    const now = performance.now();
    const isSecond = now - this.#lastClear < DOUBLE_PRESS_MS;
    this.#lastClear = now;
    if (isSecond || !this.#app.isOpen) return this.#app.leave();
    if (editor.text !== "") return editor.setText("");
    if (cancels.cancel()) return;
    if (this.#isBusy) return this.#app.stop();
    const key = surface.bindings.hint("app.clear") ?? "It";
    surface.note(`${key} again leaves.`);
  }

  get #isBusy(): boolean {
    return this.#app.active.session.isBusy;
  }

  async #cycleThinking(): Promise<void> {
    const { session } = this.#app.active;
    const levels = ["off", ...(session.model.thinking ?? [])] as const;
    if (levels.length === 1) return this.#app.surface.note("This model does not support thinking.");
    const at = levels.indexOf(session.thinking ?? "off");
    await session.setThinking(levels[(at + 1) % levels.length]!);
  }

  async #cycle(direction: "forward" | "backward"): Promise<void> {
    const { cycleModel } = await import("./cycle-model.ts");
    await cycleModel(this.#app, direction);
  }

  async #dequeue(): Promise<void> {
    const { active, editor, surface } = this.#app;
    const own = active.session.mailbox.queued().filter(({ sender }) => sender === "user");
    const last = own.at(-1);
    if (!last) return surface.note("Nothing waits.");
    const { textOf } = await import("@tau/ai/message");
    const [taken] = await active.session.withdraw([last.id]);
    if (taken) editor.setText(joined(textOf(taken.message), editor.text));
    surface.requestRender();
  }

  async #pasteImage(): Promise<void> {
    const { surface, env, editor } = this.#app;
    const { readClipboardImage } = await import("./clipboard.ts");
    const picture = await readClipboardImage(env);
    if (picture === "none") return surface.note("There is no image in the clipboard.");
    if (picture === "no-reader") {
      return surface.note(
        "No program here can read images from the clipboard; install wl-clipboard or xclip, or drop the file here.",
        "warning",
      );
    }
    editor.model.insert(`${this.#options.attachments.add(picture)} `);
    surface.requestRender();
  }

  async #copy(text: string): Promise<void> {
    const { surface } = this.#app;
    const { copyBytes } = await import("./clipboard.ts");
    const bytes = copyBytes(text);
    if (bytes === undefined) return surface.note("That is too long for the clipboard.", "warning");
    surface.send(bytes);
  }

  #currentLine(): string {
    const { model } = this.#app.editor;
    return model.line(model.caret.line);
  }
}

/** Two drafts, the older one first. */
export const joined = (first: string, second: string): string =>
  [first, second].filter((text) => text.trim() !== "").join("\n\n");
