// Functions of JavaScript whose result matters, or whose effect a row cannot say.

import { CELL_HANDLERS } from "./cell-handlers.ts";
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
  joined,
  known,
  list,
  optionsOf,
  partsOf,
  pathOf,
  pieced,
  sourceOf,
  text,
  type Args,
  type Value,
  first,
} from "./code-value.ts";
import { JAVASCRIPT_LIBRARY_HANDLERS } from "./javascript-library-handlers.ts";
import { decoded } from "./decode-text.ts";
import { globbed } from "./glob-value.ts";
import { databaseFile, judgeSql } from "./judge-sql.ts";
import { indexOf, noteSpelling } from "./member-value.ts";
import { absolutePath, baseOf, directoryOf, entriesOf, here, joinPaths } from "./path-value.ts";
import { keysOf, pairsOf } from "./record-value.ts";
import { runCommand, type CommandSetting } from "./run-command.ts";

const CODE = "it runs code that is only known when it runs";

const load: Handler = (reader, given) => {
  const results = optionsOf(first(given)).map((option) => {
    const name = exactly(option);
    if (name === undefined) {
      // `./steps/${i}.js` is a file of the project.
      const [begin] = partsOf(option);
      if (typeof begin === "string" && /^https?:/.test(begin)) {
        reader.acts.network();
        reader.acts.effects.downloadsAndExecutes = true;
      }
      return typeof begin === "string" && /^\.{0,2}\//.test(begin) ? DATA : HIDDEN_CODE;
    }
    noteSpelling(reader, option, name);
    reader.language.loaded(reader, name);
    if (/^(?:https?:|data:|blob:)/.test(name)) {
      reader.acts.network();
      reader.acts.effects.downloadsAndExecutes = true;
    }
    if (/^\.{0,2}\/.*\.json$/.test(name)) return DATA;
    return reader.language.known(reader, name);
  });
  return choice(results);
};

const runText: Handler = (reader, given, name) => {
  const isFunction = name === "Function";
  if (!isFunction) reader.defineAll(given.positional.slice(1));
  const code = isFunction ? given.positional.at(-1) : given.positional[0];
  for (const option of optionsOf(code ?? DATA)) {
    const exact = exactly(option);
    if (sourceOf(option) === "web") reader.acts.effects.downloadsAndExecutes = true;
    if (exact === undefined || isPiecedText(option)) reader.acts.unknown(CODE);
    if (exact === undefined) continue;
    if (!isFunction) return reader.readText(exact);
    const made = isPiecedText(option) ? undefined : functionOf(reader, given, exact);
    if (made) return made;
  }
  return isFunction ? HIDDEN_CODE : DATA;
};

/** What is made of a text is read at once, with nothing known of what it will be given. */
function functionOf(reader: CodeReader, given: Args, code: string): Value | undefined {
  const names = given.positional.slice(0, -1).map((each) => exactly(each) ?? "x");
  const made = reader.functionIn(`((${names.join(",")}) => {${code}\n})`);
  if (made?.kind !== "function") reader.acts.unknown(CODE);
  else reader.call(made, args());
  return made;
}

const start: Handler = (reader, given, name) => {
  const [program, second, third] = given.positional;
  const words = second?.kind === "list" ? second : undefined;
  const options = [second, third].find((each) => each?.kind === "record");
  const setting = settingOf(options);
  const isLine = /\.exec(?:Sync)?$/.test(name) || setting.isShell;
  const command = words
    ? list([program ?? DATA, ...words.items], words.isOpen || given.isOpen)
    : isLine
      ? program
      : second && !options && second.kind !== "function"
        ? list([program ?? DATA], true)
        : list([program ?? DATA]);
  runCommand(
    reader,
    name.endsWith("fork")
      ? list([text("node"), program ?? DATA, ...(words?.items ?? [])])
      : command,
    setting,
  );
  reader.handedOn({
    ...given,
    positional: given.positional.filter(({ kind }) => kind === "function"),
  });
  return {
    kind: "made",
    by: "child process",
    target: name.endsWith("spawn") ? command : undefined,
  };
};

