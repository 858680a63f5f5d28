// Functions of Python whose result matters, or whose effect a row cannot say.

import { callValue, handedOn } from "./call-value.ts";
import type { Handler } from "./code-language.ts";
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
  isPiecedText,
  known,
  list,
  optionsOf,
  partsOf,
  pieced,
  sourceOf,
  text,
  type Args,
  type Value,
} from "./code-value.ts";
import { decoded } from "./decode-text.ts";
import { judgeSql, databaseFile } from "./judge-sql.ts";
import { indexOf, memberOf, noteSpelling } from "./member-value.ts";
import {
  baseOf,
  directoryOf,
  entriesOf,
  expandHome,
  joinPaths,
  makePath,
  pathValue,
} from "./path-value.ts";
import { openFile } from "./library-row.ts";
import { runCommand, settingOf } from "./run-command.ts";
import { quote } from "./code-acts.ts";

const CODE = "it runs code that is only known when it runs";
const GLOB = /[*?[]/;

function first({ positional }: Args): Value {
  return positional[0] ?? DATA;
}

/** Code in a text: what is known of it is read like the rest. */
const runText: Handler = (reader, given) => {
  for (const option of optionsOf(first(given))) {
    const code = exactly(option);
    if (sourceOf(option) === "web") reader.acts.effects.downloadsAndExecutes = true;
    if (option.kind === "made" && option.by === "builtins.compile" && option.target) continue;
    if (code === undefined || isPiecedText(option)) reader.acts.unknown(CODE);
    if (code !== undefined) reader.readText(code);
  }
  return DATA;
};

const importModule: Handler = (reader, given) => {
  const name = exactly(first(given));
  if (name === undefined) {
    const isHidden = optionsOf(first(given)).some((each) => sourceOf(each) !== "data");
    return isHidden ? HIDDEN_CODE : { kind: "unknown", source: "data", isCode: true };
  }
  noteSpelling(reader, first(given), name);
  return reader.language.known(reader, name);
};

const getAttribute: Handler = (reader, given) => {
  const [object = DATA, name = DATA, byDefault] = given.positional;
  const found = optionsOf(name).map((each) => attributeOf(reader, object, each));
  return choice(byDefault ? [...found, byDefault] : found);
};

function attributeOf(reader: CodeReader, object: Value, name: Value): Value {
  const exact = exactly(name);
  const known = optionsOf(object).flatMap((each) => (each.kind === "known" ? [each.name] : []));
  if (exact !== undefined) {
    for (const each of known) noteSpelling(reader, name, each);
    return memberOf(reader, object, exact);
  }
  if (known.length > 0) return indexOf(reader, object, name);
  return { kind: "unknown", source: "data", isCode: sourceOf(name) === "hidden" };
}

/** Values that are handed on as they are. */
const same: Handler = (reader, given) => {
  const [value] = given.positional;
  if (!value) return DATA;
  if (value.kind === "list" || value.kind === "record" || value.kind === "unknown") {
    reader.language.iterated(reader, value);
    return value;
  }
  if (value.kind === "text") return list([elementOf(value)], true);
  reader.language.shown(reader, value);
  return value.kind === "made" ? value : list([elementOf(value)], true);
};

const toText: Handler = (reader, given) => {
  const [value] = given.positional;
  if (!value) return text("");
  reader.language.shown(reader, value);
  if (
    value.kind === "list" &&
    value.items.length > 0 &&
    value.items.every(({ kind }) => kind === "number")
  )
    return fromCodes(value);
  return { kind: "text", parts: partsOf(value) };
};

/** `bytes([47, 104])` */
function fromCodes(value: Extract<Value, { kind: "list" }>): Value {
  const codes = value.items.map((item) => (item.kind === "number" ? item.value : undefined));
  if (value.isOpen || codes.some((code) => code === undefined || code < 0 || code > 0x10ffff))
    return HIDDEN;
  return pieced(String.fromCodePoint(...(codes as number[])));
}

function mapOver(reader: CodeReader, given: Args): Value {
  const [fn, items] = given.positional;
  if (!fn || !items) return DATA;
  if (items.kind === "list" && !items.isOpen && items.items.length <= 32)
    return list(items.items.map((item) => callValue(reader, fn, args(item))));
  reader.language.iterated(reader, items);
  return list([reader.perhaps(() => callValue(reader, fn, args(elementOf(items))))], true);
}

/** What a pattern finds: paths that begin as it does. */
function globbed(reader: CodeReader, base: Value, pattern: Value, isText: boolean): Value {
  const exact = exactly(pattern);
  const whole = joinPaths(reader, [base, pattern]);
  const last = exact?.split("/").at(-1) ?? "*";
  const path = exactly(whole);
  const fixed = path?.split("/") ?? [];
  const at = fixed.findIndex((part) => GLOB.test(part));
  const directory =
    path === undefined
      ? directoryOf(whole)
      : text(fixed.slice(0, at < 0 ? -1 : at).join("/") || (path.startsWith("/") ? "/" : "."));
  const name: Value = { kind: "text", parts: globParts(at < 0 ? last : fixed.slice(at).join("/")) };
  const found = joinPaths(reader, [directory, name]);
  return list([isText ? found : pathValue(found)], true);
}

/** `**` and `*` are names of files, the rest of the pattern stays. */
function globParts(pattern: string): (string | { source: "entry" })[] {
  const last = pattern.split("/").at(-1)!;
  const end = /[^*?\]]*$/.exec(last)?.[0] ?? "";
  return end === "" ? [{ source: "entry" }] : [{ source: "entry" }, end];
}

