// The tools that come with Tau. A new one is a folder and a line here.

import type { Tool } from "@tau/agent/tool";
import { UsageError } from "../user-error.ts";
import { suggest } from "../cli/suggest.ts";
import { pollWaitMs } from "../jobs/settings.ts";
import { createAstEditTool } from "./ast-edit/tool.ts";
import { createAstGrepTool } from "./ast-grep/tool.ts";
import { createBashTool } from "./bash/tool.ts";
import { createEditTool } from "./edit/tool.ts";
import { createFindTool } from "./find/tool.ts";
import { createJobTool } from "./job/tool.ts";
import { createReadTool } from "./read/tool.ts";
import { createSearchTool } from "./search/tool.ts";
import type { Workspace } from "./workspace.ts";
import { createWriteTool } from "./write/tool.ts";

const MAKERS: Readonly<Record<string, (workspace: Workspace) => Tool>> = {
  read: createReadTool,
  write: (workspace) =>
    createWriteTool(workspace, {
      writeResource: (path, content, signal) => workspace.resources.write(path, content, signal),
    }),
  edit: createEditTool,
  search: (workspace) => createSearchTool(workspace),
  find: (workspace) => createFindTool(workspace),
  ast_grep: createAstGrepTool,
  ast_edit: createAstEditTool,
  bash: createBashTool,
  job: ({ jobs, jobSettings }) => createJobTool(jobs, { pollWaitMs: pollWaitMs(jobSettings) }),
};

/** Made where the session is, because they reach back into it or depend on what is there. */
export const OWN_MAKING: ReadonlySet<string> = new Set(["eval", "ssh", "todo"]);

export const BUILT_IN_TOOLS: readonly string[] = Object.keys(MAKERS);

/** In the table's order, whatever the order of `names`: the model is always told the same. */
export function createBuiltInTools(
  workspace: Workspace,
  names: readonly string[] = BUILT_IN_TOOLS,
): Tool[] {
  for (const name of names) {
    if (Object.hasOwn(MAKERS, name) || OWN_MAKING.has(name)) continue;
    const near = suggest(name, BUILT_IN_TOOLS);
    const hint = near ? `did you mean "${near}"?` : `there are ${BUILT_IN_TOOLS.join(", ")}`;
    throw new UsageError(`there is no tool "${name}"; ${hint}`);
  }
  workspace.toolNames = names;
  workspace.canEdit = names.includes("edit");
  workspace.canPreview = names.includes("ast_edit");
  return BUILT_IN_TOOLS.filter((name) => names.includes(name)).map((name) =>
    MAKERS[name]!(workspace),
  );
}
