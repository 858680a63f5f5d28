// A line for each agent that begins or ends, for front-ends that can only print.

import { keepEvent, showEvent } from "../session/event-table.ts";
import type { SessionEvent } from "../session/session-event.ts";

/** Undefined for every other event. */
export function beginWords(event: SessionEvent): string | undefined {
  if (event.type !== "task_start") return undefined;
  const { id, kind, description } = event;
  return `${id} (${kind}) begins${description ? `: ${description}` : ""}`;
}

/** As it stands in the conversation: how it ended, and of one that failed why. */
export function endWords(event: SessionEvent): string | undefined {
  if (event.type !== "task_end") return undefined;
  const kept = keepEvent(event);
  const said = kept && showEvent(kept).find((part) => part.kind === "note");
  if (said?.kind !== "note") return undefined;
  const [head, why] = said.text.split("\n");
  return event.end === "completed" || why === undefined ? head : `${head}: ${why.trim()}`;
}
