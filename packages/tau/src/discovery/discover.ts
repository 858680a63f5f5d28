// Finds what users and projects have lying around for coding agents, by the table. Nothing is run and
// nothing fetched; of each file only its beginning is read. One directory is listed once, and no
// repository is walked through.

import { isBelow } from "../base/is-below.ts";
import { DirectoryReader } from "./directory-reader.ts";
import { expandPattern, type Candidate } from "./expand-pattern.ts";
import type { DiscoveredItem, DiscoveryProblem } from "./item.ts";
import { KINDS, type KindId } from "./kinds.ts";
import { MAX_ITEMS } from "./limits.ts";
import { ItemMaker, type FoundAt } from "./make-items.ts";
import { hasPlugins } from "./plugins/plugin-places.ts";
import { parsePattern } from "./pattern.ts";
import { inOrder, type Ranked } from "./precedence.ts";
import type { DiscoveryRow } from "./row.ts";
import { searchPlaces, type SearchPlaces } from "./search-places.ts";
import type { SourceId } from "../config/sources.ts";
import { DISCOVERY_TABLE } from "./table.ts";

export interface DiscoverOptions {
  cwd: string;
  home: string;
  /** Tau's own directory of the user. */
  agentDirectory: string;
  /** All of them without. */
  kinds?: readonly KindId[];
  disabledSources?: readonly SourceId[];
  deadlineMs?: number;
  table?: readonly DiscoveryRow[];
  /** Only what the table says, nothing of what is installed. */
  isWithoutPlugins?: boolean;
}

export interface Discovery {
  /** What counts first, first; what is shadowed or held back is among them. */
  items: DiscoveredItem[];
  problems: DiscoveryProblem[];
  places: SearchPlaces;
}

export async function discover(options: DiscoverOptions): Promise<Discovery> {
  const places = await searchPlaces(options);
  const reader = new DirectoryReader(options.deadlineMs);
  const maker = new ItemMaker(reader);
  const found: Ranked[] = [];
  const take = async (
    row: DiscoveryRow,
    candidates: readonly Candidate[],
    at: FoundAt,
    rank: number,
  ) => {
    const made: Ranked[] = [];
    for (const candidate of candidates) {
      if (found.length + made.length >= MAX_ITEMS) {
        const message = `more than ${MAX_ITEMS} items were found; the rest is ignored`;
        reader.report({ file: places.root, severity: "warning", message });
        break;
      }
      for (const item of await maker.items(row, candidate, at)) {
        made.push({ item, row: rank });
      }
    }
    found.push(...made);
    return made.length > 0;
  };
  const search = async (row: DiscoveryRow, rank: number): Promise<void> => {
    const user: FoundAt = { level: "user", depth: 0, root: undefined };
    for (const { base, pattern } of userPatterns(row, options)) {
      const at = { ...user, root: row.plugin?.root };
      const candidates = await expandPattern(reader, base, parsePattern(pattern), at.root);
      await take(row, candidates, at, rank);
    }
    for (const { base, depth, patterns } of projectPatterns(row, places)) {
      const at: FoundAt = { level: "project", depth, root: boundary(row, places) };
      let isFound = false;
      for (const pattern of patterns) {
        const candidates = await expandPattern(reader, base, parsePattern(pattern), at.root);
        isFound = (await take(row, candidates, at, rank)) || isFound;
      }
      if (isFound && row.reach === "nearest") return;
    }
  };
  const { rows, problems } = await searchedRows(options, places);
  for (const problem of problems) reader.report(problem);
  await Promise.all(rows.map(search));
  return { items: inOrder(found), problems: reader.problems, places };
}

/** With those of the plugins that are installed; their files are looked at only if there are any. */
export async function searchedRows(
  options: DiscoverOptions,
  places: SearchPlaces,
): Promise<{ rows: DiscoveryRow[]; problems: readonly DiscoveryProblem[] }> {
  const rows = wantedRows(options);
  const own = { ...options, root: places.root };
  const isUnwanted = options.isWithoutPlugins || options.disabledSources?.includes("plugin");
  if (isUnwanted || !hasPlugins(own)) return { rows, problems: [] };
  const { pluginRows } = await import("./plugins/plugin-rows.ts");
  const brought = await pluginRows(own);
  return {
    rows: [...rows, ...wantedRows({ ...options, table: brought.rows })],
    problems: brought.problems,
  };
}

function wantedRows(
  options: Pick<DiscoverOptions, "kinds" | "disabledSources" | "table">,
): DiscoveryRow[] {
  const { kinds, disabledSources = [], table = DISCOVERY_TABLE } = options;
  return table.filter(
    ({ kind, source }) => (kinds?.includes(kind) ?? true) && !disabledSources.includes(source),
  );
}

export function userPatterns(
  { user = [], plugin }: DiscoveryRow,
  { home, agentDirectory }: Pick<DiscoverOptions, "home" | "agentDirectory">,
): { base: string; pattern: string }[] {
  if (plugin) return user.map((pattern) => ({ base: plugin.root, pattern }));
  return user.map((pattern) => {
    if (pattern.startsWith("/")) return { base: "/", pattern: pattern.slice(1) };
    const base = pattern.startsWith("@/") ? agentDirectory : home;
    return { base, pattern: pattern.slice("~/".length) };
  });
}

/** What an item may not lead out of: what runs belongs to the project that was decided about. */
export function boundary({ kind, plugin }: DiscoveryRow, places: SearchPlaces): string {
  if (plugin) return plugin.root;
  const { root, ancestors } = places;
  return KINDS[kind].executes ? root : ancestors.at(-1)!;
}

/** Nearest first. */
export function projectPatterns(
  row: DiscoveryRow,
  places: SearchPlaces,
): { base: string; depth: number; patterns: readonly string[] }[] {
  const { project = [], user = [], reach = "ancestors", plugin } = row;
  // Farther than everything that the project has of its own.
  const depth = places.ancestors.length;
  if (plugin) return project.length > 0 ? [{ base: plugin.root, depth, patterns: project }] : [];
  const { home } = places;
  const within = boundary(row, places);
  const ancestors = places.ancestors.filter((one) => isBelow(one, within));
  const bases = reach === "directory" ? ancestors.slice(0, 1) : ancestors;
  return bases.map((base, depth) => ({
    base,
    depth,
    // Whoever works in their home directory has not got everything twice.
    patterns: base === home ? project.filter((one) => !user.includes(`~/${one}`)) : project,
  }));
}
