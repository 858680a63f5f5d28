// Methods of texts, as far as the text is known. What is not followed is hidden: whoever puts a text
// together from pieces in other ways may have a reason.

import {
  DATA,
  NUMBER,
  exactly,
  joined,
  list,
  partsOf,
  pieced,
  sourceOf,
  text,
  type Args,
  type Value,
} from "./code-value.ts";

/** They do not change what the text says about a path. */
const KEEPING =
  /^(?:strip|lstrip|rstrip|trim|trimEnd|trimStart|encode|decode|toString|expandtabs|normalize|casefold|valueOf|as_posix|__str__|tobytes|toWellFormed|format_map)$/;
const TELLING =
  /^(?:startswith|endswith|startsWith|endsWith|includes|isdigit|isalpha|isupper|islower|isspace|isidentifier|find|rfind|index|rindex|count|indexOf|lastIndexOf|search|match|matchAll|localeCompare|charCodeAt|codePointAt|test|exec|hex|isnumeric|isdecimal|isalnum|istitle|isascii)$/;

export function foldText(object: Value, name: string, given: Args): Value | undefined {
  const whole = exactly(object);
  const [first, second] = given.positional;
  if (TELLING.test(name)) return name.startsWith("match") ? DATA : NUMBER;
  switch (name) {
    case "join":
      return joinText(object, first);
    case "format":
      return whole === undefined ? unknownFrom(object) : formatted(whole, given);
    case "concat":
      return joined(object, ...given.positional);
    case "replace":
    case "replaceAll":
      return replaced(object, whole, exactly(first), second);
    case "split":
    case "rsplit":
    case "splitlines":
    case "partition":
    case "rpartition":
      return splitText(object, whole, name === "splitlines" ? "\n" : exactly(first));
    case "lower":
    case "toLowerCase":
      return mapped(object, (each) => each.toLowerCase());
    case "upper":
    case "toUpperCase":
      return mapped(object, (each) => each.toUpperCase());
    case "swapcase":
    case "title":
    case "capitalize":
      return whole === undefined ? unknownFrom(object) : { kind: "unknown", source: "hidden" };
    case "removeprefix":
    case "removesuffix":
      return whole === undefined
        ? { kind: "text", parts: partsOf(object) }
        : text(cut(whole, name, exactly(first) ?? ""));
    case "slice":
    case "substring":
    case "substr":
      return whole === undefined
        ? unknownFrom(object)
        : sliced(whole, name, exactly(first), exactly(second));
    case "charAt":
    case "at":
      return whole === undefined || exactly(first) === undefined
        ? unknownFrom(object)
        : text(whole.at(Number(exactly(first))) ?? "");
    case "repeat":
      return whole === undefined
        ? unknownFrom(object)
        : text(whole.repeat(Math.min(64, Number(exactly(first)) || 0)));
    case "padStart":
    case "padEnd":
    case "zfill":
    case "ljust":
    case "rjust":
    case "center":
      return object;
    default:
      return KEEPING.test(name) ? { kind: "text", parts: partsOf(object) } : undefined;
  }
}

function unknownFrom(object: Value): Value {
  return { kind: "unknown", source: sourceOf(object) };
}

function mapped(object: Value, change: (text: string) => string): Value {
  const parts = partsOf(object).map((part) => (typeof part === "string" ? change(part) : part));
  return { kind: "text", parts };
}

export function joinText(separator: Value, items: Value | undefined): Value {
  if (items?.kind !== "list" || items.isOpen)
    return { kind: "unknown", source: items ? sourceOf(items) : "data" };
  return joined(...items.items.flatMap((item, at) => (at === 0 ? [item] : [separator, item])));
}

/** `{}`, `{0}`, `{name}` */
function formatted(pattern: string, given: Args): Value {
  let next = 0;
  const pieces = pattern.split(/(\{\{|\}\}|\{[^{}]*\})/);
  return joined(
    ...pieces.map((piece) => {
      if (piece === "{{" || piece === "}}") return text(piece[0]!);
      if (!/^\{.*\}$/s.test(piece)) return text(piece);
      const field = piece.slice(1, -1).replace(/[:!].*$/s, "");
      if (field === "") return given.positional[next++] ?? DATA;
      if (/^\d+$/.test(field)) return given.positional[Number(field)] ?? DATA;
      return given.named.get(field) ?? DATA;
    }),
  );
}

function replaced(
  object: Value,
  whole: string | undefined,
  from: string | undefined,
  to: Value | undefined,
): Value {
  const into = to && exactly(to);
  if (whole !== undefined && from !== undefined && into !== undefined)
    return pieced(from === "" ? whole : whole.replaceAll(from, into));
  // Of data, a few letters changed are data still.
  if (whole === undefined) return { kind: "text", parts: partsOf(object) };
  return {
    kind: "unknown",
    source: to ? (sourceOf(to) === "hidden" ? "hidden" : sourceOf(to)) : "hidden",
  };
}

function splitText(object: Value, whole: string | undefined, by: string | undefined): Value {
  if (whole === undefined) return list([unknownFrom(object)], true);
  const parts = by === undefined ? whole.trim().split(/\s+/) : whole.split(by);
  return list(parts.slice(0, 100).map(text), parts.length > 100);
}

function cut(whole: string, name: string, part: string): string {
  if (name === "removeprefix") return whole.startsWith(part) ? whole.slice(part.length) : whole;
  return part !== "" && whole.endsWith(part) ? whole.slice(0, -part.length) : whole;
}

function sliced(
  whole: string,
  name: string,
  from: string | undefined,
  to: string | undefined,
): Value {
  const start = Number(from ?? 0);
  const end = to === undefined ? undefined : Number(to);
  if (name === "substr") return text(whole.substr(start, end));
  return text(name === "slice" ? whole.slice(start, end) : whole.substring(start, end));
}
