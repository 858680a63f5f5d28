// A promise that is not a `Promise`, as other libraries make them.

type Start = (give: (answer: unknown) => void, fail: (error: unknown) => void) => void;

export function thenable(start: Start): never {
  const foreign = {};
  Reflect.set(foreign, "then", start);
  return foreign as never;
}
