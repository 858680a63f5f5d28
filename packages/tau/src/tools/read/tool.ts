// The read tool: one verb for everything that has a path.

import { defineTool, ToolError, type Tool, type ToolOutput } from "@tau/agent/tool";
import { description, nonEmpty, pipe, strictObject, string } from "valibot";
import type { Resource } from "../../resources/resource.ts";
import type { Selector } from "../../resources/selector.ts";
import { assessReads } from "../assess-reads.ts";
import type { Workspace } from "../workspace.ts";
import { directoryTree } from "./directory-tree.ts";
import prompt from "./prompt.md" with { type: "text" };
import { readFileResource } from "./read-file.ts";
import { readTextResource } from "./read-text.ts";

/** The tool bounds itself, by lines that can be asked for again. */
const MAX_BYTES = 2 * 1024 * 1024;
const UNBOUND = Number.MAX_SAFE_INTEGER;

const parameters = strictObject({
  path: pipe(string(), nonEmpty(), description("Path or URL, with a selector at its end or not")),
});

export function createReadTool(workspace: Workspace): Tool {
  return defineTool({
    name: "read",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    assess: (params) => {
      const { path } = params as { path: string };
      return assessReads(workspace, { params, paths: [path] });
    },
    limits: { bytes: MAX_BYTES, lines: UNBOUND, columns: UNBOUND, keep: "head" },
    async execute({ path }, { signal }) {
      const { resource, selector } = await workspace.resources.open(path, signal);
      const output = await show(workspace, resource, selector, signal);
      return withNotes(output, resource.notes);
    },
  });
}

async function show(
  workspace: Workspace,
  resource: Resource,
  selector: Selector,
  signal: AbortSignal,
): Promise<ToolOutput> {
  switch (resource.type) {
    case "directory": {
      if (selector.isConflicts) {
        throw new ToolError(
          `${resource.shown} is a directory: name a file. Those with conflicts have lines that match ^<<<<<<<.`,
        );
      }
      const { text, entries, isCut } = await directoryTree(resource.path, resource);
      const details = { isDirectory: true, resolvedPath: resource.path, entries, isCut };
      return { content: [{ type: "text", text }], details };
    }
    case "file":
      return readFileResource(workspace, resource, selector, signal);
    case "text":
      return readTextResource(workspace, resource, selector);
    case "image": {
      const note = { type: "text", text: resource.note } as const;
      return { content: [note, resource.image], details: { image: resource.note } };
    }
  }
}

function withNotes(output: ToolOutput, notes: readonly string[]): ToolOutput {
  if (notes.length === 0) return output;
  const [first, ...rest] = output.content;
  const text = notes.join("\n");
  return first?.type === "text"
    ? { ...output, content: [{ ...first, text: `${text}\n${first.text}` }, ...rest] }
    : { ...output, content: [{ type: "text", text }, ...output.content] };
}
