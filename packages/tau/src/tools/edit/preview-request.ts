// What a whole edit would do, for whoever is asked about it: planned as it will be planned when it
// is made, so that the diff is the edit's own and a refusal is known before anybody is asked.

import type { CallPreview } from "@tau/agent/tool";
import type { Workspace } from "../workspace.ts";
import { planEdit, type EditRequest } from "./plan-edit.ts";
import { fileDetails } from "./print-result.ts";

/** Rejects with a `FileProblem` for a file that must not be edited. */
export async function previewRequest(
  request: EditRequest,
  workspace: Workspace,
): Promise<CallPreview> {
  const plan = await planEdit(request, workspace);
  switch (plan.kind) {
    case "planned":
      return { files: plan.changes.map((change) => fileDetails(change, workspace)) };
    case "aborted":
      return { files: [], problem: "The patch cancels itself (*** Abort); nothing will change." };
    case "refused":
      return { files: [], problem: plan.failures.map(({ message }) => message).join("\n\n") };
  }
}
