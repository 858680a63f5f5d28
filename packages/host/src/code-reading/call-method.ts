// Methods: of texts, lists and records, of what libraries made, and of what nobody knows.

import { instanceMember } from "./instance-member.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  FILE_TEXT,
  NUMBER,
  args,
  choice,
  elementOf,
  exactly,
  itemAt,
  known,
  list,
  sourceOf,
  text,
  type Args,
  type Value,
} from "./code-value.ts";
import { noteVerb } from "./judge-verb.ts";
import { keysOf, pairsOf, recordFrom } from "./record-value.ts";
import { foldText, joinText } from "./fold-text.ts";
import { judgeStranger } from "./judge-stranger.ts";
import { applyRow } from "./library-row.ts";

const MAX_ITEMS = 200;

export function callMethod(reader: CodeReader, object: Value, name: string, given: Args): Value {
  reader.step();
  const common = callCommon(reader, object, name, given);
  if (common) return common;
  switch (object.kind) {
    case "choice":
      return choice(
        object.options.map((each) => reader.perhaps(() => callMethod(reader, each, name, given))),
      );
    case "known":
      return callEnvironment(reader, object.name, name, given);
    case "text":
    case "number": {
      reader.handedOn(given);
      const folded = foldText(object, name, given);
      if (folded) return folded;
      judgeStranger(reader, { name, given, isHarmless: false, receiver: object });
      return { kind: "unknown", source: sourceOf(object) };
    }
    case "list":
      return callList(reader, object, name, given);
    case "record":
      return callRecord(reader, object, name, given);
    case "made":
      return callMade(reader, object, name, given);
    case "instance": {
      const member = instanceMember(reader, object, name);
      if (member) return reader.call(member, given);
      break;
    }
    default:
      break;
  }
  const handed = reader.handedOn(given, object);
  judgeStranger(reader, { name, given, isHarmless: false, receiver: object });
  if (object.kind === "unknown") return handed ?? unknownResult(object, name, given);
  return handed ?? DATA;
}

/** Of a value that is not known, what its methods give is not known either. */
function unknownResult(
  object: Extract<Value, { kind: "unknown" }>,
  name: string,
  given: Args,
): Value {
  if (object.isCode) return object;
  return foldText(object, name, given) ?? { kind: "unknown", source: object.source };
}

/** Ways to call a function, and promises. */
function callCommon(
  reader: CodeReader,
  object: Value,
  name: string,
  given: Args,
): Value | undefined {
  const isFunction =
    object.kind === "function" ||
    object.kind === "known" ||
    object.kind === "method" ||
    (object.kind === "unknown" && object.isCode);
  if (isFunction && name === "__call__") return reader.call(object, given);
  if (isFunction && name === "call")
    return reader.call(object, { ...given, positional: given.positional.slice(1) });
  if (isFunction && name === "apply") {
    const [, items] = given.positional;
    return reader.call(object, items?.kind === "list" ? args(...items.items) : args(DATA, DATA));
  }
  if (isFunction && name === "bind")
    return { kind: "made", by: "bound", target: list([object, ...given.positional.slice(1)]) };
  if (name === "then" || name === "finally") {
    const [fn] = given.positional;
    return fn ? choice([reader.call(fn, args(object)), object]) : object;
  }
  if (name === "catch") {
    const [fn] = given.positional;
    if (fn) reader.perhaps(() => reader.call(fn, args(DATA)));
    return object;
  }
  // `x.constructor("return process")()`
  if (name === "constructor" && given.positional.length > 0) {
    reader.acts.unknown("it makes a function of a text");
    return { kind: "unknown", source: "hidden", isCode: true };
  }
  return undefined;
}

function callEnvironment(reader: CodeReader, object: string, name: string, given: Args): Value {
  const { language } = reader;
  if (object !== language.tables.environment) return reader.call(known(`${object}.${name}`), given);
  if (name === "setdefault" && given.positional[1])
    language.setVariable(reader, given.positional[0] ?? DATA, given.positional[1]);
  if (/^(?:get|pop|setdefault|__getitem__)$/.test(name)) {
    const value = language.variable(reader, given.positional[0] ?? DATA);
    const [, byDefault] = given.positional;
    return byDefault ? choice([value, byDefault]) : value;
  }
  if (/^(?:copy)$/.test(name)) return { kind: "made", by: object };
  const [changes] = given.positional;
  const changed = changes?.kind === "record" ? [...changes.entries] : [];
  if (name === "update" || name === "__ior__")
    for (const [key, value] of [...changed, ...given.named])
      language.setVariable(reader, text(key), value);
  if (name === "__setitem__" && given.positional[1])
    language.setVariable(reader, changes ?? DATA, given.positional[1]);
  if (/^(?:items|values|keys)$/.test(name)) language.shown(reader, known(object));
  return DATA;
}

