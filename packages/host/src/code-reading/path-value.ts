// Paths as values: what is joined to them, and what they are parts of.

import { posix } from "node:path";
import type { CodeReader } from "./code-reader.ts";
import {
  HIDDEN,
  exactly,
  joined,
  list,
  optionsOf,
  choice,
  partsOf,
  text,
  type Value,
} from "./code-value.ts";

/** What Python's `pathlib` gives. */
export const PATH = "pathlib.Path";

export function isPath(value: Value): boolean {
  return optionsOf(value).some((each) => each.kind === "made" && each.by === PATH);
}

export function pathValue(target: Value): Value {
  if (target.kind === "choice") return choice(target.options.map(pathValue));
  return { kind: "made", by: PATH, target };
}

export function makePath(parts: readonly Value[]): Value {
  return pathValue(joinPaths(parts));
}

/** As `os.path.join` and `path.join` do: what is absolute begins anew. */
export function joinPaths(
  parts: readonly Value[],
  { isRestarting = true }: { isRestarting?: boolean } = {},
): Value {
  const open = parts.findIndex(({ kind }) => kind === "choice");
  const split = parts[open];
  if (split?.kind === "choice") {
    return choice(
      split.options
        .slice(0, MAX_WAYS)
        .map((each) => joinPaths(parts.with(open, each), { isRestarting })),
    );
  }
  let whole: Value = text("");
  for (const part of parts) {
    const [first] = partsOf(part);
    const isAbsolute = typeof first === "string" && first.startsWith("/");
    const isEmpty = partsOf(whole).length === 0;
    if (isEmpty || (isAbsolute && isRestarting)) whole = textOf(part);
    else whole = joined(whole, text(endsInSlash(whole) || isAbsolute ? "" : "/"), part);
  }
  const exact = exactly(whole);
  return exact === undefined || exact === "" ? whole : text(posix.normalize(exact));
}

const MAX_WAYS = 4;

function textOf(value: Value): Value {
  return { kind: "text", parts: partsOf(value) };
}

function endsInSlash(value: Value): boolean {
  const last = partsOf(value).at(-1);
  return typeof last === "string" && last.endsWith("/");
}

export function directoryOf(value: Value): Value {
  const exact = exactly(value);
  // Above where the code is.
  if (exact !== undefined && /^(?:\.?|(?:.*\/)?\.\.)$/.test(exact))
    return text(posix.join(exact, ".."));
  if (exact !== undefined) return text(posix.dirname(exact));
  const parts = [...partsOf(value)];
  while (parts.length > 0) {
    const last = parts.pop()!;
    const at = typeof last === "string" ? last.lastIndexOf("/") : -1;
    if (at >= 0) return { kind: "text", parts: [...parts, String(last).slice(0, Math.max(at, 1))] };
  }
  return text(".");
}

export function baseOf(value: Value): Value {
  const exact = exactly(value);
  if (exact !== undefined) return text(posix.basename(exact));
  const parts = partsOf(value);
  const at = parts.findLastIndex((part) => typeof part === "string" && part.includes("/"));
  const rest = parts.slice(at + 1);
  const head = at < 0 ? "" : String(parts[at]);
  const begin = head.slice(head.lastIndexOf("/") + 1);
  // Without its directories, data is a name.
  const named = rest.map((part) =>
    typeof part !== "string" && part.source === "data" ? { source: "entry" as const } : part,
  );
  return joined({ kind: "text", parts: begin === "" ? named : [begin, ...named] });
}

/** Where the code is, from the root if that is known. */
export function here({ acts, cwd }: CodeReader): Value {
  if (acts.directory === null) return HIDDEN;
  const path = acts.directory ?? ".";
  return text(cwd === undefined || path.startsWith("~") ? path : posix.resolve(cwd, path));
}

/** From the root, if it is known where that begins. */
export function absolutePath(reader: CodeReader, value: Value): Value {
  const path = value.kind === "made" && value.target ? value.target : value;
  const [first] = partsOf(path);
  if (typeof first === "string" && /^[/~]/.test(first)) return joinPaths([path]);
  return joinPaths([here(reader), path]);
}

export function expandHome(reader: CodeReader, value: Value): Value {
  const [first, ...rest] = partsOf(value);
  if (typeof first !== "string" || !/^~(?:\/|$)/.test(first)) return textOf(value);
  return joined(text(reader.home + first.slice(1)), { kind: "text", parts: rest });
}

/** The entries of a directory: names, or paths that begin with it. */
export function entriesOf(directory: Value, isWhole: boolean): Value {
  const entry: Value = { kind: "unknown", source: "entry" };
  if (!isWhole) return list([entry], true);
  return list([makePath([directory, entry])], true);
}

/** What a path knows without being asked. */
export function pathMember(
  made: Extract<Value, { kind: "made" }>,
  name: string,
): Value | undefined {
  if (made.by !== PATH || !made.target) return undefined;
  switch (name) {
    case "parent":
      return pathValue(directoryOf(made.target));
    case "parents":
      return list([
        pathValue(directoryOf(made.target)),
        pathValue(directoryOf(directoryOf(made.target))),
      ]);
    case "name":
      return baseOf(made.target);
    case "stem": {
      const exact = exactly(baseOf(made.target));
      return exact === undefined
        ? { kind: "unknown", source: "entry" }
        : text(posix.parse(exact).name);
    }
    case "suffix": {
      const exact = exactly(made.target);
      return exact === undefined
        ? { kind: "unknown", source: "entry" }
        : text(posix.extname(exact));
    }
    default:
      return undefined;
  }
}