function walked(reader: CodeReader, root: Value): Value {
  const entry: Value = { kind: "unknown", source: "entry" };
  const directory = choice([root, joinPaths(reader, [root, entry])]);
  return list([list([directory, list([entry], true), list([entry], true)])], true);
}

function temporaryFile(reader: CodeReader, { named }: Args): Value {
  const directory = named.get("dir") ?? text(reader.language.temporary);
  return joinPaths(reader, [directory, { kind: "unknown", source: "entry" }]);
}

/** `os.open(path, flags)`, where flags are names or numbers. */
const openDescriptor: Handler = (reader, { positional, named }) => {
  const path = positional[0] ?? named.get("path") ?? DATA;
  const flags = positional[1] ?? named.get("flags");
  const isReading =
    (flags?.kind === "known" && flags.name === "os.O_RDONLY") ||
    (flags?.kind === "number" && flags.value === 0);
  openFile(reader, path, isReading ? "r" : "w");
  return NUMBER;
};

const executed: Handler = (reader, given) => {
  const [connection, statement] = given.positional;
  const file = connection?.kind === "made" ? databaseFile(connection.target) : undefined;
  const isMemory =
    connection?.kind === "made" && connection.target !== undefined && file === undefined;
  if (statement && !isMemory) judgeSql(reader, statement, file);
  else if (statement) judgeSql(reader, statement, text(`${reader.language.temporary}/memory.db`));
  return connection ?? DATA;
};

function words(given: Args, from: number): Value {
  return list(given.positional.slice(from), given.isOpen);
}

const spawnWords: Handler = (reader, given, name) => {
  // os.execvp(file, [args]), os.execl(file, arg0, arg1, …), os.spawnlp(mode, file, …)
  const isSpawn = /\.(?:spawn|posix_spawn)/.test(name) && !/posix/.test(name);
  const rest = given.positional.slice(isSpawn ? 1 : 0);
  const items = rest[1]?.kind === "list" ? rest[1].items.slice(1) : rest.slice(2);
  const isOpen =
    given.isOpen || (rest[1]?.kind !== "list" && /(?:v|vp|ve|vpe|spawnp?)$/.test(name));
  runCommand(reader, list([rest[0] ?? DATA, ...items], isOpen));
  return NUMBER;
};

const DOTENV = text(".env");

