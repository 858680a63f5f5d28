// Prints a run as it happens: the model's words as they come, one line a tool call, and
// while there is nothing to print, what it is waiting for.

import { describeHookError } from "../describe-hook-error.ts";
import { describeRecovery } from "../describe-recovery.ts";
import type { ActiveSession } from "../../assembly/active-session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { ProgressLine } from "../progress-line.ts";
import type { Style } from "../../base/style.ts";
import { counted } from "../../tools/render/call-values.ts";
import { toolHeadline } from "../tool-headline.ts";

const MARK_COLUMNS = 4;

export class TurnPrinter implements Disposable {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #progress: ProgressLine;
  readonly #unsubscribe: () => void;
  #column: "start" | "inside" = "start";

  constructor(session: ActiveSession, write: (text: string) => void, style: Style) {
    this.#write = write;
    this.#style = style;
    this.#progress = new ProgressLine(write, columns, style);
    this.#unsubscribe = session.subscribe((event) => this.#show(event));
  }

  finish(): void {
    this.#freshLine();
  }

  [Symbol.dispose](): void {
    this.#progress.hide();
    this.#unsubscribe();
  }

  #show(event: SessionEvent): void {
    switch (event.type) {
      case "turn_start":
        this.#progress.show("thinking");
        return;
      case "message_update":
        if (event.event.type === "text_delta") this.#text(event.event.delta);
        return;
      case "reply_discarded":
        // What was shown of it stays on the screen; it must not look like part of the answer.
        if (event.message.content.length > 0) this.#note("That reply broke off; asking again.");
        return;
      case "auto_retry_start": {
        const line = describeRecovery(event);
        if (line) this.#note(line);
        return;
      }
      case "auto_compaction_start":
        this.#freshLine();
        this.#progress.show("making room: summarising what was said so far");
        return;
      case "auto_compaction_end":
        this.#note(
          "dropped" in event.result
            ? `No room was made: ${event.result.dropped}`
            : `Summarised what was said so far: ${event.result.before} → ${event.result.after} tokens.`,
        );
        return;
      case "todo_reminder":
        this.#note(`Reminded of what is open: ${counted(event.open, "task")}.`);
        return;
      case "hook_error":
        this.#note(describeHookError(event).text);
        return;
      case "approval_start":
        this.#freshLine();
        return;
      case "approval_end":
        this.#progress.show("going on");
        return;
      case "tool_execution_start":
        this.#freshLine();
        this.#progress.show(toolHeadline(event.call, columns()));
        return;
      case "tool_execution_end": {
        this.#freshLine();
        const mark = event.result.isError ? this.#style.error("✗") : this.#style.success("✓");
        const headline = toolHeadline(event.call, columns() - MARK_COLUMNS);
        // From the margin: a Ctrl-C that the terminal echoed may stand there.
        this.#write(`\r\x1b[K  ${mark} ${this.#style.dim(headline)}\n`);
      }
    }
  }

  #note(line: string): void {
    this.#freshLine();
    this.#write(`${this.#style.dim(line)}\n`);
    this.#progress.show("waiting");
  }

  #text(text: string): void {
    this.#progress.hide();
    this.#write(text);
    this.#column = text.endsWith("\n") ? "start" : "inside";
  }

  #freshLine(): void {
    this.#progress.hide();
    if (this.#column === "inside") this.#write("\n");
    this.#column = "start";
  }
}

function columns(): number {
  return process.stdout.columns ?? 80;
}
