// The answers to questions that are put together, while a person gives them: which question is in view,
// what is marked, what was chosen before. It knows no keys and no screen. Whoever goes back and forth
// finds everything as they left it; several questions end with a look at all answers.

import {
  answerByTime,
  type PosedAnswer,
  type PosedQuestion,
} from "../../../feature-api/posed-question.ts";

/** What a choice leads to: `words` are to be typed, `done` is the end. */
export type SheetStep = "stay" | "words" | "done";

/** What can be marked in a question. */
export type SheetRow =
  | { kind: "option"; at: number; label: string; isChosen: boolean; isRecommended: boolean }
  | { kind: "words"; words?: string }
  /** Of one with several choices: it is answered. */
  | { kind: "next" };

interface Draft {
  selected: readonly number[];
  words?: string;
  /** Somebody has said that this is the answer. */
  isSettled: boolean;
  cursor: number;
}

export class QuestionSheet {
  readonly #questions: readonly PosedQuestion[];
  readonly #drafts: Draft[];
  #at = 0;

  constructor(questions: readonly PosedQuestion[]) {
    this.#questions = questions;
    this.#drafts = questions.map(({ recommended: cursor = 0 }) => ({
      selected: [],
      isSettled: false,
      cursor,
    }));
  }

  get questions(): readonly PosedQuestion[] {
    return this.#questions;
  }

  /** From 0. */
  get at(): number {
    return this.#at;
  }

  /** Undefined when all answers are in view. */
  get question(): PosedQuestion | undefined {
    return this.#questions[this.#at];
  }

  get cursor(): number {
    return this.#drafts[this.#at]?.cursor ?? 0;
  }

  get rows(): readonly SheetRow[] {
    const { question } = this;
    if (!question) return [];
    const { options, multi, recommended } = question;
    const { selected, words } = this.#drafts[this.#at]!;
    const listed = options.map((label, at): SheetRow => {
      return {
        kind: "option",
        at,
        label,
        isChosen: selected.includes(at),
        isRecommended: at === recommended,
      };
    });
    return [...listed, { kind: "words", words }, ...(multi ? [{ kind: "next" } as const] : [])];
  }

  /** Beyond the ends means the end. */
  mark(row: number): void {
    const draft = this.#drafts[this.#at];
    if (draft) draft.cursor = Math.max(0, Math.min(row, this.rows.length - 1));
  }

  /** On what was chosen, on what is recommended, or on the first; where several can be, on what it was. */
  markHome(): void {
    const draft = this.#drafts[this.#at];
    if (!draft || this.question!.multi) return;
    const { recommended = 0, options } = this.question!;
    const own = draft.words === undefined ? recommended : options.length;
    this.mark(draft.selected[0] ?? own);
  }

  /** To the question before, or after; several lead to a look at all of them. */
  turn(by: -1 | 1): void {
    const last = this.#questions.length === 1 ? 0 : this.#questions.length;
    this.#at = Math.max(0, Math.min(this.#at + by, last));
  }

  /** Chooses what is marked. */
  accept(): SheetStep {
    const row = this.rows[this.cursor];
    if (!row) return this.#send();
    if (row.kind === "words") return "words";
    const draft = this.#drafts[this.#at]!;
    if (row.kind === "next") return this.#settle(draft);
    if (this.question!.multi) return this.toggle();
    draft.selected = [row.at];
    draft.words = undefined;
    return this.#settle(draft);
  }

  /** Of one with several choices. */
  toggle(): "stay" {
    const row = this.rows[this.cursor];
    const draft = this.#drafts[this.#at];
    if (row?.kind !== "option" || !draft) return "stay";
    draft.selected = row.isChosen
      ? draft.selected.filter((at) => at !== row.at)
      : [...draft.selected, row.at];
    return "stay";
  }

  get words(): string {
    return this.#drafts[this.#at]?.words ?? "";
  }

  /** Nothing but blanks takes them back. */
  say(words: string): SheetStep {
    const draft = this.#drafts[this.#at]!;
    const { multi } = this.question!;
    draft.words = words.trim() === "" ? undefined : words.trim();
    if (draft.words === undefined) {
      draft.isSettled &&= draft.selected.length > 0;
      return "stay";
    }
    if (!multi) draft.selected = [];
    if (!multi) return this.#settle(draft);
    this.mark(this.rows.length - 1);
    return "stay";
  }

  /** Undefined if it is still open. */
  answerTo(at: number): PosedAnswer | undefined {
    const { selected, words, isSettled } = this.#drafts[at]!;
    const isGiven = isSettled || selected.length > 0 || words !== undefined;
    return isGiven ? { selected, words } : undefined;
  }

  /** What is still open is chosen for the person. */
  answers(): readonly PosedAnswer[] {
    return this.#questions.map((question, at) => this.answerTo(at) ?? answerByTime(question));
  }

  get #firstOpen(): number {
    return this.#questions.findIndex((_question, at) => this.answerTo(at) === undefined);
  }

  #settle(draft: Draft): SheetStep {
    draft.isSettled = true;
    if (this.#questions.length === 1) return "done";
    this.turn(1);
    return "stay";
  }

  #send(): SheetStep {
    const open = this.#firstOpen;
    if (open < 0) return "done";
    this.#at = open;
    return "stay";
  }
}