/** `execSync("ls", { cwd, input, shell })` */
function settingOf(options: Value | undefined): CommandSetting {
  if (options?.kind !== "record") return {};
  const shell = options.entries.get("shell");
  return {
    directory: options.entries.get("cwd"),
    input: options.entries.get("input"),
    environment: options.entries.get("env"),
    isShell: shell !== undefined && !(shell.kind === "known" && shell.name === "false"),
  };
}

/** `spawn` of Bun with a list, or with a list under `cmd`: */
const bunSpawn: Handler = (reader, given) => {
  const [command, options] = given.positional;
  if (command?.kind === "record")
    runCommand(reader, command.entries.get("cmd"), settingOf(command));
  else runCommand(reader, command, settingOf(options));
  for (const each of [command, options]) printsInto(reader, each);
  return { kind: "made", by: "child process" };
};

/** `{ stdout: Bun.file("x") }` */
function printsInto(reader: CodeReader, options: Value | undefined): void {
  if (options?.kind !== "record") return;
  for (const name of ["stdout", "stderr", "stdio"]) {
    const value = options.entries.get(name);
    const files = value?.kind === "list" ? value.items.slice(1) : value ? [value] : [];
    for (const file of files.flatMap(optionsOf)) if (pathOf(file)) reader.acts.overwrite(file);
  }
}

const execa: Handler = (reader, given) => {
  const [program, words] = given.positional;
  runCommand(
    reader,
    words?.kind === "list" ? list([program ?? DATA, ...words.items], words.isOpen) : program,
  );
  return { kind: "made", by: "child process" };
};

const built: Handler = (reader, given) => {
  const options = first(given);
  for (const name of options.kind === "record" ? ["outdir", "outfile"] : []) {
    const value = options.kind === "record" ? options.entries.get(name) : undefined;
    if (value) reader.acts.overwrite(value);
  }
  reader.handedOn(given);
  return { kind: "made", by: "Bun.build" };
};

const worker: Handler = (reader, given) => {
  const [source, options] = given.positional;
  const isText = options?.kind === "record" && options.entries.has("eval");
  if (isText) runText(reader, args(source ?? DATA), "eval");
  else if (exactly(source) === undefined) reader.acts.unknown(CODE);
  else runCommand(reader, list([text("node"), source ?? DATA]));
  return DATA;
};

const fetched: Handler = (reader, given) => {
  const options = given.positional[1];
  const method = options?.kind === "record" ? exactly(options.entries.get("method")) : undefined;
  const [begin] = partsOf(first(given));
  const isOwn =
    typeof begin === "string" &&
    /^(?:https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])|data:|blob:|file:)/i.test(begin);
  if (!isOwn) {
    reader.acts.network();
    if (method?.toUpperCase() === "DELETE")
      reader.acts.critical("deletes something that may not come back");
  }
  if (typeof begin === "string" && begin.startsWith("file:"))
    reader.acts.read(text(begin.slice("file://".length)));
  reader.handedOn(given);
  return { kind: "made", by: "web:fetch" };
};

const database: Handler = (_, given) => ({
  kind: "made",
  by: "sqlite.Database",
  target: given.positional[0] ?? text(":memory:"),
});

const executed: Handler = (reader, given) => {
  const [connection, statement] = given.positional;
  const file = connection?.kind === "made" ? databaseFile(connection.target) : undefined;
  if (statement)
    judgeSql(reader, statement, file ?? text(`${reader.language.temporary}/memory.db`));
  return connection ?? DATA;
};

/** What goes through all that an object has, and it is a module. */
function namesOf(reader: CodeReader, value: Value): Value {
  reader.language.shown(reader, value);
  if (value.kind === "record") return list(keysOf(value), value.isOpen);
  return list([value.kind === "known" ? HIDDEN : DATA], true);
}