export const PYTHON_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["builtins.exec", runText],
  ["builtins.eval", runText],
  ["builtins.execfile", (reader, given) => run(reader, `python3 ${word(first(given))}`)],
  [
    "builtins.compile",
    (reader, given) => (
      runText(reader, given, ""),
      { kind: "made", by: "builtins.compile", target: first(given) }
    ),
  ],
  ["builtins.__import__", importModule],
  ["importlib.import_module", importModule],
  ["importlib.__import__", importModule],
  ["builtins.getattr", getAttribute],
  [
    "operator.attrgetter",
    (_, given) => ({ kind: "made", by: "operator.attrgetter", target: first(given) }),
  ],
  ["operator.methodcaller", () => HIDDEN_CODE],
  ["builtins.setattr", (reader, given) => setAttribute(reader, given)],
  ["builtins.globals", () => known("globals")],
  ["builtins.locals", () => known("globals")],
  ["builtins.vars", (_, given) => given.positional[0] ?? known("globals")],
  [
    "builtins.dir",
    (_, given) =>
      list([optionsOf(first(given)).some(({ kind }) => kind === "known") ? HIDDEN : DATA], true),
  ],
  ["builtins.str", toText],
  ["builtins.bytes", toText],
  ["builtins.bytearray", toText],
  ["builtins.repr", toText],
  ["builtins.format", toText],
  ["os.fspath", toText],
  ["os.fsdecode", toText],
  ["os.fsencode", toText],
  ["builtins.chr", (_, given) => fromCodes({ kind: "list", items: [first(given)], isOpen: false })],
  ["builtins.int", (_, given) => ({ kind: "number", value: numberOf(given) })],
  ["builtins.float", () => NUMBER],
  ["builtins.len", () => NUMBER],
  [
    "builtins.ord",
    (_, given) => ({ kind: "number", value: exactly(first(given))?.codePointAt(0) }),
  ],
  ["builtins.list", same],
  ["builtins.tuple", same],
  ["builtins.set", same],
  ["builtins.frozenset", same],
  [
    "builtins.sorted",
    (reader, given) => (
      handedOn(reader, { ...given, positional: [] }, first(given)),
      same(reader, given, "")
    ),
  ],
  ["builtins.iter", same],
  ["builtins.reversed", (reader, given) => reversed(reader, first(given))],
  ["builtins.next", (_, given) => elementOf(first(given))],
  [
    "builtins.min",
    (reader, given) => (
      handedOn(reader, { ...given, positional: [] }, first(given)),
      elementOf(first(given))
    ),
  ],
  [
    "builtins.max",
    (reader, given) => (
      handedOn(reader, { ...given, positional: [] }, first(given)),
      elementOf(first(given))
    ),
  ],
  ["builtins.dict", (reader, given) => asRecord(reader, given)],
  ["builtins.map", mapOver],
  ["builtins.filter", (reader, given) => (mapOver(reader, given), given.positional[1] ?? DATA)],
  ["builtins.enumerate", (_, given) => list([list([NUMBER, elementOf(first(given))])], true)],
  ["builtins.range", () => list([NUMBER], true)],
  ["builtins.zip", (_, given) => list([list(given.positional.map(elementOf))], true)],
  [
    "builtins.print",
    (reader, given) => (given.positional.forEach((each) => reader.shown(each)), DATA),
  ],
  ["builtins.super", () => DATA],
  ["builtins.type", () => DATA],
  ["builtins.input", () => HIDDEN],
  [
    "functools.partial",
    (_, given) => ({ kind: "made", by: "bound", target: list(given.positional) }),
  ],
  [
    "functools.reduce",
    (reader, given) =>
      callValue(
        reader,
        first(given),
        args(
          given.positional[2] ?? elementOf(given.positional[1] ?? DATA),
          elementOf(given.positional[1] ?? DATA),
        ),
      ),
  ],
  ["functools.wraps", () => DATA],
  ["bytes.fromhex", (_, given) => decoded("hex", first(given))],
  ["bytearray.fromhex", (_, given) => decoded("hex", first(given))],
  ["str.join", (_, given) => ({ kind: "unknown", source: sourceOf(given.positional[1] ?? DATA) })],
  ...["b64decode", "standard_b64decode", "urlsafe_b64decode", "decodebytes"].map(
    (name): [string, Handler] => [`base64.${name}`, (_, given) => decoded("base64", first(given))],
  ),
  ...["b32decode", "b85decode", "a85decode", "b16decode"].map((name): [string, Handler] => [
    `base64.${name}`,
    (_, given) => (name === "b16decode" ? decoded("hex", first(given)) : hiddenFrom(first(given))),
  ]),
  ["binascii.unhexlify", (_, given) => decoded("hex", first(given))],
  ["binascii.a2b_hex", (_, given) => decoded("hex", first(given))],
  ["binascii.a2b_base64", (_, given) => decoded("base64", first(given))],
  ["codecs.decode", (_, given) => decoded(exactly(given.positional[1]) ?? "", first(given))],
  ["codecs.encode", (_, given) => decoded(exactly(given.positional[1]) ?? "", first(given))],
  ["zlib.decompress", (_, given) => hiddenFrom(first(given))],
  ["urllib.parse.unquote", (_, given) => decoded("percent", first(given))],
  ["urllib.parse.urljoin", (reader, given) => joinPaths(reader, given.positional)],
  ["os.path.join", (reader, given) => joinPaths(reader, given.positional)],
  ["os.path.expanduser", (reader, given) => expandHome(reader, first(given))],
  ["os.path.expandvars", (reader, given) => expandVariables(reader, first(given))],
  ["os.path.abspath", (reader, given) => absolute(reader, first(given))],
  ["os.path.realpath", (reader, given) => absolute(reader, first(given))],
  ["os.path.normpath", (reader, given) => joinPaths(reader, [first(given)])],
  [
    "os.path.relpath",
    (_, given) =>
      exactly(first(given)) === undefined ? first(given) : text(exactly(first(given))!),
  ],
  ["os.path.dirname", (_, given) => directoryOf(first(given))],
  ["os.path.basename", (_, given) => baseOf(first(given))],
  ["os.path.split", (_, given) => list([directoryOf(first(given)), baseOf(first(given))])],
  ["os.path.splitext", (_, given) => splitExtension(first(given))],
  [
    "os.getcwd",
    (reader) => text(typeof reader.acts.directory === "string" ? reader.acts.directory : "."),
  ],
  ["os.getcwdb", () => text(".")],
  ["os.chdir", (reader, given) => (reader.acts.move(first(given)), DATA)],
  ["os.fchdir", (reader) => (reader.acts.move(DATA), DATA)],
  ["contextlib.chdir", (reader, given) => (reader.acts.move(first(given)), DATA)],
  ["os.getenv", (reader, given) => variableOr(reader, given)],
  ["os.environb.get", (reader, given) => variableOr(reader, given)],
  ["os.listdir", () => list([{ kind: "unknown", source: "entry" }], true)],
  ["os.scandir", (reader, given) => entriesOf(reader, given.positional[0] ?? text("."), true)],
  ["os.walk", (reader, given) => walked(reader, first(given))],
  ["os.fwalk", (reader, given) => walked(reader, first(given))],
  ["os.open", openDescriptor],
  ["os.fdopen", () => ({ kind: "made", by: "os.fdopen" })],
  ...[
    "execv",
    "execve",
    "execvp",
    "execvpe",
    "execl",
    "execle",
    "execlp",
    "execlpe",
    "spawnl",
    "spawnle",
    "spawnlp",
    "spawnlpe",
    "spawnv",
    "spawnve",
    "spawnvp",
    "spawnvpe",
    "posix_spawn",
    "posix_spawnp",
  ].map((name): [string, Handler] => [`os.${name}`, spawnWords]),
  [
    "asyncio.create_subprocess_exec",
    (reader, given) => (
      runCommand(reader, words(given, 0), settingOf(given)),
      { kind: "made", by: "subprocess.Popen" }
    ),
  ],
  [
    "glob.glob",
    (reader, given) => globbed(reader, given.named.get("root_dir") ?? text(""), first(given), true),
  ],
  [
    "glob.iglob",
    (reader, given) => globbed(reader, given.named.get("root_dir") ?? text(""), first(given), true),
  ],
  [
    "pathlib.Path",
    (reader, given) =>
      makePath(reader, given.positional.length === 0 ? [text(".")] : given.positional),
  ],
  ["pathlib.Path.home", (reader) => pathValue(text(reader.home))],
  ["pathlib.Path.cwd", () => pathValue(text("."))],
  ...["joinpath", "__truediv__"].map((name): [string, Handler] => [
    `pathlib.Path.${name}`,
    (reader, given) => makePath(reader, given.positional),
  ]),
  ["pathlib.Path.expanduser", (reader, given) => pathValue(expandHome(reader, first(given)))],
  ...["resolve", "absolute", "samefile", "as_posix", "relative_to"].map(
    (name): [string, Handler] => [
      `pathlib.Path.${name}`,
      (reader, given) =>
        pathValue(name === "relative_to" ? first(given) : absolute(reader, first(given))),
    ],
  ),
  ["pathlib.Path.with_suffix", (_, given) => pathValue(withEnd(given))],
  [
    "pathlib.Path.with_name",
    (reader, given) => makePath(reader, [directoryOf(first(given)), given.positional[1] ?? DATA]),
  ],
  [
    "pathlib.Path.with_stem",
    (reader, given) => makePath(reader, [directoryOf(first(given)), given.positional[1] ?? DATA]),
  ],
  ["pathlib.Path.iterdir", (reader, given) => entriesOf(reader, first(given), true)],
  [
    "pathlib.Path.glob",
    (reader, given) => globbed(reader, first(given), given.positional[1] ?? DATA, false),
  ],
  [
    "pathlib.Path.rglob",
    (reader, given) => globbed(reader, first(given), given.positional[1] ?? DATA, false),
  ],
  ["pathlib.Path.walk", (reader, given) => walked(reader, first(given))],
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
  ["builtins.open.write", (reader, given) => written(reader, given)],
  [
    "sqlite3.connect",
    (_, given) => ({
      kind: "made",
      by: "sqlite3.connect",
      target: given.positional[0] ?? given.named.get("database") ?? DATA,
    }),
  ],
  [
    "duckdb.connect",
    (_, given) => ({
      kind: "made",
      by: "sqlite3.connect",
      target: given.positional[0] ?? text(":memory:"),
    }),
  ],
  [
    "duckdb.sql",
    (reader, given) => (
      judgeSql(reader, first(given), text(`${reader.language.temporary}/memory.db`)),
      DATA
    ),
  ],
  [
    "duckdb.query",
    (reader, given) => (
      judgeSql(reader, first(given), text(`${reader.language.temporary}/memory.db`)),
      DATA
    ),
  ],
  ...["execute", "executemany", "executescript", "sql", "query"].map((name): [string, Handler] => [
    `sqlite3.connect.${name}`,
    executed,
  ]),
  ["sqlite3.connect.cursor", (_, given) => first(given)],
  ["sqlite3.connect.backup", (reader, given) => backedUp(reader, given)],
  ["fileinput.input", (reader, given) => inPlace(reader, given)],
  ["runpy.run_path", (reader, given) => run(reader, `python3 ${word(first(given))}`)],
  ["runpy.run_module", (reader, given) => run(reader, `python3 -m ${word(first(given))}`)],
  [
    "importlib.util.spec_from_file_location",
    (reader, given) => run(reader, `python3 ${word(given.positional[1] ?? DATA)}`),
  ],
  [
    "importlib.machinery.SourceFileLoader",
    (reader, given) => run(reader, `python3 ${word(given.positional[1] ?? DATA)}`),
  ],
  ["builtins.get_ipython", () => DATA],
  [
    "dotenv.load_dotenv",
    (reader, given) => (
      reader.acts.read(given.positional[0] ?? given.named.get("dotenv_path") ?? DOTENV),
      DATA
    ),
  ],
  [
    "dotenv.dotenv_values",
    (reader, given) => (
      reader.acts.read(given.positional[0] ?? given.named.get("dotenv_path") ?? DOTENV),
      DATA
    ),
  ],
  ["keyring.get_password", (reader) => (reader.acts.secret("a keychain"), DATA)],
  ["timeit.timeit", (reader, given) => timed(reader, given)],
  ["timeit.repeat", (reader, given) => timed(reader, given)],
  ["timeit.Timer", (reader, given) => timed(reader, given)],
  ["cProfile.run", (reader, given) => timed(reader, given)],
  ["profile.run", (reader, given) => timed(reader, given)],
  ["sys.exit", (reader) => leave(reader)],
  ["builtins.exit", (reader) => leave(reader)],
  ["builtins.quit", (reader) => leave(reader)],
  ["os._exit", (reader) => leave(reader)],
  ["requests.delete", (reader, given) => lost(reader, first(given))],
  ["httpx.delete", (reader, given) => lost(reader, first(given))],
  ["shlex.split", (_, given) => shellWords(first(given))],
  ["shlex.quote", (_, given) => first(given)],
  ["shlex.join", (_, given) => first(given)],
  ["cell.read", (reader, given) => (reader.acts.read(first(given)), DATA)],
  ["cell.write", (reader, given) => (reader.acts.overwrite(first(given)), DATA)],
  ["cell.append", (reader, given) => (reader.acts.overwrite(first(given)), DATA)],
  [
    "cell.env",
    (reader, given) =>
      given.positional.length === 0
        ? (reader.acts.secret("the environment"), DATA)
        : reader.language.variable(reader, first(given)),
  ],
  [
    "cell.diff",
    (reader, given) => (given.positional.forEach((each) => reader.acts.read(each)), DATA),
  ],
]);

