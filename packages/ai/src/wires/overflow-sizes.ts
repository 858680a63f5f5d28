// How large a window is, and how much was sent, as a refusal for its length says it. Catalogs and users'
// files are often wrong about local servers; a session that knows the truth needs to be refused once only.
// Vendors put the numbers into fields or into words, which are read here, at the edge, and nowhere else.

import { asNumber, type Json } from "./json.ts";

export interface OverflowSizes {
  windowTokens?: number;
  requestTokens?: number;
}

/** No server has less, and none more: a number beyond is about something else. */
const LEAST_TOKENS = 128;
const MOST_TOKENS = 100_000_000;

/** Who says it is in `failure-texts.ts`, by the same words. */
const WINDOW_TEXTS = [
  /> ([\d,]+)(?: maximum|, decrease)/i,
  /maximum context length(?: is| of|:)? (?:only )?([\d,]+)/i,
  /with ([\d,]+) maximum context length/i,
  /context length (?:is |of )?(?:only )?\(?([\d,]+)/i,
  /context (?:window|size) (?:is |of )(?:only )?([\d,]+)/i,
  /maximum (?:prompt|model) length (?:is|of) ([\d,]+)/i,
  /(?:token )?limit(?: of|:| is) ([\d,]+)/i,
  /tokens per min\w* \(TPM\): limit ([\d,]+)/i,
  /must be <= ([\d,]+)/i,
  /input length should be \[\d+, ?([\d,]+)\]/i,
  /exceeds the maximum length ([\d,]+)/i,
  /tokens allowed \(([\d,]+)\)/i,
  /only supports up to ([\d,]+)/i,
];

const REQUEST_TEXTS = [
  /requested (?:about )?([\d,]+) tokens/i,
  /requested tokens \(([\d,]+)\)/i,
  /requested:? ([\d,]+)(?! (?:output|tokens))\b/i,
  /passed ([\d,]+) input tokens/i,
  /(?:resulted in|contains) ([\d,]+) tokens/i,
  /input \(([\d,]+) tokens\)/i,
  /first ([\d,]+) tokens when/i,
  /token count (?:of |is )?\(?([\d,]+)/i,
  /current length is ([\d,]+)/i,
  /given: ([\d,]+)/i,
  /prompt is too long: ([\d,]+)/i,
  /input length ([\d,]+) exceeds/i,
  /exceed context limit: ([\d,]+)/i,
  /total length ([\d,]+)/i,
];

export function overflowSizes(error: Json, message: string): OverflowSizes {
  return {
    windowTokens: plausible(asNumber(error.n_ctx)) ?? firstIn(message, WINDOW_TEXTS),
    requestTokens: plausible(asNumber(error.n_prompt_tokens)) ?? firstIn(message, REQUEST_TEXTS),
  };
}

function firstIn(message: string, texts: readonly RegExp[]): number | undefined {
  for (const text of texts) {
    const digits = text.exec(message)?.[1]?.replaceAll(",", "");
    const tokens = digits ? plausible(Number(digits)) : undefined;
    if (tokens !== undefined) return tokens;
  }
  return undefined;
}

function plausible(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens >= LEAST_TOKENS && tokens <= MOST_TOKENS
    ? tokens
    : undefined;
}
