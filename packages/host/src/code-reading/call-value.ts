// Calls: of functions that the code defines, which are gone through with what they are given, and of
// those of libraries, which are looked up.

import type { CodeReader } from "./code-reader.ts";
import { CodeScope } from "./code-scope.ts";
import {
  DATA,
  HIDDEN_CODE,
  args,
  choice,
  exactly,
  isPiecedText,
  list,
  optionsOf,
  sourceOf,
  type Args,
  type ClassValue,
  type FunctionValue,
  type Value,
} from "./code-value.ts";
import { allMembers, bound, instanceMember, memberOfClass } from "./instance-member.ts";
import { argumentsOf } from "./command-arguments.ts";
import { callMethod } from "./call-method.ts";
import { applyRow, openFile } from "./library-row.ts";
import { noteVerb } from "./judge-verb.ts";
import { SUPER, superOf } from "./super-value.ts";
import { handedOn } from "./hand-on.ts";
import { extendsLibrary, isCalledByLibrary } from "./library-class.ts";
import { memberOf } from "./member-value.ts";
import { judgeStranger } from "./judge-stranger.ts";

/** They are given a file and what goes into it. */
const FILLING = /^(?:fs\.(?:writeFile|outputFile)|Bun\.write|Deno\.write(?:Text)?File)$/;
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
        return callValue(reader, fn!, {
          ...given,
          positional: [...first, ...given.positional],
          named: new Map([...(callee.named ?? []), ...given.named]),
        });
      }
      if (callee.by === SUPER && callee.target) {
        const init = memberOf(reader, callee, "constructor");
        if (reader.language.tables.isHoisting && init.kind !== "method")
          callValue(reader, init, given);
        return callee;
      }
      if (callee.by === "operator.attrgetter" && callee.target && given.positional[0])
        return attributeOf(reader, given.positional[0], callee.target);
      // `@click.option("--out")`
      if (
        /^(?:click|typer|rich_click)\./.test(callee.by) &&
        given.positional[0]?.kind === "function"
      )
        return { ...given.positional[0], isCommand: true };
      if (callee.by === "argparse.FileType")
        openFile(reader, given.positional[0], callee.target ?? "r");
      if (isModuleGiven(reader, given)) return HIDDEN_CODE;
      return handedOn(reader, given) ?? callee;
    case "unknown":
      if (callee.isCode) reader.acts.unknown(UNSEEN_CODE);
      if (callee.source === "web") reader.acts.effects.downloadsAndExecutes = true;
      return handedOn(reader, given) ?? { kind: "unknown", source: callee.source };
    default:
      handedOn(reader, given);
      return DATA;
  }
}

function callKnown(reader: CodeReader, given: string, args: Args): Value {
  const { language } = reader;
  const { tables } = language;
  const name = tables.canonical(given);
  const now = language.known(reader, name);
  if (now.kind !== "known" || now.name !== name) return callValue(reader, now, args);
  const from = directoryGiven(args);
  if (from) {
    const rest = { ...args, named: new Map([...args.named].filter(([key]) => !AT.test(key))) };
    return reader.acts.within(from, () => callKnown(reader, given, rest));
  }
  const handled = tables.handlers.get(name)?.(reader, args, name);
  if (handled) return handled;
  const row = tables.rows.get(name);
  if (row !== undefined) {
    handedOn(reader, args);
    if (FILLING.test(name)) fill(reader, args);
    if (!row.includes("@")) return applyRow(reader, row, args, { name });
    // `Path.unlink(p)`: what the method belongs to comes first.
    const [receiver, ...positional] = args.positional;
    return applyRow(reader, row, { ...args, positional }, { name, receiver });
  }
  return callUnlisted(reader, name, args);
}

/** `os.remove("x", dir_fd=d)`: relative paths begin in an open directory. */
const AT = /^(?:src_|dst_)?dir_fd$/;

function directoryGiven({ named }: Args): Value | undefined {
  const found = [...named].find(([key, value]) => AT.test(key) && !isNone(value));
  return found?.[1];
}

function isNone(value: Value): boolean {
  return value.kind === "known" && value.name === "None";
}

/** What came from the network and is kept is a download. */
function fill(reader: CodeReader, { positional }: Args): void {
  const [file = DATA, content] = positional;
  reader.acts.fill(file, content);
  if (content && optionsOf(content).some((each) => sourceOf(each) === "web"))
    reader.acts.download(file);
}

function callUnlisted(reader: CodeReader, name: string, given: Args): Value {
  const { tables } = reader.language;
  const [module = ""] = name.split(".");
  const powerful = tables.powerful.get(module);
  // What is private, or the language's own, is not what a library is known for.
  const isInner = /\._\w+$/.test(name) && name !== "os._exit";
  const isHarmless =
    !isInner && (powerful?.test(name.slice(module.length + 1)) ?? tables.harmless.has(module));
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

/** `attrgetter("path.join")(os)` */
function attributeOf(reader: CodeReader, object: Value, names: Value): Value {
  const exact = exactly(names);
  if (exact === undefined || isPiecedText(names)) return HIDDEN_CODE;
  return exact.split(".").reduce((value, name) => memberOf(reader, value, name), object);
}

/** Binds the parameters and goes through the body. */
export function enterFunction(reader: CodeReader, fn: FunctionValue, given: Args): Value {
  const scope = new CodeScope(fn.scope, reader.level);
  const positional = [...fn.bound, ...given.positional];
  if (fn.self) scope.names.set("this", fn.self);
  if (fn.self?.kind === "instance" && fn.self.of.bases.length > 0)
    scope.names.set(SUPER, superOf(fn.self, bound(reader, fn.self)));
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
    if (value === undefined && fn.isCommand) reader.assign(target, fromCommandLine(reader), scope);
    else if (value === undefined && byDefault === undefined) reader.assign(target, DATA, scope);
    else if (value === undefined)
      reader.assign(target, reader.evaluate(byDefault!, fn.scope), scope);
    else reader.assign(target, value, scope);
  }
  const yielded: Value[] = [];
  reader.yielded.push(yielded);
  let returned: Value[];
  try {
    returned = reader.run(fn.body, scope);
  } finally {
    reader.yielded.pop();
  }
  if (yielded.length > 0) return list([choice(yielded)], true);
  return returned.length === 0 ? DATA : choice(returned);
}

function fromCommandLine(reader: CodeReader): Value {
  const found = argumentsOf(reader);
  return found.kind === "made" ? (found.target ?? DATA) : found;
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
  // What the language calls by itself, or the library whose class it extends.
  const isLibrary = extendsLibrary(made);
  for (const [name, member] of allMembers(made)) {
    const isCalled = reader.language.isCalledUnseen(name) || (isLibrary && isCalledByLibrary(name));
    if (!isCalled || member.kind !== "function") continue;
    const found = reader.perhaps(() =>
      callValue(
        reader,
        { ...member, bound: bound(reader, instance), self: instance },
        args(DATA, DATA, DATA),
      ),
    );
    if (name === "get_method") noteVerb(reader, args(found));
    // It says what is called to make the object anew.
    if (name.startsWith("__reduce") && found.kind === "list" && found.items[1]?.kind === "list")
      callValue(reader, found.items[0]!, args(...found.items[1].items));
  }
  return instance;
}
