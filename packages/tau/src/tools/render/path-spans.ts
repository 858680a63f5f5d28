// Paths in titles: as short as they can be said from here, their end kept, since that is what
// tells them apart.

import { writtenPath } from "@tau/host/walk/byte-name";
import type { Span } from "@tau/tui/components/spans";
import { fitLineEnd } from "@tau/tui/width";
import type { CallLook } from "../../feature-api/tool-view.ts";
import { cleanLine } from "@tau/tui/components/clean-text";

/** UTF-16 units; no system has longer paths. */
const MAX_PATH_UNITS = 4096;
/** Of the row; the rest is for the tool's name and what is said about it. */
const PATH_SHARE = 0.7;
const MIN_PATH_COLUMNS = 8;

export function shownPath(path: string, cwd: string): string {
  const clipped = path.length > MAX_PATH_UNITS ? path.slice(-MAX_PATH_UNITS) : path;
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  const near = cwd !== "" && clipped.startsWith(base) ? clipped.slice(base.length) : clipped;
  return cleanLine(writtenPath(near).replaceAll(/[\r\n]+/g, " "));
}

/** A part of a file is named in few characters (`:10-20,40+5`). In UTF-16 units. */
const MAX_PART_UNITS = 64;

/** The path, and the part of it that is meant, with its colon. */
export function splitPart(path: string): { name: string; part: string } {
  const part = /:[\d,+\-a-z:]+$/.exec(path.slice(-MAX_PART_UNITS))?.[0] ?? "";
  return { name: path.slice(0, path.length - part.length), part };
}

/** A path and, behind it, the part of it that is meant (`:10-20`). */
export function pathSpans(path: string, look: CallLook): Span[] {
  const { name, part } = splitPart(shownPath(path, look.cwd));
  const room = Math.max(MIN_PATH_COLUMNS, Math.floor(look.columns * PATH_SHARE) - part.length);
  const spans: Span[] = [{ text: fitLineEnd(name, room), paint: look.theme.style("accent") }];
  if (part !== "") spans.push({ text: part, paint: look.theme.style("muted") });
  return spans;
}

/** The first of several paths, and how many there are besides. */
export function pathsSpans(paths: readonly string[], look: CallLook): Span[] {
  const [first, ...more] = paths;
  if (first === undefined) return [];
  const spans = pathSpans(first, look);
  if (more.length > 0)
    spans.push({ text: ` and ${more.length} more`, paint: look.theme.style("muted") });
  return spans;
}

/** ` in src, test`: where something was looked for. */
export function placeSpans(paths: readonly string[], look: CallLook): Span[] {
  if (paths.length === 0) return [];
  const muted = look.theme.style("muted");
  return [{ text: " in ", paint: muted }, ...pathsSpans(paths, look)];
}
