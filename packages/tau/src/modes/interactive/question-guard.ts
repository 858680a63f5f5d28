// Keeps typing from being consent. A question that can let something run has no keys while the
// person is in something else; it opens once they are not, or because they ask for it; and it
// takes an answer only after it has stood in full view while the keyboard rested. Whatever it does
// not take goes where it was going. All of that in one place, and nothing here knows a clock, a
// timer or a screen: whoever holds a guard says what time it is.

import type { KeyInput } from "@tau/tui/key-input";

/**
 * In full view and untouched for so long, before the first key can answer. Longer than the pause
 * between two words, shorter than the patience of who waits for it.
 */
export const ARM_MS = 700;
/** A letter that another one follows sooner belongs to a word; also at thirty words a minute. */
export const ALONE_MS = 400;

/** `waiting`: a strip without keys. `open`: in full view, without keys yet. `armed`: it takes them. */
export type Standing = "waiting" | "open" | "armed";

/** What a key would be to the question. */
export type KeyMeaning =
  /** It asks for the question, or puts it back. */
  | "claim"
  /** A letter of one of the choices, which answers by itself once it stands alone. */
  | "settles"
  /** A letter of one of the choices, which Enter has to confirm. */
  | "selects"
  /** Text that does something which can be taken back at once: it answers nothing. */
  | "acts"
  /** Any other text, and everything pasted. */
  | "typing"
  /** Esc, Ctrl+C. */
  | "cancel"
  /** Arrows, Enter and whatever else types nothing. */
  | "key";

export type Step =
  /** What lies beneath gets the key. */
  | { to: "field"; input: KeyInput }
  /** The question gets it; what it does not take is `typed` after all. */
  | { to: "question"; input: KeyInput }
  /** It takes keys from now on, and nothing that was marked before counts. */
  | { to: "begin" }
  /** The choice with this letter is marked. */
  | { to: "mark"; input: KeyInput }
  /** The marked choice is the answer. */
  | { to: "settle" };

/** Who opened it: a person's own act needs no waiting, only the rest before it can be answered. */
export type OpenedBy = "itself" | "person";

/** The field beneath is in use: a screen is open there, or the prompt has a draft. */
export interface Moment {
  now: number;
  isInUse: boolean;
}

export class QuestionGuard {
  readonly #openedBy: OpenedBy;
  #standing: Standing = "waiting";
  #lastKey: number;
  #isClaimed: boolean;
  /** The person has seen it and wants it later: it opens only when they ask for it. */
  #isPutBack = false;
  /** When it was first painted whole, since it opened. */
  #paintedAt: number | undefined;
  /** Keys that were on their way before it looked armed were pressed at something else. */
  #isSeenArmed = false;
  /** A letter that marked its choice and may turn out to begin a word. */
  #held: { input: KeyInput; settlesAt: number } | undefined;

  /** `lastKey`: when a key was last pressed, for whatever it was meant. */
  constructor({ openedBy, lastKey }: { openedBy: OpenedBy; lastKey: number }) {
    this.#openedBy = openedBy;
    this.#lastKey = lastKey;
    this.#isClaimed = openedBy === "person";
  }

  get standing(): Standing {
    return this.#standing;
  }

  /** The person opened it and went on typing past it: it is not wanted any more. */
  get isPassedBy(): boolean {
    return this.#openedBy === "person" && !this.#isClaimed;
  }

