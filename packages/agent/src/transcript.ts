// The conversation as one run sees and extends it: one array that only grows, so that each
// request extends the one before it and a turn costs the same however long the
// conversation is. What is appended is recorded first, then counts, then is told.

import type { AssistantMessage, Message } from "@tau/ai/message";
import type { AgentEvent } from "./event.ts";
import type { Mail } from "./mail.ts";
import type { RanCall, Recorder, RecordItem } from "./record.ts";

/** What is known of messages beyond themselves. */
export interface AppendedWith {
  mails?: readonly Mail[];
  /** By the message of their result. */
  ran?: ReadonlyMap<Message, RanCall>;
}

export class Transcript {
  readonly #record: Recorder | undefined;
  readonly #emit: (event: AgentEvent) => void;
  readonly added: Message[] = [];
  #messages: Message[];
  #tail: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;

  constructor(
    messages: readonly Message[],
    options: { record?: Recorder | undefined; emit: (event: AgentEvent) => void },
  ) {
    this.#messages = [...messages];
    this.#record = options.record;
    this.#emit = options.emit;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get isRecorded(): boolean {
    return this.#record !== undefined;
  }

  /** Something could not be written: nothing new should be started. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Appends of one call are one unit in the record. Undefined where nothing is to be awaited. */
  append(messages: readonly Message[], known: AppendedWith = {}): Promise<void> | undefined {
    if (messages.length === 0) return undefined;
    if (!this.#record) {
      this.#take(messages);
      return undefined;
    }
    return this.#write(itemsOf(messages, known), () => this.#take(messages));
  }

  /** A reply that is not part of the conversation. */
  discard(message: AssistantMessage): Promise<void> | undefined {
    const tell = (): void => this.#emit({ type: "reply_discarded", message });
    if (this.#record && message.content.length > 0) {
      return this.#write([{ type: "discarded", message }], tell);
    }
    tell();
    return undefined;
  }

  /** All that was appended is durable. Rejects with the first thing that could not be. */
  async settled(): Promise<void> {
    await this.#tail;
    if (this.#failure) throw this.#failure.error;
  }

  /** The conversation was made shorter; the log has it all. */
  replace(messages: readonly Message[]): void {
    this.#messages = [...messages];
  }

  #write(items: RecordItem[], then: () => void): Promise<void> {
    const before = this.#tail;
    const written = this.#record!(items);
    const run = async (): Promise<void> => {
      // Both, whichever fails: a rejection that nobody awaits would end the process.
      const [earlier, own] = await Promise.allSettled([before, written]);
      if (earlier.status === "rejected") throw earlier.reason;
      if (own.status === "rejected") throw own.reason;
      then();
    };
    const done = run();
    this.#tail = done;
    done.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    return done;
  }

  #take(messages: readonly Message[]): void {
    for (const message of messages) {
      this.#messages.push(message);
      this.added.push(message);
      this.#emit({ type: "message_end", message });
    }
  }
}

function itemsOf(messages: readonly Message[], { mails = [], ran }: AppendedWith): RecordItem[] {
  const items = messages.map((message): RecordItem => {
    const item: RecordItem = { type: "message", message };
    const mail = mails.find((one) => one.message === message);
    const call = ran?.get(message);
    if (mail) item.mail = mail;
    if (call) item.ran = call;
    return item;
  });
  const mailIds = mails.filter((mail) => mail.isDurable).map((mail) => mail.id);
  if (mailIds.length > 0) items.push({ type: "delivered", mailIds });
  return items;
}
