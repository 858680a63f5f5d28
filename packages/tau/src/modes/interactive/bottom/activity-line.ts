// What is going on right now, for how long, and how to stop it. Its place is kept where nothing
// is, so that the prompt does not jump when a run begins or ends; an idle screen has no clock.

import type { Component, Rendered } from "@tau/tui/component";
import type { AnimationClock } from "@tau/tui/components/animation-clock";
import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import type { SessionEvent } from "../../../session/session-event.ts";
import { seconds } from "../../../tools/render/seconds.ts";

export interface ActivityLineOptions {
  theme: Theme;
  clock: AnimationClock;
  /** The key that stops it, as printed; undefined where there is none. */
  stopKey(): string | undefined;
  now?: () => number;
}

const IDLE: Rendered = { rows: ["", ""], stableRows: 0 };

export class ActivityLine implements Component {
  readonly state = "live";
  readonly #options: ActivityLineOptions;
  #label: string | undefined;
  /** Of an extension's, for as long as a run is on. */
  #words: string | undefined;
  #since = 0;
  #isRun = false;
  #isStill = false;
  /** Since when a waiting that has an end takes place, and when it ends. */
  #until: number | undefined;

  constructor(options: ActivityLineOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#label !== undefined;
  }

  /** Milliseconds since it began; 0 while nothing is going on. */
  get elapsedMs(): number {
    return this.#label === undefined ? 0 : this.#now() - this.#since;
  }

  begin(label: string): void {
    this.#since = this.#now();
    this.#label = label;
    this.#until = undefined;
  }

  say(label: string): void {
    if (this.#label === undefined) return;
    this.#label = label;
    this.#until = undefined;
    this.#isStill = false;
  }

  end(): void {
    this.#label = undefined;
    this.#until = undefined;
  }

  /** What is said of a run instead of what it is doing; undefined for that again. */
  useWords(words: string | undefined): void {
    this.#words = words;
  }

  readonly follow = (event: SessionEvent): void => {
    switch (event.type) {
      case "agent_start":
        this.#isRun = true;
        return this.begin("Waiting for the model");
      case "agent_end":
        this.#isRun = false;
        return this.end();
      case "turn_start":
        return this.say("Waiting for the model");
      case "message_update":
        if (event.event.type === "thinking_start") this.say("Thinking");
        else if (event.event.type === "text_start") this.say("Answering");
        else if (event.event.type === "toolcall_start") this.say(`Preparing ${event.event.name}`);
        return;
      case "tool_execution_start":
        return this.say(`Running ${event.call.name}`);
      case "approval_start":
        this.say("Waiting for you");
        // For as long as a person thinks, nothing needs to move.
        this.#isStill = true;
        return;
      case "approval_end":
        return this.say("Going on");
      case "auto_retry_start":
        // A question beside the conversation is not what is being waited for.
        if (event.purpose !== undefined) return;
        this.say("Trying again");
        if (event.action === "wait") this.#until = this.#now() + event.delayMs;
        return;
      case "auto_compaction_start":
        if (this.#isRun) this.say("Summarising the conversation");
        else this.begin("Summarising the conversation");
        return;
      case "auto_compaction_end":
        // A summary that the user asked for is no part of a run.
        return this.#isRun ? this.say("Going on") : this.end();
      default:
        return;
    }
  };

  render(columns: number): Rendered {
    if (this.#label === undefined) return IDLE;
    const { theme, clock } = this.#options;
    if (!this.#isStill) clock.keepGoing();
    const frames = theme.spinnerFrames.activity;
    const sign = frames[clock.frame % frames.length]!;
    const left = this.#until === undefined ? 0 : this.#until - this.#now();
    const wait = left > 0 ? ` in ${Math.ceil(left / 1000)}s` : "";
    const key = this.#options.stopKey();
    const hint = key === undefined ? "" : ` ${theme.symbols.separator} ${key} stops`;
    const spans = [
      { text: `${sign} `, paint: theme.style("accent") },
      { text: cleanLine(this.#shown) + wait, paint: theme.style("text") },
      { text: ` ${seconds(this.elapsedMs)}${hint}`, paint: theme.style("muted") },
    ];
    return { rows: ["", fitSpans(spans, Math.max(1, columns))], stableRows: 0 };
  }

  /** That somebody is waited for is never hidden. */
  get #shown(): string {
    const label = this.#label ?? "";
    return this.#isRun && !this.#isStill && this.#words !== undefined ? this.#words : label;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
