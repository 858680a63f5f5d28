// `x.y` and `x[y]`.

import { instanceMember } from "./instance-member.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  HIDDEN,
  HIDDEN_CODE,
  NUMBER,
  args,
  choice,
  elementOf,
  exactly,
  known,
  isPiecedText,
  list,
  optionsOf,
  pieced,
  sourceOf,
  text,
  type Value,
} from "./code-value.ts";
import { OVERRIDE } from "./code-scope.ts";
import { SUPER } from "./super-value.ts";
import { pathMember } from "./path-value.ts";

/** Ways into the inside of the language, from which everything can be reached. */
const INSIDE =
  /^(?:__subclasses__|__globals__|__code__|__bases__|__base__|__mro__|__builtins__|__getattribute__|__reduce__|__reduce_ex__|__closure__|f_globals|f_builtins|f_back|gi_frame|cr_frame|tb_frame|func_globals|__loader__|__spec__)$/;
const INSIDE_WHY = "it reaches into the inside of the language";

export function memberOf(reader: CodeReader, object: Value, name: string): Value {
  reader.step();
  const { language } = reader;
  switch (object.kind) {
    case "choice":
      return choice(object.options.map((each) => memberOf(reader, each, name)));
    case "known":
      return knownMember(reader, object.name, name);
    case "record": {
      const found = object.entries.get(name);
      if (found?.kind === "function" && found.isProperty) return reader.call(found, args());
      const before = object.entries.get("__proto__");
      if (!found && before && before.kind !== "text") return memberOf(reader, before, name);
      return found ?? { kind: "method", object, name };
    }
    case "instance": {
      if (name === "__dict__") return { kind: "record", entries: object.fields, isOpen: true };
      const found = instanceMember(reader, object, name);
      if (found) return found;
      const before = object.fields.get("__proto__");
      if (before) return memberOf(reader, before, name);
      const otherwise = instanceMember(reader, object, "__getattr__");
      if (otherwise && name !== "__getattr__") return reader.call(otherwise, args(text(name)));
      const base = object.of.bases.find(({ kind }) => kind === "known" || kind === "made");
      return base?.kind === "known"
        ? { kind: "method", object: { kind: "made", by: base.name }, name }
        : { kind: "method", object: DATA, name };
    }
    case "class": {
      if (name === "__dict__") return { kind: "record", entries: object.members, isOpen: true };
      const found = object.members.get(name);
      if (found) return found;
      if (INSIDE.test(name)) reader.acts.unknown(INSIDE_WHY);
      const base = object.bases.find(({ kind }) => kind === "known");
      return base ? memberOf(reader, base, name) : { kind: "method", object: DATA, name };
    }
    default:
      break;
  }
  if (INSIDE.test(name)) {
    reader.acts.unknown(INSIDE_WHY);
    return HIDDEN_CODE;
  }
  if (name === "length") return NUMBER;
  const through = moduleMember(reader, object, name);
  if (through) return through;
  // `bucket.objects.all`: what belongs to a thing is taken for the thing.
  if (object.kind === "method" && /^(?:made|unknown|instance)$/.test(object.object.kind))
    return memberOf(reader, object.object, name);
  if (object.kind === "made") {
    if (object.by === "arguments" && object.target) return object.target;
    if (object.by === SUPER && object.target) return memberOf(reader, object.target, name);
    const own = pathMember(object, name);
    if (own) return own;
    const row = language.tables.handlers.get(`${object.by}.${name}=`);
    const found = row?.(reader, args(object), name);
    if (found) return found;
  }
  return { kind: "method", object, name };
}

/** `inspect.getmodule(f).os.unlink`: things have the modules that their makers import. */
function moduleMember(reader: CodeReader, object: Value, name: string): Value | undefined {
  const { tables } = reader.language;
  if (object.kind !== "method") return undefined;
  if (!tables.powerful.has(object.name) && object.name !== "builtins") return undefined;
  const full = tables.canonical(`${object.name}.${name}`);
  return tables.rows.has(full) || tables.handlers.has(full) ? known(full) : undefined;
}

function knownMember(reader: CodeReader, module: string, name: string): Value {
  const { language } = reader;
  const { tables } = language;
  if (module === "globals" && !tables.handlers.has(`globals.${name}`))
    return reader.language.lookUp(reader, name, reader.top);
  if (module === "globalThis") return reader.language.lookUp(reader, name, reader.top);
  if (module === tables.environment) {
    // In JavaScript the variables are its members.
    if (tables.isHoisting) return language.variable(reader, text(name));
    return { kind: "method", object: known(module), name };
  }
  if (name === "__dict__" || /^__(?:call|func|wrapped)__$/.test(name)) return known(module);
  // `print.__self__` is where it comes from.
  if (name === "__self__")
    return known(module.slice(0, Math.max(0, module.lastIndexOf("."))) || module);
  if (INSIDE.test(name) && !/^__(?:loader|spec|builtins)__$/.test(name))
    reader.acts.unknown(INSIDE_WHY);
  if (name === "__builtins__") return known("builtins");
  const full = tables.canonical(`${module}.${name}`);
  const replaced = reader.top.names.get(OVERRIDE + full);
  return replaced ?? tables.member(full, reader) ?? known(full);
}

