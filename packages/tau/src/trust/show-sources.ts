// tau config sources: what was found, from where, what counts, and what does not and why.

import { relative } from "node:path";
import { hookLines } from "./hook-lines.ts";
import { underTrust, type ProjectTrust } from "./project-trust.ts";
import { describeProblem } from "../base/config-problem.ts";
import type { Style } from "../base/style.ts";
import { COMMAND } from "../brand.ts";
import { isBelow } from "../base/is-below.ts";
import type { Discovery } from "../discovery/discover.ts";
import type { DiscoveredItem } from "../discovery/item.ts";
import { KIND_IDS, KINDS, type KindId } from "../discovery/kinds.ts";
import type { SearchPlaces } from "../discovery/search-places.ts";
import { padded, shownJson, shownPath, shownText } from "../discovery/shown-text.ts";

const COLUMNS = 80;
const NAME_COLUMNS = 24;
const SOURCE_COLUMNS = 10;

interface Shown {
  discovery: Discovery;
  trust: ProjectTrust;
  kinds: readonly KindId[];
}

export function sourcesInJson({ discovery, trust, kinds }: Shown): string {
  const { items, problems, places } = discovery;
  const data = {
    root: places.root,
    trust: trust.state,
    items: underTrust(items, trust)
      .filter(({ kind }) => kinds.includes(kind))
      .map((item) => {
        const { description } = item.frontmatter;
        return {
          kind: item.kind,
          name: item.name,
          source: item.source,
          level: item.level,
          path: item.path,
          ...(item.member && { member: item.member.path.join(".") }),
          depth: item.depth,
          ...(typeof description === "string" && { description }),
          isShadowed: item.isShadowed,
          ...(item.shadowedBy && { shadowedBy: item.shadowedBy.path }),
          runs: item.kind === "hooks" && item.member ? hookLines(item) : undefined,
          ...(item.isInert && { isInert: true }),
          ...(item.heldBack && { heldBack: item.heldBack }),
        };
      }),
    problems,
  };
  return `${shownJson(data)}\n`;
}

export function sourcesInWords(shown: Shown, style: Style): string {
  const { discovery, trust, kinds } = shown;
  const { problems, places } = discovery;
  const items = underTrust(discovery.items, trust);
  const lines: string[] = [];
  for (const kind of KIND_IDS) {
    const some = items.filter((item) => item.kind === kind && kinds.includes(kind));
    if (some.length === 0) continue;
    lines.push(style.bold(KINDS[kind].title));
    for (const item of some) lines.push(...itemLines(item, { places, style }));
    lines.push("");
  }
  if (lines.length === 0) lines.push("Nothing was found.", "");
  if (problems.length > 0) {
    lines.push(style.bold("Problems"));
    for (const problem of problems) {
      const file = shortPath(problem.file, places);
      lines.push(...wrapped(shownText(describeProblem({ ...problem, file })), "  "));
    }
    lines.push("");
  }
  if (trust.state !== "trusted" && trust.subjects.length > 0) {
    lines.push(...wrapped(`${shownText(trust.why)} See \`${COMMAND} trust\`.`, ""), "");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function itemLines(
  item: DiscoveredItem,
  { places, style }: { places: SearchPlaces; style: Style },
): string[] {
  const room = COLUMNS - 2 - NAME_COLUMNS - 1 - SOURCE_COLUMNS - 1;
  const name = padded(shownText(item.name, NAME_COLUMNS), NAME_COLUMNS);
  const place = shownPath(shortPath(item.path, places), room);
  const line = `  ${name} ${padded(item.source, SOURCE_COLUMNS)} ${place}`;
  const note = item.shadowedBy
    ? `shadowed by ${shortPath(item.shadowedBy.path, places)}`
    : item.heldBack
      ? `held back: ${item.heldBack.why}`
      : item.isInert
        ? "shown only: it is meant for the other tool"
        : undefined;
  const runs = commandsOf(item).flatMap((each) => wrapped(shownText(each), "      "));
  if (note === undefined) return [line, ...runs];
  return [line, ...runs, ...wrapped(shownText(note), "      ")].map(style.dim);
}

/** Of hooks that are commands, what they run. */
function commandsOf(item: DiscoveredItem): string[] {
  return item.kind === "hooks" && item.member && !item.isInert ? hookLines(item) : [];
}

/** From the working directory or the home directory, where it is below one of them. */
export function shortPath(path: string, { cwd, root, home }: SearchPlaces): string {
  if (isBelow(path, root) && path !== root) return relative(cwd, path);
  return isBelow(path, home) ? `~${path.slice(home.length)}` : path;
}

/** Long words, such as paths, are broken anywhere. */
export function wrapped(text: string, indent: string): string[] {
  const room = COLUMNS - indent.length;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (Bun.stringWidth(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of word) {
      if (Bun.stringWidth(line + character) > room) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  return [...lines, line].map((each) => `${indent}${each}`);
}
