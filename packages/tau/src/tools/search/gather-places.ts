// Opens each entry of a list. Of several, those that lead nowhere are left out and named; where
// none leads anywhere there is nothing to do, and that is a failure with its reason.

import { ToolError } from "@tau/agent/tool";
import { findBySuffix } from "@tau/host/walk/suffix-match";
import type { Workspace } from "../workspace.ts";

/** A guess must not take longer than asking again would. */
const GUESS_TIMEOUT_MS = 1000;

/** Names in one sentence; a list of hundreds tells no more. */
const NAMES_SHOWN = 10;

export interface GatheredPlaces<T> {
  places: T[];
  /** Entries that do not exist. */
  missing: string[];
  /** Why others could not be opened, a sentence each. */
  refused: string[];
}

export async function gatherPlaces<T>(
  workspace: Workspace,
  entries: readonly string[],
  /** Undefined where the entry does not exist. */
  open: (entry: string) => Promise<readonly T[] | undefined>,
  signal: AbortSignal,
): Promise<GatheredPlaces<T>> {
  const gathered: GatheredPlaces<T> = { places: [], missing: [], refused: [] };
  for (const entry of entries) {
    signal.throwIfAborted();
    try {
      const places = await open(entry);
      if (places) gathered.places.push(...places);
      else gathered.missing.push(entry);
    } catch (error) {
      if (!(error instanceof ToolError) || entries.length === 1) throw error;
      gathered.refused.push(error.message);
    }
  }
  const { places, missing, refused } = gathered;
  if (places.length > 0 || (missing.length === 0 && refused.length === 0)) return gathered;
  if (missing.length > 0) refused.unshift(await missingText(workspace, missing, signal));
  throw new ToolError(refused.join(" "));
}

async function missingText(
  workspace: Workspace,
  missing: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const [only] = missing;
  if (missing.length > 1) return `None of these exist: ${nameSome(missing)}.`;
  const match = await findBySuffix({
    root: workspace.cwd,
    path: only!,
    timeoutMs: GUESS_TIMEOUT_MS,
    signal,
  });
  const near =
    match.kind === "unique" ? [match.path] : match.kind === "ambiguous" ? match.paths : [];
  const hint =
    near.length === 0
      ? `Paths are relative to ${workspace.cwd}.`
      : `Did you mean ${near.map((path) => workspace.files.shown(path)).join(" or ")}?`;
  return `${only} does not exist. ${hint}`;
}

export function nameSome(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  const list = names.slice(0, NAMES_SHOWN).join(", ");
  return more > 0 ? `${list} and ${more} more` : list;
}
