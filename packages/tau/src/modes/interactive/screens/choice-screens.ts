// Questions that come before the conversation: whether a project may run what it brings, and
// what to do with a session of another directory. Enter alone never does what cannot be undone,
// and no typing answers them.

import type { Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import type { KeyHint } from "@tau/tui/components/key-hints";
import { wrapSpans } from "@tau/tui/components/spans";
import type { KeyInput } from "@tau/tui/key-input";
import { fitLine } from "@tau/tui/width";
import { KINDS } from "../../../discovery/kinds.ts";
import type { Elsewhere, ElsewhereChoice } from "../../../session/listing/elsewhere.ts";
import type { ProjectTrust } from "../../../trust/project-trust.ts";
import type { TrustSubject } from "../../../trust/trust-subject.ts";
import type { OpenedBy, Standing } from "../question-guard.ts";
import type { Close, GuardedQuestion, Stage } from "../stage.ts";
import { askGuarded } from "./ask-over.ts";
import { drawScreen } from "./screen-frame.ts";
import { ScreenKeys } from "./screen-keys.ts";

/** `later`: nothing is decided, and it is asked again. */
export type TrustAnswer = "allow" | "deny" | "later";

export interface TrustQuestionDeps {
  trust: ProjectTrust;
  /** What an item would do, as lines (see `subjectEffects`); read once the screen is open. */
  effects(subject: TrustSubject): Promise<readonly string[]>;
  /** By itself where left out. */
  openedBy?: OpenedBy;
  signal?: AbortSignal;
}

/** Undefined where it was cancelled: as good as `later`. */
export function openTrustQuestion(
  stage: Stage,
  deps: TrustQuestionDeps,
): Promise<TrustAnswer | undefined> {
  const { signal, openedBy } = deps;
  return stage.ask<TrustAnswer>(
    (close, standing) => new TrustQuestion({ stage, standing, ...deps }, close),
    { signal, openedBy },
  );
}

const ANSWERS: readonly { value: TrustAnswer; label: string }[] = [
  { value: "later", label: "Not now" },
  { value: "allow", label: "Allow exactly this" },
  { value: "deny", label: "Never for this project" },
];

interface TrustQuestionOptions extends TrustQuestionDeps {
  stage: Stage;
  standing(): Standing;
}

class TrustQuestion implements GuardedQuestion {
  readonly state = "live";
  readonly #stage: Stage;
  readonly #deps: TrustQuestionOptions;
  readonly #close: Close<TrustAnswer>;
  readonly #keys: ScreenKeys;
  #effects: ReadonlyMap<string, readonly string[]> = new Map();
  #answer = 0;
  #top = 0;
  #page = 1;
  /** Rows that the last drawing had no room for. */
  #overflow = 0;
  #isTold = false;
  #isWhole = false;

  constructor(options: TrustQuestionOptions, close: Close<TrustAnswer>) {
    this.#stage = options.stage;
    this.#deps = options;
    this.#close = close;
    this.#keys = new ScreenKeys(options.stage.bindings);
    void this.#read();
  }

  get brief(): GuardedQuestion["brief"] {
    return { asks: "Trust this project?", about: "It contains items that would run." };
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  begin(): void {
    this.#answer = 0;
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    const { theme } = this.#stage;
    const { trust } = this.#deps;
    const rows = this.#listed(width);
    return drawScreen(this.#stage, columns, {
      title: "Trust this project?",
      aside: () => (this.#overflow > 0 ? `from row ${this.#top + 1} of ${rows.length}` : ""),
      head: [
        theme.style("text")(fitLine(cleanLine(trust.root), width)),
        theme.style("muted")(fitLine(this.#why, width)),
        "",
      ],
      needs: rows.length,
      body: (room) => {
        this.#page = Math.max(1, room - 1);
        this.#overflow = Math.max(0, rows.length - room);
        this.#top = Math.max(0, Math.min(this.#top, this.#overflow));
        return rows.slice(this.#top, this.#top + room);
      },
      foot: [this.#answers(width)],
      hints: this.#hints,
    });
  }

  /** An open question takes every key: none may act behind it. */
  handleKey(input: KeyInput): boolean {
    if (input.type === "key") this.#press(this.#keys.actionOf(input));
    this.#stage.requestRender();
    return true;
  }

  #press(action: string | undefined): void {
    switch (action) {
      case "selection.cancel":
        return this.#close();
      case "selection.accept":
        return this.#take();
      case "selection.right":
      case "selection.next":
        this.#answer = (this.#answer + 1) % ANSWERS.length;
        return;
      case "selection.left":
      case "selection.previous":
        this.#answer = (this.#answer + ANSWERS.length - 1) % ANSWERS.length;
        return;
      case "selection.up":
        this.#top -= 1;
        return;
      case "selection.down":
        this.#top += 1;
        return;
      case "selection.pageUp":
        this.#top -= this.#page;
        return;
      case "selection.pageDown":
        this.#top += this.#page;
        return;
      case "selection.first":
        this.#top = 0;
        return;
      case "selection.last":
        this.#top = this.#overflow;
        return;
      default:
        return;
    }
  }

  #take(): void {
    const { value } = ANSWERS[this.#answer]!;
    // Nobody agrees to what was not shown yet, or cannot be vouched for.
    if (value === "allow" && (!this.#isTold || this.#doubtful)) return;
    this.#close(value);
  }

  get #doubtful(): TrustSubject | undefined {
    return this.#deps.trust.subjects.find(({ unvouchable }) => unvouchable !== undefined);
  }

  get #why(): string {
    const doubtful = this.#doubtful;
    if (doubtful) {
      return `${cleanLine(doubtful.id)} cannot be allowed: ${doubtful.unvouchable}; remove it first.`;
    }
    return this.#deps.trust.why;
  }

  #listed(columns: number): string[] {
    const { theme } = this.#stage;
    const { subjects, changes } = this.#deps.trust;
    const how = new Map(changes.map((change) => [change.id, change.how]));
    const rows: string[] = [];
    for (const { id, kind, item } of subjects) {
      const name = item?.member ? ` ${item.name}` : "";
      const change = how.get(id);
      const head = `${KINDS[kind].one}${name}: ${id}${change === undefined ? "" : ` (${change})`}`;
      rows.push(...indented(head, columns, { by: 0, paint: theme.style("text") }));
      const effects = this.#effects.get(id) ?? ["…"];
      for (const line of effects) {
        rows.push(...indented(line, columns, { by: 4, paint: theme.style("warning") }));
      }
    }
    if (subjects.length === 0) rows.push("Nothing here would run or redirect Tau.");
    return rows;
  }

  get #isArmed(): boolean {
    return this.#deps.standing() === "armed";
  }

  get #hints(): KeyHint[] {
    if (!this.#isArmed) return [];
    return [
      { action: "selection.right", label: "next answer" },
      { action: "selection.accept", label: "take it" },
      { action: "selection.pageDown", label: "more" },
      { action: "selection.cancel", label: "not now" },
    ];
  }

  #answers(columns: number): string {
    const { theme } = this.#stage;
    if (!this.#isArmed) {
      const labels = ANSWERS.map(({ label }) => ` ${label} `).join("  ");
      return theme.style("dim")(fitLine(labels, columns));
    }
    const shown = ANSWERS.map(({ label }, index) => {
      const isChosen = index === this.#answer;
      const text = isChosen ? `[${label}]` : ` ${label} `;
      return theme.style(isChosen ? "accent" : "muted")(text);
    });
    const narrow = `[${ANSWERS[this.#answer]!.label}]`;
    const whole = shown.join("  ");
    const width = ANSWERS.reduce((sum, { label }) => sum + label.length + 4, -2);
    return width <= columns ? whole : theme.style("accent")(fitLine(narrow, columns));
  }

  async #read(): Promise<void> {
    const { trust, effects } = this.#deps;
    const known = new Map<string, readonly string[]>();
    let isTold = true;
    for (const subject of trust.subjects) {
      try {
        known.set(subject.id, await effects(subject));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        known.set(subject.id, [`cannot be determined, and so cannot be allowed: ${error.message}`]);
        isTold = false;
      }
      this.#effects = known;
      this.#stage.requestRender();
    }
    this.#isTold = isTold;
    this.#isWhole = true;
    this.#stage.requestRender();
  }
}

function indented(
  text: string,
  columns: number,
  { by, paint }: { by: number; paint: (text: string) => string },
): string[] {
  const room = Math.max(1, columns - by);
  const blanks = " ".repeat(columns > by ? by : 0);
  return wrapSpans([{ text: cleanLine(text), paint }], room).map((row) => blanks + row);
}

/** Cancelling leaves everything as it is. */
export async function openElsewhereQuestion(
  stage: Stage,
  { id, cwd, isGone }: Elsewhere,
): Promise<ElsewhereChoice> {
  const take = {
    value: "move" as const,
    label: "Move it here",
    detail: isGone ? "its directory no longer exists" : "it leaves the other directory",
  };
  const copy = { value: "fork" as const, label: "Copy it here", detail: "the original stays" };
  const leave = { value: "cancel" as const, label: "Leave it", detail: "nothing changes" };
  const title = `Session ${id} belongs to ${cwd}`;
  const answer = await askGuarded<ElsewhereChoice>(stage, { title, items: [leave, copy, take] });
  return answer ?? "cancel";
}