export function indexOf(reader: CodeReader, object: Value, index: Value): Value {
  reader.step();
  if (index.kind === "choice" && object.kind !== "choice")
    return choice(index.options.map((each) => indexOf(reader, object, each)));
  const name = exactly(index);
  switch (object.kind) {
    case "choice":
      return choice(object.options.map((each) => indexOf(reader, each, index)));
    case "known":
      return knownIndex(reader, object.name, index, name);
    case "record": {
      if (name !== undefined && object.entries.has(name)) return object.entries.get(name)!;
      const values = [...object.entries.values()];
      return name !== undefined && !object.isOpen ? DATA : choice([...values, DATA]);
    }
    case "list": {
      const at = Number(name);
      if (name === undefined || object.isOpen || !Number.isInteger(at)) {
        if (index.kind === "made" && index.by.startsWith("slice:"))
          return list(slicedItems(object, index), object.isOpen);
        return name !== undefined && !Number.isInteger(at)
          ? memberOf(reader, object, name)
          : elementOf(object);
      }
      return object.items.at(at) ?? DATA;
    }
    case "text":
      return textAt(reader, object, index, name);
    case "instance": {
      const own = instanceMember(reader, object, "__getitem__");
      if (own) return reader.call(own, args(index));
      return name === undefined ? DATA : memberOf(reader, object, name);
    }
    case "class": {
      const own = object.members.get("__class_getitem__");
      if (own) return reader.call(own, args(object, index));
      return name === undefined ? DATA : (object.members.get(name) ?? DATA);
    }
    case "made":
      if (object.by === reader.language.tables.environment)
        return reader.language.variable(reader, index);
      if (
        object.target &&
        index.kind !== "made" &&
        index.kind !== "number" &&
        name !== undefined &&
        isMemberName(reader)
      )
        return memberOf(reader, object, name);
      if (name !== undefined && index.kind === "text" && isMemberName(reader))
        return memberOf(reader, object, name);
      return object.target ? { kind: "unknown", source: sourceOf(object) } : object;
    case "unknown":
      if (name !== undefined && index.kind === "text" && isMemberName(reader))
        return memberOf(reader, object, name);
      return object;
    case "function":
    case "method":
      return name === undefined ? DATA : memberOf(reader, object, name);
    default:
      return DATA;
  }
}

/** All of them if it is not known which. */
function slicedItems(
  { items, isOpen }: Extract<Value, { kind: "list" }>,
  { by, target }: Extract<Value, { kind: "made" }>,
): Value[] {
  const [from = "", to = "", step = ""] = by.slice("slice:".length).split(":");
  if (isOpen || target || !/^(?:1|)$/.test(step)) return items;
  return items.slice(from === "" ? 0 : Number(from), to === "" ? undefined : Number(to));
}

/** In JavaScript `x["y"]` is `x.y`. */
function isMemberName(reader: CodeReader): boolean {
  return reader.language.tables.isHoisting;
}

function knownIndex(
  reader: CodeReader,
  module: string,
  index: Value,
  name: string | undefined,
): Value {
  const { tables } = reader.language;
  if (module === tables.environment) return reader.language.variable(reader, index);
  if (name === undefined) {
    return tables.powerful.has(module.split(".")[0]!) ||
      /^(?:builtins|globals|globalThis)$/.test(module)
      ? HIDDEN_CODE
      : DATA;
  }
  noteSpelling(reader, index, module);
  if (module === "sys.modules") {
    noteSpelling(reader, index, name);
    return reader.language.known(reader, name);
  }
  if (module === "globals") return reader.language.lookUp(reader, name, reader.top);
  return knownMember(reader, module, name);
}

/** A letter or a slice of a text. */
function textAt(reader: CodeReader, object: Value, index: Value, name: string | undefined): Value {
  const whole = exactly(object);
  if (index.kind === "made" && index.by.startsWith("slice:") && !index.target) {
    if (whole === undefined)
      return {
        kind: "unknown",
        source: sourceOf(object) === "hidden" ? "hidden" : sourceOf(object),
      };
    return pieced(sliced(whole, index.by.slice("slice:".length).split(":")));
  }
  const at = Number(name);
  if (name !== undefined && Number.isInteger(at) && index.kind === "number")
    return whole === undefined
      ? { kind: "unknown", source: sourceOf(object) }
      : text(whole.at(at) ?? "");
  if (name !== undefined && index.kind === "text") return memberOf(reader, object, name);
  return whole === undefined ? { kind: "unknown", source: sourceOf(object) } : HIDDEN;
}

/** As Python does it: `[a:b:c]`. */
function sliced(whole: string, [from = "", to = "", step = ""]: string[]): string {
  const by = step === "" ? 1 : Number(step);
  if (by === 1)
    return whole.slice(from === "" ? 0 : Number(from), to === "" ? undefined : Number(to));
  const letters = [...whole];
  const found: string[] = [];
  const place = (given: string, otherwise: number): number =>
    given === "" ? otherwise : Number(given) < 0 ? letters.length + Number(given) : Number(given);
  if (by > 0) {
    for (
      let at = place(from, 0);
      at < Math.min(place(to, letters.length), letters.length);
      at += by
    )
      found.push(letters[at]!);
  } else if (by < 0) {
    for (
      let at = Math.min(place(from, letters.length - 1), letters.length - 1);
      at > place(to, -1);
      at += by
    )
      found.push(letters[at]!);
  }
  return found.join("");
}

const HIDES = "it hides what it does";

/** Whoever spells the name of something powerful in pieces hides it. */
export function noteSpelling(reader: CodeReader, spelled: Value, name: string): void {
  const [module = ""] = reader.language.tables.canonical(name).split(".");
  const { powerful } = reader.language.tables;
  const isPowerful =
    powerful.has(module) || /^(?:builtins|globals|globalThis|Function|eval)$/.test(module);
  if (isPowerful && optionsOf(spelled).some(isPiecedText)) reader.acts.unknown(HIDES);
}
