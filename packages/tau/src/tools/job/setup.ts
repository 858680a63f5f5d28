// Jobs in one session.

import { developerText } from "@tau/ai/message";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { PRODUCT } from "../../brand.ts";
import type { JobSnapshot } from "../../jobs/job.ts";
import { jobMail } from "../../jobs/job-mail.ts";
import { pollWaitMs } from "../../jobs/settings.ts";
import { WORKSPACE } from "../workspace.ts";
import { ENDED } from "./feature.ts";
import { outputTail } from "./output-tail.ts";
import { createJobTool } from "./tool.ts";
import { unendedJobs } from "./unended-jobs.ts";

type EndedJob = Pick<JobSnapshot, "id" | "label"> & { durationMs?: number };

export function setUpJobs(host: FeatureHost): FeatureParts {
  const workspace = host.need(WORKSPACE);
  const { jobs } = workspace;
  workspace.jobs.onEnd = async (job) => {
    const { id: jobId, label, status, durationMs, resultText, errorText } = host.hide(job);
    const output = outputTail(errorText ?? resultText ?? "");
    host.notify({ type: "job_end", id: jobId, label, status, durationMs, output });
    // Patient: it does not cut a turn short. Its id makes a second telling none.
    const id = `job-${host.sessionId}-${job.id}`;
    const options = { sender: "job", isPatient: true, isDurable: true, id };
    await host.mailbox.post(host.hide(jobMail(job)), { ...options, delivery: "steer" });
  };
  // The model learns of it with the next prompt: nobody is there to be woken for it.
  const tellEnded = async ({ id, label, durationMs }: EndedJob): Promise<void> => {
    host.notify({ type: "job_end", id, label: host.hide(label), status: ENDED, durationMs });
    const text = `[job ${id} ended with ${PRODUCT}, before it was done: ${label}]`;
    await host.mailbox.post(host.hide(developerText(text)), {
      sender: "job",
      isDurable: true,
      delivery: "nextTurn",
    });
  };
  return {
    hooks: {
      async session_start({ reason }) {
        if (reason !== "resume") return;
        const entries = await host.log.branch({ sinceCompaction: true });
        for (const job of unendedJobs(entries)) await tellEnded(job);
      },
      async session_end() {
        // Of agents those tell who look after them.
        const left = jobs
          .list()
          .filter(({ status, type }) => status === "running" && type !== "task");
        for (const job of left) await tellEnded(job);
      },
    },
    tools: host.toolNames.includes("job")
      ? [createJobTool(jobs, { pollWaitMs: pollWaitMs(jobs.settings) })]
      : [],
  };
}
