// Checkpoints in one session.

import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { PENDING_WORK } from "../../feature-api/pending-work.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import { createCheckpointTool, createRewindTool } from "./checkpoint-tools.ts";
import { Checkpoints } from "./checkpoints.ts";
import { holdToReport } from "./hold-to-report.ts";

export function setUpCheckpoints(host: FeatureHost): FeatureParts | undefined {
  // An agent's report is its result.
  if (host.parent) return undefined;
  const checkpoints = new Checkpoints(host);
  const { jobs } = host.need(WORKSPACE);
  const isAwaited = (): boolean => jobs.running > 0 || (host.part(PENDING_WORK)?.count ?? 0) > 0;
  return {
    tools: [createCheckpointTool(checkpoints), createRewindTool(checkpoints)],
    hooks: holdToReport({ checkpoints, host, isAwaited }),
  };
}
