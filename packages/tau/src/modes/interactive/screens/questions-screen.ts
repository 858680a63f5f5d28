// Questions of the model, put together: one in view at a time, with its options and a place for own words,
// arrows between them, and at the end of several a look at all answers. Guarded like every question: what
// somebody types for the prompt chooses nothing, and a key that is held down answers one of them at most.

import type { Rendered } from "@tau/tui/component";
import { cleanLine, cleanLines } from "@tau/tui/components/clean-text";
import { Panel } from "@tau/tui/components/panel";
import { SelectionKeys, typedText } from "@tau/tui/components/selection-actions";
import { paintedRows } from "@tau/tui/components/text-block";
import type { KeyInput } from "@tau/tui/key-input";
import { fitLine } from "@tau/tui/width";
import { PRODUCT } from "../../../brand.ts";
import type { PosedAnswer, PosedQuestion } from "../../../feature-api/posed-question.ts";
import { REAL_CLOCK, type GuardClock } from "../guard-clock.ts";
import type { Standing } from "../question-guard.ts";
import type { Close, GuardedQuestion, LetterMeaning, Stage, Turn } from "../stage.ts";
import { Countdown } from "./countdown.ts";
import { choiceRows } from "./question-rows.ts";
import { QuestionSheet, type SheetStep } from "./question-sheet.ts";
import { openTextScreen } from "./text-screen.ts";

const FRAME_ROWS = 2;
/** Below this the frame's rows are needed for what it holds. */
const MIN_FRAMED_ROWS = 10;
/** Of the question, at least: one row of it, and how much of it is not seen. */
const MIN_TEXT_ROWS = 2;
/** Of what can be chosen, at least. */
const MIN_LIST_ROWS = 2;
/** Nobody pages further before they answer. */
const MAX_TEXT_CHARS = 64 * 1024;
/** Two presses of Enter that are closer are one that is held down. */
const HELD_MS = 250;

export interface PutQuestions {
  questions: readonly PosedQuestion[];
  /** Who asks, if it is not the model of this conversation. */
  from?: string;
  /** After so long without a key, what is open is chosen for the person. */
  pickWithinMs?: number;
  signal?: AbortSignal;
  /** In an editor of the person's own. */
  editOutside?(text: string): Promise<string | undefined>;
  failed?(error: unknown): void;
  clock?: GuardClock;
}

type Outcome = Exclude<SheetStep, "stay"> | "late";

/** Undefined if the person wants to answer none of them. */
export async function askQuestions(
  stage: Stage,
  put: PutQuestions,
): Promise<readonly PosedAnswer[] | undefined> {
  const { questions, signal, editOutside, failed } = put;
  const sheet = new QuestionSheet(questions);
  for (;;) {
    const outcome = await stage.ask<Outcome>(
      (close, standing, turn) => new QuestionsScreen({ stage, put, sheet, standing, turn }, close),
      { signal },
    );
    if (outcome === undefined) return undefined;
    if (outcome !== "words") return sheet.answers();
    const words = await openTextScreen(stage, {
      title: "Your own words",
      about: sheet.question?.question,
      text: sheet.words,
      signal,
      editOutside,
      failed,
    });
    if (signal?.aborted) return undefined;
    // Whoever leaves the words comes back to the options.
    if (words !== undefined && sheet.say(words) === "done") return sheet.answers();
  }
}

interface ScreenOptions {
  stage: Stage;
  put: PutQuestions;
  sheet: QuestionSheet;
  standing(): Standing;
  turn(): Turn;
}

class QuestionsScreen implements GuardedQuestion {
  readonly state = "live";
  readonly isWhole = true;
  readonly #options: ScreenOptions;
  readonly #close: Close<Outcome>;
  readonly #keys: SelectionKeys;
  readonly #panel: Panel;
  readonly #clock: GuardClock;
  readonly #countdown: Countdown | undefined;
  #acceptedAt = Number.NEGATIVE_INFINITY;
  #textFrom = 0;
  #textRoom = 1;
  #hasMoreText = false;
  #listRows = 1;

