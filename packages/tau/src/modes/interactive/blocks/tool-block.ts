// A call of a tool in the transcript: a sign, the tool, what it is about, how long it takes, and
// below it what its view shows. It is live from the first letter of the arguments to the result.

import type { Component, Rendered } from "@tau/tui/component";
import type { AnimationClock } from "@tau/tui/components/animation-clock";
import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans, type Span } from "@tau/tui/components/spans";
import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { Theme } from "@tau/tui/theme/theme";
import { clampRow } from "@tau/tui/width";
import { isEnded, type ToolWork } from "../../../session/projection/block.ts";
import { parsePartialJson } from "../../../tools/edit/partial-json.ts";
import { tookWords } from "../../../tools/render/seconds.ts";
import type { CallLook, CallPhase, CallState, ToolView } from "../../../feature-api/tool-view.ts";

export interface ToolBlockOptions {
  name: string;
  /** Asked when it is drawn: views are loaded while the first call is being written. */
  view(): ToolView;
  theme: Theme;
  clock: AnimationClock;
  cwd: string;
  highlighter?: CodeHighlighter;
  detail?: CallLook["detail"];
  now?: () => number;
}

/** Arguments are read again while they grow; past this only their end could be new. */
const MAX_PARTIAL_CHARS = 256 * 1024;
const INDENT = "  ";

const MOVING: ReadonlySet<CallPhase> = new Set(["writing", "running"]);

export class ToolBlock implements Component {
  readonly #options: ToolBlockOptions;
  #written = "";
  #omitted: readonly string[] = [];
  #state: CallState;
  #startedAt: number | undefined;
  #tookMs: number | undefined;
  #cached: { columns: number; rendered: Rendered } | undefined;

  constructor(options: ToolBlockOptions) {
    this.#options = options;
    this.#state = { name: options.name, arguments: {}, phase: "writing", output: "" };
  }

  get state(): "live" | "final" {
    return isEnded(this.#state) ? "final" : "live";
  }

  /** From now on it is this; what is over stays as it was seen. */
  show(work: ToolWork): void {
    if (this.state === "final") return;
    const {
      arguments: args,
      phase,
      written = "",
      output = "",
      result,
      details,
      omitted,
      later,
    } = work;
    if (phase === "running") this.#startedAt ??= this.#now();
    // Looked at when it is drawn, not with every letter that comes.
    this.#written =
      written.length > MAX_PARTIAL_CHARS ? written.slice(0, MAX_PARTIAL_CHARS) : written;
    this.#omitted = omitted ?? [];
    const { name } = this.#state;
    this.#state = { name, arguments: args, phase, output, result, details, later };
    if (isEnded(work)) this.#tookMs = work.durationMs ?? this.#elapsed();
    this.#cached = undefined;
  }

  render(columns: number): Rendered {
    const width = Math.max(1, columns);
    // What moves is drawn anew with every tick; everything else once.
    if (MOVING.has(this.#state.phase)) this.#options.clock.keepGoing();
    else if (this.#cached?.columns === width) return this.#cached.rendered;
    const rows = this.#rows(width);
    const rendered = { rows, stableRows: this.state === "final" ? rows.length : 0 };
    this.#cached = { columns: width, rendered };
    return rendered;
  }

  #rows(columns: number): string[] {
    const { theme, cwd, highlighter, detail = "short" } = this.#options;
    const view = this.#options.view();
    const state = this.#present();
    const look = {
      theme,
      cwd,
      detail,
      columns: Math.max(1, columns - INDENT.length),
      highlighter,
    };
    const lost = this.#omitted.length === 0 ? "" : `not kept: ${this.#omitted.join(", ")}`;
    const remark = [view.remark?.(state, look), lost, this.#time()].filter(Boolean).join("  ");
    const head: Span[] = [
      this.#sign(),
      { text: ` ${cleanLine(state.name)}`, paint: theme.attribute("bold") },
      { text: "  " },
      ...view.title(state, look),
      ...(remark === "" ? [] : [{ text: `  ${remark}`, paint: theme.style("muted") }]),
    ];
    const body = view.body(state, look).map((row) => clampRow(INDENT + row, columns));
    return [fitSpans(head, columns), ...body];
  }

  /** Arguments that are still being written are read as far as they have come. */
  #present(): CallState {
    if (this.#written === "") return this.#state;
    const partial = parsePartialJson(this.#written);
    const isObject = typeof partial === "object" && partial !== null && !Array.isArray(partial);
    return isObject
      ? { ...this.#state, arguments: partial as Record<string, unknown> }
      : this.#state;
  }

  #sign(): Span {
    const { theme, clock } = this.#options;
    const { symbols } = theme;
    switch (this.#state.phase) {
      case "done":
        return { text: symbols.success, paint: theme.style("success") };
      case "failed":
        return { text: symbols.error, paint: theme.style("error") };
      case "refused":
      case "stopped":
        return { text: symbols.error, paint: theme.style("warning") };
      case "waiting":
        return { text: symbols.pending, paint: theme.style("muted") };
      default: {
        const frames = theme.spinnerFrames.status;
        return { text: frames[clock.frame % frames.length]!, paint: theme.style("accent") };
      }
    }
  }

  #time(): string | undefined {
    return tookWords(this.#tookMs ?? this.#elapsed());
  }

  #elapsed(): number | undefined {
    return this.#startedAt === undefined ? undefined : this.#now() - this.#startedAt;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