/** The code of a cell is left; what follows may not happen. */
function leave(reader: CodeReader): Value {
  reader.level += LEFT;
  return DATA;
}
/** Once is enough. */
const LEFT = 1;

function numberOf(given: Args): number | undefined {
  const value = exactly(first(given));
  const base = exactly(given.positional[1]);
  const found =
    value === undefined ? NaN : base === undefined ? Number(value) : parseInt(value, Number(base));
  return Number.isNaN(found) ? undefined : found;
}

function reversed(reader: CodeReader, value: Value): Value {
  if (value.kind === "list") return list(value.items.toReversed(), value.isOpen);
  const exact = exactly(value);
  return exact === undefined
    ? (same(reader, args(value), "") ?? DATA)
    : list([...exact].toReversed().slice(0, 100).map(text));
}

function asRecord(reader: CodeReader, given: Args): Value {
  const [value] = given.positional;
  const environment = value && reader.language.asEnvironment(value, given.named);
  if (environment) return environment;
  if (value?.kind === "record")
    return { ...value, entries: new Map([...value.entries, ...given.named]) };
  return { kind: "record", entries: new Map(given.named), isOpen: value !== undefined };
}

function setAttribute(reader: CodeReader, given: Args): Value {
  const [object = DATA, name = DATA, value = DATA] = given.positional;
  const exact = exactly(name);
  if (exact !== undefined) reader.language.setMember(reader, object, exact, value);
  else if (optionsOf(object).some(({ kind }) => kind === "known"))
    reader.acts.unknown("it changes a library in a way that is only known when it runs");
  return DATA;
}

