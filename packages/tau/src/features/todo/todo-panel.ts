// The todo list above the prompt: the phase that is worked on, what is done and what comes next, in a
// few rows. What was closed stays for a while, so that one sees it go; it stays in the list itself.
// A timer runs only while something is to vanish.

import type { Rendered } from "@tau/tui/component";
import { fitSpans, type Span } from "@tau/tui/components/spans";
import type { Panel, PanelPlace } from "../../feature-api/terminal-feature.ts";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { taskSpans } from "./task-spans.ts";
import { allTasks, currentTask, isOpen, type TodoPhase, type TodoTask } from "./todo-phases.ts";
import { rowText } from "../../tools/render/clip-text.ts";

import { TODO } from "./todo-list.ts";

/** More would push the conversation off a small screen; the rest is counted. */
const MAX_TASKS_SHOWN = 4;
/** On a screen so low that the prompt and the conversation need its rows. */
const LOW_SCREEN_ROWS = 16;
const MAX_TASKS_SHOWN_LOW = 1;
/** Closed ones above the current: what comes next matters more. */
const MAX_CLOSED_SHOWN = 2;
/** What timers can hold; one that ends early looks again. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const NOTHING: Rendered = { rows: [], stableRows: 0 };

export interface TodoPanelOptions extends PanelPlace {
  now?: () => number;
  /** Returns the way to call it off. */
  schedule?: (work: () => void, delayMs: number) => () => void;
}

export class TodoPanel implements Panel {
  readonly state = "live";
  readonly #options: TodoPanelOptions;
  #phases: readonly TodoPhase[] = [];
  /** Until when tasks that were closed are shown, by their words. */
  #until = new Map<string, number>();
  #callOff: (() => void) | undefined;

  constructor(options: TodoPanelOptions) {
    this.#options = options;
  }

  enter(session: Session): void {
    this.#take(session, "elsewhere");
  }

  follow(event: SessionEvent, session: Session): void {
    if (event.type === "todo_changed") this.#take(session, "here");
  }

  #take(session: Session, from: "here" | "elsewhere"): void {
    const list = session.part(TODO);
    this.set(list?.phases ?? [], { clearDelay: list?.clearDelay ?? 0, from });
  }

  /**
   * `clearDelay`: seconds; negative is for ever. `from` is `elsewhere` where it is another list, of
   * another session or place: what is closed in it was closed long ago.
   */
  set(
    phases: readonly TodoPhase[],
    { clearDelay, from }: { clearDelay: number; from: "here" | "elsewhere" },
  ): void {
    const wasOpen = new Set(names(this.#phases, isOpen));
    const closed = names(phases, (task) => !isOpen(task));
    const before = from === "here" ? this.#until : new Map<string, number>();
    this.#until = new Map();
    for (const content of closed) {
      const ends = before.get(content);
      if (clearDelay < 0) this.#until.set(content, Number.POSITIVE_INFINITY);
      else if (ends !== undefined) this.#until.set(content, ends);
      else if (from === "here" && wasOpen.has(content)) {
        this.#until.set(content, this.#now() + clearDelay * 1000);
      }
    }
    this.#phases = phases;
    this.#watch();
    this.#options.requestRender();
  }

  render(columns: number): Rendered {
    const shown = this.#shown();
    const phase = phaseToShow(this.#phases, shown);
    if (!phase) return NOTHING;
    const width = Math.max(1, columns);
    const { theme } = this.#options;
    const isLow = this.#options.screenRows() < LOW_SCREEN_ROWS;
    const most = isLow ? MAX_TASKS_SHOWN_LOW : MAX_TASKS_SHOWN;
    const tasks = windowOf(
      phase.tasks.filter((task) => shown.has(task.content)),
      most,
    );
    const row = (spans: readonly Span[]): string => fitSpans(spans, width);
    const more = allTasks(this.#phases).filter(isOpen).length - tasks.filter(isOpen).length;
    const closed = phase.tasks.filter((task) => !isOpen(task)).length;
    const rows = [
      row([
        { text: `  ${rowText(phase.name, width)}`, paint: theme.style("accent") },
        { text: ` ${closed} of ${phase.tasks.length}`, paint: theme.style("muted") },
      ]),
      ...tasks.map((task) => row([{ text: "  " }, ...taskSpans(task, { theme, columns: width })])),
    ];
    if (more > 0) rows.push(row([{ text: `  +${more} more`, paint: theme.style("dim") }]));
    return { rows: ["", ...rows], stableRows: 0 };
  }

  /** Open tasks, and those that were closed a moment ago. */
  #shown(): ReadonlySet<string> {
    const now = this.#now();
    const recent = [...this.#until].filter(([, until]) => until > now).map(([content]) => content);
    return new Set([...names(this.#phases, isOpen), ...recent]);
  }

  #watch(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const now = this.#now();
    const ends = [...this.#until.values()].filter((until) => until > now && until < Infinity);
    if (ends.length === 0) return;
    const { schedule = afterwards, requestRender } = this.#options;
    this.#callOff = schedule(
      () => {
        requestRender();
        this.#watch();
      },
      Math.min(...ends) - now,
    );
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** Nobody is kept from leaving by it. */
function afterwards(work: () => void, delayMs: number): () => void {
  const timer = setTimeout(work, Math.min(delayMs, MAX_TIMER_MS));
  timer.unref();
  return () => clearTimeout(timer);
}

function names(phases: readonly TodoPhase[], isWanted: (task: TodoTask) => boolean): string[] {
  return allTasks(phases)
    .filter(isWanted)
    .map(({ content }) => content);
}

/** That of the current task; where all are closed, the last that has something to show. */
function phaseToShow(
  phases: readonly TodoPhase[],
  shown: ReadonlySet<string>,
): TodoPhase | undefined {
  const current = currentTask(phases)?.phase;
  return current ?? phases.findLast(({ tasks }) => tasks.some(({ content }) => shown.has(content)));
}

/** Around the current task: little of what lies behind it, more of what comes. */
function windowOf(tasks: readonly TodoTask[], most: number): readonly TodoTask[] {
  const current = tasks.findIndex(({ status }) => status === "in_progress");
  const at = current < 0 ? tasks.length : current;
  const latest = Math.max(0, tasks.length - most);
  const behind = Math.min(MAX_CLOSED_SHOWN, most - 1);
  const from = Math.min(Math.max(0, at - behind), latest);
  return tasks.slice(from, from + most);
}
