// Amounts and times as screens show them: short, so that they fit a column.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days are easy to count up to a fortnight; then a date says more. */
const LAST_COUNTED_DAY = 14;

/** `now`, `5 min`, `3 h`, `2 d`, `6 Nov`, `6 Nov 2024`. */
export function ageInWords(time: number, now: number): string {
  const age = now - time;
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  const days = Math.floor(age / DAY_MS);
  if (days <= LAST_COUNTED_DAY) return `${days} d`;
  const date = new Date(time);
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year });
}

/** `200k`, `1M`. */
export function tokensInWords(count: number): string {
  if (count >= 1_000_000) return `${Number((count / 1_000_000).toFixed(1))}M`;
  return count >= 1000 ? `${Math.round(count / 1000)}k` : String(count);
}

/** As short as it can be: `3`, `0.25`. */
export function priceInWords(dollars: number): string {
  return String(Number(dollars.toFixed(3)));
}
