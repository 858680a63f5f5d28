// Lays quirks over quirks: a host's, a model's, a user's. Objects inside (effort map,
// extra body, routing, `whenThinking`) merge; everything else is replaced.

export type Quirks = Readonly<Record<string, unknown>>;

export function mergeQuirks(...layers: readonly (Quirks | undefined)[]): Quirks | undefined {
  let merged: Record<string, unknown> | undefined;
  for (const layer of layers) {
    if (!layer) continue;
    merged = merged ? mergeTwo(merged, layer) : { ...layer };
  }
  return merged && Object.keys(merged).length > 0 ? merged : undefined;
}

function mergeTwo(below: Quirks, above: Quirks): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key];
    merged[key] = isObject(under) && isObject(value) ? mergeTwo(under, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Quirks {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
