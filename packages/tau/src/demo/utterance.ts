// The user's words, made easy to match: without courtesies around the request, and with
// the files that the front door attached told apart from what was typed.

export interface Utterance {
  /** What was typed, exactly. */
  raw: string;
  /** False where it was cut because it is too long to be a request. */
  whole: boolean;
  /** Without opening courtesies; the rest exactly as typed, for requests that quote text. */
  request: string;
  /** Also without closing courtesies and punctuation, on one line. */
  sentence: string;
  /** It opened as a question ("can you …"), so a final question mark is not part of it. */
  asked: boolean;
  /** Paths of files whose text was attached in front. */
  attached: string[];
}

const QUESTION_OPENING = /^(?:can|could|would|will)\s+(?:you|we|i)\b[\s,]*/i;

const OPENINGS: readonly RegExp[] = [
  QUESTION_OPENING,
  /^(?:please|pls|kindly|just|now|then|ok|okay|so|well|tau)\b[\s,:!]+/i,
  /^(?:hi|hello|hey)(?:\s+(?:there|tau))?[\s,!.]+(?=\S)/i,
  /^(?:i\s+want(?:\s+you)?\s+to|i(?:'d|\s+would)\s+like(?:\s+you)?\s+to|i\s+need(?:\s+you)?\s+to)\s+/i,
  /^(?:go\s+ahead\s+and|let'?s|let\s+us|help\s+me(?:\s+to)?|try\s+to)\s+/i,
];

const CLOSINGS: readonly RegExp[] = [
  /[\s.!?,;:]+$/,
  /[\s,]+(?:please|pls|thanks|thank you|for me|now|quickly|briefly|if you can)$/i,
];

/** A file that was given whole is a block of its own. */
const ATTACHMENT = /^<file (?:path|name)="([^"\n]+)"[^>]*>\n[^]*<\/file>\s*$/;

/** Files and piped text come in front, so the last block that is no file holds the request. */
export function readUtterance(blocks: readonly string[], limit: { most: number }): Utterance {
  const attached: string[] = [];
  let typed = "";
  for (const block of blocks) {
    const path = ATTACHMENT.exec(block)?.[1];
    if (path === undefined) typed = block;
    else attached.push(path);
  }
  // A lone surrogate has no encoding: no command and no file could carry it.
  const whole = typed.length <= limit.most;
  const raw = (whole ? typed : typed.slice(0, limit.most)).toWellFormed();
  const request = stripAll(raw.trim(), OPENINGS);
  const sentence = stripAll(request, CLOSINGS).replace(/\s+/g, " ");
  return { raw, whole, request, sentence, asked: opensAsQuestion(raw), attached };
}

function opensAsQuestion(raw: string): boolean {
  return QUESTION_OPENING.test(stripAll(raw.trim(), OPENINGS.slice(1)));
}

/** Applies the rules until none changes anything; one that would leave nothing is not applied. */
function stripAll(text: string, rules: readonly RegExp[]): string {
  for (;;) {
    const before = text;
    for (const rule of rules) {
      const shorter = text.replace(rule, "");
      if (shorter !== "") text = shorter;
    }
    if (text === before) return text;
  }
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”" };

/** The inside of a text that is wholly in one pair of quotes or backticks. */
export function unquote(text: string): string | undefined {
  const close = QUOTES[text[0] ?? ""];
  if (close === undefined || text.length < 2 || !text.endsWith(close)) return undefined;
  return text.slice(1, -1);
}
