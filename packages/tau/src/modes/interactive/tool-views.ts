// Every tool's view by its name. A line more is a tool that looks like something; what is not
// here is shown by its arguments and its text.

import type { ToolView } from "./tool-view.ts";

export type FindToolView = (name: string) => ToolView;

/** Loaded when the first call is to be shown, not when a session starts. */
export async function loadToolViews(): Promise<FindToolView> {
  const [
    { bashView },
    { readView },
    { writeView },
    { editView },
    { astEditView },
    { astGrepView },
    { searchView },
    { findView },
    { jobView },
    { evalView },
    { sshView },
    { resolveView },
    { todoView },
    { unknownToolView },
  ] = await Promise.all([
    import("../../tools/bash/render.ts"),
    import("../../tools/read/render.ts"),
    import("../../tools/write/render.ts"),
    import("../../tools/edit/render.ts"),
    import("../../tools/ast-edit/render.ts"),
    import("../../tools/ast-grep/render.ts"),
    import("../../tools/search/render.ts"),
    import("../../tools/find/render.ts"),
    import("../../tools/job/render.ts"),
    import("../../tools/eval/render.ts"),
    import("../../tools/ssh/render.ts"),
    import("../../features/resolve/render.ts"),
    import("../../features/todo/render.ts"),
    import("../../tools/render/unknown-tool-view.ts"),
  ]);
  const views = new Map<string, ToolView>([
    ["bash", bashView],
    ["read", readView],
    ["write", writeView],
    ["edit", editView],
    ["ast_edit", astEditView],
    ["ast_grep", astGrepView],
    ["search", searchView],
    ["find", findView],
    ["job", jobView],
    ["eval", evalView],
    ["ssh", sshView],
    ["resolve", resolveView],
    ["todo", todoView],
  ]);
  return (name) => views.get(name) ?? unknownToolView;
}
