// How closely text was matched. From strict to tolerant: a more tolerant level is tried only
// where all stricter ones found nothing, and each but the first is told in a warning.

export type MatchLevel = "exact" | "trailing_space" | "unicode" | "indentation";

export const LINE_LEVELS: readonly MatchLevel[] = [
  "exact",
  "trailing_space",
  "unicode",
  "indentation",
];

const DESCRIPTIONS: Record<Exclude<MatchLevel, "exact">, string> = {
  trailing_space: "ignoring spaces at line ends",
  unicode: "taking typographic quotes, dashes and spaces for plain ones",
  indentation: "with another indentation, which the new lines were given too",
};

/** Undefined for an exact match: there is nothing to tell. */
export function describeMatch(
  level: MatchLevel,
  what: string,
  line: number | string,
): string | undefined {
  return level === "exact" ? undefined : `${what} matched at line ${line} ${DESCRIPTIONS[level]}.`;
}
