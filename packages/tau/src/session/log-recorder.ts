// From what a run wants written down to entries of the log. What was shown and does not
// count is kept too, beside the conversation: a leaf move steps back over it.

import type { RecordItem, Recorder } from "@tau/agent/record";
import type { ContextView } from "./context/context-view.ts";
import type { NewEntry, SessionEntry } from "./entry.ts";
import { readContext } from "./read-context.ts";
import type { SessionLog } from "./session-log.ts";

export interface RecorderPorts {
  /** What has to stand in the log before the next message does. */
  unrecorded(): NewEntry[];
  /** Told of everything that has become durable. */
  appended(entries: readonly SessionEntry[]): void;
}

export class LogRecorder {
  readonly #log: SessionLog;
  readonly #view: ContextView;
  readonly #ports: RecorderPorts;

  constructor(log: SessionLog, view: ContextView, ports: RecorderPorts) {
    this.#log = log;
    this.#view = view;
    this.#ports = ports;
  }

  readonly record: Recorder = async (items) => {
    const discarded = items.filter((item) => item.type === "discarded");
    const kept = items.filter((item) => item.type !== "discarded").flatMap(entriesOf);
    for (const { message } of discarded) {
      const before = this.#log.leafId;
      await this.append([{ type: "message", message }]);
      await this.moveLeaf(before, "a reply that failed and was asked for again");
    }
    if (kept.length > 0) await this.append([...this.#ports.unrecorded(), ...kept]);
  };

  async append(entries: readonly NewEntry[]): Promise<void> {
    const appended = await this.#log.appendAll(entries);
    this.#follow(appended);
    if (this.#view.status === "needs_branch") await this.#reset();
    this.#ports.appended(appended);
  }

  async moveLeaf(leafId: string | null, reason: string): Promise<void> {
    await this.#log.moveLeaf(leafId, reason);
    await this.#reset();
  }

  /** After the log was written by somebody else in this process. */
  follow(): Promise<void> {
    return this.#reset();
  }

  async #reset(): Promise<void> {
    const { branch, before } = await readContext(this.#log);
    this.#view.reset(branch, before);
  }

  #follow(entries: readonly SessionEntry[]): void {
    for (const entry of entries) this.#view.append(entry);
  }
}

function entriesOf(item: Exclude<RecordItem, { type: "discarded" }>): NewEntry[] {
  if (item.type === "message") return [{ type: "message", message: item.message }];
  return item.mailIds.map((mailId) => ({ type: "mail", mailId, state: "delivered" }));
}
