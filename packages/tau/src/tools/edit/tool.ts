// The edit tool: the model changes files in the edit language that the user has set. An edit
// does exactly what it says, in all files it names, or it is refused and nothing changes.

import {
  defineTool,
  textOutput,
  ToolError,
  type CallAssessment,
  type Tool,
  type ToolOutput,
} from "@tau/agent/tool";
import {
  array,
  boolean,
  description,
  minLength,
  optional,
  pipe,
  strictObject,
  string,
} from "valibot";
import type { EditMode } from "../file-tool-settings.ts";
import type { Workspace } from "../workspace.ts";
import type { EditRequest, TextMode } from "./plan-edit.ts";
import applyPatchPrompt from "./prompt-apply-patch.md" with { type: "text" };
import hashlinePrompt from "./prompt-hashline.md" with { type: "text" };
import patchPrompt from "./prompt-patch.md" with { type: "text" };
import replacePrompt from "./prompt-replace.md" with { type: "text" };

const PROMPTS: Record<EditMode, string> = {
  hashline: hashlinePrompt,
  replace: replacePrompt,
  patch: patchPrompt,
  apply_patch: applyPatchPrompt,
};

const inputParameters = strictObject({ input: pipe(string(), description("The patch")) });

const replaceParameters = strictObject({
  path: pipe(string(), description("File")),
  edits: pipe(
    array(
      strictObject({
        oldText: pipe(string(), description("What is there")),
        newText: pipe(string(), description("What takes its place")),
        replaceAll: optional(pipe(boolean(), description("Every place, not just one"))),
      }),
    ),
    minLength(1),
  ),
});

export function createEditTool(workspace: Workspace): Tool {
  const { editMode } = workspace.files.settings;
  const traits = {
    name: "edit",
    description: PROMPTS[editMode].trim(),
    tier: "write",
    concurrency: "exclusive",
    assess: async (params: unknown) => {
      const assessment = await assessEdit(requestOf(editMode, params), workspace);
      return workspace.consent.judged(params, assessment);
    },
    preview: async (params: unknown) => {
      const { previewRequest } = await import("./preview-request.ts");
      return previewRequest(requestOf(editMode, params), workspace);
    },
  } as const;
  if (editMode === "replace") {
    return defineTool({
      ...traits,
      parameters: replaceParameters,
      execute: async (params, { signal }) => {
        const { path, edits } = params;
        await refuseMoved(params, requestOf(editMode, params), workspace);
        const given = edits.map(({ oldText, newText, replaceAll = false }) => ({
          oldText,
          newText,
          replaceAll,
        }));
        return runEdit({ mode: "replace", path, edits: given }, workspace, signal);
      },
    });
  }
  const mode: TextMode = editMode;
  return defineTool({
    ...traits,
    parameters: inputParameters,
    execute: async (params, { signal }) => {
      const request: EditRequest = { mode, input: params.input };
      await refuseMoved(params, request, workspace);
      return runEdit(request, workspace, signal);
    },
  });
}

async function runEdit(
  request: EditRequest,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const texts = request.mode === "replace" ? request.edits.map(textsOf) : [request.input];
  for (const text of texts) workspace.files.seenLines.refuseNoteIn(text);
  const { applyEdit } = await import("./apply-edit.ts");
  const { explainFailure } = await import("./explain-failure.ts");
  const { detailsOf, printResult } = await import("./print-result.ts");
  const edit = await applyEdit(request, workspace, { signal }).catch(explainFailure);
  if (edit.kind === "aborted") {
    return textOutput("The patch has an `*** Abort` row: nothing was changed.");
  }
  if (edit.kind === "refused") {
    const reasons = edit.failures.map(({ message }) => message);
    throw new ToolError([...reasons, "Nothing was changed."].join("\n\n"));
  }
  const { changes, warnings } = edit;
  const text = printResult(changes, warnings, { workspace, mode: request.mode });
  return textOutput(text, detailsOf(changes, workspace));
}

function textsOf({ oldText, newText }: { oldText: string; newText: string }): string {
  return `${oldText}\n${newText}`;
}

function requestOf(mode: EditMode, params: unknown): EditRequest {
  return { mode, ...(params as object) } as EditRequest;
}

/** By the files that it names, whether or not it fits them now: it may by the time it is made. */
async function assessEdit(request: EditRequest, workspace: Workspace): Promise<CallAssessment> {
  const [{ editedPaths }, { assessPaths }] = await Promise.all([
    import("./edited-paths.ts"),
    import("../assess-path.ts"),
  ]);
  const { paths, removed } = await editedPaths(request, workspace);
  return assessPaths(workspace, paths, { removed });
}

/** A `ToolError` if its paths lead elsewhere by now. */
async function refuseMoved(
  params: object,
  request: EditRequest,
  workspace: Workspace,
): Promise<void> {
  const [{ editedPaths }, { refuseChanged }] = await Promise.all([
    import("./edited-paths.ts"),
    import("../refuse-changed.ts"),
  ]);
  const named = await editedPaths(request, workspace);
  await refuseChanged(workspace, { tool: "edit", params, ...named });
}