function valuesOf(reader: CodeReader, value: Value): Value {
  reader.language.shown(reader, value);
  if (value.kind === "record") return list([...value.entries.values()], value.isOpen);
  if (value.kind === "list") return value;
  return list([value.kind === "known" ? HIDDEN_CODE : DATA], true);
}

function entriesOfObject(reader: CodeReader, value: Value): Value {
  const names = namesOf(reader, value);
  const values = valuesOf(reader, value);
  if (value.kind === "record") return list(pairsOf(value), value.isOpen);
  return list([list([elementOf(names), elementOf(values)])], true);
}

function fromCodes(given: Args): Value {
  const codes = given.positional.map((each) => (each.kind === "number" ? each.value : undefined));
  if (given.isOpen || codes.some((code) => code === undefined || code < 0 || code > 0x10ffff))
    return HIDDEN;
  return pieced(String.fromCodePoint(...(codes as number[])));
}

function joinAll(given: Args, isRestarting: boolean): Value {
  return joinPaths(given.positional, { isRestarting });
}

/** A timer runs a text as code. */
const later: Handler = (reader, given) => {
  const [fn, , ...rest] = given.positional;
  if (fn?.kind === "text") runText(reader, args(fn), "eval");
  else if (fn) reader.perhaps(() => reader.call(fn, args(...rest)));
  return NUMBER;
};

/** What is only the same function in another form. */
const wrapped: Handler = (_, given) => first(given);

function readEntries(reader: CodeReader, given: Args): Value {
  const options = given.positional[1];
  const isWhole = options?.kind === "record" && options.entries.has("withFileTypes");
  const names = entriesOf(first(given), false);
  const callback = given.positional.find(({ kind }) => kind === "function");
  if (callback) reader.call(callback, args(DATA, names));
  return isWhole
    ? list([{ kind: "record", entries: new Map([["name", elementOf(names)]]), isOpen: true }], true)
    : names;
}