function callList(
  reader: CodeReader,
  object: Extract<Value, { kind: "list" }>,
  name: string,
  given: Args,
): Value {
  const [first] = given.positional;
  switch (name) {
    case "append":
    case "push":
    case "add":
    case "unshift":
    case "insert":
      for (const value of name === "insert" ? given.positional.slice(1) : given.positional)
        if (object.items.length < MAX_ITEMS) object.items.push(value);
      return NUMBER;
    case "extend":
      if (first?.kind === "list" && object.items.length < MAX_ITEMS)
        object.items.push(...first.items.slice(0, MAX_ITEMS));
      object.isOpen = true;
      return DATA;
    case "join":
      return joinText(first ?? text(","), object);
    case "next":
      // `x.keys().next().value`
      return { kind: "record", entries: new Map([["value", elementOf(object)]]), isOpen: true };
    case "__next__":
    case "pop":
    case "shift":
    case "at":
    case "find":
      reader.handedOn(given, object);
      return elementOf(object);
    case "map":
    case "flatMap": {
      const items =
        object.items.length <= 32 && first
          ? object.items.map((item) => reader.call(first, args(item, NUMBER)))
          : [];
      return first
        ? list(
            items.length > 0 ? items : [reader.call(first, args(elementOf(object), NUMBER))],
            object.isOpen,
          )
        : DATA;
    }
    case "forEach":
      for (const item of object.items.slice(0, 32))
        if (first) reader.call(first, args(item, NUMBER));
      return DATA;
    case "slice": {
      const bounds = given.positional.map((each) => Number(exactly(each)));
      const isExact = !object.isOpen && bounds.every(Number.isInteger);
      return isExact ? list(object.items.slice(...bounds)) : list(object.items, true);
    }
    case "filter":
    case "sort":
    case "toSorted":
    case "copy":
    case "flat":
    case "concat": {
      reader.handedOn(given, object);
      const more = name === "concat" && first?.kind === "list" ? first.items : [];
      return list([...object.items, ...more], true);
    }
    case "reverse":
      object.items.reverse();
      return object;
    case "toReversed":
      return list(object.items.toReversed(), object.isOpen);
    case "decode":
    case "toString":
      return joinText(text(""), object);
    case "reduce":
      return first
        ? reader.call(first, args(given.positional[1] ?? elementOf(object), elementOf(object)))
        : DATA;
    default:
      reader.handedOn(given, object);
      if (name === "entries") return list([list([NUMBER, elementOf(object)])], true);
      return /^(?:values|keys|__iter__)$/.test(name) ? list([elementOf(object)], true) : DATA;
  }
}

function callRecord(
  reader: CodeReader,
  object: Extract<Value, { kind: "record" }>,
  name: string,
  given: Args,
): Value {
  const [first, second] = given.positional;
  const own = object.entries.get(name);
  if (own) return reader.call(own, given);
  switch (name) {
    case "get":
    case "pop":
    case "setdefault": {
      const key = first && exactly(first);
      const found = key === undefined ? undefined : object.entries.get(key);
      const options = found ? [found] : key === undefined ? [...object.entries.values()] : [];
      return choice([...options, ...(second ? [second] : []), ...(found ? [] : [DATA])]);
    }
    case "set":
    case "update":
      if (name === "set" && first) reader.language.setIndex(reader, object, first, second ?? DATA);
      if (name === "update")
        for (const [key, value] of recordFrom(first).entries) object.entries.set(key, value);
      for (const [key, value] of given.named) object.entries.set(key, value);
      return object;
    case "values":
      return list([...object.entries.values()], object.isOpen);
    case "keys":
    case "__iter__":
      return list(keysOf(object), object.isOpen);
    case "items":
    case "entries":
      return list(pairsOf(object), object.isOpen);
    case "popitem":
      return choice(pairsOf(object));
    case "forEach":
      for (const pair of pairsOf(object).slice(0, MAX_ITEMS))
        if (first) reader.call(first, args(itemAt(pair, 1), itemAt(pair, 0)));
      return DATA;
    case "copy":
      return object;
    default:
      reader.handedOn(given, object);
      judgeStranger(reader, { name, given, isHarmless: false, receiver: object });
      return DATA;
  }
}

function callMade(
  reader: CodeReader,
  object: Extract<Value, { kind: "made" }>,
  name: string,
  given: Args,
): Value {
  const { tables } = reader.language;
  if (object.by === tables.environment) return callEnvironment(reader, object.by, name, given);
  const by = object.by.replace(/^web:/, "");
  const key = `${by}.${name}`;
  const handled = tables.handlers.get(key)?.(
    reader,
    { ...given, positional: [object, ...given.positional] },
    key,
  );
  if (handled) return handled;
  const row = tables.rows.get(key);
  if (row !== undefined) {
    reader.handedOn(given, object);
    const made = applyRow(reader, row, given, { name: key, receiver: object });
    if (/\.write_(?:text|bytes)$/.test(key) && object.target)
      reader.acts.fill(object.target, given.positional[0]);
    const isText = /\.(?:read_text|read_bytes|text)$/.test(key);
    return isText ? { kind: "made", by: FILE_TEXT, target: object.target } : made;
  }
  const [module = ""] = by.split(".");
  const handed = reader.handedOn(given, object);
  if (tables.web.has(module)) reader.acts.network();
  if (tables.web.has(module) || object.by.startsWith("web:")) noteVerb(reader, given, object);
  const isHarmless = tables.harmless.has(module);
  judgeStranger(reader, { name, given, isHarmless, receiver: object });
  // What a program that was started prints is not the program.
  if (/^(?:subprocess\.Popen|child process)$/.test(object.by))
    return handed ?? { kind: "made", by: "output of a program" };
  if (object.target === undefined) return handed ?? object;
  if (/^read(?:lines?|all|_text|_bytes|1)?$/.test(name))
    return { kind: "made", by: FILE_TEXT, target: object.target };
  return handed ?? DATA;
}
