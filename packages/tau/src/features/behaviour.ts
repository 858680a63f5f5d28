// What a built-in behaviour is, and what a session offers it. A behaviour reaches the run
// through the hook points, the mailbox and its own tools, and keeps what it must remember in
// entries of the log.

import type { ForcedChoices } from "@tau/agent/forced-choices";
import type { HookHandlers, HookOwner, Hooks } from "@tau/agent/hooks";
import type { Mailbox } from "@tau/agent/mailbox";
import type { Recovery } from "@tau/agent/model-caller";
import type { Tool } from "@tau/agent/tool";
import type { Model } from "@tau/ai/model";
import type { ToolSpec } from "@tau/ai/request";
import type { ModelLine } from "../model/model-line.ts";
import type { ContextView } from "../session/context/context-view.ts";
import type { NewEntry } from "../session/entry.ts";
import type { SessionEvent } from "../session/session-event.ts";

export interface Behaviour {
  owner: HookOwner;
  handlers: HookHandlers;
  tools?: readonly Tool[];
}

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
  /** Questions to models beside the conversation. */
  readonly line: Pick<ModelLine, "ask" | "askService">;
  /** Goes on with a larger model, if there is one. */
  promote(): Promise<Recovery | undefined>;
  notify(event: SessionEvent): void;
  /** Work that nobody waits for; it is stopped and awaited when the session is left. */
  background(work: (signal: AbortSignal) => Promise<void>): void;
}