export const JAVASCRIPT_HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...JAVASCRIPT_LIBRARY_HANDLERS,
  ["require", load],
  ["import", load],
  ["module.require", load],
  ["process.getBuiltinModule", load],
  ["process.mainModule.require", load],
  ["module.createRequire", () => known("require")],
  ["require.resolve", (_, given) => first(given)],
  ["eval", runText],
  ["Function", runText],
  ["AsyncFunction", runText],
  ["vm.runInThisContext", runText],
  ["vm.runInNewContext", runText],
  ["vm.runInContext", runText],
  ["vm.compileFunction", runText],
  ["vm.Script", runText],
  ["setTimeout", later],
  ["setInterval", later],
  ["util.promisify", wrapped],
  ["structuredClone", wrapped],
  ["Object.freeze", wrapped],
  ["Object.create", wrapped],
  ["Reflect.get", (reader, given) => indexOf(reader, first(given), given.positional[1] ?? DATA)],
  ["Reflect.apply", (reader, given) => reader.call(first(given), spreadOf(given.positional[2]))],
  [
    "Reflect.construct",
    (reader, given) => reader.call(first(given), spreadOf(given.positional[1])),
  ],
  ["Reflect.ownKeys", (reader, given) => namesOf(reader, first(given))],
  [
    "Object.getOwnPropertyDescriptor",
    (reader, given) => ({
      kind: "record",
      entries: new Map([["value", indexOf(reader, first(given), given.positional[1] ?? DATA)]]),
      isOpen: true,
    }),
  ],
  ["Object.keys", (reader, given) => namesOf(reader, first(given))],
  ["Object.getOwnPropertyNames", (reader, given) => namesOf(reader, first(given))],
  ["Object.values", (reader, given) => valuesOf(reader, first(given))],
  ["Object.entries", (reader, given) => entriesOfObject(reader, first(given))],
  ["Array.from", (reader, given) => arrayFrom(reader, given)],
  ["Array.of", (_, given) => list(given.positional, given.isOpen)],
  ["Promise.all", (_, given) => first(given)],
  ["Promise.allSettled", (_, given) => first(given)],
  ["Promise.resolve", (_, given) => first(given)],
  [
    "String",
    (reader, given) => (reader.shown(first(given)), { kind: "text", parts: partsOf(first(given)) }),
  ],
  [
    "JSON.stringify",
    (reader, given) => (
      reader.handedOn(given),
      { kind: "unknown", source: sourceOf(first(given)) === "web" ? "web" : "data" }
    ),
  ],
  ["String.fromCharCode", (_, given) => fromCodes(given)],
  ["String.fromCodePoint", (_, given) => fromCodes(given)],
  ["String.raw", (_, given) => joined(...given.positional)],
  ["atob", (_, given) => decoded("base64", first(given))],
  ["decodeURIComponent", (_, given) => decoded("percent", first(given))],
  ["unescape", (_, given) => decoded("percent", first(given))],
  ["Buffer.from", (_, given) => bufferOf(given)],
  [
    "TextDecoder.decode",
    (_, given) => ({ kind: "text", parts: partsOf(given.positional[1] ?? DATA) }),
  ],
  ["path.join", (_, given) => joinAll(given, false)],
  ["path.resolve", (reader, given) => absolutePath(reader, joinAll(given, true))],
  ["path.normalize", (_, given) => joinAll(given, true)],
  ["path.dirname", (_, given) => directoryOf(first(given))],
  ["path.basename", (_, given) => baseOf(first(given))],
  ["path.extname", () => ({ kind: "unknown", source: "entry" })],
  ["path.relative", (_, given) => given.positional[1] ?? DATA],
  ["url.fileURLToPath", (_, given) => fromUrl(first(given))],
  ["Bun.fileURLToPath", (_, given) => fromUrl(first(given))],
  ["url.pathToFileURL", (_, given) => first(given)],
  ["URL", (_, given) => address(given)],
  ["os.homedir", (reader) => text(reader.home)],
  ["os.tmpdir", (reader) => text(reader.language.temporary)],
  [
    "os.userInfo",
    (reader) => ({
      kind: "record",
      entries: new Map([["homedir", text(reader.home)]]),
      isOpen: true,
    }),
  ],
  ["process.cwd", (reader) => here(reader)],
  ["process.chdir", (reader, given) => (reader.acts.move(first(given)), DATA)],
  [
    "process.loadEnvFile",
    (reader, given) => (reader.acts.read(given.positional[0] ?? text(".env")), DATA),
  ],
  ["dotenv.config", (reader) => (reader.acts.read(text(".env")), DATA)],
  ["process.exit", (reader) => ((reader.level += 1), DATA)],
  ["fs.readdir", readEntries],
  ["fs.opendir", (_, given) => entriesOf(first(given), true)],
  ["fs.mkdtemp", (_, given) => joined(first(given), { kind: "unknown", source: "entry" })],
  ["fs.realpath", (reader, given) => absolutePath(reader, first(given))],
  ["fs.realpath.native", (reader, given) => absolutePath(reader, first(given))],
  ["Bun.file", (_, given) => ({ kind: "made", by: "Bun.file", target: fromUrl(first(given)) })],
  ["Bun.Glob", (_, given) => ({ kind: "made", by: "Bun.Glob", target: first(given) })],
  ["Bun.Glob.scan", (_, given) => found(given)],
  ["Bun.Glob.scanSync", (_, given) => found(given)],
  ["fs.glob", (reader, given) => matched(reader, given)],
  ["glob", (reader, given) => matched(reader, given)],
  ...["glob", "sync", "globSync"].map((name): [string, Handler] => [
    `glob.${name}`,
    (reader, given) => matched(reader, given),
  ]),
  ["Bun.spawn", bunSpawn],
  ["Bun.spawnSync", bunSpawn],
  ["Bun.build", built],
  ["Bun.$", (reader, given) => (runCommand(reader, first(given)), DATA)],
  ...["exec", "execFile", "spawn", "fork"].map((name): [string, Handler] => [
    `child_process.${name}`,
    start,
  ]),
  ...[
    "execa",
    "execa.execa",
    "execa.command",
    "execa.execaCommand",
    "execa.sync",
    "cross_spawn",
    "cross_spawn.sync",
    "zx.$",
  ].map((name): [string, Handler] => [name, execa]),
  ["Deno.Command", (reader, given) => (runCommand(reader, list([first(given)], true)), DATA)],
  ["Worker", worker],
  ["worker_threads.Worker", worker],
  ["fetch", fetched],
  ["undici.fetch", fetched],
  ["node_fetch", fetched],
  ["sqlite.Database", database],
  ["sqlite.DatabaseSync", database],
  ["better_sqlite3", database],
  ["better_sqlite3.Database", database],
  ...["run", "exec", "query", "prepare", "execute", "all", "get"].map((name): [string, Handler] => [
    `sqlite.Database.${name}`,
    executed,
  ]),
  ["sqlite.Database.serialize", (_, given) => first(given)],
  ...CELL_HANDLERS,
]);

