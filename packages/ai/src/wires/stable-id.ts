// Names that depend only on what they were made from. An id that a vendor would refuse
// is replaced by one of these on every request anew, so it must come out the same each
// time (pairing and prompt caches hang on it) without a table kept anywhere.

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `length` alphanumerics, spread evenly; not a secret, only unlikely to collide. */
export function stableId(text: string, length: number): string {
  let id = "";
  for (let round = 0; id.length < length; round++) {
    let state = mix(text, 0x9e3779b9 ^ Math.imul(round + 1, 0x85ebca6b));
    // A 32-bit state gives five base-62 digits at most.
    for (let digit = 0; digit < 5 && id.length < length; digit++) {
      id += ALPHANUMERIC[state % ALPHANUMERIC.length];
      state = Math.floor(state / ALPHANUMERIC.length);
    }
  }
  return id;
}

/** FNV-1a over the UTF-16 units with a final avalanche, as an unsigned 32-bit number. */
function mix(text: string, seed: number): number {
  let state = seed | 0;
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
    state ^= state >>> 15;
  }
  state = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
}

/**
 * Wraps an id mapping so that no two calls of one request share an id: some hosts number
 * their calls anew every turn. Ids are given out in the order of the history, so a longer
 * history keeps the ids of a shorter one.
 */
export function uniqueIds(map: (id: string) => string): (id: string) => string {
  const used = new Set<string>();
  return (id) => {
    const base = map(id);
    let given = base;
    for (let nth = 2; used.has(given); nth++) given = map(`${base}_${nth}`);
    used.add(given);
    return given;
  };
}
