// Turns a cell into a script: types are taken out, what is declared at the top becomes a global
// that the next cell may declare again, `await` and `return` work, imports become calls, and the
// value of a last expression is handed over.

/** What a script gives for a last expression: a value in a box, to tell it from a plain `return`. */
interface Boxed {
  value: unknown;
}

class CellSyntaxError extends Error {
  override readonly name = "SyntaxError";
}

/** What `import.meta` becomes: a cell is a script, and only modules have one. */
export const IMPORT_META = "tauImportMeta";

/** What code with `await` is given for its `require`, as if it were a module; cells have their own. */
const MODULE_REQUIRE = /^var ?\{ ?require ?\} ?= ?import\.meta;/;

/** Throws `CellSyntaxError`. */
export function scriptOf(code: string): string {
  let failure: unknown;
  // Angle brackets mean two things; the one that parses is meant.
  for (const loader of ["ts", "tsx"] as const) {
    try {
      const define = { "import.meta": IMPORT_META };
      const options = { loader, replMode: true, target: "bun", define };
      const script = new Bun.Transpiler(options as Bun.TranspilerOptions).transformSync(code);
      return script.replace(MODULE_REQUIRE, "");
    } catch (error) {
      failure ??= error;
    }
  }
  throw new CellSyntaxError(describe(failure));
}

const LAST_VALUE = "\n  return {\n    __proto__: null,\n    value: ";

/**
 * Whether a script ends in a value to show. Declarations and assignments have one too, but whoever
 * gives a value a name does not ask to see it.
 */
export function hasShownValue(script: string): boolean {
  const at = script.lastIndexOf(LAST_VALUE);
  if (at < 0) return true;
  const value = script.slice(at + LAST_VALUE.length, script.lastIndexOf("\n  };\n"));
  const target = /^(?:[{[]|[A-Za-z_$][\w$.]*)/.exec(value)?.[0];
  if (target === undefined) return !/\)\([\w$]+ \|\|= \{\}\)$/.test(value);
  const end = target === "{" || target === "[" ? afterBracket(value) : target.length;
  return !value.startsWith(" = ", end);
}

/** Behind the bracket that closes the first one. */
function afterBracket(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[(}\])]/g)) {
    if ("{[(".includes(token)) depth += 1;
    else if ("}])".includes(token) && --depth === 0) return index + 1;
  }
  return text.length;
}

export function unboxed(result: unknown): unknown {
  return isBoxed(result) ? result.value : result;
}

function isBoxed(result: unknown): result is Boxed {
  if (typeof result !== "object" || result === null) return false;
  if (Object.getPrototypeOf(result) !== null) return false;
  const keys = Reflect.ownKeys(result);
  return keys.length === 1 && keys[0] === "value";
}

interface ParseMessage {
  message?: unknown;
  position?: { line?: number; column?: number; lineText?: string } | null;
}

/** The first complaint; the others mostly follow from it. */
function describe(failure: unknown): string {
  const many = (failure as { errors?: unknown }).errors;
  const first = (Array.isArray(many) ? many[0] : failure) as ParseMessage;
  const message = String(first?.message ?? failure);
  const { line, column, lineText } = first?.position ?? {};
  if (line === undefined || column === undefined || lineText === undefined) return message;
  return `${message} (line ${line})\n    ${lineText}\n    ${" ".repeat(Math.max(0, column - 1))}^`;
}
