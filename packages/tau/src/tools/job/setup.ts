// Jobs in one session.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { jobMail } from "../../jobs/job-mail.ts";
import { pollWaitMs } from "../../jobs/settings.ts";
import { WORKSPACE } from "../workspace.ts";
import { outputTail } from "./output-tail.ts";
import { createJobTool } from "./tool.ts";

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
  return {
    tools: host.toolNames.includes("job")
      ? [createJobTool(jobs, { pollWaitMs: pollWaitMs(jobs.settings) })]
      : [],
  };
}
