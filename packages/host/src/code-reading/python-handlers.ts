// Functions of Python whose result matters, or whose effect a row cannot say.

import { CELL_HANDLERS } from "./cell-handlers.ts";
import type { Handler } from "./code-language.ts";
import { OPEN_FILE } from "./code-acts.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  HIDDEN,
  NUMBER,
  args,
  choice,
  elementOf,
  exactly,
  list,
  optionsOf,
  partsOf,
  pieced,
  sourceOf,
  text,
  type Args,
  type Value,
  first,
} from "./code-value.ts";
import { PYTHON_CODE_HANDLERS } from "./python-code-handlers.ts";
import { PYTHON_LIBRARY_HANDLERS } from "./python-library-handlers.ts";
import { PYTHON_PATH_HANDLERS } from "./python-path-handlers.ts";
import { decoded } from "./decode-text.ts";
import { judgeSql, databaseFile } from "./judge-sql.ts";
import { joinPaths } from "./path-value.ts";
import { keysOf, recordFrom } from "./record-value.ts";
import { openFile } from "./library-row.ts";
import { runCommand, settingOf } from "./run-command.ts";

/** Values that are handed on as they are. */
const same: Handler = (reader, given) => {
  const [value] = given.positional;
  if (!value) return DATA;
  if (value.kind === "list" || value.kind === "record" || value.kind === "unknown") {
    reader.language.iterated(reader, value);
    return value.kind === "record" ? list(keysOf(value), value.isOpen) : value;
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
    return list(items.items.map((item) => reader.call(fn, args(item))));
  reader.language.iterated(reader, items);
  return list([reader.perhaps(() => reader.call(fn, args(elementOf(items))))], true);
}

/** `os.open(path, flags)`, where flags are names or numbers. */
const openDescriptor: Handler = (reader, { positional, named }) => {
  const path = positional[0] ?? named.get("path") ?? DATA;
  const flags = positional[1] ?? named.get("flags");
  const isReading =
    (flags?.kind === "known" && flags.name === "os.O_RDONLY") ||
    (flags?.kind === "number" && flags.value === 0);
  openFile(reader, path, isReading ? "r" : "w");
  return { kind: "made", by: OPEN_FILE, target: path };
};

const executed: Handler = (reader, given) => {
  const [connection, statement, values] = given.positional;
  // `attach ? as other`
  if (/\battach\b/i.test(exactly(statement) ?? "") && values)
    for (const value of values.kind === "record" ? values.entries.values() : [elementOf(values)])
      reader.acts.overwrite(value);
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
  ...PYTHON_CODE_HANDLERS,
  ...PYTHON_PATH_HANDLERS,
  ...PYTHON_LIBRARY_HANDLERS,
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
      reader.handedOn({ ...given, positional: [] }, first(given)),
      same(reader, given, "")
    ),
  ],
  ["builtins.iter", (reader, given, name) => iterated(reader, given) ?? same(reader, given, name)],
  ["builtins.reversed", (reader, given) => reversed(reader, first(given))],
  ["builtins.next", (_, given) => elementOf(first(given))],
  [
    "builtins.min",
    (reader, given) => (
      reader.handedOn({ ...given, positional: [] }, first(given)),
      elementOf(first(given))
    ),
  ],
  [
    "builtins.max",
    (reader, given) => (
      reader.handedOn({ ...given, positional: [] }, first(given)),
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
  ["os.popen", (reader, given) => piped(reader, given)],
  ["os.putenv", (reader, given) => setVariable(reader, given)],
  ["functools.cached_property", (_, given) => asProperty(first(given))],
  ["builtins.property", (_, given) => asProperty(first(given))],
  ["builtins.input", () => HIDDEN],
  [
    "functools.partial",
    (_, given) => ({
      kind: "made",
      by: "bound",
      target: list(given.positional),
      named: given.named,
    }),
  ],
  [
    "functools.reduce",
    (reader, given) =>
      reader.call(
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
  ["urllib.parse.urljoin", (_, given) => joinPaths(given.positional)],
  ["os.chdir", (reader, given) => (reader.acts.move(first(given)), DATA)],
  ["os.fchdir", (reader, given) => (reader.acts.move(first(given)), DATA)],
  ["contextlib.chdir", (reader, given) => (reader.acts.move(first(given)), DATA)],
  ["os.getenv", (reader, given) => variableOr(reader, given)],
  ["os.environb.get", (reader, given) => variableOr(reader, given)],
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
  ["builtins.open.write", (reader, given) => written(reader, given)],
  ["builtins.open.writelines", (reader, given) => written(reader, args(first(given), DATA))],
  ["sqlalchemy.create_engine", (_, given) => engine(first(given))],
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
  ["sqlite3.connect.connect", (_, given) => first(given)],
  ["sqlite3.connect.begin", (_, given) => first(given)],
  ["sqlite3.connect.backup", (reader, given) => backedUp(reader, given)],
  ["fileinput.input", (reader, given) => inPlace(reader, given)],
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
  ["sys.exit", (reader) => leave(reader)],
  ["builtins.exit", (reader) => leave(reader)],
  ["builtins.quit", (reader) => leave(reader)],
  ["os._exit", (reader) => leave(reader)],
  ["requests.delete", (reader, given) => lost(reader, first(given))],
  ["httpx.delete", (reader, given) => lost(reader, first(given))],
  ["shlex.split", (_, given) => shellWords(first(given))],
  ["shlex.quote", (_, given) => first(given)],
  ["shlex.join", (_, given) => first(given)],
  ...CELL_HANDLERS,
]);

/** `iter(f, None)` calls it until it gives that. */
function iterated(reader: CodeReader, { positional }: Args): Value | undefined {
  return positional.length > 1 ? list([reader.call(positional[0]!, args())], true) : undefined;
}

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
  const record = recordFrom(value);
  for (const [name, each] of given.named) record.entries.set(name, each);
  return record;
}

function hiddenFrom(value: Value): Value {
  return { kind: "unknown", source: sourceOf(value) };
}

function variableOr(reader: CodeReader, given: Args): Value {
  const value = reader.language.variable(reader, first(given));
  const [, byDefault] = given.positional;
  return byDefault ? choice([value, byDefault]) : value;
}

/** What came from the network and is kept is a download. */
function written(reader: CodeReader, { positional }: Args): Value {
  const [file, content] = positional;
  const path = file && targetOf(file);
  if (path && content && optionsOf(content).some((each) => sourceOf(each) === "web"))
    reader.acts.download(path);
  if (content) reader.shown(content);
  if (path) reader.acts.fill(path, content);
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

function targetOf(value: Value): Value | undefined {
  return value.kind === "made" ? value.target : undefined;
}

/** `os.popen("sh", "w")` writes to the command what is not known yet. */
function piped(reader: CodeReader, given: Args): Value {
  const mode = given.positional[1] ?? given.named.get("mode");
  const isFed = mode !== undefined && exactly(mode) !== "r";
  runCommand(reader, given.positional[0] ?? given.named.get("cmd"), isFed ? { input: HIDDEN } : {});
  return { kind: "made", by: "os.popen" };
}

function setVariable(reader: CodeReader, { positional }: Args): Value {
  const [name = DATA, value = DATA] = positional;
  reader.language.setVariable(reader, name, value);
  return DATA;
}

/** A method that is called by naming it. */
function asProperty(value: Value): Value {
  return value.kind === "function" ? { ...value, isProperty: true } : value;
}

/** `sqlite:///x.db` is a file, anything else is on another machine. */
function engine(address: Value): Value {
  const path = /^sqlite(?:\+\w+)?:\/\/\/?(.*)$/.exec(exactly(address) ?? "")?.[1];
  if (path === undefined) return { kind: "made", by: "sqlalchemy.create_engine" };
  return { kind: "made", by: "sqlite3.connect", target: text(path === "" ? ":memory:" : path) };
}
