// The write tool: a whole text into a file, or into whatever else a path can lead to.

import { existsSync } from "node:fs";
import { defineTool, textOutput, ToolError, type Tool, type ToolOutput } from "@tau/agent/tool";
import { onDisk } from "@tau/host/walk/byte-path";
import { description, nonEmpty, pipe, strictObject, string } from "valibot";
import type { WrittenResource } from "../../resources/resource.ts";
import { splitSelector } from "../../resources/selector.ts";
import { assessPaths } from "../assess-path.ts";
import { refuseChanged } from "../refuse-changed.ts";
import type { Workspace } from "../workspace.ts";
import prompt from "./prompt.md" with { type: "text" };

/** Members of archives, rows, conflicts: undefined where the path is a file's. */
export type WriteResource = (
  path: string,
  content: string,
  signal: AbortSignal,
) => Promise<WrittenResource | undefined>;

export interface WriteToolOptions {
  /** Asked first. */
  writeResource?: WriteResource;
}

const STRIPPED_NOTE =
  "The header and line numbers of a listing were left out of the content. Send content alone.";

const parameters = strictObject({
  path: pipe(string(), nonEmpty(), description("File")),
  content: pipe(string(), description("All of its new text")),
});

export function createWriteTool(
  workspace: Workspace,
  { writeResource }: WriteToolOptions = {},
): Tool {
  return defineTool({
    name: "write",
    description: prompt.trim(),
    parameters,
    tier: "write",
    concurrency: "exclusive",
    assess: async (params) => {
      const { path } = params as { path: string };
      return workspace.consent.judged(params, await assessPaths(workspace, [path]));
    },
    preview: async (params) => {
      const { previewWrite } = await import("./preview-write.ts");
      const { path, content } = params as { path: string; content: string };
      const { text } = await withoutListing(path, content, workspace);
      return previewWrite(path, text, workspace);
    },
    async execute(params, { signal }) {
      const { path, content } = params;
      await refuseChanged(workspace, { tool: "write", params, paths: [path] });
      const { text, notes } = await withoutListing(path, content, workspace);
      workspace.files.seenLines.refuseNoteIn(text);
      const written = await writeResource?.(path, text, signal);
      if (written) return resourceOutput(written, notes);
      refusePart(path, workspace);
      return writeText(path, text, { workspace, signal, notes });
    },
  });
}

function usesTags({ files: { settings } }: Workspace): boolean {
  return settings.editMode === "hashline" && settings.hashLines;
}

/** Only where listings have numbers that a model might send back. */
async function withoutListing(
  path: string,
  content: string,
  workspace: Workspace,
): Promise<{ text: string; notes: string[] }> {
  if (!usesTags(workspace)) return { text: content, notes: [] };
  const { stripListing } = await import("@tau/hashline/strip-listing");
  const shown = workspace.files.shown(workspace.files.resolve(path));
  const { text, isStripped } = stripListing(content, { path: shown });
  return { text, notes: isStripped ? [STRIPPED_NOTE] : [] };
}

function resourceOutput({ text, path, details }: WrittenResource, notes: string[]): ToolOutput {
  const more = path === undefined ? details : { ...details, path };
  return textOutput([text, ...notes].join("\n"), more);
}

/** `src/a.ts:10-20` is how lines are read; as a file's name it would be a slip. */
function refusePart(path: string, workspace: Workspace): void {
  if (/[/\\]\s*$/.test(path)) {
    throw new ToolError(`${path} names a directory. Name a file inside it.`);
  }
  const selected = splitSelector(path);
  if (selected.path === path || existsSync(onDisk(workspace.files.resolve(path)))) return;
  if (!existsSync(onDisk(workspace.files.resolve(selected.path)))) return;
  throw new ToolError(
    `${path} names a part of ${selected.path}. Change a part with edit, or write all of ${selected.path}.`,
  );
}

async function writeText(
  path: string,
  text: string,
  { workspace, signal, notes }: { workspace: Workspace; signal: AbortSignal; notes: string[] },
): Promise<ToolOutput> {
  const { writeFile } = await import("./write-file.ts");
  const { explainFailure } = await import("../edit/explain-failure.ts");
  const file = await writeFile(path, text, workspace, signal).catch(explainFailure);
  const { tag, warnings, madeExecutable, ...known } = file;
  const rows: string[] = [];
  if (usesTags(workspace)) {
    const { printFileHeader } = await import("@tau/hashline/file-header");
    rows.push(printFileHeader(file.path, tag));
  }
  const size = `${file.bytes} ${file.bytes === 1 ? "byte" : "bytes"}`;
  const lines = `${file.lines} ${file.lines === 1 ? "line" : "lines"}`;
  const isNew = file.op === "create" ? "a new file, " : "";
  const mode = madeExecutable ? ", executable" : "";
  rows.push(`Wrote ${size} to ${file.path} (${isNew}${lines}${mode}).`, ...notes, ...warnings);
  return textOutput(rows.join("\n"), { ...known, madeExecutable: madeExecutable || undefined });
}