function hiddenFrom(value: Value): Value {
  return { kind: "unknown", source: sourceOf(value) };
}

function expandVariables(reader: CodeReader, value: Value): Value {
  const exact = exactly(value);
  if (exact === undefined) return HIDDEN;
  const pieces = exact.split(/(\$\w+|\$\{\w+\})/);
  const values = pieces.map((piece) =>
    /^\$/.test(piece)
      ? reader.language.variable(reader, text(piece.replace(/\W/g, "")))
      : text(piece),
  );
  return { kind: "text", parts: values.flatMap(partsOf) };
}

/** From where the code is, which the judge of paths knows. */
function absolute(reader: CodeReader, value: Value): Value {
  const path = expandHomeIfPath(reader, value);
  const exact = exactly(path);
  return exact === undefined
    ? { kind: "text", parts: partsOf(path) }
    : text(reader.acts.resolve(exact));
}

function expandHomeIfPath(_: CodeReader, value: Value): Value {
  return value.kind === "made" && value.target ? value.target : value;
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

function variableOr(reader: CodeReader, given: Args): Value {
  const value = reader.language.variable(reader, first(given));
  const [, byDefault] = given.positional;
  return byDefault ? choice([value, byDefault]) : value;
}

function targetOf(value: Value): Value | undefined {
  return value.kind === "made" ? value.target : undefined;
}

/** What came from the network and is kept is a download. */
function written(reader: CodeReader, { positional }: Args): Value {
  const [file, content] = positional;
  const path = file && targetOf(file);
  if (path && content && optionsOf(content).some((each) => sourceOf(each) === "web"))
    reader.acts.download(path);
  if (content) reader.shown(content);
  return NUMBER;
}

function backedUp(reader: CodeReader, { positional }: Args): Value {
  const target = positional[1]?.kind === "made" ? databaseFile(positional[1].target) : undefined;
  if (target) reader.acts.overwrite(target);
  return DATA;
}

function inPlace(reader: CodeReader, given: Args): Value {
  const files = given.positional[0] ?? given.named.get("files");
  const isChanging = given.named.has("inplace") || given.positional.length > 1;
  for (const file of files?.kind === "list" ? files.items : files ? [files] : [])
    if (isChanging) reader.acts.overwrite(file);
    else reader.acts.read(file);
  return list([DATA], true);
}

function word(value: Value): string {
  const exact = exactly(value);
  return exact === undefined ? '"$tau_open"' : quote(exact);
}

function run(reader: CodeReader, line: string): Value {
  reader.acts.command(line);
  return DATA;
}

/** Code as a text, or a function. */
function timed(reader: CodeReader, given: Args): Value {
  for (const value of [...given.positional, ...given.named.values()]) {
    if (value.kind === "text") runText(reader, args(value), "");
    else if (value.kind === "function") callValue(reader, value, args());
  }
  return NUMBER;
}

function lost(reader: CodeReader, address: Value): Value {
  const exact = partsOf(address)[0];
  const isOwn =
    typeof exact === "string" && /^https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])/.test(exact);
  if (!isOwn) {
    reader.acts.network();
    reader.acts.critical("deletes something that may not come back");
  }
  return { kind: "made", by: "web:requests.delete" };
}

function shellWords(value: Value): Value {
  const exact = exactly(value);
  return exact === undefined
    ? list([HIDDEN], true)
    : list(
        (exact.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((each) =>
          text(each.replace(/^(["'])(.*)\1$/s, "$2")),
        ),
      );
}
