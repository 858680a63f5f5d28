// The tools that need nothing but a workspace, made as a session makes them.

import type { Tool } from "@tau/agent/tool";
import type { PartKey } from "../../base/part.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { WORKSPACE, type Workspace } from "../../tools/workspace.ts";
import { BUILT_IN } from "../built-in.ts";
import { BUILT_IN_TOOLS } from "../tool-names.ts";

const ON_A_WORKSPACE = new Set(
  "read write edit search find ast_grep ast_edit bash jobs".split(" "),
);

export async function workspaceTools(workspace: Workspace): Promise<Tool[]> {
  workspace.toolNames ??= BUILT_IN_TOOLS;
  const host = {
    sessionId: "test",
    toolNames: workspace.toolNames,
    need: (key: PartKey<unknown>) => {
      if (key !== (WORKSPACE as PartKey<unknown>)) throw new Error(`no ${key.name} here`);
      return workspace;
    },
  } as unknown as FeatureHost;
  const features = BUILT_IN.filter(({ name }) => ON_A_WORKSPACE.has(name));
  const parts = await Promise.all(features.map(async (feature) => feature.setup?.(host)));
  return parts.flatMap((brought) => brought?.tools ?? []);
}
