// From the text of a patch to the new text of every file it names. Everything is checked
// before anything is given out: either all sections can be written, or none may be. Who
// calls it loads, locks and writes files; nothing here touches one.

import { noChange, resolveHunks } from "./apply-hunks.ts";
import type { Hunk, PatchSection } from "./hunk.ts";
import type { BlockResolution, LineChange, ResolveBlock, ResolvedBlock } from "./line-change.ts";
import { haveSameLines, LineIndex } from "./line-index.ts";
import { MismatchError } from "./mismatch.ts";
import { parsePatch } from "./parse-patch.ts";
import { PatchError } from "./patch-error.ts";
import { planFileHunk, refuseFileConflicts } from "./plan-file-hunks.ts";
import { asRefusal } from "./planned-file.ts";
import { recoverChanges } from "./recover-changes.ts";
import { RECOVERY_BANNERS, type RecoveryKind } from "./recovery-banner.ts";
import type { Snapshot, SnapshotStore } from "./snapshot-store.ts";
import { spliceLines } from "./splice-lines.ts";

export interface EditSources {
  /** The file's text as it is now, its byte order mark included; undefined if there is none. */
  load(path: string): string | undefined | Promise<string | undefined>;
  snapshots: SnapshotStore;
  /** The construct that begins on a line of `text`. */
  resolveBlock?(
    path: string,
    text: string,
    line: number,
  ): BlockResolution | Promise<BlockResolution>;
  /** Whether the writer of the patch has not seen all of this line. */
  isUnseen?(path: string, line: string): boolean;
  /** Equal for paths that name one file; by default the path without a leading `./`. */
  identify?(path: string): string;
}

export interface PlannedEdit {
  /** As the patch wrote it. */
  path: string;
  before: string;
  /** Undefined if the file goes. */
  after: string | undefined;
  /** Where the file goes to, as the patch wrote it. */
  moveTo?: string;
  /** Undefined if no line changes. */
  firstChangedLine: number | undefined;
  blocks: ResolvedBlock[];
  warnings: string[];
  recovery: RecoveryKind | undefined;
}

export type EditPlan =
  | { kind: "planned"; edits: PlannedEdit[]; warnings: string[] }
  | { kind: "aborted" }
  /** One for each section that cannot be applied. Nothing may be written. */
  | { kind: "refused"; failures: [PatchError, ...PatchError[]] };

export async function planEdits(input: string, sources: EditSources): Promise<EditPlan> {
  const failures: PatchError[] = [];
  const edits: PlannedEdit[] = [];
  let warnings: string[] = [];
  try {
    const patch = parsePatch(input);
    if (patch.isAborted) return { kind: "aborted" };
    warnings = patch.warnings;
    const merged = mergeSections(patch.sections, sources.identify ?? plainPath);
    refuseFileConflicts(merged, sources.identify ?? plainPath);
    for (const section of merged) {
      const outcome = await planSection(section, sources).catch(asRefusal);
      if (outcome instanceof PatchError) failures.push(outcome);
      else edits.push(outcome);
    }
  } catch (error) {
    failures.push(asRefusal(error));
  }
  const [first, ...rest] = failures;
  if (first) return { kind: "refused", failures: [first, ...rest] };
  return { kind: "planned", edits, warnings };
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}

/** Sections of one file are one, as all their numbers mean the tagged text. */
function mergeSections(
  sections: readonly PatchSection[],
  identify: (path: string) => string,
): PatchSection[] {
  const merged = new Map<string, PatchSection>();
  for (const section of sections) {
    const key = identify(section.path);
    const earlier = merged.get(key);
    if (!earlier) {
      const { hunks, fileHunks } = section;
      merged.set(key, { ...section, hunks: [...hunks], fileHunks: [...fileHunks] });
    } else if (earlier.tag === section.tag) {
      earlier.hunks.push(...section.hunks);
      earlier.fileHunks.push(...section.fileHunks);
    } else {
      throw new PatchError(
        "conflicting_tags",
        `${section.path} has another tag on patch line ${earlier.patchLine}. One patch can be written against one state of a file: use the latest tag for all its hunks.`,
        { patchLine: section.patchLine, path: section.path },
      );
    }
  }
  for (const { hunks, fileHunks, path, patchLine } of merged.values()) {
    if (hunks.length + fileHunks.length > 0) continue;
    throw new PatchError(
      "empty_section",
      `the section of ${path} says nothing to change. Write a hunk below its header, or leave it out.`,
      { patchLine, path },
    );
  }
  return [...merged.values()];
}

