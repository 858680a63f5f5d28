// Functions of Python that make paths of other paths, list directories, or name temporary files.

import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  HIDDEN,
  NUMBER,
  choice,
  exactly,
  list,
  partsOf,
  text,
  type Args,
  type Value,
  first,
} from "./code-value.ts";
import { globbed } from "./glob-value.ts";
import {
  absolutePath,
  baseOf,
  directoryOf,
  entriesOf,
  expandHome,
  here,
  joinPaths,
  makePath,
  pathValue,
} from "./path-value.ts";

function walked(root: Value): Value {
  const entry: Value = { kind: "unknown", source: "entry" };
  const directory = choice([root, joinPaths([root, entry])]);
  return list([list([directory, list([entry], true), list([entry], true)])], true);
}

function temporaryFile(reader: CodeReader, { named }: Args): Value {
  const own = named.get("dir");
  const isGiven = own !== undefined && !(own.kind === "known" && own.name === "None");
  const directory = isGiven ? own : text(reader.language.temporary);
  const path = joinPaths([directory, { kind: "unknown", source: "entry" }]);
  if (isGiven) reader.acts.write(path);
  return path;
}

function expandVariables(reader: CodeReader, value: Value): Value {
  const exact = exactly(value);
  if (exact === undefined) return HIDDEN;
  const pieces = exact.split(/(\$\w+|\$\{\w+\})/);
  const values = pieces.map((piece) =>
    piece.startsWith("$")
      ? reader.language.variable(reader, text(piece.replace(/\W/g, "")))
      : text(piece),
  );
  return { kind: "text", parts: values.flatMap(partsOf) };
}

function splitExtension(value: Value): Value {
  const exact = exactly(value);
  if (exact === undefined)
    return list([
      { kind: "text", parts: partsOf(value) },
      { kind: "unknown", source: "entry" },
    ]);
  const dot = exact.lastIndexOf(".");
  return dot > exact.lastIndexOf("/") + 1
    ? list([text(exact.slice(0, dot)), text(exact.slice(dot))])
    : list([text(exact), text("")]);
}

function withEnd({ positional }: Args): Value {
  const [path = DATA, end = DATA] = positional;
  const exact = exactly(path);
  const suffix = exactly(end);
  if (exact !== undefined && suffix !== undefined)
    return text(exact.replace(/\.[^./]*$/, "") + suffix);
  const parts = partsOf(path);
  return { kind: "text", parts: suffix === undefined ? parts : [...parts, suffix] };
}

function targetOf(value: Value): Value | undefined {
  return value.kind === "made" ? value.target : undefined;
}

export const PYTHON_PATH_HANDLERS: readonly (readonly [string, Handler])[] = [
  ["os.path.join", (_, given) => joinPaths(given.positional)],
  ["os.path.expanduser", (reader, given) => expandHome(reader, first(given))],
  ["os.path.expandvars", (reader, given) => expandVariables(reader, first(given))],
  ["os.path.abspath", (reader, given) => absolutePath(reader, first(given))],
  ["os.path.realpath", (reader, given) => absolutePath(reader, first(given))],
  ["os.path.normpath", (_, given) => joinPaths([first(given)])],
  [
    "os.path.relpath",
    (_, given) =>
      exactly(first(given)) === undefined ? first(given) : text(exactly(first(given))!),
  ],
  ["os.path.dirname", (_, given) => directoryOf(first(given))],
  ["os.path.basename", (_, given) => baseOf(first(given))],
  ["os.path.split", (_, given) => list([directoryOf(first(given)), baseOf(first(given))])],
  ["os.path.splitext", (_, given) => splitExtension(first(given))],
  ["os.getcwd", (reader) => here(reader)],
  ["os.getcwdb", (reader) => here(reader)],
  ["os.listdir", () => list([{ kind: "unknown", source: "entry" }], true)],
  ["os.scandir", (_, given) => entriesOf(given.positional[0] ?? text("."), true)],
  ["os.walk", (_, given) => walked(first(given))],
  ["os.fwalk", (_, given) => walked(first(given))],
  ["glob.glob", (_, given) => globbed(given.named.get("root_dir") ?? text(""), first(given), true)],
  [
    "glob.iglob",
    (_, given) => globbed(given.named.get("root_dir") ?? text(""), first(given), true),
  ],
  [
    "pathlib.Path",
    (_, given) => makePath(given.positional.length === 0 ? [text(".")] : given.positional),
  ],
  ["pathlib.Path.home", (reader) => pathValue(text(reader.home))],
  ["pathlib.Path.cwd", (reader) => pathValue(here(reader))],
  ...["joinpath", "__truediv__"].map((name): [string, Handler] => [
    `pathlib.Path.${name}`,
    (_, given) => makePath(given.positional),
  ]),
  ["pathlib.Path.expanduser", (reader, given) => pathValue(expandHome(reader, first(given)))],
  ["pathlib.Path.with_suffix", (_, given) => pathValue(withEnd(given))],
  [
    "pathlib.Path.with_name",
    (_, given) => makePath([directoryOf(first(given)), given.positional[1] ?? DATA]),
  ],
  [
    "pathlib.Path.with_stem",
    (_, given) => makePath([directoryOf(first(given)), given.positional[1] ?? DATA]),
  ],
  ["pathlib.Path.iterdir", (_, given) => entriesOf(first(given), true)],
  ["pathlib.Path.glob", (_, given) => globbed(first(given), given.positional[1] ?? DATA, false)],
  ["pathlib.Path.rglob", (_, given) => globbed(first(given), given.positional[1] ?? DATA, false)],
  ["pathlib.Path.walk", (_, given) => walked(first(given))],
  ["tempfile.mkdtemp", (reader, given) => temporaryFile(reader, given)],
  ["tempfile.mktemp", (reader, given) => temporaryFile(reader, given)],
  ["tempfile.mkstemp", (reader, given) => list([NUMBER, temporaryFile(reader, given)])],
  ["tempfile.gettempdir", (reader) => text(reader.language.temporary)],
  [
    "tempfile.TemporaryDirectory",
    (reader, given) => ({
      kind: "made",
      by: "tempfile.TemporaryDirectory",
      target: temporaryFile(reader, given),
    }),
  ],
  [
    "tempfile.NamedTemporaryFile",
    (reader, given) => ({
      kind: "made",
      by: "tempfile.NamedTemporaryFile",
      target: temporaryFile(reader, given),
    }),
  ],
  ["tempfile.TemporaryDirectory.name=", (_, given) => targetOf(first(given))],
  ["tempfile.NamedTemporaryFile.name=", (_, given) => targetOf(first(given))],
  ...["resolve", "absolute", "samefile", "as_posix", "relative_to"].map(
    (name): [string, Handler] => [
      `pathlib.Path.${name}`,
      (reader, given) =>
        pathValue(name === "relative_to" ? first(given) : absolutePath(reader, first(given))),
    ],
  ),
];
