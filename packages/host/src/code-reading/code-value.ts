// What is known of a value before the code runs: a text or how it is put together, a function of a
// library under its full name, something that a library made, or nothing.

import type { Param, Statement } from "./code-node.ts";
import type { CodeScope } from "./code-scope.ts";

/**
 * Where an unknown value comes from. `entry`: a plain name from a listing of files. `data`: read,
 * computed from what was read, or given by a caller. `hidden`: put together by the code itself in a
 * way that is not followed, or taken from the environment. `web`: it came from the network.
 */
export type Source = "number" | "entry" | "data" | "hidden" | "web";

export interface Hole {
  source: Source;
}

export type Value =
  /** `isPieced`: the code has put it together from pieces, or decoded it. */
  | { kind: "text"; parts: (string | Hole)[]; isPieced?: boolean }
  | { kind: "number"; value: number | undefined }
  /** With `isOpen` there may be more, like those that are known or not. */
  | { kind: "list"; items: Value[]; isOpen: boolean }
  /** `keys`: those that are not texts. `isMap`: a map of JavaScript, which gives pairs. */
  | {
      kind: "record";
      entries: Map<string, Value>;
      isOpen: boolean;
      keys?: Map<string, Value>;
      isMap?: boolean;
    }
  /** A module, function or object of a library. */
  | { kind: "known"; name: string }
  /** What a function of a library gave; `target` is the path or the text that it is about. */
  | { kind: "made"; by: string; target?: Value; named?: ReadonlyMap<string, Value> }
  | { kind: "method"; object: Value; name: string }
  | FunctionValue
  | ClassValue
  | { kind: "instance"; of: ClassValue; fields: Map<string, Value> }
  | { kind: "choice"; options: Value[] }
  /** `isCode`: a function that the code itself hides. */
  | { kind: "unknown"; source: Source; isCode?: boolean };

export interface FunctionValue {
  kind: "function";
  params: readonly Param[];
  body: readonly Statement[];
  scope: CodeScope;
  /** What comes before its arguments: `self`, or what was bound. */
  bound: Value[];
  self?: Value;
  /** It is called by naming it. */
  isProperty?: boolean;
  /** It is called with what is assigned to its name. */
  isSetter?: boolean;
  /** A library calls it with what is on the command line. */
  isCommand?: boolean;
}

export interface ClassValue {
  kind: "class";
  name: string;
  bases: Value[];
  members: Map<string, Value>;
}

export interface Args {
  positional: Value[];
  named: Map<string, Value>;
  /** There are more, nobody knows which. */
  isOpen: boolean;
}

export const DATA: Value = { kind: "unknown", source: "data" };
export const HIDDEN: Value = { kind: "unknown", source: "hidden" };
export const HIDDEN_CODE: Value = { kind: "unknown", source: "hidden", isCode: true };
export const NUMBER: Value = { kind: "number", value: undefined };
/** More ways than that are not told apart. */
const MAX_OPTIONS = 8;
/** Longer texts are data; they are still known to be texts. */
const MAX_TEXT = 20_000;

export function text(value: string): Value {
  if (value.length > MAX_TEXT)
    return { kind: "text", parts: [value.slice(0, 64), { source: "data" }] };
  return { kind: "text", parts: value === "" ? [] : [value] };
}

export function known(name: string): Value {
  return { kind: "known", name };
}

export function list(items: Value[], isOpen = false): Value {
  return { kind: "list", items, isOpen };
}

export function args(...positional: Value[]): Args {
  return { positional, named: new Map(), isOpen: false };
}

export function first({ positional }: Args): Value {
  return positional[0] ?? DATA;
}

export function choice(options: readonly Value[]): Value {
  const all = new Set(options.flatMap((each) => (each.kind === "choice" ? each.options : [each])));
  const different = [...all].filter(
    (each, at, rest) => rest.findIndex((other) => isSame(each, other)) === at,
  );
  if (different.length === 1) return different[0]!;
  if (different.length === 0) return DATA;
  if (different.length <= MAX_OPTIONS) return { kind: "choice", options: different };
  // Those that matter most are kept.
  const ranked = different.toSorted((left, right) => weightOf(right) - weightOf(left));
  return { kind: "choice", options: [...ranked.slice(0, MAX_OPTIONS - 1), HIDDEN] };
}

function weightOf({ kind }: Value): number {
  return kind === "known" || kind === "method" ? 2 : kind === "text" || kind === "made" ? 1 : 0;
}

function isSame(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left.kind === "text" && right.kind === "text")
    return JSON.stringify(left.parts) === JSON.stringify(right.parts);
  if (left.kind === "known" && right.kind === "known") return left.name === right.name;
  if (left.kind === "number" && right.kind === "number") return left.value === right.value;
  if (left.kind === "unknown" && right.kind === "unknown")
    return left.source === right.source && left.isCode === right.isCode;
  return false;
}

export function optionsOf(value: Value): readonly Value[] {
  return value.kind === "choice" ? value.options : [value];
}

