// Puts a call to the person: what would run, why it is asked about, and the choice between once,
// for good, not at all, and something else instead. Where there is danger in it, No is marked and
// Enter has to confirm whatever else is chosen; what holds for longer than once always needs it.

import type { ConsentScope } from "@tau/agent/hook-points";
import type { Approval as Answer, ApprovalQuestion } from "@tau/agent/judge-call";
import type { CallPreview } from "@tau/agent/tool";
import type { Rendered } from "@tau/tui/component";
import { cleanLine, cleanLines } from "@tau/tui/components/clean-text";
import { ListView } from "@tau/tui/components/list-view";
import { Panel } from "@tau/tui/components/panel";
import { breakSpans } from "@tau/tui/components/spans";
import { InputDialog } from "@tau/tui/components/input-dialog";
import { SelectionKeys } from "@tau/tui/components/selection-actions";
import { paintedRows } from "@tau/tui/components/text-block";
import type { KeyInput } from "@tau/tui/key-input";
import { fitLine } from "@tau/tui/width";
import { clipFor, readUnifiedDiff } from "../../tools/render/diff-lines.ts";
import { diffRows } from "../../tools/render/diff-rows.ts";
import { answerFor, whyAsked, type Verdict } from "../consent-answer.ts";
import type { Standing } from "./question-guard.ts";
import type { Close, GuardedQuestion, LetterMeaning, Stage, Turn } from "./stage.ts";
import type { CallLook } from "../../feature-api/tool-view.ts";

type Choosable = Exclude<Verdict, "abort"> | "instead";

/** Rows of what would run; on a small screen fewer. */
const MAX_CONTENT_ROWS = 30;
/** Fewer say nothing: one of what would run, and how much of it is not seen. */
const MIN_CONTENT_ROWS = 2;
/** With fewer, what would run needs the rows that would only part it from the rest. */
const MIN_AIRY_ROWS = 8;
/** With fewer, what would run needs the row of the choice that is taken least. */
const MIN_FULL_ROWS = 12;
const FRAME_ROWS = 2;
/** Below this the frame's rows are needed for what it holds. */
const MIN_FRAMED_ROWS = 10;
/** Nobody pages further before saying no. */
const MAX_PAGED_ROWS = 2_000;
/** Longer is cut before it is laid out. */
const MAX_CONTENT_CHARS = 64 * 1024;

export interface ApprovalScreenOptions {
  question: ApprovalQuestion;
  stage: Stage;
  cwd: string;
  standing(): Standing;
  /** Which of those that wait it is. */
  turn?(): Turn;
}

interface Choice {
  value: Choosable;
  label: string;
  letter: string;
}

/** What goes further than this session, or than this call, is confirmed. */
const OUTLASTING: ReadonlySet<Choosable> = new Set(["always", "everywhere", "edits"]);

/** What can be said; for good only where it is known what that would mean. */
function choicesFor({ rules, scopes, guard }: ApprovalQuestion, rows: number): Choice[] {
  const oneLine = (rule: string): string => rule.replace(/^allow /, "").replace(/\s*\n\s*/g, " ");
  const kept = rules.map(oneLine).join(", ");
  const further: readonly (Choice & { value: ConsentScope })[] = [
    { value: "edits", label: "Yes, and all edits in this session", letter: "e" },
    { value: "session", label: `Yes, in this session: ${kept}`, letter: "s" },
    { value: "always", label: `Yes, always in this project: ${kept}`, letter: "a" },
    { value: "everywhere", label: `Yes, always, in every project: ${kept}`, letter: "g" },
  ];
  const remembered = further.filter(
    ({ value }) => scopes.includes(value) && (value !== "everywhere" || rows >= MIN_FULL_ROWS),
  );
  const yes: Choice[] = [{ value: "once", label: "Yes, this once", letter: "y" }, ...remembered];
  const no: Choice[] = [
    { value: "no", label: "No", letter: "n" },
    { value: "instead", label: "No, and say what to do instead", letter: "t" },
  ];
  // Up and Enter is how people send their last prompt again: it must not lead from No to Yes.
  return guard === undefined ? [...yes, ...no] : [...no, ...yes];
}

export class ApprovalScreen implements GuardedQuestion {
  readonly state = "live";
  readonly #options: ApprovalScreenOptions;
  readonly #list: ListView<Choosable>;
  readonly #panel: Panel;
  readonly #close: Close<Choosable>;
  readonly #choices: readonly Choice[];
  #preview: CallPreview | undefined;
  #isWhole: boolean;
  #from = 0;
  #room = 1;
  readonly #keys: SelectionKeys;

