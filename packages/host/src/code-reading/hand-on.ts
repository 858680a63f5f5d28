// Functions that are handed to somebody else are taken for called: one by one, in lists, in records,
// and as methods of classes that extend a library's own.

import type { CodeReader } from "./code-reader.ts";
import { DATA, args, choice, elementOf, optionsOf, type Args, type Value } from "./code-value.ts";
import { methodsForLibrary } from "./library-class.ts";

/** Lists that are given with a function are gone through as far as this. */
const MAX_CANDIDATES = 12;

/**
 * Functions among what is given are taken for called: with what comes after them, with each thing
 * of a list beside them, and with nothing that is known if there is none. What they give.
 */
export function handedOn(reader: CodeReader, given: Args, receiver?: Value): Value | undefined {
  const all = [...given.positional, ...given.named.values()];
  const results: Value[] = [];
  for (const [at, each] of all.entries())
    for (const fn of functionsIn(each)) {
      const beside = candidates(given, at < given.positional.length ? at : -1, receiver);
      const found = reader.perhaps(() => callWith(reader, fn, beside));
      callRecipe(reader, found);
      results.push(found);
    }
  for (const value of all) {
    reader.language.shown(reader, value);
    readFiles(reader, value);
  }
  return results.length === 0 ? undefined : choice(results);
}

/** `fetch(url, { body: Bun.file("x") })`: whoever is given a file reads it. */
function readFiles(reader: CodeReader, value: Value): void {
  const inner = value.kind === "record" ? [...value.entries.values()] : [value];
  for (const each of inner.flatMap(optionsOf))
    if (each.kind === "made" && each.by === "Bun.file" && each.target)
      reader.acts.read(each.target);
}

/** `(os.remove, ("x",))`: libraries that copy things are told so what to call. */
function callRecipe(reader: CodeReader, value: Value): void {
  for (const each of optionsOf(value)) {
    const [fn, given] = each.kind === "list" ? each.items : [];
    if (fn?.kind === "known" && given?.kind === "list")
      reader.perhaps(() => reader.call(fn, args(...given.items)));
  }
}

function callWith(reader: CodeReader, fn: Value, candidates: Value[][]): Value {
  if (fn.kind === "known" && !hasEffects(reader, fn.name)) return { kind: "made", by: fn.name };
  const results = candidates.slice(0, MAX_CANDIDATES).map((each) => reader.call(fn, args(...each)));
  return choice(results);
}

function hasEffects(reader: CodeReader, name: string): boolean {
  const { tables } = reader.language;
  const own = tables.canonical(name);
  const [module = ""] = own.split(".");
  if (tables.rows.has(own) || tables.handlers.has(own)) return true;
  return tables.powerful.has(module) && own !== module;
}

/** Lists of lists of functions are not handed on. */
const MAX_DEPTH = 2;

function functionsIn(value: Value, depth = 0): Value[] {
  return optionsOf(value).flatMap((each) => {
    if (each.kind === "list" && depth < MAX_DEPTH)
      return each.items.slice(0, MAX_CANDIDATES).flatMap((item) => functionsIn(item, depth + 1));
    if (each.kind === "class") return methodsForLibrary(each);
    if (each.kind === "function" || each.kind === "method") return [each];
    // `subprocess.PIPE` is a constant.
    if (each.kind === "known" && /\.[A-Z][A-Z_0-9]+$/.test(each.name)) return [];
    if (each.kind === "known" && each.name.includes(".")) return [each];
    if (
      each.kind === "known" &&
      /^(?:eval|exec|open|Function|require|fetch|import)$/.test(each.name)
    )
      return [each];
    if (each.kind === "unknown" && each.isCode) return [each];
    if (each.kind === "made" && each.by === "bound") return [each];
    if (each.kind === "record")
      return [...each.entries.values()].filter(({ kind }) => kind === "function");
    return [];
  });
}

function candidates(given: Args, at: number, receiver: Value | undefined): Value[][] {
  const others = given.positional.filter((_, index) => index !== at);
  const after = at < 0 ? [] : given.positional.slice(at + 1);
  const named = given.named.get("args");
  const lists = [...others, ...(receiver ? [receiver] : [])].filter(({ kind }) => kind === "list");
  const found: Value[][] = [];
  if (named?.kind === "list") found.push(named.items);
  for (const each of lists) {
    if (each.kind !== "list") continue;
    if (each.isOpen || each.items.length > MAX_CANDIDATES) found.push([elementOf(each)]);
    else found.push(...each.items.map((item) => (item.kind === "list" ? item.items : [item])));
    if (each !== receiver && each.items.length > 1 && !each.isOpen) found.push(each.items);
  }
  if (after.some(({ kind }) => kind !== "list" && kind !== "record" && kind !== "number"))
    found.push(after);
  if (receiver && receiver.kind !== "list") found.push([elementOf(receiver)]);
  return found.length === 0 ? [[DATA, DATA]] : found;
}
