// Finds the routing syntax of harmony inside structured arguments, where it does not
// belong: some models, once they stumble over a token they hardly know, go on with the
// plain spelling of the headers that surround calls, and with whatever their training
// data held near it. The header alone proves nothing (programs and documents may contain
// it); it takes a second sign beside it.

/** What stands beside the header of a leak. */
export type LeakSign = "channel" | "body" | "glitch" | "script" | "cascade";

export interface LeakFinding {
  /** Where the foreign text begins; what stands before it is what the model meant. */
  at: number;
  signs: readonly LeakSign[];
}

const HEADER = /to=functions\.[A-Za-z_][\w-]*/g;
/** A quick no for nearly every argument there is. */
const HEADER_START = "to=functions.";

/** The tokens of a genuine header have brackets; leaks never do. */
const CHANNEL_BEFORE = /(?<![\w|>])(?:analysis|assistant|commentary|final|user)\s*$/;
const BODY_BEHIND = /^\s*code(?![\w-])/;
/** Identifiers that hardly any model was trained on; they come before the header. */
const GLITCH_BEFORE = /(?:Japgolly|Jsii_commentary|Jsii|changedFiles|RTLU)[\W_]*(?:\w+\s*)?$/;

/** Letters of other scripts, and the brackets that come with them. */
const FOREIGN = String.raw`(?:(?!\p{Script=Latin})[\p{L}\p{M}]|[\u3000-\u303f\uff00-\uffef])`;
const FOREIGN_BEFORE = new RegExp(`${FOREIGN}{2}[^\\n]{0,16}$`, "u");
const FOREIGN_BEHIND = new RegExp(`^[^\\n]{0,16}?${FOREIGN}{2}`, "u");
/** Room for a channel word and some spam. */
const WINDOW_CHARS = 64;

/** What a leak begins with, before its header: words, glitches and foreign letters. */
const JUNK_TAIL = new RegExp(
  `(?:${FOREIGN}["'}\\]\\s]{0,3}|(?<![\\w|>])(?:analysis|assistant|commentary|final|user)|Japgolly|Jsii_commentary|Jsii|changedFiles|RTLU)[ \\t]*$`,
  "u",
);

export function detectHarmonyLeak(argumentText: string): LeakFinding | undefined {
  if (!argumentText.includes(HEADER_START)) return undefined;
  let headers = 0;
  for (const header of argumentText.matchAll(HEADER)) {
    headers++;
    const signs = signsAround(argumentText, header.index, header[0].length);
    if (signs.length === 0) continue;
    const hasMore = argumentText.indexOf(HEADER_START, header.index + 1) >= 0;
    if (hasMore || headers > 1) signs.push("cascade");
    return { at: beginningOf(argumentText, header.index), signs };
  }
  return undefined;
}

function signsAround(text: string, at: number, length: number): LeakSign[] {
  const before = text.slice(Math.max(0, at - WINDOW_CHARS), at);
  const behind = text.slice(at + length, at + length + WINDOW_CHARS);
  // A genuine header, quoted in a document about the format.
  if (/<\|\w+\|>\w*\s*$/.test(before) || /^\s*<\|/.test(behind)) return [];
  const signs: LeakSign[] = [];
  if (CHANNEL_BEFORE.test(before)) signs.push("channel");
  if (BODY_BEHIND.test(behind)) signs.push("body");
  if (GLITCH_BEFORE.test(before)) signs.push("glitch");
  if (FOREIGN_BEFORE.test(before) || FOREIGN_BEHIND.test(behind)) signs.push("script");
  return signs;
}

/** Walks back over what belongs to the leak. */
function beginningOf(text: string, header: number): number {
  let at = header;
  for (;;) {
    const before = text.slice(Math.max(0, at - WINDOW_CHARS), at);
    const junk = JUNK_TAIL.exec(before)?.[0];
    if (junk === undefined || junk === "") return at;
    at -= junk.length;
  }
}
