// A call in the words that hooks are written for: `Bash` with a `command`, `Edit` with a `file_path`. An
// edit of several files is one view for each, so that a hook that looks at paths sees all of them. What
// other tools have no word for keeps its own name and arguments.

import type { CallAssessment, JudgedTool } from "@tau/agent/tool";
import type { EditRequest } from "../../tools/edit/plan-edit.ts";
import { parseAddress } from "../../resources/schemes.ts";
import { newTexts, type NewText } from "../../tools/new-texts.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { changedPart } from "./changed-part.ts";
import { isWebAddress, pathAndLines } from "./read-target.ts";

export interface ToolView {
  tool_name: string;
  tool_input: Record<string, unknown>;
}

export interface ViewedCall {
  tool: Pick<JudgedTool, "name" | "assess">;
  arguments: Readonly<Record<string, unknown>>;
  params: unknown;
}

/** Never empty. */
export async function toolViews(call: ViewedCall, workspace: Workspace): Promise<ToolView[]> {
  const { arguments: args } = call;
  const absolute = (path: unknown): string => placeOf(String(path), workspace);
  switch (call.tool.name) {
    case "bash":
      return [{ tool_name: "Bash", tool_input: bashInput(args) }];
    case "read":
      return [readView(String(args.path), absolute)];
    case "write":
      return [
        {
          tool_name: "Write",
          tool_input: { file_path: absolute(args.path), content: args.content },
        },
      ];
    case "edit":
      return editViews(call, workspace);
    case "resolve":
      return [ownView(call), ...(await changedViews(call, absolute))];
    case "ast_edit":
      return placesOf(args.paths, absolute).map((path) => ({
        tool_name: call.tool.name,
        tool_input: { file_path: path, ...args, paths: path },
      }));
    case "search":
    case "ast_grep":
      return placesOf(args.paths, absolute).map((path) => ({
        tool_name: "Grep",
        tool_input: { pattern: args.pattern ?? args.pat, path, "-i": args.i },
      }));
    case "find":
      return [args.paths].flat().map((pattern) => ({
        tool_name: "Glob",
        tool_input: { pattern, path: workspace.cwd },
      }));
    default:
      return [ownView(call)];
  }
}

/** What a matcher may call it: in the words of other tools, and in Tau's own. */
export function namesOf({ tool_name: name }: ToolView, own: string): string[] {
  const names = [name, own];
  // An edit in one go, in several, and by a patch, are one tool here.
  if (name === "Edit" || name === "MultiEdit") names.push("Edit", "MultiEdit", "apply_patch");
  if (name === "Write") names.push("apply_patch");
  return names;
}

function ownView({ tool, arguments: args }: ViewedCall): ToolView {
  return { tool_name: tool.name, tool_input: { ...args } };
}

function bashInput({ command, timeout, async: isAsync }: ViewedCall["arguments"]) {
  const timeoutMs = typeof timeout === "number" ? timeout * 1000 : undefined;
  return { command, timeout: timeoutMs, run_in_background: isAsync };
}

function readView(given: string, absolute: (path: string) => string): ToolView {
  if (isWebAddress(given)) return { tool_name: "WebFetch", tool_input: { url: given, prompt: "" } };
  const { path, offset, limit } = pathAndLines(given);
  return { tool_name: "Read", tool_input: { file_path: absolute(path), offset, limit } };
}

/** Absolute, but for what is not a file: an address stays as it is written. */
function placeOf(given: string, { files }: Workspace): string {
  const scheme = parseAddress(given)?.scheme;
  const isFile = scheme === undefined || scheme === "file" || scheme === "local";
  return isFile ? files.resolve(given) : given;
}

function placesOf(paths: unknown, absolute: (path: unknown) => string): string[] {
  const given = [paths].flat().map(absolute);
  return given.length > 0 ? given : [absolute(".")];
}

async function editViews(call: ViewedCall, workspace: Workspace): Promise<ToolView[]> {
  const { editedPaths } = await import("../../tools/edit/edited-paths.ts");
  const { params, arguments: args } = call;
  const request = { mode: workspace.files.settings.editMode, ...(params as object) } as EditRequest;
  if (request.mode === "replace") return [replaceView(request, workspace)];
  const [{ paths }, texts] = await Promise.all([
    editedPaths(request, workspace),
    newTexts("edit", params, workspace),
  ]);
  const absolute = paths.map((path) => workspace.files.resolve(path));
  // A call that cannot be understood is refused by its tool, and was shown to every hook.
  if (absolute.length === 0) return [{ tool_name: "Edit", tool_input: { ...args } }];
  return absolute.map((path) => {
    const text = texts.find((one) => workspace.files.resolve(one.path) === path);
    return textView(path, text);
  });
}

function textView(path: string, text: NewText | undefined): ToolView {
  if (text === undefined) return { tool_name: "Edit", tool_input: { file_path: path } };
  const { before, after } = text;
  if (before === "") return { tool_name: "Write", tool_input: { file_path: path, content: after } };
  const [old_string, new_string] = changedPart(before, after);
  return { tool_name: "Edit", tool_input: { file_path: path, old_string, new_string } };
}

function replaceView(
  { path, edits }: Extract<EditRequest, { mode: "replace" }>,
  workspace: Workspace,
): ToolView {
  const file_path = workspace.files.resolve(path);
  const given = edits.map(({ oldText, newText, replaceAll }) => ({
    old_string: oldText,
    new_string: newText,
    replace_all: replaceAll ?? false,
  }));
  if (given.length === 1) return { tool_name: "Edit", tool_input: { file_path, ...given[0] } };
  return { tool_name: "MultiEdit", tool_input: { file_path, edits: given } };
}

/** Files that a call changes without naming them: the previews that it lets happen. */
async function changedViews(
  { tool, params }: ViewedCall,
  absolute: (path: string) => string,
): Promise<ToolView[]> {
  const assessment: CallAssessment | undefined = await tool.assess?.(params);
  return (assessment?.changes ?? []).flatMap(([path]) =>
    path === undefined ? [] : [{ tool_name: "Edit", tool_input: { file_path: absolute(path) } }],
  );
}
