// The preview of a reply while it comes in: its words and thoughts, part by part. Its calls have
// a longer life and are kept elsewhere.

import type { StreamEvent } from "@tau/ai/event";
import type { ToolCallBlock } from "@tau/ai/message";
import type { AnswerBlock, Block, BlockChange, CallBlock, ThinkingBlock } from "./block.ts";

export interface ReplyPorts {
  told(change: BlockChange): void;
  nextKey(): string;
  /** The block of a call, which is there from now on. */
  call(call: Pick<ToolCallBlock, "id" | "name">): CallBlock;
  changeCall(callId: string, change: Partial<CallBlock>, delta?: string): void;
  removeCall(callId: string): void;
}

interface Words {
  block: AnswerBlock | ThinkingBlock;
  since: number;
  /** Blank beginnings are no block yet: many models send a line break before a call. */
  isShown: boolean;
}

export class ReplyPreview {
  readonly #ports: ReplyPorts;
  readonly #words = new Map<number, Words>();
  /** Ids of calls that are being written, and what is written of them. */
  readonly #writing = new Map<number, { callId: string; written: string }>();

  constructor(ports: ReplyPorts) {
    this.#ports = ports;
  }

  get blocks(): readonly Block[] {
    return [...this.#words.values()].flatMap(({ block, isShown }) => (isShown ? [block] : []));
  }

  stream(event: StreamEvent): void {
    switch (event.type) {
      case "text_start":
        return this.#begin(event.index, "answer");
      case "thinking_start":
        return this.#begin(event.index, "thinking");
      case "text_delta":
      case "thinking_delta":
        return this.#grow(event.index, event.delta);
      case "text_end":
      case "thinking_end":
        return this.#end(event.index);
      case "toolcall_start":
        this.#writing.set(event.index, { callId: event.id, written: "" });
        this.#ports.call(event);
        return;
      case "toolcall_delta": {
        const call = this.#writing.get(event.index);
        if (!call) return;
        call.written += event.delta;
        return this.#ports.changeCall(call.callId, { written: call.written }, event.delta);
      }
      case "toolcall_end": {
        const { id, arguments: args } = event.block;
        return this.#ports.changeCall(id, {
          arguments: args,
          phase: "waiting",
          written: undefined,
        });
      }
      default:
        return;
    }
  }

  /** The reply is in the log: its parts take the places of what stood for them. */
  settle(changes: readonly BlockChange[], others: (change: BlockChange) => void): void {
    const begun = [...this.#writing.values()].map(({ callId }) => callId);
    const shown = this.#take().filter(({ isShown }) => isShown);
    for (const change of changes) {
      const at =
        change.type === "added" ? shown.findIndex(({ block }) => isSameKind(block, change)) : -1;
      if (at < 0 || change.type !== "added") others(change);
      else {
        const [{ block }] = shown.splice(at, 1) as [Words];
        this.#ports.told({ type: "changed", key: block.key, block: change.block });
      }
    }
    // What the reply does not have in the end was never part of it.
    for (const { block } of shown) this.#ports.told({ type: "removed", key: block.key });
    for (const callId of begun) if (!hasCall(changes, callId)) this.#ports.removeCall(callId);
  }

  /** The key of the first of that kind that is seen; from now on somebody else has it. */
  takeWords(kind: Words["block"]["kind"]): string | undefined {
    for (const [index, { block, isShown }] of this.#words) {
      if (!isShown || block.kind !== kind) continue;
      this.#words.delete(index);
      return block.key;
    }
    return undefined;
  }

  discard(): void {
    for (const { callId } of this.#writing.values()) this.#ports.removeCall(callId);
    for (const { block, isShown } of this.#take()) {
      if (isShown) this.#ports.told({ type: "removed", key: block.key });
    }
  }

  /** It broke off and nothing more is known of it: what was seen stays. */
  finish(): void {
    for (const words of this.#take()) {
      const block = whole(words);
      if (words.isShown) this.#ports.told({ type: "changed", key: block.key, block });
    }
  }

  #take(): Words[] {
    const words = [...this.#words.values()];
    this.#words.clear();
    this.#writing.clear();
    return words;
  }

  #begin(index: number, kind: "answer" | "thinking"): void {
    const block = { kind, key: this.#ports.nextKey(), text: "", isGrowing: true as const };
    this.#words.set(index, { block, since: performance.now(), isShown: false });
  }

  #grow(index: number, delta: string): void {
    const words = this.#words.get(index);
    if (!words) return;
    words.block = { ...words.block, text: words.block.text + delta };
    const { block } = words;
    if (words.isShown) this.#ports.told({ type: "changed", key: block.key, block, delta });
    else if (delta.trim() !== "") {
      words.isShown = true;
      this.#ports.told({ type: "added", block });
    }
  }

  #end(index: number): void {
    const words = this.#words.get(index);
    if (!words) return;
    words.block = whole(words);
    if (words.isShown) {
      this.#ports.told({ type: "changed", key: words.block.key, block: words.block });
    }
  }
}

function whole({ block, since }: Words): Words["block"] {
  if (!block.isGrowing) return block;
  const { isGrowing: _growing, ...rest } = block;
  if (rest.kind === "answer") return rest;
  return { ...rest, durationMs: Math.round(performance.now() - since) };
}

function hasCall(changes: readonly BlockChange[], callId: string): boolean {
  return changes.some(
    (change) =>
      change.type === "added" && change.block.kind === "call" && change.block.callId === callId,
  );
}

function isSameKind(block: Block, change: BlockChange): boolean {
  return change.type === "added" && change.block.kind === block.kind;
}
