// The blocks of a session while it goes on. What counts are the entries; events give a preview of
// what will become one: the words as they come, a call from its first letter on, a note at the
// moment when something happens. When the entry is there, its block takes the preview's place, so
// that what is seen in the end is what is seen when the session is resumed.

import type { AgentEvent } from "@tau/agent/event";
import type { ToolCallBlock } from "@tau/ai/message";
import type { KeptEvent, SessionEntry } from "../entry.ts";
import { keptFormOf } from "../event-keeper.ts";
import { keepEvent, showEvent } from "../event-table.ts";
import type { OwnRun, SessionEvent } from "../session-event.ts";
import {
  INTERRUPTED,
  isEnded,
  type Block,
  type BlockChange,
  type CallBlock,
  type CallEnd,
  type OwnRunBlock,
  type ShownPart,
} from "./block.ts";
import { consentNote } from "./consent-words.ts";
import { Projection } from "./project-entries.ts";
import { ReplyPreview } from "./reply-preview.ts";
import { endOf } from "./show-said.ts";

/** An event that the log does not have yet, and what stands for it meanwhile. */
interface Pending {
  event: KeptEvent;
  keys: string[];
}

type EndEvent = Extract<AgentEvent, { type: "tool_execution_end" }>;

export class LiveProjection {
  readonly #told: (change: BlockChange) => void;
  readonly #reply: ReplyPreview;
  #settled = new Projection();
  /** Calls that are not over, by id; the log may have their reply already. */
  readonly #calls = new Map<string, CallBlock>();
  readonly #ownRuns = new Map<string, OwnRunBlock>();
  #pending: Pending[] = [];
  #previews = 0;