/** The content of a file that was read. */
export const FILE_TEXT = "text of a file";
/** Things that stand for the path they were made of; an open file does not. */
const PATHS: ReadonlySet<string> = new Set([
  "pathlib.Path",
  "tempfile.TemporaryDirectory",
  "tempfile.NamedTemporaryFile",
  "Bun.file",
]);

/** The path that something stands for. */
export function pathOf(value: Value): Value | undefined {
  return value.kind === "made" && PATHS.has(value.by) ? value.target : undefined;
}

/** The whole text, if it is known. */
export function exactly(value: Value | undefined): string | undefined {
  if (value?.kind === "made") return exactly(pathOf(value));
  if (value?.kind === "number" && value.value !== undefined) return String(value.value);
  if (value?.kind !== "text") return undefined;
  return value.parts.every((part) => typeof part === "string") ? value.parts.join("") : undefined;
}

/** As parts of a text. */
export function partsOf(value: Value): (string | Hole)[] {
  switch (value.kind) {
    case "text":
      return value.parts;
    case "number":
      return [value.value === undefined ? { source: "number" } : String(value.value)];
    case "made":
      return partsOfMade(value);
    case "choice": {
      const hidden = value.options.some((each) => sourceOf(each) === "hidden");
      return [{ source: hidden ? "hidden" : "data" }];
    }
    default:
      return [{ source: sourceOf(value) }];
  }
}

function partsOfMade(value: Value): (string | Hole)[] {
  const path = pathOf(value);
  return path ? partsOf(path) : [{ source: sourceOf(value) }];
}

export function joined(...values: Value[]): Value {
  const parts: (string | Hole)[] = [];
  const isPieced = values.some(isPiecedText) || values.filter((each) => exactly(each)).length > 1;
  for (const part of values.flatMap(partsOf)) {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
    else if (part !== "") parts.push(part);
  }
  const length = parts.reduce((sum, part) => sum + (typeof part === "string" ? part.length : 1), 0);
  if (length > MAX_TEXT)
    return { kind: "text", parts: [String(parts[0]).slice(0, 64), { source: "data" }] };
  return { kind: "text", parts, isPieced };
}

/** The same, known to be put together. */
export function pieced(value: string): Value {
  return { kind: "text", parts: value === "" ? [] : [value], isPieced: true };
}

export function isPiecedText(value: Value): boolean {
  return value.kind === "text" && value.isPieced === true;
}

/** The worst that it may come from. */
export function sourceOf(value: Value): Source {
  switch (value.kind) {
    case "unknown":
      return value.source;
    case "number":
      return "number";
    case "text": {
      const sources = value.parts.map((part) =>
        typeof part === "string" ? "hidden" : part.source,
      );
      return worst(sources.length === 0 ? ["hidden"] : sources);
    }
    case "choice":
      return worst(value.options.map(sourceOf));
    case "list":
      return value.isOpen || value.items.length === 0 ? "data" : worst(value.items.map(sourceOf));
    case "made":
      if (value.by.startsWith("web:")) return "web";
      return sourceOf(pathOf(value) ?? DATA);
    case "known":
      return "hidden";
    case "method":
      return value.object.kind === "text" ? "data" : sourceOf(value.object);
    default:
      return "data";
  }
}

const ORDER: readonly Source[] = ["number", "entry", "data", "hidden", "web"];

export function worst(sources: readonly Source[]): Source {
  return sources.reduce<Source>(
    (left, right) => (ORDER.indexOf(right) > ORDER.indexOf(left) ? right : left),
    "number",
  );
}

/** What may be in it, when it is gone through. */
export function elementOf(value: Value): Value {
  switch (value.kind) {
    case "list":
      if (value.items.length === 0) return DATA;
      return choice(value.isOpen ? value.items : value.items);
    case "record":
      return choice([...entriesMet(value), ...(value.isOpen ? [DATA] : [])]);
    case "text":
      return { kind: "unknown", source: sourceOf(value) };
    case "choice":
      return choice(value.options.map(elementOf));
    case "made":
      // What a library hands out one after the other is of the same kind.
      return value.target ? DATA : value;
    case "unknown":
      return value;
    default:
      return DATA;
  }
}

export type RecordValue = Extract<Value, { kind: "record" }>;

export function keyOf({ keys }: RecordValue, name: string): Value {
  return keys?.get(name) ?? (name.startsWith("\0") ? DATA : text(name));
}

/** Keys, or pairs of a map. */
function entriesMet(record: RecordValue): Value[] {
  return [...record.entries].map(([name, value]) =>
    record.isMap ? list([keyOf(record, name), value]) : keyOf(record, name),
  );
}

/** One of the things in it, by its number. */
export function itemAt(value: Value, at: number): Value {
  if (value.kind === "list") return value.items[at] ?? elementOf(value);
  if (value.kind === "choice") return choice(value.options.map((each) => itemAt(each, at)));
  return elementOf(value);
}
