// From what a run wants written down to entries of the log. What was shown and does not
// count is kept too, beside the conversation: a leaf move steps back over it.

import type { RecordItem, Recorder } from "@tau/agent/record";
import type { ContextView } from "./context/context-view.ts";
import type { NewEntry, SessionEntry } from "./entry.ts";
import type { EventKeeper } from "./event-keeper.ts";
import { keepRun } from "./keep-details.ts";
import { readContext } from "./read-context.ts";
import type { SessionLog } from "./session-log.ts";
import type { TypedWords } from "./typed-words.ts";

const ASKED_AGAIN = "a failed reply that was retried";

export interface RecorderPorts {
  /** What has to stand in the log before the next message does. */
  unrecorded(): NewEntry[];
  /** Events that go into the next write. */
  events: EventKeeper;
  /** What is known of a message beyond itself. */
  said: Pick<TypedWords, "of" | "custom">;
  /** Of the reply that has just come in. */
  thinkingMs(): readonly number[] | undefined;
  hide<T>(value: T): T;
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
    for (const { message } of discarded) {
      const leafId = this.#log.leafId;
      const back: NewEntry = { type: "leaf", leafId, reason: ASKED_AGAIN };
      await this.#write([{ type: "message", message }, back]);
    }
    const kept = items.filter((item) => item.type !== "discarded");
    if (kept.length > 0) {
      await this.append([
        ...this.#ports.unrecorded(),
        ...kept.flatMap((item) => this.#entriesOf(item)),
      ]);
    }
  };

  /** Those who are told of appended entries hear of it: it is on the branch. */
  async append(entries: readonly NewEntry[]): Promise<void> {
    const { events } = this.#ports;
    const waiting = events.take();
    if (waiting.length === 0 && entries.length === 0) return;
    try {
      this.#ports.appended(await this.#write([...waiting, ...entries]));
    } catch (error) {
      events.giveBack(waiting);
      throw error;
    }
  }

  /** What waits, if anything does. */
  flush(): Promise<void> {
    return this.append([]);
  }

  /** Work, and after it what waits: on disk when this resolves. */
  async settling<T>(work: Promise<T>): Promise<T> {
    try {
      const done = await work;
      await this.flush();
      return done;
    } catch (error) {
      // A disk that refused the work refuses this too; what explains is on its way up.
      await Promise.allSettled([this.flush()]);
      throw error;
    }
  }

  /** After the log was written by somebody else in this process. */
  follow(): Promise<void> {
    return this.#reset();
  }

  async #write(entries: readonly NewEntry[]): Promise<readonly SessionEntry[]> {
    const appended = await this.#log.appendAll(entries);
    this.#follow(appended);
    if (this.#view.status === "needs_branch") await this.#reset();
    return appended;
  }

  async #reset(): Promise<void> {
    const { branch, before } = await readContext(this.#log);
    this.#view.reset(branch, before);
  }

  #follow(entries: readonly SessionEntry[]): void {
    for (const entry of entries) this.#view.append(entry);
  }

  #entriesOf(item: Exclude<RecordItem, { type: "discarded" }>): NewEntry[] {
    if (item.type === "delivered") {
      return item.mailIds.map((mailId) => ({ type: "mail", mailId, state: "delivered" }));
    }
    const { events, said, thinkingMs, hide } = this.#ports;
    const { message, mail, ran } = item;
    const form = said.custom.of(message);
    if (form && message.role !== "assistant") {
      return [{ type: "custom_message", ...hide(form), content: message.content }];
    }
    const entry: Extract<NewEntry, { type: "message" }> = { type: "message", message };
    if (mail && mail.sender !== "user") entry.sender = mail.sender;
    if (ran) entry.ran = keepRun(ran, hide);
    const words = said.of(message);
    if (words !== undefined) entry.typed = words;
    if (message.role !== "assistant") return [entry];
    const took = thinkingMs();
    if (took) entry.thinkingMs = took;
    return [entry, ...events.takeAfterReply()];
  }
}
