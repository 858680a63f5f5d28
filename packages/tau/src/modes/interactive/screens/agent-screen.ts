// One agent: what it does, as it does it, and a line to write to it. Esc goes back; what was typed and not
// sent is given back to whoever opened it.

import type { FocusableComponent, Rendered } from "@tau/tui/component";
import { fitSpans } from "@tau/tui/components/spans";
import { PromptEditor } from "@tau/tui/editor/prompt-editor";
import type { KeyInput } from "@tau/tui/key-input";
import { displayWidth, fitLine } from "@tau/tui/width";
import type { AgentBook } from "../../../feature-api/agent-book.ts";
import type { AgentView } from "../../../feature-api/agent-view.ts";
import { rowText } from "../../../tools/render/clip-text.ts";
import type { Close, Stage } from "../stage.ts";
import { AgentPane, type OpenTranscript } from "./agent-pane.ts";
import { endWords, lookOf, nowWords, spentWords, timeWords } from "./agent-rows.ts";
import { askToStop } from "./ask-to-stop.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";

export interface AgentScreenDeps {
  id: string;
  book: Pick<AgentBook, "views" | "subscribe" | "say" | "stop">;
  openTranscript: OpenTranscript;
  draft?: string;
  now?: () => number;
  signal?: AbortSignal;
}

/** The words that are written to it; the transcript needs the rest. */
const EDITOR_ROWS = 3;
const TICK_MS = 1000;

/** What was typed and not sent. */
export async function openAgentScreen(
  stage: Stage,
  deps: AgentScreenDeps,
): Promise<string | undefined> {
  const closed = new AbortController();
  const { signal } = deps;
  let screen: AgentScreen | undefined;
  await stage
    .show<true>((close) => (screen = new AgentScreen(stage, deps, close, closed.signal)), {
      signal,
    })
    .finally(() => closed.abort());
  return screen?.draft;
}

class AgentScreen implements FocusableComponent {
  readonly state = "live";
  readonly #stage: Stage;
  readonly #deps: AgentScreenDeps;
  readonly #close: Close<true>;
  readonly #closed: AbortSignal;
  readonly #keys: ScreenKeys;
  readonly #editor: PromptEditor;
  readonly #pane: AgentPane;
  #agent: AgentView | undefined;
  #said: string | undefined;

