// Jobs: commands that go on in the background, the model's and the user's way to look after them, and
// the word to the model when one has ended.

import { PRODUCT } from "../../brand.ts";
import type { Feature } from "../../feature-api/feature.ts";
import { JOB_ROWS } from "../../jobs/settings.ts";
import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import { BASH_ROWS } from "../bash/settings.ts";
import { JOBS_COMMAND } from "./jobs-command.ts";

interface JobEventMap {
  /** A job that ran beside the conversation is over. */
  job_end: {
    id: string;
    label: string;
    /** `completed`, `failed`, `cancelled`, or `ended`: with Tau, which was left or killed. */
    status: string;
    /** Unknown if Tau was killed. */
    durationMs?: number;
    /** The last lines of what came out of it. */
    output?: string;
  };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends JobEventMap {}
}

type Told<Type extends keyof JobEventMap> = { type: Type } & JobEventMap[Type];

/** It did not outlive the process that ran it. */
export const ENDED = "ended";

const JOB_EVENTS: EventRowsOf<JobEventMap> = {
  job_end: {
    docs: "a background job has ended; `output` has its last lines",
    kept: keeping(
      ({ type: _type, ...rest }: Told<"job_end">) => rest,
      ({ id, label, status, durationMs, output }) => {
        // Who cancelled it saw it end.
        if (status === "cancelled") return [];
        const tone = status === "failed" || status === ENDED ? "warning" : "plain";
        const how = status === ENDED ? `ended with ${PRODUCT}` : status;
        const after = durationMs === undefined ? "" : ` after ${(durationMs / 1000).toFixed(1)} s`;
        const line = `Job ${id} ${how}${after}: ${label}`;
        return [note(output ? `${line}\n${output}` : line, tone)];
      },
    ),
  },
};

export const jobs: Feature = {
  name: "jobs",
  settings: [JOB_ROWS],
  events: JOB_EVENTS,
  tools: ["job"],
  // Without commands there are no jobs.
  offersTools: (settings) => settings.group(BASH_ROWS).enabled,
  commands: [JOBS_COMMAND],
  // Commands may go on in the background though the model cannot look after them.
  worksWithoutTools: true,
  setup: async (host) => (await import("./setup.ts")).setUpJobs(host),
  terminal: () => import("./terminal.ts"),
};
