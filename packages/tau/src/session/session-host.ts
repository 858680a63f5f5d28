// What a session offers those who join it, and what they bring. A member reaches the run through the
// hook points, the mailbox and its own tools, and keeps what it must remember in entries of the log.

import type { ForcedChoices } from "@tau/agent/forced-choices";
import type { HookHandlers, HookOwner, Hooks } from "@tau/agent/hooks";
import type { Asker } from "@tau/agent/judge-call";
import type { Mailbox } from "@tau/agent/mailbox";
import type { Recovery } from "@tau/agent/model-caller";
import type { Tool, ToolOutput } from "@tau/agent/tool";
import type { ModelFailure } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ToolSpec } from "@tau/ai/request";
import type { Redactor } from "../base/redactor.ts";
import type { ModelLine } from "../model/model-line.ts";
import type { ContextView } from "./context/context-view.ts";
import type { NewEntry } from "./entry.ts";
import type { PartKey } from "../base/part.ts";
import type { SessionCommand } from "./session-command.ts";
import type { SessionEvent } from "./session-event.ts";
import type { SessionLog } from "./session-log.ts";

export type SessionHooks = Pick<Hooks, "join" | "register" | "has" | "at">;

export interface SessionHost {
  readonly sessionId: string;
  readonly log: SessionLog;
  /** The one in use now. */
  readonly model: Model;
  /** Before anything else, to the model; complete once everybody has joined. */
  readonly system: readonly string[];
  /** What is in the conversation, and what follows from the log. */
  readonly view: ContextView;
  readonly mailbox: Mailbox;
  readonly forcedChoices: ForcedChoices;
  readonly hooks: SessionHooks;
  /** A run or a compaction is on. */
  readonly isBusy: boolean;
  tools(): readonly ToolSpec[];
  append(entries: readonly NewEntry[]): Promise<void>;
  /** Questions to models beside the conversation. */
  readonly line: Pick<ModelLine, "ask" | "askService" | "asSent">;
  /** What is to be done about a reply that failed: another try, or none. */
  recover(failed: AssistantMessage, options: { signal: AbortSignal }): Promise<Recovery>;
  /** Goes on with a larger model, if there is one and the user wants that. */
  promote(failure: ModelFailure): Promise<Recovery | undefined>;
  /** As if the model had called it: checked, judged, bounded. Rejects with a `ToolError`. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolOutput>;
  notify(event: SessionEvent): void;
  /** Without secrets. */
  hide<T>(value: T): T;
  /** Another member's part, or one of the session's own; the others' are there once all have joined. */
  part<T>(key: PartKey<T>): T | undefined;
  need<T>(key: PartKey<T>): T;
  /** Work that nobody waits for; it is stopped and awaited when the session is left. */
  background(work: (signal: AbortSignal) => Promise<void>): void;
  /** Each time that nothing has run for so long; alone, as a run is. */
  whenIdle(afterMs: number, work: (signal: AbortSignal) => Promise<unknown>): void;
}

/** What somebody brings who joins a session; everything is optional but the name. */
export interface SessionMember {
  owner: HookOwner;
  hooks?: HookHandlers;
  tools?: readonly Tool[];
  commands?: readonly SessionCommand[];
  /** What others may ask the session for, by its key. */
  part?: Offer;
  redactor?: Redactor;
  /** Stands between a call that needs consent and the person who is asked; built-in features only. */
  asking?(ask: Asker): Asker;
  /** Called when the session is left, the last who joined first. */
  dispose?(): PromiseLike<void> | void;
}

/** A part with its key; `offer` sees to it that they are of one type. */
export interface Offer {
  readonly key: PartKey<unknown>;
  readonly value: unknown;
}

export function offer<T>(key: PartKey<T>, value: T): Offer {
  return { key: key as PartKey<unknown>, value };
}