  constructor(stage: Stage, deps: AgentScreenDeps, close: Close<true>, closed: AbortSignal) {
    const { id, book, openTranscript: open, draft } = deps;
    const requestRender = (): void => stage.requestRender();
    this.#stage = stage;
    this.#deps = deps;
    this.#close = close;
    this.#closed = closed;
    this.#keys = new ScreenKeys(stage.bindings, "screen.agent");
    this.#editor = new PromptEditor({
      theme: stage.theme,
      requestRender,
      onSubmit: () => undefined,
      escape: "pass",
      maxRows: EDITOR_ROWS,
      placeholder: `write to ${id}`,
    });
    if (draft !== undefined) this.#editor.setText(draft);
    this.#pane = new AgentPane({ id, open, requestRender });
    this.#agent = find(id, book.views());
    void this.#pane.reopen();
    const unsubscribe = book.subscribe((agents) => this.#take(find(id, agents)));
    const ticking = setInterval(() => {
      if (this.#agent?.state === "running") requestRender();
    }, TICK_MS);
    ticking.unref();
    closed.addEventListener("abort", () => {
      unsubscribe();
      clearInterval(ticking);
      void this.#pane.close();
    });
  }

  get draft(): string {
    return this.#editor.text;
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    const { id } = this.#deps;
    const agent = this.#agent;
    const line = this.#line(width);
    return drawScreen(this.#stage, columns, {
      title: agent ? `${id}  ${agent.kind}` : id,
      aside: () => this.#aside,
      head: [this.#now(width)],
      body: (rows, room) => this.#body(rows, room),
      foot: line.rows,
      hints: [
        {
          action: "selection.accept",
          label: agent?.state === "parked" ? "send and bring back" : "send",
        },
        { action: "screen.agent.pageUp", label: "page up" },
        { action: "screen.agent.stop", label: "stop" },
        { action: "selection.cancel", label: "back" },
      ],
      caret: line.caret && { ...line.caret, in: "foot" as const },
    });
  }

  /** An open screen takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    const action = input.type === "paste" ? undefined : this.#keys.actionOf(input);
    if (!this.#act(action)) {
      this.#said = undefined;
      this.#editor.handleKey(input);
    }
    this.#stage.requestRender();
    return true;
  }

  /** False for what is the editor's. */
  #act(action: string | undefined): boolean {
    const { window } = this.#pane;
    const page = Math.max(1, window.height - 1);
    const isOneLine = !this.#editor.text.includes("\n");
    switch (action) {
      case "selection.cancel":
        this.#close();
        return true;
      case "selection.accept":
        void this.#send();
        return true;
      case "screen.agent.up":
      case "screen.agent.down":
        if (isOneLine) window[action === "screen.agent.up" ? "up" : "down"](1);
        return isOneLine;
      case "screen.agent.pageUp":
        window.up(page);
        return true;
      case "screen.agent.pageDown":
        window.down(page);
        return true;
      case "screen.agent.top":
        window.toTop();
        return true;
      case "screen.agent.bottom":
        window.toEnd();
        return true;
      case "screen.agent.stop":
        void this.#stop();
        return true;
      default:
        return false;
    }
  }

  async #send(): Promise<void> {
    const { id, book } = this.#deps;
    const { text } = this.#editor;
    if (text.trim() === "") return;
    this.#editor.setText("");
    this.#pane.window.toEnd();
    this.#said = `Sent to ${id}.`;
    try {
      await book.say(id, text);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#said = error.message;
      // It is not lost, and what was typed meanwhile is not either.
      this.#editor.setText([text, this.#editor.text].filter(Boolean).join("\n"));
    }
    if (!this.#closed.aborted) this.#stage.requestRender();
  }

  async #stop(): Promise<void> {
    const { book } = this.#deps;
    const agent = this.#agent;
    if (!agent) return;
    const said = await askToStop(this.#stage, { agent, book, signal: this.#closed });
    if (said === undefined || this.#closed.aborted) return;
    this.#said = said;
    this.#stage.requestRender();
  }

  #take(agent: AgentView | undefined): void {
    const was = this.#agent;
    this.#agent = agent;
    if (isHere(was) !== isHere(agent)) void this.#pane.reopen();
    this.#stage.requestRender();
  }

  get #aside(): string {
    const agent = this.#agent;
    if (!agent) return "";
    const now = (this.#deps.now ?? Date.now)();
    const parts = [endWords(agent), timeWords(agent, now), spentWords(agent)];
    return parts.filter((part) => part !== "").join(", ");
  }

  /** What it does, or why it does nothing any more. */
  #now(columns: number): string {
    const { theme } = this.#stage;
    const agent = this.#agent;
    if (!agent) return "";
    const { sign, tone } = lookOf(agent, theme.symbols);
    const isBad = agent.error !== undefined;
    const words = rowText(nowWords(agent), columns);
    return fitSpans(
      [
        { text: `${sign} `, paint: theme.style(tone) },
        { text: words, paint: theme.style(isBad ? "warning" : "muted") },
      ],
      columns,
    );
  }

  #body(rows: number, columns: number): readonly string[] {
    const pane = this.#pane;
    const muted = this.#stage.theme.style("muted");
    if (pane.problem !== undefined) return [muted(fitLine(pane.problem, columns))];
    if (!pane.isEmpty) return pane.rows(rows, columns);
    return pane.isOpening ? [] : [muted(fitLine("It has not done anything yet.", columns))];
  }

  /** What is typed, after a sign; below it what came of the last line. */
  #line(columns: number): Rendered {
    const { theme } = this.#stage;
    const sign = `${theme.symbols.pointer} `;
    const lead = displayWidth(sign);
    const { rows, caret } = this.#editor.render(Math.max(1, columns - lead));
    const drawn = rows.map(
      (row, at) => (at === 0 ? theme.style("accent")(sign) : " ".repeat(lead)) + row,
    );
    const said =
      this.#said === undefined ? [] : [theme.style("muted")(fitLine(this.#said, columns))];
    const place = caret && { row: caret.row, column: caret.column + lead };
    return { rows: [...drawn, ...said], stableRows: 0, caret: place };
  }
}

/** Its session is there, and can be followed. */
function isHere(agent: AgentView | undefined): boolean {
  return agent?.state === "running" || agent?.state === "idle";
}

function find(id: string, agents: readonly AgentView[]): AgentView | undefined {
  return agents.find((agent) => agent.id === id);
}
