// While print mode works and somebody watches, standard error says at what.

import { drawError, writeError } from "../base/output.ts";
import type { ActiveSession } from "../assembly/active-session.ts";
import type { SessionListener } from "../session/session-event.ts";
import { ProgressLine } from "./progress-line.ts";
import { styleFor } from "../base/style.ts";
import { toolHeadline } from "./tool-headline.ts";

const HEADLINE_COLUMNS = 200;

export interface Progress {
  /** A line of its own, above the progress. */
  note(line: string): void;
  /** What is going on. */
  show(words: string): void;
  stop(): void;
}

export function showProgress(active: ActiveSession): Progress {
  const style = styleFor(process.stderr, process.env);
  const line = new ProgressLine(drawError, () => process.stderr.columns ?? 80, style);
  const { provider, id } = active.session.model;
  line.show(`${provider}/${id}`);
  const follow: SessionListener = (event) => {
    if (event.type === "tool_execution_start")
      line.show(toolHeadline(event.call, HEADLINE_COLUMNS));
    else if (event.type === "auto_compaction_start") line.show("compacting the conversation");
    else if (event.type === "turn_start" && event.turn > 1) line.show("thinking");
  };
  const unsubscribe = active.subscribe(follow, "part");
  return {
    note(text) {
      line.interrupt();
      writeError(text);
    },
    show: (words) => line.show(words),
    stop() {
      unsubscribe();
      line.hide();
    },
  };
}
