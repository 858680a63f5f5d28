// What a handler of the family's is called with and in, and how those of one event are called.

import type { FeatureHost } from "../../feature-api/feature.ts";
import type { FamilyHandler, Registrations } from "./registrations.ts";

/** `type`: the family's name for it. */
export type FamilyEvent = Record<string, unknown> & { readonly type: string };
export type Answered = Record<string, unknown> | undefined;

type Call = (handler: FamilyHandler, event: FamilyEvent) => Promise<Answered>;

export interface EventPlace {
  readonly host: FeatureHost;
  readonly registrations: Registrations;
  readonly extension: string;
  /** It was written for the branch in which the system prompt is a list. */
  readonly hasPromptParts: boolean;
  /** Calls a handler with the context of its session. */
  readonly call: Call;
  /** The same, but a handler that throws is told of and has no answer: the others are called all the same. */
  readonly attempt: Call;
  /** What is called meanwhile ends with this signal. */
  readonly during: <T>(signal: AbortSignal, work: () => T) => T;
  /** What the session manager shows is up to date when handlers are told of a move. */
  readonly follow: () => Promise<void>;
}

/** Each handler of the event, one after the other; the event may have been changed by the one before. */
export async function callHandlers(
  { registrations, attempt: call }: Pick<EventPlace, "registrations" | "attempt">,
  event: FamilyEvent,
  take: (answer: Record<string, unknown>) => "go on" | "enough" = () => "go on",
): Promise<void> {
  for (const handler of registrations.of(event.type)) {
    const answer = await call(handler, event);
    if (answer && take(answer) === "enough") return;
  }
}
