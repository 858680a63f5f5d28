// Sees to it that a checkpoint is reported on: the report takes effect at the end of its turn, a run that
// would end with an open checkpoint is reminded of it, and a summary does not lose it. Reminders are few: a
// model that does not hear them is let go, and the user is told.

import { developerText } from "@tau/ai/message";
import type { AssistantMessage } from "@tau/ai/message";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SessionHost } from "../../session/session-host.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { REWIND } from "./checkpoint-tools.ts";

/** For one checkpoint: more is two programs arguing at the user's cost. */
const MAX_REMINDERS = 3;

export interface HoldingPlace {
  checkpoints: Checkpoints;
  host: Pick<SessionHost, "mailbox" | "notify">;
  /** Work whose end will wake the model by itself. */
  isAwaited(): boolean;
}

export function holdToReport({ checkpoints, host, isAwaited }: HoldingPlace): HookHandlers {
  /** Of the checkpoint that began then. */
  let counted = "";
  let reminders = 0;
  let isLeft = false;

  const isDue = ({ stopReason }: AssistantMessage): boolean =>
    stopReason === "stop" && !host.mailbox.wantsRun && !isAwaited();

  return {
    run_start: () => checkpoints.forget(),
    turn_end: ({ message, results }) => {
      if (checkpoints.isReported) return { type: "compact", reason: REWIND };
      const { open } = checkpoints;
      if (!open || results.length > 0 || !isDue(message)) return undefined;
      if (counted !== open.startedAt) {
        counted = open.startedAt;
        reminders = 0;
        isLeft = false;
      }
      if (reminders >= MAX_REMINDERS) {
        if (!isLeft) host.notify({ type: "checkpoint_left", goal: open.goal });
        isLeft = true;
        return undefined;
      }
      reminders++;
      host.notify({ type: "answer_stands" });
      host.notify({ type: "checkpoint_reminder", attempt: reminders, max: MAX_REMINDERS });
      return { type: "continue", messages: [developerText(reminder(open.goal, reminders))] };
    },
    session_shorten: ({ reason }, { signal }) =>
      reason === REWIND ? checkpoints.rewind(signal) : undefined,
    session_compacting: () => {
      const { open } = checkpoints;
      return open ? { reinject: [developerText(stillOpen(open.goal))] } : undefined;
    },
  };
}

function reminder(goal: string, count: number): string {
  return `A checkpoint is active (${goal}). Before you end, call ${REWIND} with a report of what you found. [reminder ${count} of ${MAX_REMINDERS}]`;
}

function stillOpen(goal: string): string {
  return `A checkpoint is still active (${goal}). When the investigation is done, call ${REWIND} with a report.`;
}
