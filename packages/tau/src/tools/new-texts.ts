// What files would hold after a call of edit or write, beside what they hold now: for whoever judges
// the code before it is written.

import { whatIsThere } from "./write/write-file.ts";
import type { Workspace } from "./workspace.ts";

export interface NewText {
  /** As the model sees it. */
  path: string;
  before: string;
  after: string;
}

/** None where the call will be refused anyway: it says why itself. */
export async function newTexts(
  tool: string,
  params: unknown,
  workspace: Workspace,
): Promise<NewText[]> {
  try {
    if (tool === "write") return [await written(params as WriteParams, workspace)];
    return tool === "edit" ? await edited(params as object, workspace) : [];
  } catch (error) {
    const { FileProblem } = await import("../files/file-problem.ts");
    if (error instanceof FileProblem) return [];
    throw error;
  }
}

interface WriteParams {
  path: string;
  content: string;
}

async function written({ path, content }: WriteParams, workspace: Workspace): Promise<NewText> {
  const absolute = workspace.files.resolve(path);
  const before = await whatIsThere(absolute, workspace);
  return {
    path: workspace.files.shown(absolute),
    before: typeof before === "string" ? before : "",
    after: content,
  };
}

async function edited(params: object, workspace: Workspace): Promise<NewText[]> {
  const { planEdit } = await import("./edit/plan-edit.ts");
  type Request = Parameters<typeof planEdit>[0];
  const request = { mode: workspace.files.settings.editMode, ...params } as Request;
  const plan = await planEdit(request, workspace);
  if (plan.kind !== "planned") return [];
  return plan.changes.flatMap(({ path, moveTo = path, before = "", after }) =>
    after === undefined ? [] : [{ path: workspace.files.shown(moveTo), before, after }],
  );
}
