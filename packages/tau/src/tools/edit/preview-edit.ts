// What an edit will do, as far as it has arrived: for screens that show a change while the model
// is still writing it. It reads little, writes nothing and never fails; what does not fit yet, or
// never will, is left out.

import type { CallPreview, PreviewedFile } from "@tau/agent/tool";
import { previewHunks } from "@tau/hashline/apply-hunks";
import { planApplyPatch } from "@tau/hashline/apply-patch/plan-apply-patch";
import { parsePartialPatch } from "@tau/hashline/parse-patch";
import type { FilePlan, LoadText } from "@tau/hashline/planned-file";
import { PatchError } from "@tau/hashline/patch-error";
import { replaceText } from "@tau/hashline/replace/replace-text";
import { planUnifiedDiff } from "@tau/hashline/unified-diff/plan-unified-diff";
import { findFile } from "../../files/file-kind.ts";
import { readTextFile } from "../../files/read-text-file.ts";
import type { Workspace } from "../workspace.ts";
import { parsePartialJson } from "./partial-json.ts";
import type { EditOp } from "./planned-change.ts";
import { diffOf } from "./print-result.ts";

/** A preview is made many times a second; more than this nobody follows. In UTF-16 units. */
const MAX_INPUT_LENGTH = 256 * 1024;
const MAX_TEXT_LENGTH = 1024 * 1024;
const MAX_FILES = 20;
/** How often the end of a diff is left off until the rest fits. */
const MAX_CUTS = 3;

/** `partialArguments`: the JSON of the call's arguments, up to where it has come. */
export async function previewEdit(
  partialArguments: string,
  workspace: Workspace,
): Promise<CallPreview> {
  try {
    const given = parsePartialJson(partialArguments.slice(0, MAX_INPUT_LENGTH));
    const args = (typeof given === "object" ? given : undefined) as PartialArguments | undefined;
    const { editMode } = workspace.files.settings;
    if (editMode === "replace") return await previewReplacements(args ?? {}, workspace);
    const input = typeof args?.input === "string" ? args.input : "";
    if (editMode === "hashline") return await previewHashline(input, workspace);
    const plan = editMode === "patch" ? planUnifiedDiff : planApplyPatch;
    return await previewPlan(input, plan, workspace);
  } catch (error) {
    // A screen must go on. Whatever this is, the edit itself will meet it and report it.
    return { files: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

interface PartialArguments {
  input?: unknown;
  path?: unknown;
  edits?: unknown;
}

async function previewHashline(input: string, workspace: Workspace): Promise<CallPreview> {
  const { sections, open, problem } = parsePartialPatch(input);
  const files: PreviewedFile[] = [];
  for (const [at, { path, tag, hunks }] of sections.slice(0, MAX_FILES).entries()) {
    const isOpen = open !== undefined && at === sections.length - 1;
    const known = workspace.files.snapshots.find(await workspace.files.identify(path), tag);
    if (known.kind !== "found" || known.snapshot.text.length > MAX_TEXT_LENGTH) continue;
    const before = known.snapshot.text;
    const { text: after } = previewHunks(before, isOpen ? [...hunks, open.hunk] : hunks);
    files.push(previewed({ op: "update", path, before, after }, workspace));
  }
  return problem === undefined ? { files } : { files, problem: problem.message };
}

async function previewReplacements(
  { path, edits }: PartialArguments,
  workspace: Workspace,
): Promise<CallPreview> {
  if (typeof path !== "string" || !Array.isArray(edits)) return { files: [] };
  const before = await loader(workspace)(path);
  if (before === undefined) return { files: [] };
  let whole = edits.filter(isReplacement);
  const isFuzzy = workspace.files.settings.fuzzyMatch;
  for (let cut = 0; cut < MAX_CUTS && whole.length > 0; cut++) {
    try {
      const { text: after } = replaceText(before, whole, { isFuzzy });
      return { files: [previewed({ op: "update", path, before, after }, workspace)] };
    } catch (error) {
      if (!(error instanceof PatchError)) throw error;
      whole = whole.slice(0, -1);
    }
  }
  return { files: [] };
}

function isReplacement(value: unknown): value is { oldText: string; newText: string } {
  const { oldText, newText } = (value ?? {}) as { oldText?: unknown; newText?: unknown };
  return typeof oldText === "string" && typeof newText === "string";
}

/** Diffs are found by their context: the last hunk may not have enough of it yet. */
async function previewPlan(
  input: string,
  plan: (input: string, load: LoadText, options: { isFuzzy: boolean }) => Promise<FilePlan>,
  workspace: Workspace,
): Promise<CallPreview> {
  const load = loader(workspace);
  const isFuzzy = workspace.files.settings.fuzzyMatch;
  let part = input.slice(0, input.lastIndexOf("\n") + 1);
  for (let cut = 0; cut < MAX_CUTS && part !== ""; cut++) {
    const planned = await plan(part, load, { isFuzzy });
    if (planned.kind === "planned") {
      const files = planned.files.slice(0, MAX_FILES);
      return { files: files.map((file) => previewed({ ...file, op: file.kind }, workspace)) };
    }
    part = withoutLastPart(part);
  }
  return { files: [] };
}

/** Without the last row that begins a hunk or a file, and all that follows. */
function withoutLastPart(input: string): string {
  const starts = ["\n@@", "\n*** ", "\n--- "].map((start) => input.lastIndexOf(start));
  return input.slice(0, Math.max(...starts) + 1);
}

function loader(workspace: Workspace): LoadText {
  return async (path) => {
    const absolute = workspace.files.resolve(path);
    const file = await findFile(absolute);
    if (!file || file.stats.size > MAX_TEXT_LENGTH) return undefined;
    return (await readTextFile(absolute))?.text;
  };
}

interface Previewable {
  op: EditOp;
  path: string;
  before?: string;
  after?: string;
  moveTo?: string;
}

function previewed(
  { op, path, before, after, moveTo }: Previewable,
  workspace: Workspace,
): PreviewedFile {
  const absolute = workspace.files.resolve(path);
  const to = moveTo === undefined ? {} : { moveTo: workspace.files.resolve(moveTo) };
  const rest = { firstChangedLine: undefined, blocks: [], warnings: [] };
  const diff = diffOf({ op, path: absolute, before, after, ...to, ...rest }, workspace);
  const shown = { path: workspace.files.shown(absolute), op, diff };
  return moveTo === undefined ? shown : { ...shown, moveTo: workspace.files.shown(to.moveTo!) };
}
