// Where the values of a JSON text begin and end, for changes that leave every other byte as it
// is. The text has been parsed before: it is known to be sound.

export interface Span {
  start: number;
  /** Behind the last character. */
  end: number;
}

const BLANK = /\s*/y;
const SCALAR = /[^\s,\]}]+/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** The members of the object that begins at `at`; of a repeated key the last counts. */
export function objectSpans(text: string, at: number): Map<string, Span> {
  const members = new Map<string, Span>();
  for (const { start, end } of entries(text, at)) {
    const keyEnd = skip(STRING, text, start);
    const key = JSON.parse(text.slice(start, keyEnd)) as string;
    const colon = skip(BLANK, text, keyEnd);
    members.set(key, { start: skip(BLANK, text, colon + 1), end });
  }
  return members;
}

export function arraySpans(text: string, at: number): Span[] {
  return [...entries(text, at)];
}

/** What stands between the commas of an array or an object. */
function* entries(text: string, at: number): Generator<Span, void, undefined> {
  for (let next = skip(BLANK, text, at + 1); next < text.length;) {
    if (text[next] === "]" || text[next] === "}") return;
    const end = entryEnd(text, next);
    yield { start: next, end };
    next = skip(BLANK, text, end);
    if (text[next] === ",") next = skip(BLANK, text, next + 1);
  }
}

/** Behind a value, or behind a key and its value. */
function entryEnd(text: string, at: number): number {
  const end = valueEnd(text, at);
  const colon = skip(BLANK, text, end);
  return text[colon] === ":" ? valueEnd(text, skip(BLANK, text, colon + 1)) : end;
}

function valueEnd(text: string, at: number): number {
  if (text[at] === '"') return skip(STRING, text, at);
  if (text[at] !== "{" && text[at] !== "[") return skip(SCALAR, text, at);
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = skip(STRING, text, index) - 1;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return index + 1;
  }
  return text.length;
}
