// Sees to it that a preview is settled before anything else: the model's next choice is the
// resolve tool. One that will not is reminded a few times, then the preview is dropped.

import { developerText } from "@tau/ai/message";
import type { HookHandlers } from "@tau/agent/hooks";
import type { SessionHost } from "../../session/session-host.ts";
import {
  RESOLVE,
  type PendingPreview,
  type PendingPreviews,
} from "../../tools/pending-previews.ts";

/** After the first time; a model that has ignored this many will not listen. */
const MAX_REMINDERS = 3;

export function settlePreviews(
  host: Pick<SessionHost, "forcedChoices">,
  previews: PendingPreviews,
): HookHandlers {
  /** Which preview was asked about, and how often. */
  let asked: { id: string; times: number } | undefined;

  return {
    // The user has gone on to something else. What waited was about the old state of things.
    run_start: () => {
      asked = undefined;
      const left = previews.drop();
      return left.length === 0 ? undefined : { messages: [developerText(droppedText(left))] };
    },
    turn_end: () => {
      const [oldest] = previews.all;
      if (!oldest) {
        asked = undefined;
        return undefined;
      }
      const times = asked?.id === oldest.id ? asked.times + 1 : 0;
      asked = { id: oldest.id, times };
      if (times > MAX_REMINDERS) {
        asked = undefined;
        return { type: "continue", messages: [developerText(droppedText(previews.drop()))] };
      }
      host.forcedChoices.push({ name: RESOLVE });
      // At first the preview's own text is reminder enough.
      const messages = times === 0 ? [] : [developerText(reminderText(oldest))];
      return { type: "continue", messages };
    },
  };
}

function reminderText({ id, label }: PendingPreview): string {
  return `The preview ${id} (${label}) still waits. Call ${RESOLVE} to apply or discard it before anything else.`;
}

function droppedText(previews: readonly PendingPreview[]): string {
  const labels = previews.map((preview) => `${preview.id} (${preview.label})`).join(", ");
  return `Dropped without being applied: ${labels}. Nothing was written for it.`;
}
