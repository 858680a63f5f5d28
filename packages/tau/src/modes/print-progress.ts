// While print mode works and somebody watches, one line on standard error says at what.
// It is redrawn in place and gone before the answer appears.

import type { AgentEvent } from "@tau/agent/event";
import { fitLine } from "@tau/tui/width";
import { writeError } from "../cli/output.ts";
import type { Session } from "../session/session.ts";
import { styleFor } from "./style.ts";
import { toolHeadline } from "./tool-headline.ts";

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const FRAME_MS = 120;
/** An answer that comes at once needs no announcement. */
const APPEARS_AFTER_MS = 400;

export function showProgress(session: Session): { stop(): void } {
  const style = styleFor(process.stderr, process.env);
  const started = performance.now();
  let doing = `asking ${session.model.provider}/${session.model.id}`;
  let tick = 0;
  let isShown = false;
  const unsubscribe = session.subscribe((event: AgentEvent) => {
    if (event.type === "tool_execution_start") doing = toolHeadline(event.call, 200);
    else if (event.type === "turn_start" && event.turn > 1) doing = "thinking";
  });
  const timer = setInterval(() => {
    const elapsed = performance.now() - started;
    if (elapsed < APPEARS_AFTER_MS) return;
    const columns = (process.stderr.columns ?? 80) - 1;
    const frame = FRAMES[tick++ % FRAMES.length];
    const line = fitLine(`${frame} ${Math.floor(elapsed / 1000)}s  ${doing}`, columns);
    writeError(`\r${style.dim(line)}\x1b[K`);
    isShown = true;
  }, FRAME_MS);
  return {
    stop() {
      clearInterval(timer);
      unsubscribe();
      if (isShown) writeError("\r\x1b[K");
    },
  };
}
