// The one way into a running agent from outside its own turn. A mail is queued, then
// delivered exactly once or withdrawn; which of the two is decided here and nowhere else.
// Whoever delivers claims first, writes the message down, and settles when it is written.

import type { Delivery, Mail, MailState, PendingMail, SaidMessage } from "./mail.ts";

/** Where durable mail is kept. A delivery within a run is recorded by the run, not here. */
export interface MailPort {
  queued(mail: Mail): Promise<void>;
  /** Only where the run has no record of its own. */
  delivered(ids: readonly string[]): Promise<void>;
  withdrawn(ids: readonly string[]): Promise<void>;
}

export type QueueMode = "one-at-a-time" | "all";

export interface MailboxOptions {
  port?: MailPort;
  /** Durable mail of an earlier process, as `undelivered` reads it from a log. */
  restored?: readonly PendingMail[];
  /** The restored mail waits for `letGo`: nobody who is here now has asked for it. */
  holdsRestored?: boolean;
  steering?: QueueMode;
  followUps?: QueueMode;
}

export interface PostOptions {
  delivery: Delivery;
  sender?: string;
  /** A second post with an id that is known changes nothing: senders may try again. */
  id?: string;
  isDurable?: boolean;
  isPatient?: boolean;
}

export type MailChange = { state: MailState; mails: readonly Mail[] };

/** `claimed`: being written down; neither another run nor a withdrawal may have it. */
interface Slot {
  mail: Mail & { state: MailState };
  /** Counts posts, to tell what came since a moment. */
  number: number;
  isClaimed: boolean;
  /** Until somebody goes on: it is seen and can be withdrawn, but is nobody's to deliver. */
  isHeld: boolean;
}

export class Mailbox {
  readonly #port: MailPort | undefined;
  readonly #slots = new Map<string, Slot>();
  readonly #known = new Set<string>();
  readonly #listeners = new Set<(change: MailChange) => void>();
  #posts = 0;
  steering: QueueMode;
  followUps: QueueMode;

  constructor(options: MailboxOptions = {}) {
    this.#port = options.port;
    this.steering = options.steering ?? "one-at-a-time";
    this.followUps = options.followUps ?? "one-at-a-time";
    for (const pending of options.restored ?? []) {
      this.#put({ ...pending, isDurable: true }, options.holdsRestored);
    }
  }

