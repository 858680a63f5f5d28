// What extensions can ask and show in the interactive mode. It is there before the session is: a question
// can be put while the session is still being opened, and what is to be told then waits for the first
// lines. Who may put up what, and that it goes away again, is for the extensions' own view of it to say.

import type { Component } from "@tau/tui/component";
import { clampRow } from "@tau/tui/width";
import { PRODUCT } from "../../brand.ts";
import {
  withdrawalOf,
  type DrawingPlace,
  type NoticeTone,
  type QuestionOptions,
  type Sender,
  type UserInterface,
  type Widget,
  type WidgetPlace,
} from "../../feature-api/user-interface.ts";
import { senderName, withSender } from "../../feature-api/sender.ts";
import type { AppContext } from "./app-context.ts";
import type { Attention } from "./attention.ts";
import { WidgetShelf, type ShelvedWidget } from "./bottom/widget-shelf.ts";
import type { SentWords } from "./bottom/status-line.ts";
import { underTitle } from "./sender-title.ts";
import type { NoteTone } from "./stage.ts";

export interface TerminalInterfaceOptions {
  app: AppContext;
  attention: Attention;
  failed(error: unknown): void;
}

const TONES: Readonly<Record<NoticeTone, NoteTone>> = {
  info: "plain",
  warning: "warning",
  error: "error",
};
/** More than anybody reads in one go. */
const MAX_NOTICE_CHARS = 8_000;
/** What Tau says itself begins at the edge. */
const NOTICE_INDENT = 2;
/** Of the window's title: what comes after it is in sight as well. */
const MAX_TITLE_CHARS = 80;
/** A widget of lines has room for fewer. */
const MAX_LINES = 100;

export class TerminalInterface implements UserInterface {
  readonly front = "terminal";
  readonly canAsk = true;
  readonly canDraw = true;
  readonly above: WidgetShelf;
  readonly below: WidgetShelf;
  readonly #options: TerminalInterfaceOptions;
  readonly #statuses = new Map<string, SentWords>();
  #early: (() => void)[] | undefined = [];

  constructor(options: TerminalInterfaceOptions) {
    this.#options = options;
    const { surface } = options.app;
    this.above = new WidgetShelf(surface);
    this.below = new WidgetShelf(surface);
  }

