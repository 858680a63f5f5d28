// Messages that wait for the model, one row each, and how to take one back.

import type { Component, Rendered } from "@tau/tui/component";
import { cleanLine } from "@tau/tui/components/clean-text";
import { fitSpans } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import type { QueuedMessage } from "../../../session/session-event.ts";

/** More would push the conversation off a small screen; the rest is counted. */
const MAX_ROWS = 4;
const MAX_CHARS = 400;

const WHEN: Readonly<Record<QueuedMessage["delivery"], string>> = {
  steer: "next",
  followUp: "when done",
  nextTurn: "with your next",
};

export class QueueList implements Component {
  readonly state = "live";
  readonly #theme: Theme;
  readonly #takeBackKey: () => string | undefined;
  #queued: readonly QueuedMessage[] = [];

  constructor(theme: Theme, takeBackKey: () => string | undefined) {
    this.#theme = theme;
    this.#takeBackKey = takeBackKey;
  }

  /** What goes along with the next prompt waits for the user, not for the model. */
  set(queued: readonly QueuedMessage[]): void {
    this.#queued = queued.filter(({ delivery }) => delivery !== "nextTurn");
  }

  render(columns: number): Rendered {
    if (this.#queued.length === 0) return { rows: [], stableRows: 0 };
    const theme = this.#theme;
    const muted = theme.style("muted");
    const width = Math.max(1, columns);
    const rows = this.#queued.slice(0, MAX_ROWS).map(({ delivery, sender, text }) => {
      const from = sender === "user" ? "" : `${cleanLine(sender)}: `;
      const words = cleanLine(text.slice(0, MAX_CHARS).replace(/\s+/g, " "));
      return fitSpans(
        [
          { text: `  ${WHEN[delivery]}  `, paint: theme.style("accent") },
          { text: from + words, paint: muted },
        ],
        width,
      );
    });
    const more = this.#queued.length - MAX_ROWS;
    const key = this.#takeBackKey();
    const hint = key === undefined ? "" : `${key} takes the last one back`;
    const note = more > 0 ? `${more} more; ${hint}` : hint;
    if (note !== "") rows.push(fitSpans([{ text: `  ${note}`, paint: theme.style("dim") }], width));
    return { rows: ["", ...rows], stableRows: 0 };
  }
}
