// Puts a call to the person: what would run, why it is asked about, and the choice between once,
// for good, not at all, and something else instead. Questions come one after the other.

import type { Approval as Answer, ApprovalQuestion } from "@tau/agent/judge-call";
import type { FocusableComponent, Rendered } from "@tau/tui/component";
import { cleanLine, cleanLines } from "@tau/tui/components/clean-text";
import { ListView } from "@tau/tui/components/list-view";
import { Panel } from "@tau/tui/components/panel";
import { breakSpans } from "@tau/tui/components/spans";
import { InputDialog } from "@tau/tui/components/input-dialog";
import { paintedRows } from "@tau/tui/components/text-block";
import type { KeyInput } from "@tau/tui/key-input";
import type { Close, Stage } from "./stage.ts";

export type Verdict = "once" | "always" | "no" | "instead";

/** Rows of what would run; on a small screen fewer. */
const MAX_CONTENT_ROWS = 30;
/** The frame, the reason, the choices and a little air. */
const OTHER_ROWS = 12;
/** Longer is cut before it is laid out. */
const MAX_CONTENT_CHARS = 64 * 1024;

export interface ApprovalScreenOptions {
  question: ApprovalQuestion;
  stage: Stage;
  /** What is shown of the change, where it is known. */
  preview?: readonly string[];
}

const CHOICES: readonly { value: Verdict; label: string; letter: string }[] = [
  { value: "once", label: "Yes, this once", letter: "y" },
  { value: "always", label: "Always, for calls like this", letter: "a" },
  { value: "no", label: "No", letter: "n" },
  { value: "instead", label: "No, and say what to do instead", letter: "t" },
];

export class ApprovalScreen implements FocusableComponent {
  readonly state = "live";
  readonly #options: ApprovalScreenOptions;
  readonly #list: ListView<Verdict>;
  readonly #panel: Panel;
  readonly #close: Close<Verdict>;

  constructor(options: ApprovalScreenOptions, close: Close<Verdict>) {
    this.#options = options;
    this.#close = close;
    const { stage, question } = options;
    const { theme, bindings, requestRender } = stage;
    this.#list = new ListView<Verdict>({
      items: CHOICES.map(({ value, label, letter }) => ({ value, label, detail: letter })),
      theme,
      bindings,
      requestRender,
      filter: "off",
      onChoose: ({ value }) => close(value),
    });
    const content = { state: "live" as const, render: (columns: number) => this.#content(columns) };
    const title = `${cleanLine(question.call.name)} asks`;
    this.#panel = new Panel({ title, theme, content, border: "warning" });
  }

  render(columns: number): Rendered {
    return this.#panel.render(columns);
  }

  handleKey(input: KeyInput): boolean {
    if (input.type === "key" && !input.ctrl && !input.alt) {
      const choice = CHOICES.find(({ letter }) => letter === input.text.toLowerCase());
      if (choice) {
        this.#close(choice.value);
        return true;
      }
    }
    return this.#list.handleKey(input);
  }

  #content(columns: number): Rendered {
    const { question, stage, preview } = this.#options;
    const { theme } = stage;
    const why = question.reasons.map(({ reason }) => reason.replace(/^it /, "")).join("; ");
    const room = Math.min(MAX_CONTENT_ROWS, Math.max(3, stage.size.rows - OTHER_ROWS));
    const all = preview ?? subjectRows(question, columns, stage);
    const rows = all.slice(0, room);
    if (all.length > room) {
      rows.push(theme.style("muted")(`${theme.symbols.ellipsis} ${all.length - room} more rows`));
    }
    return {
      rows: [
        ...rows,
        "",
        ...paintedRows(`It is asked because it ${why}.`, columns, theme.style("warning")),
        "",
        ...this.#list.render(columns).rows,
      ],
      stableRows: 0,
    };
  }
}

function subjectRows({ prepared }: ApprovalQuestion, columns: number, { theme }: Stage): string[] {
  const params = prepared.params as Record<string, unknown>;
  const words =
    typeof params.command === "string" ? params.command : JSON.stringify(params, null, 2);
  const paint = theme.style("toolTitle");
  return cleanLines(words.slice(0, MAX_CONTENT_CHARS)).flatMap((text) =>
    breakSpans([{ text, paint }], Math.max(1, columns)),
  );
}

export interface Consent {
  stage: Stage;
  /** Records a rule that matches next time. */
  remember(question: ApprovalQuestion): Promise<void>;
  /** Esc on the question stops the run. */
  stop(): void;
}

export async function askConsent(
  question: ApprovalQuestion,
  { stage, remember, stop }: Consent,
  signal: AbortSignal,
): Promise<Answer> {
  const verdict = await stage.show<Verdict>(
    (close) => new ApprovalScreen({ question, stage }, close),
    { signal },
  );
  const why = question.reasons.map(({ reason }) => reason).join("; ");
  switch (verdict) {
    case "once":
      return { allowed: true };
    case "always":
      await remember(question);
      return { allowed: true };
    case "instead": {
      const words = await askInstead(stage, signal);
      const reason = words
        ? `The user said no, and: ${words}`
        : `The user said no (${why}). Ask what to do instead.`;
      return { allowed: false, reason };
    }
    case "no":
      return {
        allowed: false,
        reason: `The user said no (${why}). Do not try it in another way; ask what to do.`,
      };
    default:
      stop();
      return { allowed: false, reason: "The user stopped the run at this question." };
  }
}

async function askInstead(stage: Stage, signal: AbortSignal): Promise<string | undefined> {
  const { theme, requestRender } = stage;
  return stage.show<string>(
    (close) => {
      const dialog = new InputDialog({ title: "Instead", theme, requestRender, signal });
      void dialog.result.then(close);
      return dialog;
    },
    { signal },
  );
}