  constructor(options: ApprovalScreenOptions, close: Close<Choosable>) {
    this.#options = options;
    this.#close = close;
    const { stage, question } = options;
    const { theme, bindings, requestRender } = stage;
    this.#choices = choicesFor(question, stage.size.rows);
    this.#keys = new SelectionKeys(bindings);
    this.#isWhole = question.preview === undefined;
    void question.preview?.().then((preview) => {
      this.#preview = preview;
      this.#isWhole = true;
      requestRender();
    });
    this.#list = new ListView<Choosable>({
      items: this.#choices.map(({ value, label, letter }) => ({
        value,
        label: `${letter}  ${label}`,
      })),
      theme,
      bindings,
      requestRender,
      filter: "off",
      ends: "stop",
      takesKeys: () => options.standing() === "armed",
      onChoose: ({ value }) => close(value),
    });
    const content = {
      state: "live" as const,
      render: (columns: number) => this.#content(columns, stage.size.rows - FRAME_ROWS),
    };
    const title = (): string => whoAsks(question) + this.#place;
    this.#panel = new Panel({ title, theme, content, border: this.#tone });
  }

  render(columns: number): Rendered {
    const { rows } = this.#options.stage.size;
    return rows < MIN_FRAMED_ROWS ? this.#content(columns, rows) : this.#panel.render(columns);
  }

  get brief(): GuardedQuestion["brief"] {
    const { question } = this.#options;
    const { command } = question.prepared.params as Record<string, unknown>;
    const isCommand = typeof command === "string" || question.subjects.length === 0;
    const words = isCommand ? wordsOf(question) : question.subjects.join(", ");
    const [first = ""] = cleanLines(visible(words.slice(0, MAX_CONTENT_CHARS)));
    return { asks: whoAsks(question), about: first };
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  begin(): void {
    this.#select(this.#isGuarded ? "no" : "once");
  }

  letterMeaning(letter: string): LetterMeaning | undefined {
    const choice = this.#choices.find((one) => one.letter === letter);
    if (!choice) return undefined;
    return this.#isGuarded || OUTLASTING.has(choice.value) ? "selects" : "settles";
  }

  mark(letter: string): void {
    const choice = this.#choices.find((one) => one.letter === letter);
    if (choice) this.#select(choice.value);
  }

  settle(): void {
    const { selected } = this.#list;
    if (selected) this.#close(selected.value);
  }

  handleKey(input: KeyInput): boolean {
    const action = input.type === "key" ? this.#keys.actionOf(input) : undefined;
    if (action === "pageDown" || action === "pageUp") {
      this.#from += action === "pageDown" ? this.#room - 1 : 1 - this.#room;
      this.#options.stage.requestRender();
      return true;
    }
    return this.#list.handleKey(input);
  }

  /** Whoever answers knows how much is still to come. */
  get #place(): string {
    const { at, of } = this.#options.turn?.() ?? { at: 1, of: 1 };
    if (of > 1) return ` (${at} of ${of})`;
    const { place } = this.#options.question;
    return place && place.of > 1 ? ` (call ${place.at} of ${place.of})` : "";
  }

  get #isGuarded(): boolean {
    return this.#options.question.guard !== undefined;
  }

  get #tone(): "error" | "warning" {
    return this.#isGuarded ? "error" : "warning";
  }

  #select(value: Choosable): void {
    this.#list.select(this.#choices.findIndex((choice) => choice.value === value));
  }

  /** Whether and how one of the choices can be taken now. */
  #hint(columns: number): string {
    const { stage, standing } = this.#options;
    const { theme, bindings } = stage;
    if (standing() !== "armed") {
      const still = this.#isWhole ? "Not ready for an answer yet" : "Determining what it would do";
      return theme.style("dim")(fitLine(still + theme.symbols.ellipsis, columns));
    }
    const accept = bindings.hint("selection.accept") ?? "Enter";
    const cancel = bindings.hint("selection.cancel") ?? "Ctrl+C";
    const chosen = this.#list.selected?.value;
    const isConfirmed = this.#isGuarded || (chosen !== undefined && OUTLASTING.has(chosen));
    const how = isConfirmed ? `Choose, then ${accept}` : `Letter or ${accept} answers`;
    const { agent } = this.#options.question.origin ?? {};
    const stops = agent === undefined ? "stops" : `stops ${cleanLine(agent)}`;
    const hint = `${how} ${theme.symbols.separator} ${cancel} ${stops}`;
    return theme.style("muted")(fitLine(hint, columns));
  }

  /** What can be answered is always in sight; the rest gets the rows that are left. */
  #content(columns: number, height: number): Rendered {
    const { question, stage } = this.#options;
    const { theme } = stage;
    const choices = [...this.#list.render(columns).rows];
    if (height > choices.length + MIN_CONTENT_ROWS + 1) choices.push(this.#hint(columns));
    const words = whyAsked(question);
    const said = this.#isGuarded ? `Danger: ${words}.` : `Tau asks because ${words}.`;
    const why = paintedRows(said, columns, theme.style(this.#tone));
    const left = height - choices.length - why.length;
    const air = left >= MIN_AIRY_ROWS ? [""] : [];
    const room = Math.max(MIN_CONTENT_ROWS, Math.min(MAX_CONTENT_ROWS, left - 2 * air.length));
    const rows = this.#page(columns, room);
    const reason = why.slice(0, Math.max(0, height - choices.length - rows.length));
    return { rows: [...rows, ...air, ...reason, ...air, ...choices], stableRows: 0 };
  }

  /** As much of what would run as there is room for, from where the person has paged to. */
  #page(columns: number, room: number): string[] {
    const { question, stage } = this.#options;
    const { theme, bindings } = stage;
    const all = this.#changes(columns) ?? subjectRows(question, columns, stage);
    this.#room = room;
    this.#from = Math.max(0, Math.min(this.#from, all.length - room + 1));
    if (all.length <= room) return all;
    const shown = all.slice(this.#from, this.#from + room - 1);
    const below = all.length - this.#from - shown.length;
    const key = bindings.hint(below > 0 ? "selection.pageDown" : "selection.pageUp");
    const where = below > 0 ? `${below} more rows` : "the end";
    const note = `${theme.symbols.ellipsis} ${where}${key === undefined ? "" : ` (${key})`}`;
    return [...shown, theme.style("muted")(fitLine(note, columns))];
  }

  /** The changes themselves, where the call is about files. */
  #changes(columns: number): string[] | undefined {
    const preview = this.#preview;
    if (!preview) return undefined;
    const { stage, cwd } = this.#options;
    const { theme } = stage;
    const look: CallLook = { theme, columns, detail: "full", cwd };
    const rows = preview.files.flatMap(({ path, op, diff, moveTo }) => {
      const to = moveTo === undefined ? "" : ` ${theme.symbols.pointer} ${moveTo}`;
      const head = theme.attribute("bold")(fitLine(`${op} ${cleanLine(path + to)}`, columns));
      const files = readUnifiedDiff(diff, clipFor(look));
      return [head, ...diffRows(files, look, MAX_PAGED_ROWS)];
    });
    if (preview.problem !== undefined) {
      rows.push(...paintedRows(preview.problem, columns, theme.style("error")));
    }
    return rows;
  }
}

/** An agent is named before the tool that it wants to use. */
function whoAsks({ call, origin }: ApprovalQuestion): string {
  const tool = cleanLine(call.name);
  return origin?.agent === undefined ? `${tool} asks` : `${cleanLine(origin.agent)} asks: ${tool}`;
}

function wordsOf({ prepared }: ApprovalQuestion): string {
  const params = prepared.params as Record<string, unknown>;
  return typeof params.command === "string" ? params.command : JSON.stringify(params, null, 2);
}

function subjectRows(question: ApprovalQuestion, columns: number, { theme }: Stage): string[] {
  const words = wordsOf(question);
  const paint = theme.style("toolTitle");
  const cut = words.length - MAX_CONTENT_CHARS;
  const rows = cleanLines(visible(words.slice(0, MAX_CONTENT_CHARS))).flatMap((text) =>
    breakSpans([{ text, paint }], Math.max(1, columns)),
  );
  if (cut > 0) rows.push(...paintedRows(`${cut} more characters`, columns, theme.style("error")));
  return rows;
}

/** What would be dropped is shown: a command must not hide anything from who consents to it. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (sign) =>
    sign === "\r" ? "^M" : `^${String.fromCharCode(sign.charCodeAt(0) ^ 64)}`,
  );
}

export interface Consent {
  stage: Stage;
  cwd: string;
  /** Esc on the question stops the run that it comes from. */
  stop(): void;
}

export async function askConsent(
  question: ApprovalQuestion,
  { stage, cwd, stop }: Consent,
  signal: AbortSignal,
): Promise<Answer> {
  for (;;) {
    const verdict = await stage.ask<Choosable>(
      (close, standing, turn) =>
        new ApprovalScreen({ question, stage, cwd, standing, turn }, close),
      { signal },
    );
    if (verdict === undefined) stop();
    if (verdict !== "instead") return answerFor(question, verdict ?? "abort");
    const words = await askInstead(question, stage, signal);
    if (words !== undefined || signal.aborted) return answerFor(question, "no", words);
  }
}

/** Undefined: back to the question. */
async function askInstead(
  { call }: ApprovalQuestion,
  stage: Stage,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { theme, requestRender } = stage;
  return stage.show<string>(
    (close) => {
      const title = `Instead of ${cleanLine(call.name)}: Enter sends, Esc goes back`;
      const dialog = new InputDialog({ title, theme, requestRender, signal });
      void dialog.result.then(close);
      return dialog;
    },
    { signal },
  );
}
