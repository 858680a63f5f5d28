// What is told of checkpoints.

import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";

interface CheckpointEventMap {
  /** A run that would have ended is reminded that its checkpoint is still open. */
  checkpoint_reminder: { attempt: number; max: number };
  /** It has ended all the same. */
  checkpoint_left: { goal: string };
  /** A report stands for everything since the checkpoint. */
  checkpoint_rewound: { goal: string; messages: number };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends CheckpointEventMap {}
}

type Told<Type extends keyof CheckpointEventMap> = { type: Type } & CheckpointEventMap[Type];

export const CHECKPOINT_EVENTS: EventRowsOf<CheckpointEventMap> = {
  checkpoint_reminder: {
    docs: "a run that would have ended is reminded that its checkpoint is still open",
    kept: keeping(
      ({ attempt, max }: Told<"checkpoint_reminder">) => ({ attempt, max }),
      ({ attempt, max }) => [note(`Reminded of the open checkpoint (${attempt} of ${max}).`)],
    ),
  },
  checkpoint_left: {
    docs: "a run has ended without a report on the checkpoint of this `goal`",
    kept: keeping(
      ({ goal }: Told<"checkpoint_left">) => ({ goal }),
      ({ goal }) => [
        note(
          `The checkpoint "${goal}" is still open: the model did not report. Ask it to rewind, or go back with /tree.`,
          "warning",
        ),
      ],
    ),
  },
  checkpoint_rewound: {
    docs: "a report now stands for the `messages` since the checkpoint of this `goal`",
    kept: keeping(
      ({ goal, messages }: Told<"checkpoint_rewound">) => ({ goal, messages }),
      ({ goal, messages }) => [
        note(`Back at the checkpoint "${goal}"; /tree has the ${messages} messages since.`),
      ],
    ),
  },
};
