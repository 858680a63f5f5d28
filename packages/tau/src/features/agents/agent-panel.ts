// Who works for the conversation right now, above the prompt: a row for each agent with what it does and
// for how long. It is there while somebody is at work, and a timer runs only then.

import type { Rendered } from "@tau/tui/component";
import { padTo } from "@tau/tui/components/grapheme-clusters";
import { fitSpans, widthOfSpans, type Span } from "@tau/tui/components/spans";
import { clampRow, displayWidth } from "@tau/tui/width";
import { AGENT_BOOK } from "../../feature-api/agent-book.ts";
import { isAtWork, type AgentView } from "../../feature-api/agent-view.ts";
import type { Panel, PanelPlace } from "../../feature-api/terminal-feature.ts";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { rowText } from "../../tools/render/clip-text.ts";
import { wholeSeconds } from "../../tools/render/seconds.ts";

/** More would push the conversation off a small screen; the rest is counted, and in `/agents`. */
const MAX_ROWS = 4;
/** On a screen so low that the prompt and the conversation need its rows. */
const LOW_SCREEN_ROWS = 16;
const MAX_ROWS_LOW = 1;
const MAX_NAME_COLUMNS = 20;
/** Whole seconds are shown. */
const TICK_MS = 1000;
const NOTHING: Rendered = { rows: [], stableRows: 0 };

export interface AgentPanelOptions extends PanelPlace {
  now?: () => number;
}

export class AgentPanel implements Panel {
  readonly state = "live";
  readonly #options: AgentPanelOptions;
  #agents: readonly AgentView[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AgentPanelOptions) {
    this.#options = options;
  }

  enter(session: Session): void {
    this.set(session.part(AGENT_BOOK)?.views() ?? []);
  }

  follow(event: SessionEvent): void {
    if (event.type === "agents_changed") this.set(event.agents);
  }

  set(agents: readonly AgentView[]): void {
    const before = this.#agents.length;
    this.#agents = agents.filter(isAtWork);
    if (before > 0 || this.#agents.length > 0) this.#options.requestRender();
    this.#tick();
  }

  render(columns: number): Rendered {
    const all = this.#agents;
    if (all.length === 0) return NOTHING;
    const width = Math.max(1, columns);
    const { theme, screenRows } = this.#options;
    const most = screenRows() < LOW_SCREEN_ROWS ? MAX_ROWS_LOW : MAX_ROWS;
    // Whoever works before whoever waits; then the oldest.
    const sorted = [...all].sort((a, b) => Number(isQueued(a)) - Number(isQueued(b)));
    const shown = sorted.slice(0, most);
    const names = shown.reduce((widest, { id }) => Math.max(widest, displayWidth(nameOf(id))), 0);
    const rows = shown.map((agent) => this.#row(agent, names, width));
    const more = all.length - shown.length;
    if (more > 0) {
      const text = `  +${more} more at work ${theme.symbols.separator} /agents shows all`;
      rows.push(fitSpans([{ text, paint: theme.style("dim") }], width));
    }
    return { rows: ["", ...rows], stableRows: 0 };
  }

  #row(agent: AgentView, names: number, width: number): string {
    const { theme, now = Date.now } = this.#options;
    const { symbols } = theme;
    const isWaiting = isQueued(agent);
    const head: Span[] = [
      { text: "  " },
      isWaiting
        ? { text: `${symbols.pending} `, paint: theme.style("muted") }
        : { text: `${symbols.running} `, paint: theme.style("accent") },
      { text: `${padTo(nameOf(agent.id), names)}  `, paint: theme.style("text") },
    ];
    const time = isWaiting ? "queued" : wholeSeconds(now() - agent.startedAt);
    const tail: Span[] = [{ text: `  ${time}`, paint: theme.style("muted") }];
    const room = Math.max(1, width - widthOfSpans(head) - widthOfSpans(tail));
    const words = agent.doing ?? agent.description ?? agent.kind;
    const doing = fitSpans([{ text: rowText(words, room), paint: theme.style("muted") }], room);
    return clampRow(fitSpans(head, width) + doing + fitSpans(tail, width), width);
  }

  #tick(): void {
    if (this.#timer !== undefined || this.#agents.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#agents.length > 0) this.#options.requestRender();
      this.#tick();
    }, TICK_MS);
    // Nobody is kept from leaving by it.
    this.#timer.unref();
  }
}

function isQueued({ state }: AgentView): boolean {
  return state === "queued";
}

function nameOf(id: string): string {
  return rowText(id, MAX_NAME_COLUMNS);
}
