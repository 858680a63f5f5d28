// Prints what happens in a conversation: the model's words as they come, one line a tool call, notes, and
// while something runs and there is nothing to print, what it is waiting for.

import type { ActiveSession } from "../../assembly/active-session.ts";
import type { BlockChange, CallBlock, NoteTone } from "../../session/projection/block.ts";
import { LiveProjection } from "../../session/projection/live-projection.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { beginWords } from "../agent-words.ts";
import { ProgressLine } from "../progress-line.ts";
import type { Style } from "../../base/style.ts";
import { summaryWords } from "../../session/projection/summary-words.ts";
import { toolHeadline } from "../tool-headline.ts";
import { CallOrder } from "./call-order.ts";
import { CleanStream } from "./clean-stream.ts";
import { callLine, noteLine } from "./print-block.ts";

export class TurnPrinter implements Disposable {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #progress: ProgressLine;
  readonly #leave: (() => void)[];
  readonly #projection = new LiveProjection((change) => this.#show(change));
  /** What was printed already, by the key it has now: the characters of an answer, or all of it. */
  readonly #printed = new Map<string, number>();
  readonly #calls = new CallOrder((call) => this.#call(call));
  #column: "start" | "inside" = "start";
  readonly #clean = new CleanStream();
  #isRunning = false;

  constructor(session: ActiveSession, write: (text: string) => void, style: Style) {
    this.#write = write;
    this.#style = style;
    this.#progress = new ProgressLine(write, columns, style);
    this.#leave = [
      session.subscribe((event) => {
        this.#follow(event);
        this.#projection.handle(event);
      }),
      session.onAppended(this.#projection.appended),
    ];
  }

  /** Somebody is asked: what is going on is said again when something new is. */
  readonly pause = (): void => this.#freshLine();

  finish(): void {
    this.#calls.finish();
    this.#freshLine();
  }

  [Symbol.dispose](): void {
    this.#progress.hide();
    for (const leave of this.#leave) leave();
  }

  /** What it is waiting for. */
  #follow(event: SessionEvent): void {
    switch (event.type) {
      case "agent_start":
        this.#isRunning = true;
        return;
      case "agent_end":
        this.#isRunning = false;
        return this.#progress.hide();
      case "session_changed":
        this.#printed.clear();
        this.#calls.clear();
        return this.#projection.reset();
      case "position_changed":
        return event.inRun ? undefined : this.#projection.reset();
      case "turn_start":
        return this.#progress.show("thinking");
      case "auto_compaction_start":
        this.#freshLine();
        return this.#progress.show("compacting the conversation");
      case "approval_start":
        return this.#freshLine();
      case "approval_end":
        return this.#progress.show("working");
      case "tool_execution_start":
        this.#freshLine();
        return this.#progress.show(toolHeadline(event.call, columns()));
      case "task_start":
        return this.#note(beginWords(event)!, "plain");
      default:
        return;
    }
  }

  /** What is printed stays: of what changes, only what is new can be. */
  #show(change: BlockChange): void {
    if (change.type === "removed") {
      this.#printed.delete(change.key);
      this.#calls.remove(change.key);
      return;
    }
    const { block } = change;
    const before = change.type === "changed" ? this.#printed.get(change.key) : undefined;
    if (change.type === "changed") this.#printed.delete(change.key);
    switch (block.kind) {
      case "answer":
        this.#text((change.type === "changed" && change.delta) || block.text.slice(before ?? 0));
        break;
      case "call":
        // What is told of it later has a line of its own.
        return block.later === undefined ? this.#calls.put(block) : undefined;
      case "note":
        if (before === undefined) this.#note(block.text, block.tone);
        break;
      case "summary":
        if (before === undefined) this.#note(summaryWords(block), "plain");
        break;
      default:
        return;
    }
    this.#printed.set(block.key, block.kind === "answer" ? block.text.length : 0);
  }

  #call(call: CallBlock): void {
    this.#freshLine();
    // From the margin: a Ctrl-C that the terminal echoed may stand there.
    this.#write(`\r\x1b[K${callLine(call, { style: this.#style, columns: columns() })}\n`);
  }

  #note(line: string, tone: NoteTone): void {
    this.#freshLine();
    this.#write(`\r\x1b[K${noteLine(line, tone, this.#style)}\n`);
    if (this.#isRunning) this.#progress.show("waiting");
  }

  #text(text: string): void {
    const clean = this.#clean.push(text);
    if (clean === "") return;
    this.#progress.hide();
    this.#write(clean);
    this.#column = clean.endsWith("\n") ? "start" : "inside";
  }

  #freshLine(): void {
    this.#clean.end();
    this.#progress.hide();
    if (this.#column === "inside") this.#write("\n");
    this.#column = "start";
  }
}

function columns(): number {
  return process.stdout.columns ?? 80;
}
