// The ways in which a search can be refused, as types: callers act on the class, people and
// models read the sentence.

/** The engine's own words may be long; one line of them is enough to act on. */
const REASON_CHARS = 300;

/** The regular expression cannot be used; `reason` is the engine's, in one line. */
export class InvalidPatternError extends Error {
  override readonly name = "InvalidPatternError";
  readonly reason: string;

  constructor(reason: string) {
    const line = reason.replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, REASON_CHARS);
    super(
      `Invalid regular expression (${line}): correct it, or escape what is meant literally with a backslash.`,
    );
    this.reason = line;
  }
}

/** The engine died of something that is neither its input nor our doing. */
export class SearchEngineError extends Error {
  override readonly name = "SearchEngineError";

  constructor(why: string) {
    super(`The search engine ended unexpectedly (${why}): try again, or narrow the search.`);
  }
}
