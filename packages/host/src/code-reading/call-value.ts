// Calls: of functions that the code defines, which are gone through with what they are given, and of
// those of libraries, which are looked up. Functions that are handed on are taken for called.

import type { CodeReader } from "./code-reader.ts";
import { CodeScope } from "./code-scope.ts";
import {
  DATA,
  HIDDEN_CODE,
  args,
  choice,
  elementOf,
  list,
  optionsOf,
  type Args,
  type ClassValue,
  type FunctionValue,
  type Value,
} from "./code-value.ts";
import { allMembers, bound, instanceMember, memberOfClass } from "./instance-member.ts";
import { callMethod } from "./call-method.ts";
import { applyRow } from "./library-row.ts";
import { judgeStranger } from "./judge-stranger.ts";

/** Lists that are given with a function are gone through as far as this. */
const MAX_CANDIDATES = 12;
const UNSEEN_CODE = "it calls a function that is only known when it runs";

export function callValue(reader: CodeReader, callee: Value, given: Args): Value {
  reader.step();
  switch (callee.kind) {
    case "choice":
      return choice(
        callee.options.map((each) => reader.perhaps(() => callValue(reader, each, given))),
      );
    case "known":
      return callKnown(reader, callee.name, given);
    case "method":
      return callMethod(reader, callee.object, callee.name, given);
    case "function":
      return reader.callFunction(callee, given);
    case "class":
      return instantiate(reader, callee, given);
    case "instance": {
      const member = instanceMember(reader, callee, "__call__");
      if (member) return callValue(reader, member, given);
      return handedOn(reader, given) ?? DATA;
    }
    case "made":
      if (callee.by === "bound" && callee.target?.kind === "list") {
        const [fn, ...first] = callee.target.items;
        return callValue(reader, fn!, { ...given, positional: [...first, ...given.positional] });
      }
      if (isModuleGiven(reader, given)) return HIDDEN_CODE;
      return callMadeFunction(reader, callee, given) ?? handedOn(reader, given) ?? callee;
    case "unknown":
      if (callee.isCode) reader.acts.unknown(UNSEEN_CODE);
      if (callee.source === "web") reader.acts.effects.downloadsAndExecutes = true;
      return handedOn(reader, given) ?? { kind: "unknown", source: callee.source };
    default:
      handedOn(reader, given);
      return DATA;
  }
}

/** `argparse.FileType("w")("x")`: what a library made may be a function itself. */
function callMadeFunction(
  reader: CodeReader,
  callee: Extract<Value, { kind: "made" }>,
  given: Args,
): Value | undefined {
  const key = `${callee.by}()`;
  const positional = [callee, ...given.positional];
  return reader.language.tables.handlers.get(key)?.(reader, { ...given, positional }, key);
}

function callKnown(reader: CodeReader, given: string, args: Args): Value {
  const { language } = reader;
  const { tables } = language;
  const name = tables.canonical(given);
  const now = language.known(reader, name);
  if (now.kind !== "known" || now.name !== name) return callValue(reader, now, args);
  const handled = tables.handlers.get(name)?.(reader, args, name);
  if (handled) return handled;
  const row = tables.rows.get(name);
  if (row !== undefined) {
    handedOn(reader, args);
    if (!row.includes("@")) return applyRow(reader, row, args, { name });
    // `Path.unlink(p)`: what the method belongs to comes first.
    const [receiver, ...positional] = args.positional;
    return applyRow(reader, row, { ...args, positional }, { name, receiver });
  }
  return callUnlisted(reader, name, args);
}

function callUnlisted(reader: CodeReader, name: string, given: Args): Value {
  const { tables } = reader.language;
  const [module = ""] = name.split(".");
  const powerful = tables.powerful.get(module);
  const isHarmless = powerful?.test(name.slice(module.length + 1)) ?? tables.harmless.has(module);
  if (powerful && !isHarmless)
    reader.acts.unknown(`it calls ${name}, and what that does is not known`);
  // Whoever is given a whole module may do anything with it.
  const result = handedOn(reader, given);
  if (isModuleGiven(reader, given)) return HIDDEN_CODE;
  if (tables.web.has(module)) return applyRow(reader, "net", given, { name });
  if (isHarmless) {
    judgeStranger(reader, { name, given, isHarmless });
    return result ?? { kind: "made", by: name };
  }
  judgeStranger(reader, { name, given, isHarmless: false });
  return result ?? { kind: "made", by: name };
}

