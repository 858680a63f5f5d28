// How long a host asks us to wait, in the forms that hosts use for it in headers and bodies: seconds,
// `6m0s`, dates, times since the epoch. Read once, here, as milliseconds.

const MS_PER_S = 1000;
const MS_PER_UNIT: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  s: MS_PER_S,
  sec: MS_PER_S,
  second: MS_PER_S,
  m: 60 * MS_PER_S,
  min: 60 * MS_PER_S,
  minute: 60 * MS_PER_S,
  h: 3600 * MS_PER_S,
  hr: 3600 * MS_PER_S,
  hour: 3600 * MS_PER_S,
  d: 86_400 * MS_PER_S,
  day: 86_400 * MS_PER_S,
};
/** Limits are at most monthly. What is longer is a way to say no. */
const LONGEST_WAIT_MS = 31 * 86_400 * MS_PER_S;
/** A number from here on is a time and not a wait: seconds since the epoch, or milliseconds. */
const EPOCH_S = 1e9;
const EPOCH_MS = 1e12;

/** One number with its unit; a letter behind it would make it another word. */
const PART =
  "\\d{1,15}(?:\\.\\d{1,15})?\\s{0,3}(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])";
/** `6m0s`, `20ms`, `1 hour and 5 minutes`; as the source of an expression. */
export const DURATION = `${PART}(?:(?:\\s{0,3}|\\s{0,3},\\s{0,3}|\\s{1,3}and\\s{1,3})${PART}){0,4}`;
const WHOLE_DURATION = new RegExp(`^${DURATION}$`, "i");
const PARTS = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi;

/** Undefined unless the whole text is one. */
export function durationMs(text: string): number | undefined {
  const trimmed = text.trim();
  if (!WHOLE_DURATION.test(trimmed)) return undefined;
  let ms = 0;
  for (const [, amount, unit] of trimmed.matchAll(PARTS)) {
    const name = unit!.toLowerCase();
    ms += Number(amount) * (MS_PER_UNIT[name] ?? MS_PER_UNIT[name.replace(/s$/, "")]!);
  }
  return boundedMs(ms);
}

/** `retry-after-ms`, or `retry-after` as seconds, as a duration or as a date. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  // An empty header counts as none: as a number it would mean "at once".
  const precise = headers.get("retry-after-ms")?.trim();
  if (precise && Number.isFinite(Number(precise))) return boundedMs(Number(precise));
  return waitUntil(headers.get("retry-after"), now);
}

/**
 * When the limits that are used up begin anew, for hosts that say nothing else: OpenAI's
 * `x-ratelimit-reset-tokens`, Anthropic's `anthropic-ratelimit-tokens-reset`, the plain
 * `x-ratelimit-reset`. One with something remaining is not what a request was refused for.
 */
export function limitResetMs(headers: Headers, now = Date.now()): number | undefined {
  let longest: number | undefined;
  for (const [name, value] of headers) {
    if (!/ratelimit/.test(name) || !/(?:^|-)reset(?:-|$)/.test(name)) continue;
    const remaining = headers.get(name.replace(/reset(?=-|$)/, "remaining"))?.trim();
    if (remaining && Number(remaining) > 0) continue;
    const wait = waitUntil(value, now);
    if (wait !== undefined) longest = Math.max(wait, longest ?? 0);
  }
  return longest;
}

/** Seconds, a time since the epoch, a duration or a date. */
export function waitUntil(value: string | null, now = Date.now()): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  const number = Number(text);
  if (Number.isFinite(number)) {
    if (number >= EPOCH_MS) return boundedMs(number - now);
    return boundedMs(number >= EPOCH_S ? number * MS_PER_S - now : number * MS_PER_S);
  }
  const duration = durationMs(text);
  if (duration !== undefined) return duration;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : boundedMs(date - now);
}

/** Never in the past, and never longer than a host can mean. */
export function boundedMs(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_WAIT_MS);
}
