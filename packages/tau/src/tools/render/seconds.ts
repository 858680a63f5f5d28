// How long something took, in as few signs as say it.

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** A call that took less is not worth a figure. */
const SHOWN_FROM_MS = 1000;

/** Undefined if it is not worth saying, or not known. */
export function tookWords(milliseconds: number | undefined): string | undefined {
  if (milliseconds === undefined || milliseconds < SHOWN_FROM_MS) return undefined;
  return seconds(milliseconds);
}

/** `0.4s`, `12s`, `3m 05s`, `2h 10m`. */
export function seconds(milliseconds: number): string {
  const whole = Math.max(0, milliseconds) / 1000;
  if (whole < 9.95) return `${whole.toFixed(1)}s`;
  const rounded = Math.round(whole);
  if (rounded < MINUTE_S) return `${rounded}s`;
  const two = (value: number): string => String(value).padStart(2, "0");
  if (rounded < HOUR_S) return `${Math.floor(rounded / MINUTE_S)}m ${two(rounded % MINUTE_S)}s`;
  const minutes = Math.floor((rounded % HOUR_S) / MINUTE_S);
  return `${Math.floor(rounded / HOUR_S)}h ${two(minutes)}m`;
}

/** As `seconds`, for a time that goes on: tenths would only flicker. `4s`, `12s`, `3m 05s`. */
export function wholeSeconds(milliseconds: number): string {
  const whole = Math.floor(Math.max(0, milliseconds) / 1000);
  return whole < 10 ? `${whole}s` : seconds(whole * 1000);
}