  constructor(options: ScreenOptions, close: Close<Outcome>) {
    this.#options = options;
    const { stage, put } = options;
    const { theme, bindings } = stage;
    this.#clock = put.clock ?? REAL_CLOCK;
    this.#close = (outcome) => {
      this.#countdown?.[Symbol.dispose]();
      put.signal?.removeEventListener("abort", stop);
      close(outcome);
    };
    const stop = (): void => this.#countdown?.[Symbol.dispose]();
    put.signal?.addEventListener("abort", stop, { once: true });
    this.#keys = new SelectionKeys(bindings);
    const content = {
      state: "live" as const,
      render: (columns: number) => this.#content(columns, stage.size.rows - FRAME_ROWS),
    };
    this.#panel = new Panel({ title: () => this.#title, theme, content, border: "borderAccent" });
    const { pickWithinMs: milliseconds } = put;
    if (milliseconds !== undefined) {
      this.#countdown = new Countdown({
        clock: this.#clock,
        milliseconds,
        onTick: () => stage.requestRender(),
        onEnd: () => this.#close("late"),
      });
    }
  }

  get brief(): GuardedQuestion["brief"] {
    const { put, sheet } = this.#options;
    const { question = "" } = sheet.question ?? {};
    const [first = ""] = cleanLines(question.slice(0, MAX_TEXT_CHARS));
    return { asks: `${cleanLine(put.from ?? PRODUCT)} asks`, about: first };
  }

  begin(): void {
    this.#options.sheet.markHome();
  }

  /** The digits mark options; a blank ticks one of several. */
  letterMeaning(letter: string): LetterMeaning | undefined {
    const { question } = this.#options.sheet;
    if (letter === " ") return question?.multi ? "acts" : undefined;
    return this.#placeOf(letter) === undefined ? undefined : "selects";
  }

  mark(letter: string): void {
    const place = this.#placeOf(letter);
    if (place !== undefined) this.#mark(place);
  }

  render(columns: number): Rendered {
    const { rows } = this.#options.stage.size;
    return rows < MIN_FRAMED_ROWS ? this.#content(columns, rows) : this.#panel.render(columns);
  }

  handleKey(input: KeyInput): boolean {
    if (input.type !== "key") return false;
    const { sheet, stage } = this.#options;
    this.#countdown?.restart();
    const action = this.#keys.actionOf(input);
    switch (action) {
      case "up":
        return this.#mark(sheet.cursor - 1);
      case "down":
        return this.#mark(sheet.cursor + 1);
      case "first":
        return this.#mark(0);
      case "last":
        return this.#mark(sheet.rows.length - 1);
      case "pageUp":
      case "pageDown":
        return this.#page(action === "pageUp" ? -1 : 1);
      case "left":
      case "previous":
        return this.#turn(-1);
      case "right":
      case "next":
        return this.#turn(1);
      case "accept":
        return this.#accept();
      case "cancel":
        this.#close();
        return true;
      default:
        if (typedText(input) !== " " || !sheet.question?.multi) return false;
        sheet.toggle();
        stage.requestRender();
        return true;
    }
  }

  get #title(): string {
    const { sheet, turn } = this.#options;
    const { length } = sheet.questions;
    const { symbols } = this.#options.stage.theme;
    const waiting = turn().of > 1 ? ` (${turn().at} of ${turn().of})` : "";
    const { asks } = this.brief;
    if (length === 1) return asks + waiting;
    const where = sheet.question ? `${sheet.at + 1} of ${length}` : "your answers";
    return `${asks}${waiting} ${symbols.separator} ${where}`;
  }

  #placeOf(letter: string): number | undefined {
    const place = /^[1-9]$/.test(letter) ? Number(letter) - 1 : -1;
    return this.#options.sheet.question?.options[place] === undefined ? undefined : place;
  }

  #mark(row: number): true {
    const { sheet, stage } = this.#options;
    sheet.mark(row);
    stage.requestRender();
    return true;
  }

  #page(by: -1 | 1): true {
    const { sheet, stage } = this.#options;
    if (!this.#hasMoreText) return this.#mark(sheet.cursor + by * this.#listRows);
    this.#textFrom += by * Math.max(1, this.#textRoom - 1);
    stage.requestRender();
    return true;
  }

  #turn(by: -1 | 1): true {
    const { sheet, stage } = this.#options;
    sheet.turn(by);
    this.#textFrom = 0;
    stage.requestRender();
    return true;
  }

  #accept(): true {
    const { sheet, stage } = this.#options;
    const now = this.#clock.now();
    const isHeld = now - this.#acceptedAt < HELD_MS;
    this.#acceptedAt = now;
    if (isHeld) return true;
    const step = sheet.accept();
    if (step !== "stay") this.#close(step);
    this.#textFrom = 0;
    stage.requestRender();
    return true;
  }

  /** What can be chosen is always in sight; the question gets the rows that are left. */
  #content(columns: number, height: number): Rendered {
    const { stage, sheet, standing } = this.#options;
    const text = this.#text(columns);
    const hints = this.#hints(columns);
    const hintRows = height > MIN_TEXT_ROWS + MIN_LIST_ROWS + hints.length ? hints.length : 0;
    const least = Math.min(text.length, Math.max(MIN_TEXT_ROWS, Math.floor(height / 2)));
    const room = Math.max(MIN_LIST_ROWS, height - hintRows - least - 1);
    const list = choiceRows(sheet, {
      theme: stage.theme,
      columns,
      isAsleep: standing() !== "armed",
      height: sheet.question ? room : 0,
    });
    this.#listRows = Math.max(1, list.length);
    const left = Math.max(1, height - hintRows - list.length);
    const air = left > text.length && list.length > 0 ? [""] : [];
    const shown = this.#textPage(text, columns, left - air.length);
    const airBelow = left - air.length - shown.length > 0 ? [""] : [];
    const below = hints.slice(0, hintRows);
    return { rows: [...shown, ...air, ...list, ...airBelow, ...below], stableRows: 0 };
  }

  #text(columns: number): string[] {
    const { stage, sheet } = this.#options;
    const { theme } = stage;
    const bold = theme.attribute("bold");
    if (sheet.question) {
      return paintedRows(sheet.question.question.slice(0, MAX_TEXT_CHARS), columns, bold);
    }
    return sheet.questions.flatMap(({ question, options }, at) => {
      const answer = sheet.answerTo(at);
      const chosen = answer?.selected.map((place) => options[place] ?? "") ?? [];
      const said = answer?.words === undefined ? chosen : [...chosen, answer.words];
      const none = answer ? "nothing of these" : "not answered yet";
      const words = said.length === 0 ? none : said.join(", ");
      const paint = theme.style(answer ? "accent" : "warning");
      const indent = "   ";
      return [
        ...paintedRows(`${at + 1}. ${question.slice(0, MAX_TEXT_CHARS)}`, columns),
        ...paintedRows(
          words.slice(0, MAX_TEXT_CHARS),
          Math.max(1, columns - indent.length),
          paint,
        ).map((row) => indent + row),
      ];
    });
  }

  #textPage(all: readonly string[], columns: number, room: number): readonly string[] {
    const { theme, bindings } = this.#options.stage;
    this.#textRoom = room;
    this.#hasMoreText = all.length > room;
    if (!this.#hasMoreText) return all;
    this.#textFrom = Math.max(0, Math.min(this.#textFrom, all.length - room + 1));
    const shown = all.slice(this.#textFrom, this.#textFrom + room - 1);
    const below = all.length - this.#textFrom - shown.length;
    const key = bindings.hint(below > 0 ? "selection.pageDown" : "selection.pageUp");
    const where = below > 0 ? `${below} more rows` : "the end";
    const note = `${theme.symbols.ellipsis} ${where}${key === undefined ? "" : ` (${key})`}`;
    return [...shown, theme.style("muted")(fitLine(note, columns))];
  }

  #hints(columns: number): string[] {
    const { stage, sheet, standing } = this.#options;
    const { theme, bindings } = stage;
    const { ellipsis, separator } = theme.symbols;
    if (standing() !== "armed") {
      return [theme.style("dim")(fitLine(`Not ready for an answer yet${ellipsis}`, columns))];
    }
    const key = (action: string): string => bindings.hint(`selection.${action}`) ?? "";
    const isOpen = sheet.questions.some((_question, at) => sheet.answerTo(at) === undefined);
    const send = isOpen ? "goes to what is open" : "sends them";
    const { multi = false } = sheet.question ?? {};
    const parts = [
      multi ? "Space ticks" : "",
      `${key("accept")} ${sheet.question ? "chooses" : send}`,
      sheet.questions.length > 1 ? `${key("left")}/${key("right")} other questions` : "",
      `${key("cancel")} cancels`,
    ];
    const words = parts.filter((part) => part !== "").join(` ${separator} `);
    const left = this.#countdown?.secondsLeft;
    const soon = `In ${left} s what is open will be chosen for you.`;
    const lines = left === undefined ? [words] : [soon, words];
    return lines.map((line) => theme.style("muted")(fitLine(line, columns)));
  }
}
