// Where in an extension's code an error comes from, for whoever tells of it. Errors are the extension's own
// values: nothing is written into them.

const places = new WeakMap<object, string>();

export function noteErrorPlace(error: object, place: string): void {
  places.set(error, place);
}

export function errorPlace(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? places.get(error) : undefined;
}
