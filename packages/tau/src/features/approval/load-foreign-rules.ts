// Finds the settings of other tools that say something about single calls: the user's own, and those
// of a project that the user trusts.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { agentDirectory, homeOf } from "../../config/places.ts";
import type { SourceId } from "../../config/sources.ts";
import { EVERY_CALL, type ConfigProblem, type LostWord } from "../../base/config-problem.ts";
import type { ForeignRules } from "./decide.ts";

/** Where any of them could be; nothing is loaded where none is. */
const PLACES = [".claude", ".opencode", "opencode.json", "opencode.jsonc"];

export interface LoadedForeignRules {
  rules: ForeignRules;
  /** Files that are there and cannot be read, and slips in others: what they refuse is not known. */
  lost: readonly LostWord[];
  /** What they say that Tau does not take over, a sentence each. */
  notes: readonly string[];
}

export const NO_FOREIGN_RULES: LoadedForeignRules = { rules: [], lost: [], notes: [] };

export async function loadForeignRules(place: {
  cwd: string;
  env: Environment;
  disabledSources: readonly SourceId[];
}): Promise<LoadedForeignRules> {
  const { cwd, env, disabledSources } = place;
  const home = homeOf(env);
  const holders = [
    ...PLACES.flatMap((name) => [join(home, name), join(cwd, name)]),
    join(home, ".config", "opencode"),
  ];
  if (!holders.some((path) => existsSync(path))) return NO_FOREIGN_RULES;
  const [
    { discover },
    { inForce },
    { FOREIGN_READERS },
    { FOREIGN_SLIPS },
    { FOREIGN_NOTES },
    { trustOf },
    { readDocument },
  ] = await Promise.all([
    import("../../discovery/discover.ts"),
    import("../../trust/project-trust.ts"),
    import("./foreign-rules.ts"),
    import("./foreign-slips.ts"),
    import("./foreign-notes.ts"),
    import("../../trust/project-standing.ts"),
    import("../../discovery/read-document.ts"),
  ]);
  const search = { cwd, home, agentDirectory: agentDirectory(env), disabledSources };
  const { items } = await discover({ ...search, kinds: ["settings"] });
  const sources = Object.keys(FOREIGN_READERS).filter(
    (source) => !(disabledSources as readonly string[]).includes(source),
  );
  const wanted = items.filter(({ source }) => Object.hasOwn(FOREIGN_READERS, source));
  const lost = await missedFiles(home, { sources, found: wanted });
  if (wanted.length === 0) return { rules: [], lost, notes: [] };
  const notes: string[] = [];
  const isAsked = wanted.some(({ level }) => level === "project");
  const trust = isAsked ? await trustOf(cwd, env) : { state: "untrusted" as const };
  // The user's own first: what is nearer has the later word.
  const files = inForce(wanted, trust).toReversed();
  const rules = await Promise.all(
    Object.entries(FOREIGN_READERS).map(async ([source, readRules]) => {
      const own = files.filter((item) => item.source === source);
      const found = await Promise.all(
        own.map(async ({ realPath, path }) => {
          const document = await readDocument(realPath ?? path);
          if (!document.ok) {
            lost.push(lostFile(path, source, document));
            return [];
          }
          const slips = FOREIGN_SLIPS[source]?.(document.data) ?? [];
          if (slips.length > 0) {
            const text = await readFile(realPath ?? path, "utf8");
            const lineOf = (written = ""): number | undefined => lineWith(text, written);
            lost.push(
              ...slips.map((slip) =>
                lostFile(path, source, { ...slip, line: lineOf(slip.written) }),
              ),
            );
          }
          notes.push(
            ...(FOREIGN_NOTES[source]?.(document.data) ?? []).map((note) => `${path}: ${note}`),
          );
          return [{ tree: document.data, file: path }];
        }),
      );
      const read = found.flat();
      return readRules(
        read.map(({ tree }) => tree),
        { places: { home, cwd }, files: read.map(({ file }) => file) },
      );
    }),
  );
  return { rules, lost, notes };
}

/** From 1; undefined if it is not written like that. */
function lineWith(text: string, written: string): number | undefined {
  const at = written === "" ? -1 : text.indexOf(written);
  return at < 0 ? undefined : text.slice(0, at).split("\n").length;
}

/** What stands where the user's own file would be and is none: a pipe, a directory, a link to nowhere. */
async function missedFiles(
  home: string,
  { sources, found }: { sources: readonly string[]; found: readonly { path: string }[] },
): Promise<LostWord[]> {
  const [{ DISCOVERY_TABLE }, { parsePattern }, { isThere }] = await Promise.all([
    import("../../discovery/table.ts"),
    import("../../discovery/pattern.ts"),
    import("../../config/settings-text.ts"),
  ]);
  const rows = DISCOVERY_TABLE.filter(
    ({ source, kind }) => kind === "settings" && sources.includes(source),
  );
  return rows.flatMap(({ source, user = [] }) =>
    user
      .filter((pattern) => pattern.startsWith("~/"))
      .flatMap((pattern) =>
        parsePattern(pattern.slice("~/".length)).segments.reduce<string[]>(
          (paths, segment) =>
            segment.type === "names"
              ? paths.flatMap((path) => segment.names.map((name) => join(path, name)))
              : [],
          [home],
        ),
      )
      .filter((path) => isThere(path) && !found.some((one) => one.path === path))
      .map((path) => lostFile(path, source, { message: "is not a file" })),
  );
}

function lostFile(
  file: string,
  source: string,
  { message, line, key }: { message: string; line?: number; key?: string },
): LostWord {
  const remedy = `(or ignore it: \`disabledSources: [${source}]\` in your settings)`;
  const problem: ConfigProblem = {
    file,
    severity: "error",
    message: `${printable(message)}; ${EVERY_CALL} ${remedy}`,
  };
  if (line !== undefined) problem.line = line;
  if (key !== undefined) problem.key = printable(key);
  return { problem };
}

/** A parser repeats what it met, which may be anything. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}
