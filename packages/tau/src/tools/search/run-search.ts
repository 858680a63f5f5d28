// One search over a list of places, for the model's tool and for the command alike: entries are
// opened, the engine is asked, and what it found is called as it was asked for.

import { ToolError } from "@tau/agent/tool";
import { searchFiles } from "@tau/host/search/search-files";
import { InvalidPatternError, SearchEngineError } from "@tau/host/search/search-error";
import type { SearchFile, SearchQuery, SearchResult } from "@tau/host/search/search-query";
import type { LineRange } from "../../resources/line-range.ts";
import type { Workspace } from "../workspace.ts";
import { gatherPlaces } from "./gather-places.ts";
import { openSearchPlace, type SourceName } from "./search-place.ts";

export interface SearchRequest {
  pattern: string;
  entries: readonly string[];
  /** What to ask of the engine, by whether one source is searched or possibly many. */
  query: (scope: SearchScope) => Omit<SearchQuery, "pattern" | "targets" | "signal">;
  signal: AbortSignal;
}

/** `single`: one file or text, and nothing to page through. */
export type SearchScope = "single" | "many";

export interface FoundFile extends SearchFile {
  source: SourceName;
}

export interface SearchOutcome {
  result: SearchResult;
  files: FoundFile[];
  scope: SearchScope;
  /** The lines that a single source was confined to. */
  ranges?: readonly LineRange[];
  missing: readonly string[];
  /** What else is to be said about the places, a sentence each. */
  notes: readonly string[];
}

export async function runSearch(
  workspace: Workspace,
  { pattern, entries, query, signal }: SearchRequest,
): Promise<SearchOutcome> {
  const { places, missing, refused } = await gatherPlaces(
    workspace,
    entries,
    (entry) => openSearchPlace(workspace, entry, signal),
    signal,
  );
  const [only] = places;
  const scope = places.length === 1 && only!.target.kind !== "directory" ? "single" : "many";
  const result = await ask({
    ...query(scope),
    pattern,
    targets: places.map(({ target }) => target),
    signal,
    confineReader: workspace.confineReader,
  });
  const names = new Map(
    places.flatMap(({ target, name }) => {
      if (!name || target.kind === "directory") return [];
      return [[target.kind === "file" ? target.path : target.name, name] as const];
    }),
  );
  const files = result.files.map((file) => {
    const { name } = file;
    const own = { shown: workspace.files.shown(name), editable: { path: name } };
    return { ...file, source: names.get(name) ?? own };
  });
  const notes = places.flatMap((place) => place.notes).concat(refused.map((why) => `[${why}]`));
  const skipped = result.skipped.map(({ path, reason }) => {
    const shown = names.get(path)?.shown ?? workspace.files.shown(path);
    return `[${shown} was not searched: ${SKIPPED[reason]}]`;
  });
  const ranges = scope === "single" && only!.ranges ? { ranges: only!.ranges } : {};
  return { result, files, scope, ...ranges, missing, notes: [...notes, ...skipped] };
}

const SKIPPED: Readonly<Record<SearchResult["skipped"][number]["reason"], string>> = {
  missing: "it no longer exists",
  unreadable: "it cannot be read",
  binary: "it is binary",
  special: "it is not a regular file",
  directory: "it is a directory",
};

async function ask(query: SearchQuery): Promise<SearchResult> {
  try {
    return await searchFiles(query);
  } catch (error) {
    if (error instanceof InvalidPatternError || error instanceof SearchEngineError) {
      throw new ToolError(error.message);
    }
    throw error;
  }
}
