// The agents of the conversation: who works for whom, what each does and has used, as it goes on. Enter
// opens one; whoever is stopped is asked about first.

import { fitLine } from "@tau/tui/width";
import type { AgentBook } from "../../../feature-api/agent-book.ts";
import { isAtWork, type AgentView } from "../../../feature-api/agent-view.ts";
import type { Close, Stage } from "../stage.ts";
import { openAgentScreen, type AgentScreenDeps } from "./agent-screen.ts";
import { AGENT_COLUMNS, agentRows, spentWords } from "./agent-rows.ts";
import { askToStop } from "./ask-to-stop.ts";
import { ListScreen, type ListScreenView } from "./list-screen.ts";
import type { PickRow } from "./pick-list.ts";

export interface AgentHubDeps extends Pick<AgentScreenDeps, "openTranscript"> {
  book: Pick<AgentBook, "views" | "subscribe" | "say" | "stop" | "revive">;
  now?: () => number;
  signal?: AbortSignal;
}

/** Whole seconds are shown. */
const TICK_MS = 1000;

export async function openAgentHub(stage: Stage, deps: AgentHubDeps): Promise<void> {
  const closed = new AbortController();
  const { signal } = deps;
  await stage
    .show<true>((close) => new AgentHub(stage, deps, close, closed.signal), { signal })
    .finally(() => closed.abort());
}

class AgentHub extends ListScreen<AgentView> {
  readonly #deps: AgentHubDeps;
  readonly #closed: AbortSignal;
  /** What was typed for one and not sent. */
  readonly #drafts = new Map<string, string>();
  #agents: readonly AgentView[];
  #scope: "all" | "at work" = "all";

  constructor(stage: Stage, deps: AgentHubDeps, close: Close<true>, closed: AbortSignal) {
    super({
      stage,
      context: "screen.agents",
      columns: AGENT_COLUMNS,
      placeholder: "filter by name, kind or task",
      empty: "No agents yet. The model starts them with the task tool.",
      onCancel: () => close(),
    });
    this.#deps = deps;
    this.#closed = closed;
    this.#agents = deps.book.views();
    this.#show();
    const first = this.#agents.find(isAtWork) ?? this.#agents.at(-1);
    if (first) this.list.select(first.id);
    const unsubscribe = deps.book.subscribe((agents) => {
      this.#agents = agents;
      this.#show();
      stage.requestRender();
    });
    const ticking = setInterval(() => {
      if (!this.#agents.some(isAtWork)) return;
      this.#show();
      stage.requestRender();
    }, TICK_MS);
    ticking.unref();
    closed.addEventListener("abort", () => {
      unsubscribe();
      clearInterval(ticking);
    });
  }

  protected override view(columns: number): ListScreenView {
    const { theme } = this.stage;
    const agent = this.#selected;
    const about = agent ? aboutOf(agent) : "";
    const isBad = agent?.error !== undefined;
    const facts = agent ? factsOf(agent) : "";
    const canRevive = agent?.state === "parked";
    const close = { action: "selection.cancel", label: "close" };
    return {
      title: this.#scope === "all" ? "Agents" : "Agents at work",
      aside: asideOf(this.#agents),
      foot: [
        theme.style(isBad ? "warning" : "text")(fitLine(about, columns)),
        theme.style("muted")(fitLine(facts, columns)),
      ],
      hints: !agent
        ? [close]
        : [
            { action: "selection.accept", label: "open" },
            { action: "screen.agents.scope", label: this.#scope === "all" ? "at work" : "all" },
            { action: "screen.agents.stop", label: "stop" },
            ...(canRevive ? [{ action: "screen.agents.revive", label: "bring back" }] : []),
            close,
          ],
    };
  }

  protected override choose({ value }: PickRow<AgentView>): void {
    const { book, openTranscript, now } = this.#deps;
    const { id } = value;
    const draft = this.#drafts.get(id);
    const deps = { id, book, openTranscript, now, draft, signal: this.#closed };
    void openAgentScreen(this.stage, deps).then((left) => {
      if (left === undefined || left === "") this.#drafts.delete(id);
      else this.#drafts.set(id, left);
    });
  }

  protected override act(action: string): boolean {
    switch (action) {
      case "screen.agents.scope":
        this.#scope = this.#scope === "all" ? "at work" : "all";
        this.#show();
        return true;
      case "screen.agents.stop":
        void this.#stop();
        return true;
      case "screen.agents.revive":
        void this.#revive();
        return true;
      default:
        return false;
    }
  }

  async #stop(): Promise<void> {
    const agent = this.#selected;
    if (!agent) return;
    const { book } = this.#deps;
    const said = await askToStop(this.stage, { agent, book, signal: this.#closed });
    if (said !== undefined && !this.#closed.aborted) this.say(said, "muted");
  }

  async #revive(): Promise<void> {
    const agent = this.#selected;
    if (!agent) return;
    if (agent.state !== "parked") return this.say(`${agent.id} is not parked.`, "muted");
    try {
      await this.#deps.book.revive(agent.id);
      if (!this.#closed.aborted)
        this.say(`${agent.id} is here again; open it to write to it.`, "muted");
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (!this.#closed.aborted) this.say(error.message);
    }
  }

  /** As it is now: the row that is selected may be of a moment ago. */
  get #selected(): AgentView | undefined {
    return this.list.selected?.value;
  }

  #show(): void {
    const { symbols } = this.stage.theme;
    const now = (this.#deps.now ?? Date.now)();
    const shown = this.#scope === "all" ? this.#agents : this.#agents.filter(isAtWork);
    this.list.setEmpty(
      this.#agents.length === 0
        ? "No agents yet. The model starts them with the task tool."
        : "Nobody is at work.",
    );
    this.list.setRows(agentRows(shown, { symbols, now }));
  }
}

function asideOf(agents: readonly AgentView[]): string {
  const running = agents.filter(({ state }) => state === "running").length;
  const queued = agents.filter(({ state }) => state === "queued").length;
  const parts = [
    running === 0 ? "" : `${running} at work`,
    queued === 0 ? "" : `${queued} queued`,
    agents.length === 0 ? "" : `${agents.length} in all`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** What it is for, or why it does nothing any more. */
function aboutOf({ error, end, state, description = "" }: AgentView): string {
  if (error !== undefined) return error;
  if (end !== "interrupted" || state !== "parked") return description;
  const hint = "Interrupted when Tau ended: write to it, and it goes on where it was";
  return description === "" ? `${hint}.` : `${hint}. ${description}`;
}

function factsOf(agent: AgentView): string {
  const { id, kind, parent, model, isIsolated } = agent;
  const parts = [
    id,
    kind,
    model ?? "",
    spentWords(agent),
    `for ${parent}`,
    isIsolated ? "in a tree of its own" : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
