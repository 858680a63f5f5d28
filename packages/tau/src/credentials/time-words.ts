// Times for people: how far away they are, and when that is.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "in 2 h 10 min (14:05)", "3 days ago (Mon 2 Feb)". */
export function timeInWords(time: number, now: number): string {
  const away = Math.abs(time - now);
  const length = lengthInWords(away);
  const when = new Date(time);
  const clock = when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const day = when.toLocaleDateString("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
  });
  const at = away < DAY_MS ? clock : day;
  return time < now ? `${length} ago (${at})` : `in ${length} (${at})`;
}

function lengthInWords(ms: number): string {
  if (ms < MINUTE_MS) return "less than a minute";
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) {
    const hours = Math.floor(ms / HOUR_MS);
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  }
  const days = Math.round(ms / DAY_MS);
  return days === 1 ? "1 day" : `${days} days`;
}
