// What a built-in behaviour is, and what a session offers it. A behaviour reaches the run
// through the hook points, the mailbox and its own tools, and keeps what it must remember in
// entries of the log.

import type { ForcedChoices } from "@tau/agent/forced-choices";
import type { HookHandlers, HookOwner, Hooks } from "@tau/agent/hooks";
import type { Mailbox } from "@tau/agent/mailbox";
import type { ModelCaller, Recovery } from "@tau/agent/model-caller";
import type { Tool } from "@tau/agent/tool";
import type { AssistantMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ModelRequest, ToolSpec } from "@tau/ai/request";
import type { ContextView } from "../session/context/context-view.ts";
import type { NewEntry } from "../session/entry.ts";
import type { SessionEvent } from "../session/session-event.ts";

export interface Behaviour {
  owner: HookOwner;
  handlers: HookHandlers;
  tools?: readonly Tool[];
}

/** One question beside the conversation; the model is chosen by role. */
export type AsideRequest = Omit<ModelRequest, "model" | "stream" | "tools"> &
  Partial<Pick<ModelRequest, "tools">>;

export interface BehaviourHost {
  readonly sessionId: string;
  /** The one in use now. */
  readonly model: Model;
  readonly system: readonly string[];
  readonly view: ContextView;
  readonly mailbox: Mailbox;
  readonly forcedChoices: ForcedChoices;
  readonly hooks: Hooks;
  tools(): readonly ToolSpec[];
  append(entries: readonly NewEntry[]): Promise<void>;
  call: ModelCaller;
  /** Goes on with a larger model, where there is one. */
  promote(failed: AssistantMessage): Promise<Recovery | undefined>;
  /** Asks the first of these roles that is set, or the model of the conversation. */
  askAside(
    roles: readonly string[],
    request: AsideRequest,
    signal: AbortSignal,
  ): Promise<AssistantMessage>;
  notify(event: SessionEvent): void;
  /** Work that nobody waits for; it is stopped and awaited when the session is left. */
  background(work: (signal: AbortSignal) => Promise<void>): void;
}