  /** All of it is on the screen now. */
  painted(now: number): void {
    if (this.#standing === "waiting") return;
    this.#paintedAt ??= now;
    this.#isSeenArmed = this.#standing === "armed";
  }

  /** Brings it up to date; to be asked before every key, after it, and at `nextChange`. */
  tick({ now, isInUse }: Moment): Step[] {
    const isWanted = this.#isClaimed || (!isInUse && !this.#isPutBack);
    if (!isWanted) return this.#wait();
    // At once: until it is armed, every key goes where it was going all the same.
    if (this.#standing === "waiting") this.#standing = "open";
    if (this.#standing === "open" && now >= this.#armsAt) {
      this.#standing = "armed";
      return [...this.#dropHeld(), { to: "begin" }];
    }
    if (this.#held === undefined || now < this.#held.settlesAt) return [];
    this.#held = undefined;
    return [{ to: "settle" }];
  }

  /** When time alone changes something; undefined where only the person or the screen can. */
  get nextChange(): number | undefined {
    const next = this.#standing === "armed" ? this.#held?.settlesAt : this.#armsAt;
    return this.#standing !== "waiting" && Number.isFinite(next) ? next : undefined;
  }

  /** Where a key goes. `tick` has been asked for the same moment. */
  press(input: KeyInput, meaning: KeyMeaning, now: number): Step[] {
    this.#lastKey = now;
    if (meaning === "claim") return this.#claim();
    if (!this.#takesKeys) return this.#pressEarly(input, meaning);
    if (meaning === "cancel" || meaning === "key" || meaning === "acts") {
      // The mark may stand elsewhere now: the letter alone says nothing any more.
      if (this.#held) this.#held.settlesAt = Number.POSITIVE_INFINITY;
      return [{ to: "question", input }];
    }
    const isLetter = meaning === "settles" || meaning === "selects";
    if (!isLetter || this.#held) return this.typed(input, now);
    const settlesAt = meaning === "settles" ? now + ALONE_MS : Number.POSITIVE_INFINITY;
    this.#held = { input, settlesAt };
    return [{ to: "mark", input }];
  }

  /** The key was not for the question, and so neither was the letter before it. */
  typed(input: KeyInput, now: number): Step[] {
    const steps: Step[] = [...this.#release(), { to: "field", input }];
    this.#lastKey = now;
    return steps;
  }

  /** It is answered: the letter that led there was for it. */
  spend(): void {
    this.#held = undefined;
  }

  /** The person was away: what rest there was meanwhile was none. */
  restAgain(now: number): void {
    this.#lastKey = now;
    if (this.#held) this.#held.settlesAt = Number.POSITIVE_INFINITY;
    this.#disarm();
  }

  /** Something else came to the fore: it begins anew, without a claim. */
  startOver(now: number): Step[] {
    this.#lastKey = now;
    const steps = this.#release();
    this.#paintedAt = undefined;
    return steps;
  }

  #claim(): Step[] {
    // Only an armed one is put back: whoever holds the key down has not seen it yet.
    if (this.#takesKeys && this.#openedBy === "itself") {
      this.#isPutBack = true;
      return this.#release();
    }
    this.#isPutBack = false;
    this.#isClaimed = true;
    this.#disarm();
    return [];
  }

  #pressEarly(input: KeyInput, meaning: KeyMeaning): Step[] {
    if (this.#standing !== "waiting" && this.#openedBy === "person") {
      if (meaning === "cancel") return [{ to: "question", input }];
      // The key that opened it may still be held down.
      if (meaning === "key") {
        this.#disarm();
        return [];
      }
    }
    return [...this.#release(), { to: "field", input }];
  }

  /** Without a claim it is open only as long as nothing beneath is in use: `tick` sees to it. */
  #release(): Step[] {
    this.#isClaimed = false;
    this.#disarm();
    return this.#dropHeld();
  }

  /** It was not for the question after all. */
  #dropHeld(): Step[] {
    const held = this.#held;
    this.#held = undefined;
    return held ? [{ to: "field", input: held.input }] : [];
  }

  /** The rest before it is armed begins anew. */
  #disarm(): void {
    if (this.#standing === "armed") this.#standing = "open";
    this.#isSeenArmed = false;
  }

  #wait(): Step[] {
    const steps = this.#release();
    this.#standing = "waiting";
    this.#paintedAt = undefined;
    return steps;
  }

  get #takesKeys(): boolean {
    return this.#standing === "armed" && this.#isSeenArmed;
  }

  get #armsAt(): number {
    return Math.max(this.#paintedAt ?? Number.POSITIVE_INFINITY, this.#lastKey) + ARM_MS;
  }
}
