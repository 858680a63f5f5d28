// One login while it goes on: what the vendor wants to be done, where, and a line for what the
// user has to paste. Esc ends it at any moment, whatever it is waiting for.

import type { Environment } from "@tau/ai/environment";
import type { LoginEntry } from "@tau/ai/oauth/logins";
import type {
  LoginDriver,
  LoginResult,
  LoginRow,
  LoopbackListener,
  LoopbackOptions,
} from "@tau/ai/oauth/oauth";
import type { FocusableComponent, Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { wrapSpans } from "@tau/tui/components/spans";
import { PromptEditor } from "@tau/tui/editor/prompt-editor";
import type { KeyInput } from "@tau/tui/key-input";
import { layered } from "@tau/tui/theme/theme";
import { hyperlink, splitRow } from "@tau/tui/width";
import { listenOnLoopback } from "../../../credentials/loopback-listener.ts";
import type { Close, Stage } from "../stage.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";

export interface LoginFlowDeps {
  env: Environment;
  /** True where a browser was started. */
  openBrowser(url: string): boolean;
  /** To the clipboard; absent where there is none. */
  copy?(text: string): void;
  signal?: AbortSignal;
}

/** Undefined where the user ended it. Failures are shown, and the user may try again. */
export function runLogin(
  stage: Stage,
  entry: LoginEntry,
  row: LoginRow,
  deps: LoginFlowDeps,
): Promise<LoginResult | undefined> {
  const { signal } = deps;
  const ended = new AbortController();
  const open = (close: Close<LoginResult>) => new LoginFlow(stage, entry, row, deps, close, ended);
  return stage
    .show<LoginResult>(open, signal ? { signal } : {})
    .finally(() => ended.abort(new LoginEnded()));
}

/** The user has closed the screen. */
class LoginEnded extends Error {
  override readonly name = "LoginEnded";
}

interface Question {
  text: string;
  show: "text" | "hidden";
  answer(text: string): void;
}

/** What was said last; a vendor that is polled says the same thing for minutes. */
const MAX_PROGRESS_LINES = 3;
/** A code or an address that was pasted is one line, however long. */
const NEVER_FOLD = { lines: Number.MAX_SAFE_INTEGER, chars: Number.MAX_SAFE_INTEGER };
const ANSWER_ROWS = 3;

class LoginFlow implements FocusableComponent, LoginDriver {
  readonly state = "live";
  readonly #stage: Stage;
  readonly #entry: LoginEntry;
  readonly #row: LoginRow;
  readonly #deps: LoginFlowDeps;
  readonly #close: Close<LoginResult>;
  readonly #ended: AbortController;
  readonly #keys: ScreenKeys;
  readonly #editor: PromptEditor;
  #instructions = "";
  #url = "";
  #code = "";
  #hasBrowser = false;
  #progress: string[] = [];
  #question: Question | undefined;
  #failure: string | undefined;
  #said = "";

  constructor(
    stage: Stage,
    entry: LoginEntry,
    row: LoginRow,
    deps: LoginFlowDeps,
    close: Close<LoginResult>,
    ended: AbortController,
  ) {
    this.#stage = stage;
    this.#entry = entry;
    this.#row = row;
    this.#deps = deps;
    this.#close = close;
    this.#ended = ended;
    this.#keys = new ScreenKeys(stage.bindings, "screen.login");
    this.#editor = new PromptEditor({
      theme: stage.theme,
      requestRender: () => stage.requestRender(),
      onSubmit: () => undefined,
      escape: "pass",
      maxRows: ANSWER_ROWS,
      fold: NEVER_FOLD,
    });
    void this.#run();
  }

  open(url: string, instructions: string): void {
    this.#instructions = instructions;
    this.#show(url);
  }

  showCode(code: string, url: string): void {
    this.#instructions = "Go to this page and enter the code:";
    this.#code = code;
    this.#show(url);
  }

  ask(
    question: string,
    { secret, signal }: { secret: boolean; signal?: AbortSignal },
  ): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const signals = [this.#ended.signal, ...(signal ? [signal] : [])];
    const taken = AbortSignal.any(signals);
    if (taken.aborted) return Promise.reject(taken.reason as Error);
    const end = (): void => {
      this.#question = undefined;
      this.#editor.setText("");
      this.#stage.requestRender();
    };
    const onAbort = (): void => {
      end();
      reject(taken.reason as Error);
    };
    taken.addEventListener("abort", onAbort, { once: true });
    this.#question = {
      text: question,
      show: secret ? "hidden" : "text",
      answer: (text) => {
        taken.removeEventListener("abort", onAbort);
        end();
        resolve(text);
      },
    };
    this.#stage.requestRender();
    return promise;
  }

  async listen(options: LoopbackOptions): Promise<LoopbackListener> {
    return listenOnLoopback(options);
  }

  progress(text: string): void {
    if (this.#progress.at(-1) === text) return;
    this.#progress = [...this.#progress, text].slice(-MAX_PROGRESS_LINES);
    this.#stage.requestRender();
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    const { rows, caret } = this.#body(width);
    const hasFailed = this.#failure !== undefined;
    return drawScreen(this.#stage, columns, {
      title: `Log in: ${this.#entry.name}`,
      needs: rows.length + 1,
      body: () => rows,
      hints: [
        ...(this.#question ? [{ action: "selection.accept", label: "send" }] : []),
        ...(hasFailed ? [{ action: "selection.accept", label: "try again" }] : []),
        ...(this.#url !== "" && this.#deps.copy
          ? [{ action: "screen.login.copy", label: "copy the URL" }]
          : []),
        { action: "selection.cancel", label: "cancel" },
      ],
      caret: caret ? { ...caret, in: "body" as const } : undefined,
    });
  }

  /** An open screen takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    this.#said = "";
    if (input.type === "paste") {
      const text = input.text.replace(/\s*[\r\n]+\s*/g, " ").trim();
      if (this.#question) this.#editor.handleKey({ type: "paste", text });
    } else this.#press(input);
    this.#stage.requestRender();
    return true;
  }

  #press(input: Extract<KeyInput, { type: "key" }>): void {
    const action = this.#keys.actionOf(input);
    if (action === "selection.cancel") return this.#close();
    if (action === "selection.accept") return this.#accept();
    if (action === "screen.login.copy" && this.#url !== "" && this.#deps.copy) {
      this.#deps.copy(this.#url);
      this.#said = "The URL is on the clipboard.";
      return;
    }
    // One line: the keys that would break it do nothing.
    const breaks = input.key === "enter" || (input.ctrl && input.key === "j");
    if (this.#question && !breaks) this.#editor.handleKey(input);
  }

  #accept(): void {
    if (this.#question) return this.#question.answer(this.#editor.text.trim());
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#url = "";
    this.#code = "";
    this.#progress = [];
    void this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    const { env } = this.#deps;
    try {
      const result = await this.#row.login(this, { fetch, env, signal, now: Date.now });
      if (!signal.aborted) this.#close(result);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Error)) throw error;
      this.#failure = error.message;
    }
    this.#stage.requestRender();
  }

  #show(url: string): void {
    this.#url = url;
    this.#hasBrowser = this.#deps.openBrowser(url);
    this.#stage.requestRender();
  }

  #body(columns: number): Pick<Rendered, "rows" | "caret"> {
    const { theme } = this.#stage;
    const words = (text: string, paint = theme.style("text")): string[] =>
      text === "" ? [] : wrapSpans([{ text: cleanLine(text), paint }], columns);
    const muted = theme.style("muted");
    const rows = ["", ...words(this.#instructions)];
    if (this.#url !== "") rows.push("", ...this.#address(columns), "");
    if (this.#code !== "") {
      rows.push(...words(this.#code, layered(theme.attribute("bold"), theme.style("accent"))), "");
    }
    if (this.#url !== "") {
      const opened = this.#hasBrowser ? "Your browser was opened." : "Open it in a browser.";
      rows.push(...words(opened, muted));
    }
    for (const line of this.#progress) rows.push(...words(line, muted));
    rows.push(...words(this.#said, theme.style("success")));
    if (this.#failure !== undefined) {
      rows.push("", ...words(`The login failed: ${this.#failure}`, theme.style("error")));
    }
    if (!this.#question) return { rows };
    rows.push("", ...words(this.#question.text));
    const answer = this.#answer(columns);
    const above = rows.length;
    rows.push(...answer.rows);
    const { caret } = answer;
    return { rows, caret: caret ? { ...caret, row: above + caret.row } : undefined };
  }

  /** From edge to edge, so that what is copied has nothing in between; each row leads there. */
  #address(columns: number): string[] {
    const address = cleanLine(this.#url);
    const paint = this.#stage.theme.style("mdLinkUrl");
    const isWeb = /^https?:\/\//i.test(this.#url);
    return splitRow(address, columns).map((part) =>
      isWeb ? hyperlink(paint(part), this.#url) : paint(part),
    );
  }

  #answer(columns: number): Rendered {
    if (this.#question?.show !== "hidden") return this.#editor.render(columns);
    const stars = "*".repeat(Math.min([...this.#editor.text].length, Math.max(0, columns - 1)));
    return { rows: [stars], stableRows: 0, caret: { row: 0, column: stars.length } };
  }
}
