// Names for entries and sessions. An entry's id is a clock reading that never repeats and
// never goes back within a file: it is unique without knowing all others, which a log that
// does not read its whole file could not know.

/** Ids per millisecond before the counter borrows from the next one. */
const IDS_PER_MILLISECOND = 16;
const ID_DIGITS = 12;
const OWN_ID = /^[0-9a-f]{12}$/;

/** `after` is the newest id of the file; what it does not recognise needs no distance. */
export function createEntryIds(now: () => number, after?: string): () => string {
  let last = after !== undefined && OWN_ID.test(after) ? Number.parseInt(after, 16) : 0;
  return () => {
    // A clock that was set back goes on counting from where it was.
    last = Math.max(last + 1, Math.floor(now()) * IDS_PER_MILLISECOND);
    return last.toString(16).padStart(ID_DIGITS, "0");
  };
}

/** Sorts by time, so that listings by name are listings by age. */
export function createSessionId(): string {
  return Bun.randomUUIDv7();
}