function spreadOf(value: Value | undefined): Args {
  return value?.kind === "list" ? args(...value.items) : args(DATA, DATA);
}

function arrayFrom(reader: CodeReader, given: Args): Value {
  const [source = DATA, fn] = given.positional;
  const items =
    source.kind === "list"
      ? source
      : list([source.kind === "record" ? NUMBER : elementOf(source)], true);
  return fn ? list([reader.call(fn, args(elementOf(items), NUMBER))], true) : items;
}

function bufferOf({ positional }: Args): Value {
  const [value = DATA, encoding] = positional;
  if (value.kind === "list")
    return fromCodes({ positional: value.items, named: new Map(), isOpen: value.isOpen });
  return encoding
    ? decoded(exactly(encoding) ?? "", value)
    : { kind: "text", parts: partsOf(value) };
}

function fromUrl(value: Value): Value {
  const exact = exactly(value);
  return exact === undefined
    ? value
    : text(exact.replace(/^file:(?:\/\/(?:localhost)?)?(?=\/)/i, ""));
}

/** `new URL("./x", import.meta.url)` is a file beside the code. */
function address({ positional }: Args): Value {
  const [path = DATA, base] = positional;
  if (!base) return { kind: "text", parts: partsOf(path) };
  const exact = exactly(base);
  if (exact !== undefined && /^https?:/.test(exact)) return joined(text(exact), path);
  // What follows the last slash of the base is left out.
  if (exact !== undefined && /^file:/i.test(exact)) {
    const from = exactly(fromUrl(text(exact.slice(0, exact.lastIndexOf("/") + 1))))!;
    return joinPaths([text(from), path]);
  }
  return joinPaths([directoryOf(base), path]);
}

/** `globSync("../docs/*", { cwd })`, and for those that are called back. */
function matched(reader: CodeReader, { positional }: Args): Value {
  const [patterns = DATA, options] = positional;
  const base = (options?.kind === "record" && options.entries.get("cwd")) || text("");
  const all = patterns.kind === "list" ? patterns.items : [patterns];
  const paths = all.flatMap((each) => optionsOf(globbed(base, each, true)).map(elementOf));
  const callback = positional.find(({ kind }) => kind === "function");
  if (callback) reader.call(callback, args(DATA, list(paths, true)));
  return list(paths, true);
}

/** Paths that a pattern matches, from where the search begins. */
function found({ positional }: Args): Value {
  const [glob, where] = positional;
  const pattern = glob?.kind === "made" && glob.target ? exactly(glob.target) : undefined;
  const end = /[^*?\]}]*$/.exec(pattern?.split("/").at(-1) ?? "")?.[0] ?? "";
  const root = where?.kind === "record" ? where.entries.get("cwd") : where;
  const isAbsolute = where?.kind === "record" && where.entries.has("absolute");
  const fixed = /^[^*?[{]*\//.exec(pattern ?? "")?.[0] ?? "";
  const begin = isAbsolute && root ? [...partsOf(root), "/"] : [fixed];
  return list([joined({ kind: "text", parts: [...begin, { source: "entry" }, end] })], true);
}
