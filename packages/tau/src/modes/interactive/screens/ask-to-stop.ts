// Stopping agents from a screen: it cannot be taken back, so that no held key and no typing does it.

import type { AgentBook } from "../../../feature-api/agent-book.ts";
import type { AgentView } from "../../../feature-api/agent-view.ts";
import type { Stage } from "../stage.ts";
import { askYesNo } from "./ask-over.ts";

export interface Stopping {
  agent: AgentView;
  book: Pick<AgentBook, "views" | "stop">;
  signal?: AbortSignal;
}

/** What to say of it; undefined if it was left alone. */
export async function askToStop(
  stage: Stage,
  { agent, book, signal }: Stopping,
): Promise<string | undefined> {
  const { id, state } = agent;
  if (state === "aborted") return `${id} is stopped already.`;
  const below = namesBelow(id, book.views());
  const others = below.length === 0 ? "" : ` and the ${below.length} that it has started`;
  const question = `${id}${others} will not come back. The transcript is kept.`;
  const title = `Stop ${id}${below.length === 0 ? "" : ` and ${below.length} more`}?`;
  if (!(await askYesNo(stage, { title, question, yes: "Stop", no: "Leave it", signal })))
    return undefined;
  try {
    await book.stop(id);
    return below.length === 0 ? `${id} is stopped.` : `${id} and ${below.length} more are stopped.`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.message;
  }
}

function namesBelow(id: string, agents: readonly AgentView[]): string[] {
  const found = new Set([id]);
  // A child stands after its parent: one pass finds all.
  for (const agent of agents) {
    if (found.has(agent.parent) && agent.state !== "aborted") found.add(agent.id);
  }
  found.delete(id);
  return [...found];
}