async function planSection(section: PatchSection, sources: EditSources): Promise<PlannedEdit> {
  const { path } = section;
  const before = await sources.load(path);
  if (before === undefined) {
    throw new PatchError(
      "missing_file",
      `${path} does not exist. Check the path, or create the file with the write tool.`,
      { patchLine: section.patchLine, path },
    );
  }
  const current = new LineIndex(before);
  const snapshot = requireSnapshot(section, sources, current);
  const isCurrent = haveSameLines(snapshot.text, before);
  const fate = await planFileHunk(section, sources.load);
  // All of its lines go, so all of them must be those that were seen.
  if (fate.isDeleted && !isCurrent) throw mismatch("drifted", section, sources, current);
  if (fate.isDeleted) {
    const gone = { after: undefined, firstChangedLine: undefined, recovery: undefined };
    return { path, before, ...gone, blocks: [], warnings: [] };
  }
  const tagged = isCurrent ? current : new LineIndex(snapshot.text);
  const resolve = await resolveBlocks(section.hunks, tagged, sources, path);
  const resolved = resolveHunks(tagged, section.hunks, resolve);
  refuseUnseenLines(resolved.changes, tagged, sources, path);
  const recovered = isCurrent
    ? { changes: resolved.changes, isShifted: false }
    : recoverChanges(resolved.changes, tagged, current);
  if (!recovered) throw mismatch("drifted", section, sources, current);
  const { text: after, firstChangedLine } = spliceLines(current, recovered.changes);
  const { moveTo } = fate;
  if (firstChangedLine === undefined && (section.hunks.length > 0 || moveTo === undefined)) {
    throw noChange(path);
  }
  const recovery = isCurrent
    ? undefined
    : recoveryKind(section, sources, snapshot, { before, isShifted: recovered.isShifted });
  const warnings = recovery
    ? [...resolved.warnings, RECOVERY_BANNERS[recovery]]
    : resolved.warnings;
  const { blocks } = resolved;
  return { path, before, after, moveTo, firstChangedLine, blocks, warnings, recovery };
}

/** What takes the place of a line was made from what was seen of it. */
function refuseUnseenLines(
  changes: readonly LineChange[],
  tagged: LineIndex,
  sources: EditSources,
  path: string,
): void {
  for (const { start, end, body, patchLine } of changes) {
    for (let line = start; line < end && body.length > 0; line++) {
      if (!sources.isUnseen?.(path, tagged.line(line))) continue;
      throw new PatchError(
        "unseen_line",
        `line ${line} of ${path} was last shown in part only; it has ${tagged.line(line).length} characters, and replacing it would lose those that were not shown. Read it whole with ${path}:${line}-${line} first, or delete the line and insert a new one.`,
        { patchLine, path },
      );
    }
  }
}

function requireSnapshot(
  section: PatchSection,
  sources: EditSources,
  current: LineIndex,
): Snapshot {
  const found = sources.snapshots.find(storeKey(section.path, sources), section.tag);
  if (found.kind === "found") return found.snapshot;
  throw mismatch(found.kind, section, sources, current);
}

/** Shows the present state, and so records it: its tag can be used in the next attempt. */
function mismatch(
  kind: MismatchError["kind"],
  section: PatchSection,
  { snapshots, identify = plainPath }: EditSources,
  current: LineIndex,
): MismatchError {
  const { tag } = snapshots.record(identify(section.path), current.text);
  return new MismatchError(kind, section, current, tag);
}

function storeKey(path: string, { identify = plainPath }: EditSources): string {
  return identify(path);
}

function recoveryKind(
  { path }: PatchSection,
  sources: EditSources,
  snapshot: Snapshot,
  { before, isShifted }: { before: string; isShifted: boolean },
): RecoveryKind {
  if (!sources.snapshots.isOwnWork(storeKey(path, sources), snapshot, before)) return "external";
  return isShifted ? "session_chain" : "session_replay";
}

/** Syntax trees may have to be loaded; the application itself is one synchronous step. */
async function resolveBlocks(
  hunks: readonly Hunk[],
  tagged: LineIndex,
  sources: EditSources,
  path: string,
): Promise<ResolveBlock | undefined> {
  if (!sources.resolveBlock) return undefined;
  const blocks = new Map<number, BlockResolution>();
  for (const hunk of hunks) {
    if (hunk.kind !== "replace_block" && hunk.kind !== "delete_block") continue;
    if (hunk.line > tagged.count || blocks.has(hunk.line)) continue;
    blocks.set(hunk.line, await sources.resolveBlock(path, tagged.text, hunk.line));
  }
  return (line) => blocks.get(line) ?? { failure: "the line is not part of the file" };
}