function isModuleGiven(reader: CodeReader, given: Args): boolean {
  return given.positional.some((each) =>
    optionsOf(each).some((one) => one.kind === "known" && isPowerful(reader, one.name)),
  );
}

/** A module that can do harm, not one of its functions. */
function isPowerful(reader: CodeReader, name: string): boolean {
  return reader.language.tables.powerful.has(name) || name === "globalThis" || name === "builtins";
}

/** Binds the parameters and goes through the body. */
export function enterFunction(reader: CodeReader, fn: FunctionValue, given: Args): Value {
  const scope = new CodeScope(fn.scope, reader.level);
  const positional = [...fn.bound, ...given.positional];
  if (fn.self) scope.names.set("this", fn.self);
  scope.names.set("arguments", list(positional, given.isOpen));
  let at = 0;
  for (const { target, byDefault, isRest } of fn.params) {
    const name = target.type === "name" ? target.name : "";
    const named = given.named.get(name);
    if (isRest) {
      reader.assign(target, list(positional.slice(at), given.isOpen), scope);
      at = positional.length;
      continue;
    }
    const value = named ?? positional[at];
    if (named === undefined) at++;
    if (value === undefined && byDefault === undefined) reader.assign(target, DATA, scope);
    else if (value === undefined)
      reader.assign(target, reader.evaluate(byDefault!, fn.scope), scope);
    else reader.assign(target, value, scope);
  }
  const returned = reader.run(fn.body, scope);
  return returned.length === 0 ? DATA : choice(returned);
}

function instantiate(reader: CodeReader, made: ClassValue, given: Args): Value {
  const instance: Value = { kind: "instance", of: made, fields: new Map() };
  const init = memberOfClass(made, "__init__") ?? memberOfClass(made, "constructor");
  if (init?.kind === "function")
    callValue(reader, { ...init, bound: bound(reader, instance), self: instance }, given);
  else handedOn(reader, given);
  for (const base of made.bases) {
    if (base.kind === "known") callValue(reader, base, given);
  }
  // What the language calls by itself.
  for (const [name, member] of allMembers(made)) {
    if (!reader.language.isCalledUnseen(name) || member.kind !== "function") continue;
    reader.perhaps(() =>
      callValue(
        reader,
        { ...member, bound: bound(reader, instance), self: instance },
        args(DATA, DATA, DATA),
      ),
    );
  }
  return instance;
}

/**
 * Functions among what is given are taken for called: with what comes after them, with each thing
 * of a list beside them, and with nothing that is known if there is none. What they give.
 */
export function handedOn(reader: CodeReader, given: Args, receiver?: Value): Value | undefined {
  const all = [...given.positional, ...given.named.values()];
  const results: Value[] = [];
  for (const value of all.flatMap(functionsIn)) {
    const at = given.positional.findIndex((each) => optionsOf(each).includes(value));
    results.push(reader.perhaps(() => callWith(reader, value, candidates(given, at, receiver))));
  }
  for (const value of all) reader.language.shown(reader, value);
  return results.length === 0 ? undefined : choice(results);
}

function callWith(reader: CodeReader, fn: Value, candidates: Value[][]): Value {
  if (fn.kind === "known" && !hasEffects(reader, fn.name)) return { kind: "made", by: fn.name };
  const results = candidates
    .slice(0, MAX_CANDIDATES)
    .map((each) => callValue(reader, fn, args(...each)));
  return choice(results);
}

function hasEffects(reader: CodeReader, name: string): boolean {
  const { tables } = reader.language;
  const own = tables.canonical(name);
  const [module = ""] = own.split(".");
  if (tables.rows.has(own) || tables.handlers.has(own)) return true;
  return tables.powerful.has(module) && own !== module;
}

function functionsIn(value: Value): Value[] {
  return optionsOf(value).flatMap((each) => {
    if (each.kind === "function" || each.kind === "method") return [each];
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
