// Text that was made from something else: a page of it, with a word on how to get the rest.

import type { ToolOutput } from "@tau/agent/tool";
import { LineIndex } from "@tau/hashline/line-index";
import { printFileHeader } from "@tau/hashline/file-header";
import type { TextResource } from "../../resources/resource.ts";
import type { Selector } from "../../resources/selector.ts";
import type { Workspace } from "../workspace.ts";
import { moreNotes, pastEndNote, showLines } from "./show-lines.ts";

export async function readTextResource(
  workspace: Workspace,
  resource: TextResource,
  selector: Selector,
): Promise<ToolOutput> {
  const { shown, text, editable } = resource;
  const index = new LineIndex(text);
  const isTagged =
    editable !== undefined &&
    !selector.isRaw &&
    workspace.canEdit &&
    workspace.files.settings.editMode === "hashline" &&
    workspace.files.settings.hashLines;
  const head = resource.header === undefined ? [] : [resource.header];
  if (isTagged) {
    const { tag } = workspace.files.snapshots.record(
      await workspace.files.identify(editable.path),
      text,
    );
    head.push(printFileHeader(shown, tag));
  }
  const isNumbered = isTagged || (workspace.files.settings.lineNumbers && !selector.isRaw);
  const source = editable ? await workspace.files.identify(editable.path) : shown;
  const body = showLines(index, {
    selector,
    defaultLines: resource.lines ?? workspace.files.settings.readLines,
    numbering: isNumbered ? "numbers" : "bare",
    maxColumns: workspace.files.settings.maxColumns,
    onShown: (line, shownChars) => workspace.files.seenLines.note(source, line, shownChars),
  });
  const details = { lines: index.count, ...resource.details };
  if (body.rows.length === 0) {
    return {
      content: [{ type: "text", text: [...head, pastEndNote(shown, index.count)].join("\n") }],
      details,
    };
  }
  const notes = moreNotes(shown, body, index.count, selector);
  const { moreHint } = resource;
  const more = moreHint === undefined || notes.length === 0 ? notes : [moreHint];
  const rows = [...head, ...body.rows, ...more];
  return {
    content: [{ type: "text", text: rows.join("\n") }],
    details: { ...details, shown: body.ranges },
  };
}
