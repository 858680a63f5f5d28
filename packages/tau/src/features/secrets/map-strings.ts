// Changes all texts of a value, however deep they stand in it.

/** The same value where nothing changed, so that what is kept by identity stays. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  return mapInside(value, (item) => mapStrings(item, change), unchanged);
}

/**
 * As a model writes the arguments of a call: names of fields are its words too, and a number may be
 * digits of a secret; such a one becomes a text.
 */
export function mapArguments<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (typeof value === "number") {
    const digits = String(value);
    const changed = change(digits);
    return (changed === digits ? value : changed) as T;
  }
  return mapInside(value, (item) => mapArguments(item, change), change);
}

function mapInside<T>(
  value: T,
  map: (item: unknown) => unknown,
  changeKey: (key: string) => string,
): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const mapped = value.map(map);
    return (mapped.some((item, at) => item !== value[at]) ? mapped : value) as T;
  }
  let isChanged = false;
  const mapped = Object.entries(value).map(([key, item]): [string, unknown] => {
    const pair: [string, unknown] = [changeKey(key), map(item)];
    isChanged ||= pair[0] !== key || pair[1] !== item;
    return pair;
  });
  return isChanged ? (Object.fromEntries(mapped) as T) : value;
}

function unchanged(key: string): string {
  return key;
}
