// The same few names are looked up again and again: what was found for them is kept.

/** More than a session uses; it must not grow without end. */
const MAX_NAMES = 5000;

export function rememberNames(find: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= MAX_NAMES) known.clear();
    const found = find(name);
    known.set(name, found);
    return found;
  };
}
