// What a session tells of the agents that work for it.

import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import type { AgentEnd, AgentView } from "../../feature-api/agent-view.ts";

interface AgentEventMap {
  /** Who there is, and what each does; at most a few times a second. */
  agents_changed: { agents: readonly AgentView[] };
  /** An agent begins to work, or waits for its turn. */
  task_start: { id: string; kind: string; description?: string };
  /** An agent's task is over. */
  task_end: EndedTask;
}

/** What people are told of a task that is over; the call that has started it takes it along. */
export interface EndedTask {
  id: string;
  kind: string;
  description?: string;
  end: AgentEnd;
  durationMs: number;
  error?: string;
  /** The beginning of what it handed in. */
  result?: string;
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends AgentEventMap {}
}

type Told<Type extends keyof AgentEventMap> = { type: Type } & AgentEventMap[Type];

export const END_WORDS: Readonly<Record<AgentEnd, string>> = {
  completed: "finished",
  failed: "failed",
  aborted: "was stopped",
  interrupted: "was interrupted",
};

/** Of a result: what it is about shows in its first sentence. */
const MAX_FIRST_CHARACTERS = 160;

export const AGENT_EVENTS: EventRowsOf<AgentEventMap> = {
  agents_changed: { docs: "agents that work for the session, and what each does now" },
  // The call that has started it says the same.
  task_start: { docs: "an agent begins to work on a task, or waits for its turn" },
  task_end: {
    docs: "an agent's task is over, with the beginning of its `result`; all of it is a message of its own",
    kept: keeping(
      ({ type: _type, ...rest }: Told<"task_end">): EndedTask => rest,
      (ended) => {
        const tone = ended.end === "completed" ? "plain" : "warning";
        return [note(wordsOf(ended), tone), { kind: "later", name: ended.id, value: ended }];
      },
    ),
  },
};

function wordsOf({
  id,
  kind,
  description,
  end,
  durationMs,
  error,
  result = "",
}: EndedTask): string {
  const about = description ? `: ${description}` : "";
  const after = `after ${(durationMs / 1000).toFixed(1)} s`;
  const head = `${id} (${kind}) ${END_WORDS[end]} ${after}${about}`;
  const first = firstWords(error ?? result);
  return first === "" ? head : `${head}\n  ${first}`;
}

/** The first line that says something, without the signs of a heading. */
function firstWords(text: string): string {
  const line = text.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  const plain = line.replace(/^[\s#>*-]+/, "").trim();
  // Whole characters; a pair is two units.
  const characters = Array.from(plain.slice(0, 2 * MAX_FIRST_CHARACTERS));
  const first = characters.slice(0, MAX_FIRST_CHARACTERS).join("");
  return first.length < plain.length ? `${first}…` : first;
}
