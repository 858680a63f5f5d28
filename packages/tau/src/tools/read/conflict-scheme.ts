// `conflict://N`: one of the merge conflicts that were shown. Reading gives it, or one side of it;
// writing puts the lines that are to stand there in its place.

import { ToolError } from "@tau/agent/tool";
import { printFileHeader } from "@tau/hashline/file-header";
import { LineIndex } from "@tau/hashline/line-index";
import type { KnownConflict } from "./conflict-store.ts";
import type { Workspace } from "../workspace.ts";
import type { WrittenResource } from "../../resources/resource.ts";
import type { Scheme } from "../../resources/schemes.ts";

const SIDES = ["ours", "base", "theirs"] as const;
type Side = (typeof SIDES)[number];

export function conflictScheme(workspace: Workspace): Scheme {
  return {
    name: "conflict",
    example: "conflict://1",
    async open({ path }) {
      if (path === "*") return { type: "text", shown: ALL, text: listed(workspace), notes: [] };
      const { conflict, side } = find(workspace, path);
      const text = linesOf(conflict, side);
      return { type: "text", shown: `conflict://${path}`, text, notes: [] };
    },
    async write({ path }, content, { signal }) {
      const { conflicts } = workspace.files;
      if (path === "*") {
        const all = conflicts.all;
        if (all.length === 0) throw new ToolError(NONE);
        return resolveAll(workspace, all, content, signal);
      }
      const { conflict, side } = find(workspace, path);
      if (side)
        throw new ToolError(`conflict://${path} is one side; write to conflict://${conflict.id}.`);
      return resolveAll(workspace, [conflict], content, signal);
    },
  };
}

const ALL = "conflict://*";

/** Where each of them is. */
function listed({ files }: Workspace): string {
  const { all } = files.conflicts;
  if (all.length === 0) throw new ToolError(NONE);
  return all
    .map(({ id, path, start, end }) => `conflict://${id}: ${files.shown(path)}:${start}-${end}`)
    .join("\n");
}

const NONE =
  "No conflict is known yet: read the file with :conflicts at the end of its path first.";

function find(workspace: Workspace, path: string): { conflict: KnownConflict; side?: Side } {
  const [id = "", name] = path.split("/");
  const conflict = workspace.files.conflicts.get(id);
  if (!conflict)
    throw new ToolError(workspace.files.conflicts.all.length === 0 ? NONE : unknown(workspace, id));
  if (name === undefined) return { conflict };
  const side = SIDES.find((known) => known === name);
  if (!side) throw new ToolError(`A conflict has ${SIDES.join(", ")}, not ${name}.`);
  return { conflict, side };
}

function unknown(workspace: Workspace, id: string): string {
  const known = workspace.files.conflicts.all.map((conflict) => conflict.id).join(", ");
  return `There is no conflict ${id}; there are ${known}.`;
}

function linesOf({ text, start, base, middle, end }: KnownConflict, side?: Side): string {
  const index = new LineIndex(text);
  const between = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => index.line(from + at)).join("\n");
  if (side === undefined) return between(start, end);
  if (side === "ours") return between(start + 1, (base ?? middle) - 1);
  if (side === "theirs") return between(middle + 1, end - 1);
  if (base === undefined) throw new ToolError("The common ancestor is not shown in this conflict.");
  return between(base + 1, middle - 1);
}

/** All of them or none, also over several files. */
async function resolveAll(
  workspace: Workspace,
  conflicts: readonly KnownConflict[],
  content: string,
  signal: AbortSignal,
): Promise<WrittenResource> {
  const { changeFiles } = await import("../../files/change-files.ts");
  const files = Map.groupBy(conflicts, (conflict) => conflict.path);
  const changes = [...files].map(([path, ours]) => ({
    path,
    before: ours[0]!.text,
    after: withoutConflicts(ours, content),
  }));
  await changeFiles(changes, {
    agentDirectory: workspace.agentDirectory,
    show: (path) => workspace.files.shown(path),
    signal,
  });
  const headers: string[] = [];
  const { findConflicts } = await import("./conflicts.ts");
  for (const { path, after } of changes) {
    const { tag } = workspace.files.snapshots.record(
      await workspace.files.identify(path),
      after,
      "written",
    );
    headers.push(printFileHeader(workspace.files.shown(path), tag));
    workspace.files.conflicts.moveOn(
      path,
      after,
      findConflicts(new LineIndex(after)),
      files.get(path)!,
    );
  }
  const did =
    conflicts.length === 1
      ? "Resolved 1 conflict."
      : `Resolved ${conflicts.length} conflicts, each with this text.`;
  return {
    text: [...headers, `${did} ${leftText(workspace)}`].join("\n"),
    details: { resolved: conflicts.length },
  };
}

/** Of those that were shown; nothing is known of others. */
function leftText({ files }: Workspace): string {
  const left = files.conflicts.all.map(({ id }) => `conflict://${id}`);
  if (left.length === 0) return "None of those shown is left; git add marks a file as resolved.";
  return `Left of those shown: ${left.join(", ")}.`;
}

/** From the end to the beginning, so that the lines of those before stay where they are. */
function withoutConflicts(conflicts: readonly KnownConflict[], content: string): string {
  let { text } = conflicts[0]!;
  for (const { start, end } of conflicts.toSorted((a, b) => b.start - a.start)) {
    const index = new LineIndex(text);
    const ending = index.ending(end) ?? "";
    const lines = content.replace(/\r?\n$/, "");
    const body = lines === "" ? "" : lines.replaceAll(/\r?\n/g, ending || "\n") + ending;
    text = text.slice(0, index.offset(start)) + body + text.slice(index.offset(end + 1));
  }
  return text;
}
