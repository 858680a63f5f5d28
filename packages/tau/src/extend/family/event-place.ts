// What a handler of the family's is called with and in, and how those of one event are called.

import type { FeatureHost } from "../../feature-api/feature.ts";
import type { FamilyHandler, Registrations } from "./registrations.ts";

export type Answered = Record<string, unknown> | undefined;

export interface EventPlace {
  readonly host: FeatureHost;
  readonly registrations: Registrations;
  readonly extension: string;
  /** It was written for the branch in which the system prompt is a list. */
  readonly hasPromptParts: boolean;
  /** Calls a handler with the context of its session. */
  readonly call: (handler: FamilyHandler, event: object) => Promise<Answered>;
  /** What is called meanwhile ends with this signal. */
  readonly during: <T>(signal: AbortSignal, work: () => T) => T;
  /** What the session manager shows is up to date when handlers are told of a move. */
  readonly follow: () => Promise<void>;
}

/** Each handler of the event, one after the other; the event may have been changed by the one before. */
export async function callHandlers(
  { registrations, call }: Pick<EventPlace, "registrations" | "call">,
  event: Record<string, unknown> & { type: string },
  take: (answer: Record<string, unknown>) => "go on" | "enough" = () => "go on",
): Promise<void> {
  for (const handler of registrations.of(event.type)) {
    const answer = await call(handler, event);
    if (answer && take(answer) === "enough") return;
  }
}
