// Agents as rows of a list: a tree by who has started whom, each with its state and what it has used.

import { counted } from "../../../tools/render/call-values.ts";
import { wholeSeconds } from "../../../tools/render/seconds.ts";
import { isAtWork, type AgentView } from "../../../feature-api/agent-view.ts";
import type { Symbols } from "@tau/tui/theme/symbols";
import type { ForegroundToken } from "@tau/tui/theme/tokens";
import { short } from "../bottom/status-line.ts";
import type { PickColumn } from "./pick-columns.ts";
import type { PickRow } from "./pick-list.ts";

/** What it does now is what people look for: it keeps so much before anything else does. */
const LEAST_DOING_COLUMNS = 24;
const LEAST_NAME_COLUMNS = 10;

export const AGENT_COLUMNS: readonly PickColumn[] = [
  { title: "agent", least: LEAST_NAME_COLUMNS },
  { title: "kind", yields: 4 },
  { title: "now", least: LEAST_DOING_COLUMNS },
  { title: "model", isExtra: true },
  { title: "calls", align: "right", yields: 6 },
  { title: "tokens", align: "right", yields: 5 },
  { title: "cost", align: "right", yields: 3 },
  { title: "time", align: "right", yields: 2 },
  { title: "mail", align: "right", yields: 1 },
];

/** Each below whoever has started it, in the order in which they came. */
export function agentRows(
  agents: readonly AgentView[],
  { symbols, now }: { symbols: Symbols; now: number },
): PickRow<AgentView>[] {
  const children = new Map<string, AgentView[]>();
  const known = new Set(agents.map(({ id }) => id));
  for (const agent of agents) {
    // One whose parent is not shown stands by itself.
    const parent = known.has(agent.parent) ? agent.parent : "";
    children.set(parent, [...(children.get(parent) ?? []), agent]);
  }
  const rows: PickRow<AgentView>[] = [];
  const add = (parent: string, gutter: string): void => {
    const all = children.get(parent) ?? [];
    for (const [at, agent] of all.entries()) {
      const isLast = at === all.length - 1;
      const isTop = parent === "";
      const branch = isTop ? "" : gutter + (isLast ? symbols.treeLast : symbols.treeBranch);
      rows.push(rowOf(agent, branch, { symbols, now }));
      const below = isTop ? "" : gutter + (isLast ? "  " : symbols.treeLine);
      add(agent.id, below);
    }
  };
  add("", "");
  return rows;
}

function rowOf(
  agent: AgentView,
  branch: string,
  { symbols, now }: { symbols: Symbols; now: number },
): PickRow<AgentView> {
  const { id, kind, description = "", requests, tokens, costUsd, unread } = agent;
  // Below its parent, whose name it begins with, the rest says who it is.
  const name = branch === "" ? id : `${branch} ${id.slice(id.lastIndexOf(".") + 1)}`;
  const { sign, tone } = lookOf(agent, symbols);
  return {
    id,
    value: agent,
    cells: [
      name,
      kind,
      nowWords(agent),
      agent.model?.slice(agent.model.indexOf("/") + 1) ?? "",
      requests === 0 ? "" : String(requests),
      tokens === 0 ? "" : short(tokens),
      costUsd === 0 ? "" : `$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`,
      timeWords(agent, now),
      unread === 0 ? "" : String(unread),
    ],
    texts: [id, kind, description],
    mark: sign,
    markTone: tone,
    tone: isAtWork(agent) ? "text" : "muted",
  };
}

export function lookOf(
  { state, end }: AgentView,
  symbols: Symbols,
): { sign: string; tone: ForegroundToken } {
  if (state === "running") return { sign: symbols.running, tone: "accent" };
  if (state === "queued") return { sign: symbols.pending, tone: "muted" };
  if (end === "failed") return { sign: symbols.error, tone: "error" };
  if (state === "aborted" || end === "aborted") return { sign: symbols.error, tone: "warning" };
  if (end === "interrupted") return { sign: symbols.warning, tone: "warning" };
  return { sign: symbols.success, tone: "success" };
}

/** What it does, or how it ended; then what it is for. */
export function nowWords(agent: AgentView): string {
  const { state, doing, description = "", error } = agent;
  if (state === "queued") return joined("waits for its turn", description);
  if (state === "running") return doing ?? joined("", description);
  if (doing !== undefined) return doing;
  return joined(endWords(agent), error ?? description);
}

/** How its last task ended, or that it is still at it. */
export function endWords({ state, end }: AgentView): string {
  if (state === "queued" || state === "running") return state;
  if (state === "aborted" || end === "aborted") return "stopped";
  if (end === "failed" || end === "interrupted") return end;
  return state === "parked" ? "done, parked" : "done";
}

export function timeWords({ state, startedAt, endedAt }: AgentView, now: number): string {
  if (state === "queued") return "";
  const until = endedAt ?? (state === "running" ? now : undefined);
  if (until === undefined) return "";
  return wholeSeconds(until - startedAt);
}

/** What it has used, in a row. */
export function spentWords({ requests, tokens, costUsd, unread }: AgentView): string {
  const parts = [
    requests === 0 ? "" : counted(requests, "call"),
    tokens === 0 ? "" : `${short(tokens)} tokens`,
    costUsd === 0 ? "" : `$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`,
    unread === 0 ? "" : `${unread} unread`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function joined(first: string, second: string): string {
  return [first, second].filter((part) => part !== "").join(": ");
}
