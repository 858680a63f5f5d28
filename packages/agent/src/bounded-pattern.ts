// Matches a pattern that came from outside, but only where that cannot take long: JavaScript's
// expressions backtrack, and a schema may bring `^(a+)+$`. How long a match may take at the worst is
// read off the pattern; where it is too long, nobody knows the answer, and the tool has to check.

/** At the worst; some tens of milliseconds. */
const MAX_STEPS = 10_000_000;

/** Undefined where it would take too long, or where it is not a pattern here: dialects differ. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (worstSteps(pattern, text.length) > MAX_STEPS) return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a match may have to try in a part of a pattern. */
class Part {
  /** Each may end anywhere in the text. */
  loops = 0;
  /** Ways to go through it, apart from those. */
  ways = 1;
  alternatives = 1;

  /** Through all of its alternatives. */
  get allWays(): number {
    return this.ways * this.alternatives;
  }

  /** Where there is more than one way, rounds can share out a text in ever so many. */
  get waysPerLetter(): number {
    return this.loops + this.allWays;
  }
}

/** No less than it takes: every choice is thought to be tried with every other. */
function worstSteps(pattern: string, length: number): number {
  const whole = new Part();
  const open = [whole];
  /** The group that the token before this one closed. */
  let closed: Part | undefined;
  for (const [token] of pattern.matchAll(TOKENS)) {
    const part = open.at(-1)!;
    const repeated = closed;
    closed = undefined;
    if (token.startsWith("(")) open.push(new Part());
    else if (token === ")" && part !== whole) {
      closed = open.pop()!;
      const around = open.at(-1)!;
      around.loops += closed.loops;
      around.ways *= closed.allWays;
    } else if (token === "|") part.alternatives++;
    else if (QUANTIFIER.test(token)) {
      if (token.startsWith("?")) part.ways *= 2;
      else {
        if (!EXACT.test(token)) part.loops++;
        if (!repeated) continue;
        part.loops -= repeated.loops;
        part.ways *= repeated.waysPerLetter ** length;
      }
    }
  }
  // Without its anchor, or with another way to begin, it is tried from every place.
  const starts = pattern.startsWith("^") && whole.alternatives === 1 ? 0 : 1;
  return Math.max(1, length) ** (whole.loops + starts) * whole.allWays;
}

/** An escape or a class is one token; so are a group's beginning and a quantifier. */
const TOKENS =
  /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gsu;
const QUANTIFIER = /^[*+?{]/;
const EXACT = /^\{\d+\}/;
