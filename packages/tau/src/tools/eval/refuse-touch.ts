// The helpers of cells that write files, at the moment when they do: only then it is known which
// file it is.

import { ToolError } from "@tau/agent/tool";
import { assessPaths } from "../assess-path.ts";
import type { Workspace } from "../workspace.ts";

/** A `ToolError` if nobody has agreed to the call that this is part of, and somebody must. */
export async function refuseTouch(
  workspace: Workspace,
  params: object,
  path: string,
): Promise<void> {
  const { consent } = workspace;
  const assessment = await assessPaths(workspace, [path]);
  const said = consent.decide?.("write", assessment) ?? "allow";
  // What the whole call asked about was agreed to, or it would not run.
  const isAgreed = assessment.guard === undefined || consent.hasGuard(params);
  if (said === "allow" || (said === "ask" && isAgreed)) return;
  const why = assessment.guard === undefined ? "is refused by the settings" : assessment.guard;
  throw new ToolError(
    `Not written: it ${why}. Use tool.write(path=..., content=...), which asks the user.`,
  );
}
