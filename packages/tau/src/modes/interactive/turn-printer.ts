// Prints a run as it happens: the model's words as they come, one line a tool call.

import type { AgentEvent } from "@tau/agent/event";
import type { Session } from "../../session/session.ts";
import type { Style } from "../style.ts";
import { toolHeadline } from "../tool-headline.ts";

const MARK_COLUMNS = 4;

export class TurnPrinter implements Disposable {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #unsubscribe: () => void;
  #column: "start" | "inside" = "start";

  constructor(session: Session, write: (text: string) => void, style: Style) {
    this.#write = write;
    this.#style = style;
    this.#unsubscribe = session.subscribe((event) => this.#show(event));
  }

  finish(): void {
    this.#freshLine();
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  #show(event: AgentEvent): void {
    if (event.type === "message_update" && event.event.type === "text_delta") {
      this.#text(event.event.delta);
    } else if (event.type === "tool_execution_end") {
      this.#freshLine();
      const columns = (process.stdout.columns ?? 80) - MARK_COLUMNS;
      const mark = event.result.isError ? this.#style.error("✗") : this.#style.success("✓");
      this.#write(`  ${mark} ${this.#style.dim(toolHeadline(event.call, columns))}\n`);
    }
  }

  #text(text: string): void {
    this.#write(text);
    this.#column = text.endsWith("\n") ? "start" : "inside";
  }

  #freshLine(): void {
    if (this.#column === "inside") this.#write("\n");
    this.#column = "start";
  }
}
