// What a tool may be called: what every vendor takes. One name that a vendor refuses makes it refuse the whole
// request.

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Throws a `TypeError` that says what to write instead. */
export function checkToolName(name: unknown): void {
  if (typeof name === "string" && TOOL_NAME.test(name)) return;
  const shown = JSON.stringify(name) ?? "undefined";
  throw new TypeError(
    `a tool cannot be called ${shown.slice(0, 100)}: models take 1 to 64 letters, digits, "_" and "-"`,
  );
}
