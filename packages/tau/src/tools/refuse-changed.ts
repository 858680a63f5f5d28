// Looks once more where the paths of a call lead when it runs: a link that another call of the same
// reply has made since leads somewhere else.

import { ToolError } from "@tau/agent/tool";
import { assessPaths } from "./assess-path.ts";
import type { Workspace } from "./workspace.ts";

export interface PathCall {
  tool: string;
  /** The very object that was judged. */
  params: object;
  paths: readonly string[];
  /** Those of them where nothing will be. */
  removed?: ReadonlySet<string>;
}

/** A `ToolError` if it now does what nobody has agreed to. */
export async function refuseChanged(
  workspace: Workspace,
  { tool, params, paths, removed }: PathCall,
): Promise<void> {
  const now = await assessPaths(workspace, paths, { removed });
  if (workspace.consent.stillHolds(tool, params, now)) return;
  throw new ToolError(
    `Nothing was written: since the call was judged, things have changed, and it now ${now.guard ?? "changes other files"}. Send it again if that is what you want.`,
  );
}
