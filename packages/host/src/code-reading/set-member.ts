// `x.y = z` and `x[y] = z`: what is put into a library, or into something that it made, is called by
// whoever knows it there; what has a setter is given to it.

import type { CodeReader } from "./code-reader.ts";
import { OVERRIDE } from "./code-scope.ts";
import {
  DATA,
  args,
  choice,
  exactly,
  optionsOf,
  pathOf,
  text,
  type FunctionValue,
  type RecordValue,
  type Value,
} from "./code-value.ts";
import { bound, memberOfClass } from "./instance-member.ts";
import { noteVerb } from "./judge-verb.ts";
import { setEntry } from "./record-value.ts";
import { noteCodeText } from "./text-code.ts";

/** Longer lists are data. */
const MAX_ITEMS = 200;
/** What Python calls the names of a module, or of a function. */
const OWN_NAMES = /^(?:globals|globalThis)$/;
const CALLED_LATER = /^on[a-z]+$|hook$|[hH]andler$|^audit/;

function isCallable({ kind }: Value): boolean {
  return kind === "function" || kind === "known" || kind === "method";
}

export function setMember(reader: CodeReader, object: Value, name: string, value: Value): void {
  const { tables } = reader.language;
  for (const each of optionsOf(object)) {
    if (isForeign(each, name) && isCallable(value)) called(reader, name, value);
    if (name === "__annotations__" && value.kind === "record")
      for (const type of value.entries.values()) noteCodeText(reader, type);
    switch (each.kind) {
      case "known":
        if (OWN_NAMES.test(each.name)) reader.top.assign(name, value, reader.level);
        else if (each.name === tables.environment)
          reader.language.setVariable(reader, text(name), value);
        else
          reader.top.define(
            `${OVERRIDE}${tables.canonical(`${each.name}.${name}`)}`,
            value,
            reader.level,
          );
        break;
      case "made":
        if (/^_?method$/.test(name)) noteVerb(reader, args(value), each);
        // `directory.name = x`: what it removes in the end is another one now.
        if (name === "name" && pathOf(each)) each.target = choice([each.target!, value]);
        break;
      case "instance": {
        const setter = setterOf(memberOfClass(each.of, name));
        if (setter) reader.call({ ...setter, bound: bound(reader, each), self: each }, args(value));
        put(each.fields, name, value);
        break;
      }
      case "record": {
        const setter = setterOf(each.entries.get(name));
        if (setter) reader.call({ ...setter, self: each }, args(value));
        else put(each.entries, name, value);
        break;
      }
      case "class": {
        const setter = setterOf(memberOfClass(each, name));
        if (setter) reader.call({ ...setter, self: each }, args(value));
        else put(each.members, name, value);
        break;
      }
      default:
        break;
    }
  }
}

/** Whether somebody else may call what is put there. */
function isForeign(object: Value, name: string): boolean {
  if (object.kind === "known") return !OWN_NAMES.test(object.name);
  return object.kind === "made" || object.kind === "method" || CALLED_LATER.test(name);
}

function called(reader: CodeReader, name: string, value: Value): void {
  const found = reader.perhaps(() => reader.call(value, args(DATA, DATA, DATA)));
  // `request.get_method = lambda: "DELETE"`
  if (name === "get_method") noteVerb(reader, args(found));
}

function setterOf(member: Value | undefined): FunctionValue | undefined {
  const found = optionsOf(member ?? DATA).find(
    (each): each is FunctionValue => each.kind === "function" && each.isSetter === true,
  );
  return found;
}

export function setIndex(reader: CodeReader, object: Value, index: Value, value: Value): void {
  if (index.kind === "choice") {
    for (const each of index.options) reader.perhaps(() => setIndex(reader, object, each, value));
    return;
  }
  const name = exactly(index);
  for (const each of optionsOf(object)) {
    if (each.kind === "list") putItem(each, Number(name), value);
    else if (each.kind === "record" && name === undefined) putUnnamed(each, index, value);
    else if (each.kind === "known" && each.name === reader.language.tables.environment)
      reader.language.setVariable(reader, index, value);
    else if (each.kind === "known" && name === undefined)
      reader.acts.unknown(`it changes ${each.name} in a way that is only known when it runs`);
    else if (name !== undefined && /^(?:known|record|instance)$/.test(each.kind))
      setMember(reader, each, name, value);
  }
}

/** What was there before may still be there: nobody knows whether this code will run. */
function put(entries: Map<string, Value>, name: string, value: Value): void {
  const before = entries.get(name);
  if (before === undefined && entries.size >= MAX_ITEMS) return;
  entries.set(name, before === undefined ? value : choice([before, value]));
}

function putItem(list: Extract<Value, { kind: "list" }>, at: number, value: Value): void {
  const before = Number.isInteger(at) ? list.items.at(at) : undefined;
  if (before) list.items[at < 0 ? list.items.length + at : at] = choice([before, value]);
  else if (list.items.length < MAX_ITEMS) list.items.push(value);
  // Nobody knows which one it is.
  if (!before) list.isOpen = true;
}

function putUnnamed(record: RecordValue, key: Value, value: Value): void {
  if (record.entries.size < MAX_ITEMS) setEntry(record, key, value);
}