  /** Told of every change, after it happened. Returns the way to stop listening. */
  subscribe(listener: (change: MailChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** In the box when this returns; resolves to its id when durable mail is on disk. */
  post(message: SaidMessage, options: PostOptions): Promise<string> {
    const id = options.id ?? crypto.randomUUID();
    if (this.#known.has(id)) return Promise.resolve(id);
    const { delivery, sender = "user", isPatient = false } = options;
    const isDurable = (options.isDurable ?? false) && this.#port !== undefined;
    const mail = this.#put({ id, delivery, message, sender, isDurable, isPatient });
    // Put down before anybody hears of it: whoever does may deliver it at once, and a log that has a mail
    // delivered and then queued would deliver it again.
    const kept = isDurable ? this.#keep(mail) : Promise.resolve(id);
    this.#tell("queued", [mail]);
    return kept;
  }

  /** What waits, oldest first. */
  queued(delivery?: Delivery): Mail[] {
    return this.#waiting(delivery).map((slot) => slot.mail);
  }

  /** Something waits that a run must still be given: it does not belong to the next prompt. */
  get wantsRun(): boolean {
    return this.#ready("steer").length > 0 || this.#ready("followUp").length > 0;
  }

  /** Somebody goes on: what was held is to be delivered like the rest. */
  letGo(): void {
    for (const slot of this.#slots.values()) slot.isHeld = false;
  }

  /** Marks a moment for `hasInterruption`. */
  get posts(): number {
    return this.#posts;
  }

  /** Whether steering that came after that moment wants a turn's remaining calls skipped. */
  hasInterruption(after: number): boolean {
    return this.#ready("steer").some(({ mail, number }) => !mail.isPatient && number > after);
  }

  /**
   * Takes what is to be delivered now. One at a time is one voice a turn; patient mail
   * does not wait for its turn among those. The claimer settles or releases it.
   */
  claim(delivery: Delivery): Mail[] {
    const mode = delivery === "steer" ? this.steering : this.followUps;
    const isAll = delivery === "nextTurn" || mode === "all";
    const claimed: Mail[] = [];
    let hasVoice = false;
    for (const slot of this.#ready(delivery)) {
      const isVoice = !slot.mail.isPatient;
      if (!isAll && isVoice && hasVoice) continue;
      hasVoice ||= isVoice;
      slot.isClaimed = true;
      claimed.push(slot.mail);
    }
    return claimed;
  }

  /**
   * Takes what somebody asks for by name, such as a message of one sender: it is theirs, and no run's.
   * The claimer has it delivered, or releases it.
   */
  claimWhere(isWanted: (mail: Mail) => boolean, most = Infinity): Mail[] {
    const claimed: Mail[] = [];
    for (const slot of this.#waiting()) {
      if (claimed.length >= most) break;
      if (!isWanted(slot.mail)) continue;
      slot.isClaimed = true;
      claimed.push(slot.mail);
    }
    return claimed;
  }

  /** The claimed messages are part of the conversation. */
  settle(mails: readonly Mail[]): void {
    this.#remove(mails, "delivered");
  }

  /** They could not be written down: they wait again, in their old place. */
  release(mails: readonly Mail[]): void {
    for (const { id } of mails) {
      const slot = this.#slots.get(id);
      if (slot) slot.isClaimed = false;
    }
  }

  /** For deliveries that no run records: settles and tells the port. */
  async deliver(mails: readonly Mail[]): Promise<void> {
    this.settle(mails);
    const durable = mails.filter((mail) => mail.isDurable).map((mail) => mail.id);
    if (durable.length > 0) await this.#port?.delivered(durable);
  }

  /** Takes mail back, all that waits or those named; what is being delivered stays delivered. */
  async withdraw(ids?: readonly string[]): Promise<Mail[]> {
    const slots = this.#waiting().filter((slot) => !ids || ids.includes(slot.mail.id));
    const mails = slots.map((slot) => slot.mail);
    this.#remove(mails, "withdrawn");
    const durable = mails.filter((mail) => mail.isDurable).map((mail) => mail.id);
    if (durable.length > 0) await this.#port?.withdrawn(durable);
    return mails;
  }

  #waiting(delivery?: Delivery): Slot[] {
    const slots: Slot[] = [];
    for (const slot of this.#slots.values()) {
      const isWanted = delivery === undefined || slot.mail.delivery === delivery;
      if (isWanted && !slot.isClaimed) slots.push(slot);
    }
    return slots;
  }

  #ready(delivery: Delivery): Slot[] {
    return this.#waiting(delivery).filter(({ isHeld }) => !isHeld);
  }

  #put(fields: Omit<Mail, "state">, isHeld = false): Mail {
    const mail = { ...fields, state: "queued" as const };
    this.#known.add(mail.id);
    this.#slots.set(mail.id, { mail, number: ++this.#posts, isClaimed: false, isHeld });
    return mail;
  }

  /** Mail that could not be kept is no mail, unless it has already arrived. */
  async #keep(mail: Mail): Promise<string> {
    try {
      await this.#port!.queued(mail);
    } catch (error) {
      const slot = this.#slots.get(mail.id);
      if (!slot || slot.isClaimed) return mail.id;
      this.#known.delete(mail.id);
      this.#remove([mail], "withdrawn");
      throw error;
    }
    return mail.id;
  }

  #remove(mails: readonly Mail[], state: MailState): void {
    for (const { id } of mails) {
      const slot = this.#slots.get(id);
      if (slot) slot.mail.state = state;
      this.#slots.delete(id);
    }
    if (mails.length > 0) this.#tell(state, mails);
  }

  #tell(state: MailState, mails: readonly Mail[]): void {
    for (const listener of this.#listeners) listener({ state, mails });
  }
}