  constructor(told: (change: BlockChange) => void) {
    this.#told = told;
    this.#reply = new ReplyPreview({
      told,
      nextKey: () => this.#nextKey(),
      call: (call) => this.#callFor(call),
      changeCall: (callId, change, delta) => this.#changeCall(callId, change, delta),
      removeCall: (callId) => this.#removeCall(callId),
    });
  }

  /** What is seen and not in the log yet, or not over. */
  get moving(): readonly Block[] {
    return [...this.#reply.blocks, ...this.#calls.values(), ...this.#ownRuns.values()];
  }

  readonly handle = (event: SessionEvent): void => {
    switch (event.type) {
      case "message_update":
        this.#reply.stream(event.event);
        break;
      case "reply_discarded":
        // Its words are told as an event of their own; what is left of it was never done.
        this.#reply.discard();
        break;
      case "tool_execution_start":
        this.#callFor(event.call);
        this.#changeCall(event.call.id, { arguments: event.call.arguments, phase: "running" });
        break;
      case "tool_execution_update": {
        const before = event.replaces ? "" : (this.#calls.get(event.callId)?.output ?? "");
        this.#changeCall(event.callId, { output: endOfOutput(before + event.text) });
        break;
      }
      case "tool_execution_end":
        this.#callFor(event.call);
        this.#changeCall(event.call.id, { arguments: event.call.arguments, ...endTold(event) });
        break;
      case "own_run_start":
        this.#beginOwnRun(event);
        break;
      case "own_run_update":
        this.#ownRunPrinted(event.id, event.text);
        break;
      default:
        break;
    }
    this.#preview(event);
    if (event.type === "agent_end") this.settle();
  };

  /** Entries of the branch that have become durable. */
  readonly appended = (entries: readonly SessionEntry[]): void => {
    for (const entry of entries) this.#append(entry);
  };

  /** Nothing more will come for what is still open: it stays as it is. */
  settle(): void {
    this.#reply.finish();
    for (const [id, call] of this.#calls) {
      if (!isEnded(call)) this.#changeCall(id, INTERRUPTED);
    }
    this.#calls.clear();
  }

  /** Another branch, or another session: nothing of what was goes on. */
  reset(): void {
    this.#reply.finish();
    this.#calls.clear();
    this.#ownRuns.clear();
    this.#pending = [];
    this.#settled = new Projection();
  }

  #append(entry: SessionEntry): void {
    const changes = this.#settled.push(entry);
    if (entry.type === "event") return this.#settlePending(entry.event, changes);
    if (entry.type === "message" && entry.message.role === "assistant") {
      this.#reply.settle(changes, (change) => this.#tellSettled(change));
      return;
    }
    for (const change of changes) this.#tellSettled(change);
  }

  #tellSettled(change: BlockChange): void {
    const { type } = change;
    if (type === "removed" || change.block.kind !== "call") return this.#told(change);
    const { block } = change;
    const live = this.#calls.get(block.callId);
    if (isEnded(block)) this.#calls.delete(block.callId);
    if (!live) return this.#told(change);
    const shown = isEnded(block) ? block : { ...block, ...stateOf(live) };
    if (!isEnded(block)) this.#calls.set(block.callId, shown);
    this.#told({ type: "changed", key: live.key, block: shown });
  }

  #preview(event: SessionEvent): void {
    const kept = keptFormOf(event);
    // What is told beside a session is seen all the same.
    const shown = kept ?? keepEvent(event);
    if (!shown) return;
    const keys = showEvent(shown).flatMap((part) => this.#previewPart(part) ?? []);
    if (kept) this.#pending.push({ event: kept, keys });
  }

  /** The key of the block that stands for it. */
  #previewPart(part: ShownPart): string | undefined {
    // The call that it belongs to is over; its entry changes it.
    if (part.kind === "result" || part.kind === "later") return undefined;
    if (part.kind === "consent") {
      if (!this.#calls.has(part.callId)) return this.#add({ key: "", ...consentNote(part) });
      this.#changeCall(part.callId, { consent: part.consent });
      return undefined;
    }
    if (part.kind === "answer" || part.kind === "thinking") return this.#previewWords(part);
    if (part.kind !== "own_run") return this.#add({ ...part, key: "" });
    const begun = this.#ownRuns.get(part.runId);
    if (!begun) return this.#add({ ...part, key: "" });
    this.#ownRuns.delete(part.runId);
    this.#told({ type: "changed", key: begun.key, block: { ...part, key: begun.key } });
    return begun.key;
  }

  /** Of a reply that broke off: they take the place of what was seen of it. */
  #previewWords(part: Extract<ShownPart, { kind: "answer" | "thinking" }>): string {
    const key = this.#reply.takeWords(part.kind);
    if (key === undefined) return this.#add({ ...part, key: "" });
    this.#told({ type: "changed", key, block: { ...part, key } });
    return key;
  }

  #settlePending(event: KeptEvent, changes: readonly BlockChange[]): void {
    const at = this.#pending.findIndex((one) => one.event === event);
    const keys = at < 0 ? [] : this.#pending.splice(at, 1)[0]!.keys;
    for (const change of changes) {
      const key = change.type === "added" ? keys.shift() : undefined;
      if (key === undefined || change.type !== "added") this.#tellSettled(change);
      else this.#told({ type: "changed", key, block: change.block });
    }
  }

  #callFor({ id: callId, name }: Pick<ToolCallBlock, "id" | "name">): CallBlock {
    const known = this.#calls.get(callId);
    if (known) return known;
    const call: CallBlock = {
      kind: "call",
      key: this.#nextKey(),
      callId,
      name,
      arguments: {},
      phase: "writing",
    };
    this.#calls.set(callId, call);
    this.#told({ type: "added", block: call });
    return call;
  }

  #changeCall(callId: string, change: Partial<CallBlock>, delta?: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    const block = { ...call, ...change };
    this.#calls.set(callId, block);
    this.#told({ type: "changed", key: call.key, block, delta });
  }

  #removeCall(callId: string): void {
    const call = this.#calls.get(callId);
    if (!call) return;
    this.#calls.delete(callId);
    this.#told({ type: "removed", key: call.key });
  }

  #beginOwnRun({ id: runId, tool: name, sign, arguments: args, isTold }: OwnRun): void {
    const key = this.#nextKey();
    const work = { name, arguments: args, phase: "running" as const };
    const block: OwnRunBlock = { kind: "own_run", key, runId, sign, isTold, ...work };
    this.#ownRuns.set(runId, block);
    this.#told({ type: "added", block });
  }

  #ownRunPrinted(id: string, text: string): void {
    const run = this.#ownRuns.get(id);
    if (!run) return;
    const block = { ...run, output: endOfOutput((run.output ?? "") + text) };
    this.#ownRuns.set(id, block);
    this.#told({ type: "changed", key: run.key, block });
  }

  #add(block: Block): string {
    const key = this.#nextKey();
    this.#told({ type: "added", block: { ...block, key } });
    return key;
  }

  #nextKey(): string {
    this.#previews += 1;
    return `preview ${this.#previews}`;
  }
}

/** Of what is printed while something runs, the end: no view shows more of it. */
const MAX_OUTPUT_CHARACTERS = 64 * 1024;

function endOfOutput(output: string): string {
  return output.slice(-MAX_OUTPUT_CHARACTERS);
}

function endTold({ result, details, artifactId, durationMs }: EndEvent): CallEnd {
  return endOf(result, { wasRun: durationMs !== undefined, details, artifactId, durationMs });
}

/** What the log does not know yet of a call that goes on. */
function stateOf(live: CallBlock): Partial<CallBlock> {
  const { phase, output, result, details, durationMs, artifactId, consent } = live;
  const isWritten = phase === "writing" ? "waiting" : phase;
  return { phase: isWritten, output, result, details, durationMs, artifactId, consent };
}
