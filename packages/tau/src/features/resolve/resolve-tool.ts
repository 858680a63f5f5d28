// The tool that settles a preview: makes the change that was shown, or lets it go.

import { defineTool, textOutput, ToolError, type CallAssessment, type Tool } from "@tau/agent/tool";
import { description, optional, picklist, pipe, strictObject, string } from "valibot";
import { RESOLVE, type PendingPreviews } from "../../tools/pending-previews.ts";
import prompt from "./prompt.md" with { type: "text" };

const parameters = strictObject({
  action: picklist(["apply", "discard"]),
  reason: pipe(string(), description("One sentence")),
  id: optional(pipe(string(), description("Of the preview, where several wait"))),
});

export interface ResolveOptions {
  /** What changing these files means for whoever gives consent. */
  assess?: (paths: readonly string[]) => Promise<CallAssessment>;
}

export function createResolveTool(previews: PendingPreviews, options: ResolveOptions = {}): Tool {
  const { assess } = options;
  return defineTool({
    name: RESOLVE,
    description: prompt.trim(),
    parameters,
    tier: "write",
    concurrency: "exclusive",
    assess: assess && ((params) => assessPreview(params as Wish, previews, assess)),
    async execute({ action, reason, id }, { signal }) {
      const preview = previews.take(id);
      if (!preview) throw new ToolError(nothingToResolve(previews, id));
      if (action === "apply") {
        const output = await preview.apply(reason, { signal });
        return { ...output, details: { preview: describe(preview), action, of: output.details } };
      }
      const said = await preview.reject?.(reason);
      const output = said ?? textOutput(`Discarded: ${preview.label}. Nothing was written.`);
      return { ...output, details: { preview: describe(preview), action } };
    },
  });
}

interface Wish {
  action: "apply" | "discard";
  id?: string;
}

/** To discard writes nothing; to apply writes what the preview names. */
async function assessPreview(
  { action, id }: Wish,
  previews: PendingPreviews,
  assess: NonNullable<ResolveOptions["assess"]>,
): Promise<CallAssessment> {
  if (action === "discard") return { tier: "read", subjects: ["discard"] };
  // Another one may be the oldest by the time it runs: without a name all of them are meant.
  const meant = id === undefined ? previews.all : [previews.find(id)];
  const files = new Set(meant.flatMap((preview) => preview?.writes ?? []));
  return files.size === 0 ? { tier: "write", subjects: ["apply"] } : assess([...files]);
}

function describe({ id, label, sourceTool }: { id: string; label: string; sourceTool: string }) {
  return { id, label, sourceTool };
}

function nothingToResolve(previews: PendingPreviews, id: string | undefined): string {
  const waiting = previews.all.map((preview) => `${preview.id} (${preview.label})`);
  if (waiting.length === 0) return "No preview waits: there is nothing to apply or discard.";
  return `There is no preview "${id}". These wait: ${waiting.join(", ")}.`;
}