  /** The first lines stand. */
  begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const tell of early) tell();
  }

  /** In the order in which they came. */
  get statuses(): Iterable<SentWords> {
    return this.#statuses.values();
  }

  get theme(): UserInterface["theme"] {
    return this.#options.app.surface.theme;
  }

  get draft(): string {
    return this.#options.app.editor.text;
  }

  readonly select: UserInterface["select"] = async (title, choices, options = {}) => {
    if (choices.length === 0) return undefined;
    const { askToSelect } = await import("./screens/extension-question.ts");
    const question = { ...this.#asked(options), title, choices };
    return askToSelect(this.#surface, question);
  };

  readonly confirm: UserInterface["confirm"] = async (title, message, options = {}) => {
    const { askToConfirm } = await import("./screens/extension-question.ts");
    return askToConfirm(this.#surface, { ...this.#asked(options), title, message });
  };

  readonly questions: UserInterface["questions"] = async (posed, options = {}) => {
    if (posed.length === 0) return [];
    const { askQuestions } = await import("./screens/questions-screen.ts");
    const { from, pickWithinMs, isQuiet = false } = options;
    if (!isQuiet) this.#options.attention.asked(from ?? PRODUCT);
    return askQuestions(this.#surface, {
      questions: posed,
      from,
      pickWithinMs,
      signal: withdrawalOf(options),
      editOutside: this.#editOutside,
      failed: this.#options.failed,
    });
  };

  readonly input: UserInterface["input"] = async (title, options = {}) => {
    const { askText } = await import("./screens/ask-over.ts");
    const { from, signal } = this.#asked(options);
    if (!(await this.#mayTakeKeys(title, { from, signal }))) return undefined;
    const { placeholder, initial } = options;
    return askText(this.#surface, { title: withSender(title, from), placeholder, initial, signal });
  };

  readonly editText: UserInterface["editText"] = async (title, text, options = {}) => {
    const { openTextScreen } = await import("./screens/text-screen.ts");
    const { from, signal } = this.#asked(options);
    if (!(await this.#mayTakeKeys(title, { from, signal }))) return undefined;
    const { failed } = this.#options;
    return openTextScreen(this.#surface, {
      title: withSender(title, from),
      text,
      signal,
      failed,
      editOutside: this.#editOutside,
    });
  };

  readonly #editOutside = async (draft: string): Promise<string | undefined> => {
    const { editOutside } = await import("./external-editor.ts");
    return editOutside(draft, this.#options.app);
  };

  notify(text: string, tone: NoticeTone = "info", { from }: Sender = {}): void {
    const words = String(text).slice(0, MAX_NOTICE_CHARS).trim();
    if (words === "") return;
    const tell = (): void =>
      this.#surface.note(withSender(words, from), TONES[tone] ?? "plain", {
        indent: NOTICE_INDENT,
      });
    if (this.#early) this.#early.push(tell);
    else tell();
  }

  setStatus(key: string, text: string | undefined, { from }: Sender = {}): void {
    if (text === undefined || text.trim() === "") this.#statuses.delete(key);
    else this.#statuses.set(key, { from: from ?? "", words: text });
    this.#surface.requestRender();
  }

  setWidget(
    key: string,
    widget: Widget | undefined,
    place: WidgetPlace = "above",
    { from = "" }: Sender = {},
  ): void {
    const made = widget && this.#made(widget);
    // It may have stood in the other place before.
    this.above.put(key, place === "above" ? made : undefined, from);
    this.below.put(key, place === "below" ? made : undefined, from);
    this.#surface.requestRender();
  }

  setTitle(title: string | undefined, { from }: Sender = {}): void {
    const words = title && `${title.slice(0, MAX_TITLE_CHARS)} (${senderName(from)})`;
    this.#options.attention.useTitle(words);
  }

  setWorking(words: string | undefined, { from }: Sender = {}): void {
    this.#options.app.activity.useWords(words === undefined ? undefined : withSender(words, from));
    this.#surface.requestRender();
  }

  setDraft(text: string): void {
    this.#options.app.editor.setText(text);
    this.#surface.requestRender();
  }

  readonly show: UserInterface["show"] = async (open, { signal, from = "" } = {}) => {
    let screen: Partial<Disposable> | undefined;
    try {
      return await this.#surface.show(
        (close) => {
          const made = open(this.#belowTitle, close);
          screen = made;
          const { theme } = this.#surface;
          return {
            state: "live",
            render: (columns) => underTitle(made, { from, theme, columns }),
            handleKey: (input) => made.handleKey(input),
          };
        },
        { signal },
      );
    } finally {
      screen?.[Symbol.dispose]?.();
    }
  };

  leave(): void {
    this.#options.app.leave();
  }

  get #surface(): AppContext["surface"] {
    return this.#options.app.surface;
  }

  get #place(): DrawingPlace {
    const { theme, requestRender } = this.#surface;
    const surface = this.#surface;
    return {
      theme,
      get size() {
        return surface.size;
      },
      requestRender,
    };
  }

  /** One row of a screen is Tau's. */
  get #belowTitle(): DrawingPlace {
    const place = this.#place;
    return {
      theme: place.theme,
      get size() {
        const { columns, rows } = place.size;
        return { columns, rows: Math.max(1, rows - 1) };
      },
      requestRender: place.requestRender,
    };
  }

  #asked(options: QuestionOptions): { from?: string; signal?: AbortSignal } {
    const { from } = options;
    this.#options.attention.asked(senderName(from));
    return { from, signal: withdrawalOf(options) };
  }

  /** Whoever is in something else says first that they want to answer: their keys are for that. */
  async #mayTakeKeys(
    title: string,
    { from, signal }: { from?: string; signal?: AbortSignal },
  ): Promise<boolean> {
    const { app } = this.#options;
    if (!app.editor.isInUse && !this.#surface.isCovered) return true;
    const { askToSelect } = await import("./screens/extension-question.ts");
    const choices = [
      { value: "answer", label: "Answer it" },
      { value: "leave", label: "Leave it" },
    ];
    return (await askToSelect(this.#surface, { from, title, choices, signal })) === "answer";
  }

  #made(widget: Widget): ShelvedWidget {
    if (typeof widget === "function") return widget(this.#place);
    const lines = widget.slice(0, MAX_LINES).flatMap((line) => String(line).split("\n"));
    const drawn: Component = {
      state: "live",
      render: (columns) => ({
        rows: lines.map((line) => clampRow(line, columns)),
        stableRows: 0,
      }),
    };
    return drawn;
  }
}
