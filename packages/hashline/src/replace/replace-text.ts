// The `replace` mode: a list of old texts and what to put in their place. An old text must
// be found once, or be meant everywhere; all of them are sought in the text as it was, and
// none may touch another. What old and new text have in common keeps the file's bytes.

import { noChange } from "../apply-hunks.ts";
import { LineIndex } from "../line-index.ts";
import { printContext } from "../numbered-lines.ts";
import { PatchError } from "../patch-error.ts";
import { describeNearest } from "../matching/nearest-lines.ts";
import { describeMatch } from "../matching/match-level.ts";
import { findText, type TextMatch } from "./find-text.ts";
import { PlainText } from "./plain-text.ts";

export interface Replacement {
  oldText: string;
  newText: string;
  /** Replace every occurrence instead of refusing several. */
  replaceAll?: boolean;
}

export interface ReplaceOptions {
  /** Allow for differences in spaces, typography and indentation; true unless told otherwise. */
  isFuzzy?: boolean;
}

export interface ReplacedText {
  text: string;
  firstChangedLine: number;
  /** How many places were changed. */
  count: number;
  warnings: string[];
}

/** Places shown where an old text is found more than once. */
const MAX_SHOWN_MATCHES = 5;

interface PlacedMatch extends TextMatch {
  /** Number of the replacement in its list, from 1. */
  edit: number;
}

/** Throws a `PatchError` for what cannot be replaced; then nothing is. */
export function replaceText(
  text: string,
  replacements: readonly Replacement[],
  { isFuzzy = true }: ReplaceOptions = {},
): ReplacedText {
  const plain = new PlainText(text);
  const warnings: string[] = [];
  const placed: PlacedMatch[] = [];
  for (const [at, replacement] of replacements.entries()) {
    const edit = at + 1;
    const name = replacements.length === 1 ? "The old text" : `Old text ${edit}`;
    const matches = requireMatches(plain, replacement, { isFuzzy, name });
    placed.push(...matches.map((match) => ({ ...match, edit })));
    // All matches of one old text are of one level.
    const { level, start } = matches[0]!;
    const more = matches.length > 1 ? ` and ${matches.length - 1} more` : "";
    const warning = describeMatch(level, name, `${plain.lineAt(start)}${more}`);
    if (warning !== undefined) warnings.push(warning);
  }
  const ordered = placed.toSorted((a, b) => a.start - b.start || a.end - b.end);
  refuseOverlap(ordered, plain);
  const result = plain.splice(ordered);
  if (result === text || ordered.length === 0) throw noChange();
  const firstChangedLine = firstDifference(text, result);
  return { text: result, firstChangedLine, count: ordered.length, warnings };
}

function requireMatches(
  plain: PlainText,
  { oldText, newText, replaceAll = false }: Replacement,
  { isFuzzy, name }: { isFuzzy: boolean; name: string },
): TextMatch[] {
  if (oldText === "") {
    throw new PatchError(
      "not_found",
      `${name} is empty. Give the text to replace, or use the write tool for a new file.`,
    );
  }
  if (oldText === newText) {
    throw new PatchError("no_change", `${name} and its new text are equal. Leave the edit out.`);
  }
  const matches = findText(plain, oldText, newText, { isFuzzy });
  const index = new LineIndex(plain.text);
  if (matches.length === 0) {
    const nearest = describeNearest(index, oldText.split(/\r?\n/));
    const hint = nearest === undefined ? "" : ` The nearest place is:\n\n${nearest}`;
    throw new PatchError(
      "not_found",
      `${name} is not in the file. Read the file and copy the text exactly.${hint}`,
    );
  }
  if (matches.length > 1 && !replaceAll) {
    const lines = matches.map(({ start }) => plain.lineAt(start));
    throw new PatchError(
      "ambiguous_match",
      `${name} is in the file ${matches.length} times. Give more lines around it, or say that all are meant.\n\n${printContext(index, lines.slice(0, MAX_SHOWN_MATCHES))}`,
    );
  }
  return replaceAll ? withoutOverlap(matches) : matches;
}

/** From the start on, as every editor replaces all. */
function withoutOverlap(matches: readonly TextMatch[]): TextMatch[] {
  let done = 0;
  return matches.filter(({ found }) => {
    if (found.start < done) return false;
    done = found.end;
    return true;
  });
}

function refuseOverlap(ordered: readonly PlacedMatch[], plain: PlainText): void {
  let previous: PlacedMatch | undefined;
  for (const match of ordered) {
    if (previous && (match.start < previous.end || match.start === previous.start)) {
      throw new PatchError(
        "overlap",
        `Old texts ${previous.edit} and ${match.edit} both take line ${plain.lineAt(match.start)}. Join them to one edit.`,
      );
    }
    previous = match;
  }
}

function firstDifference(before: string, after: string): number {
  let line = 1;
  const most = Math.min(before.length, after.length);
  for (let at = 0; at < most && before[at] === after[at]; at++) if (after[at] === "\n") line++;
  return Math.max(1, Math.min(line, new LineIndex(after).count));
}
