// From entries to blocks: what is said once, by each kind's row, is put together here. Calls are
// joined with their results and with the consent to them, wherever those stand on the branch.

import { kindOf } from "../entry-kinds.ts";
import type { SessionEntry } from "../entry.ts";
import { BlockList } from "./block-list.ts";
import { consentNote } from "./consent-words.ts";
import {
  expectedBy,
  INTERRUPTED,
  isEnded,
  type Block,
  type BlockChange,
  type CallBlock,
  type ShownPart,
} from "./block.ts";

/** Takes the entries of a branch one by one, in their order. */
export class Projection {
  /** Calls whose result has not come yet. */
  readonly #open = new Map<string, CallBlock>();
  /** Calls that are over and of which more will be told, by the names of what they expect. */
  readonly #expecting = new Map<string, CallBlock>();
  /** Timestamps of messages that tell the model of something that has a block of its own. */
  readonly #told = new Set<number>();

  push(entry: SessionEntry): BlockChange[] {
    // Its sender says so, unless an older Tau delivered it.
    if (entry.type === "message" && this.#told.has(entry.message.timestamp)) return [];
    const parts = kindOf(entry).show(entry);
    return parts.flatMap((part, at) => this.#place(part, `${entry.id}.${at}`) ?? []);
  }

  /** Nothing more will come for what is still open. */
  end(): BlockChange[] {
    const changes = [...this.#open.values()].map((call): BlockChange => {
      return { type: "changed", key: call.key, block: { ...call, ...INTERRUPTED } };
    });
    this.#open.clear();
    return changes;
  }

  #place(part: ShownPart, key: string): BlockChange | undefined {
    if (part.kind === "result") {
      const call = this.#open.get(part.callId);
      if (!call) return undefined;
      this.#open.delete(part.callId);
      const block = { ...call, ...part.ended };
      for (const name of expectedBy(block)) this.#expecting.set(name, block);
      return { type: "changed", key: call.key, block };
    }
    if (part.kind === "later") return this.#tellLater(part);
    if (part.kind === "consent") {
      const call = this.#open.get(part.callId);
      if (!call) return { type: "added", block: { key, ...consentNote(part) } };
      const block = { ...call, consent: part.consent };
      this.#open.set(part.callId, block);
      return { type: "changed", key: call.key, block };
    }
    const block: Block = { ...part, key };
    if (block.kind === "own_run" && block.toldAt !== undefined) this.#told.add(block.toldAt);
    if (block.kind === "call" && !isEnded(block)) this.#open.set(block.callId, block);
    return { type: "added", block };
  }

  #tellLater({ name, value }: Extract<ShownPart, { kind: "later" }>): BlockChange | undefined {
    const call = this.#expecting.get(name);
    if (!call) return undefined;
    const block = { ...call, later: { ...call.later, [name]: value } };
    // The same one may be told of again: it was asked more.
    for (const other of expectedBy(block)) this.#expecting.set(other, block);
    return { type: "changed", key: call.key, block };
  }
}

/** A branch, or its end, as it is shown when nothing of it is still going on. */
export function projectEntries(entries: Iterable<SessionEntry>): Block[] {
  const projection = new Projection();
  const list = new BlockList();
  for (const entry of entries) for (const change of projection.push(entry)) list.apply(change);
  for (const change of projection.end()) list.apply(change);
  return [...list.blocks];
}
