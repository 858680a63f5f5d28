// From what a run wants written down to entries of the log. What was shown and does not
// count is kept too, beside the conversation: a leaf move steps back over it.

import type { RecordItem, Recorder } from "@tau/agent/record";
import type { ContextView } from "./context/context-view.ts";
import type { NewEntry, SessionEntry } from "./entry.ts";
import type { SessionLog } from "./session-log.ts";

export class LogRecorder {
  readonly #log: SessionLog;
  readonly #view: ContextView;

  constructor(log: SessionLog, view: ContextView) {
    this.#log = log;
    this.#view = view;
  }

  readonly record: Recorder = async (items) => {
    const discarded = items.filter((item) => item.type === "discarded");
    const kept = items.filter((item) => item.type !== "discarded").flatMap(entriesOf);
    for (const { message } of discarded) {
      const before = this.#log.leafId;
      await this.append([{ type: "message", message }]);
      await this.moveLeaf(before, "a reply that failed and was asked for again");
    }
    if (kept.length > 0) await this.append(kept);
  };

  async append(entries: readonly NewEntry[]): Promise<void> {
    this.#follow(await this.#log.appendAll(entries));
    if (this.#view.status === "needs_branch") await this.#reset();
  }

  async moveLeaf(leafId: string | null, reason: string): Promise<void> {
    await this.#log.moveLeaf(leafId, reason);
    await this.#reset();
  }

  async #reset(): Promise<void> {
    this.#view.reset(await this.#log.branch({ sinceCompaction: true }));
  }

  #follow(entries: readonly SessionEntry[]): void {
    for (const entry of entries) this.#view.append(entry);
  }
}

function entriesOf(item: Exclude<RecordItem, { type: "discarded" }>): NewEntry[] {
  if (item.type === "message") return [{ type: "message", message: item.message }];
  return item.mailIds.map((mailId) => ({ type: "mail", mailId, state: "delivered" }));
}
