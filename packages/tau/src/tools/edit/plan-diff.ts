// The `patch` mode. A diff is about bytes: a file that is not UTF-8 keeps its own, and a diff of such
// files, which is not UTF-8 itself, is applied byte by byte.

import { LineIndex } from "@tau/hashline/line-index";
import { PatchError } from "@tau/hashline/patch-error";
import { planUnifiedDiff } from "@tau/hashline/unified-diff/plan-unified-diff";
import { decodeUtf8 } from "../../files/read-text-file.ts";
import type { Workspace } from "../workspace.ts";
import { EditableFiles } from "./editable-files.ts";
import { fromPlan } from "./from-plan.ts";
import type { EditOutcome, PlannedChange } from "./planned-change.ts";

export interface DiffRequest {
  input: string;
  isBytes?: boolean;
}

export async function planDiff(
  { input, isBytes = false }: DiffRequest,
  workspace: Workspace,
): Promise<EditOutcome> {
  const files = new EditableFiles(workspace, { bytes: isBytes ? "always" : "if_needed" });
  const plan = await planUnifiedDiff(input, files.load, {
    // Tolerance is for characters; bytes that are alike mean nothing.
    isFuzzy: workspace.files.settings.fuzzyMatch && !isBytes,
    exists: files.exists,
    decodeName: isBytes ? decodeName : undefined,
  });
  const outcome = fromPlan(plan, workspace);
  if (outcome.kind !== "planned") return outcome;
  const changes = outcome.changes.map((change) => ({
    ...change,
    isBytes: isBytes || files.isBytes(change.path),
  }));
  const unknown = isBytes ? [] : changes.filter(addsUnknown);
  const [first, ...more] = unknown.map(({ path }) => encodingProblem(workspace.files.shown(path)));
  if (first) return { kind: "refused", failures: [first, ...more] };
  return { ...outcome, changes };
}

export function decodeName(bytes: string): string {
  return decodeUtf8(Buffer.from(bytes, "latin1")) ?? bytes;
}

/** What a character is in an encoding that nobody knows, nobody can say. */
function addsUnknown({ isBytes, before = "", after = "" }: PlannedChange): boolean {
  if (isBytes !== true) return false;
  const known = new Set(new LineIndex(before).lines());
  return new LineIndex(after).lines().some((line) => /[^\0-\x7f]/.test(line) && !known.has(line));
}

function encodingProblem(path: string): PatchError {
  return new PatchError(
    "unknown_encoding",
    `${path} is not UTF-8, so new lines for it can have ASCII characters only. Convert it first (iconv), or write these lines with a program that knows its encoding.`,
    { path },
  );
}
