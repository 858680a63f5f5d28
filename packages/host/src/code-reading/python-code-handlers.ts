// Functions of Python that run code, load modules, or reach for something by its name.

import { quote } from "./code-acts.ts";
import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  HIDDEN,
  HIDDEN_CODE,
  NUMBER,
  args,
  choice,
  FILE_TEXT,
  exactly,
  isPiecedText,
  known,
  list,
  optionsOf,
  sourceOf,
  type Args,
  type Value,
  first,
} from "./code-value.ts";
import { recordFrom } from "./record-value.ts";
import { indexOf, memberOf, noteSpelling } from "./member-value.ts";

const CODE = "it runs code that is only known when it runs";

/** Code in a text: what is known of it is read like the rest. */
const runText: Handler = (reader, given) => {
  reader.defineAll([...given.positional.slice(1), ...given.named.values()]);
  const results: Value[] = [];
  for (const option of optionsOf(first(given))) {
    const code = exactly(option);
    if (sourceOf(option) === "web") reader.acts.effects.downloadsAndExecutes = true;
    if (option.kind === "made" && option.by === "builtins.compile") continue;
    // The text of a file of the project is a script like any other.
    if (option.kind === "made" && option.by === FILE_TEXT && option.target) {
      run(reader, `python3 ${word(option.target)}`);
      continue;
    }
    if (code === undefined || isPiecedText(option)) reader.acts.unknown(CODE);
    if (code !== undefined) results.push(reader.readText(code));
  }
  return choice(results);
};

const importModule: Handler = (reader, given) => {
  const name = exactly(first(given));
  if (name === undefined) {
    const isHidden = optionsOf(first(given)).some((each) => sourceOf(each) !== "data");
    return isHidden ? HIDDEN_CODE : { kind: "unknown", source: "data", isCode: true };
  }
  noteSpelling(reader, first(given), name);
  reader.language.loaded(reader, name);
  return reader.language.known(reader, name);
};

/** `resolve_name("os:remove")` */
const resolved: Handler = (reader, given) => {
  const name = exactly(first(given))?.replace(":", ".");
  if (name === undefined) return HIDDEN_CODE;
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

function setAttribute(reader: CodeReader, given: Args): Value {
  const [object = DATA, name = DATA, value = DATA] = given.positional;
  const exact = exactly(name);
  if (exact !== undefined) reader.language.setMember(reader, object, exact, value);
  else if (optionsOf(object).some(({ kind }) => kind === "known"))
    reader.acts.unknown("it changes a library in a way that is only known when it runs");
  return DATA;
}

/** `globals().update(f=os.remove)`, `globals().setdefault("f", os.remove)` */
const defined: Handler = (reader, { positional, named }) => {
  const [key, value] = positional;
  if (value && key) reader.language.setIndex(reader, known("globals"), key, value);
  const changes = [...recordFrom(value ? undefined : key).entries, ...named];
  for (const [name, each] of changes)
    reader.language.setMember(reader, known("globals"), name, each);
  return value ?? DATA;
};

/** Code as a text, or a function. */
function timed(reader: CodeReader, given: Args): Value {
  for (const value of [...given.positional, ...given.named.values()]) {
    if (value.kind === "text") runText(reader, args(value), "");
    else if (value.kind === "function") reader.call(value, args());
  }
  return NUMBER;
}

function run(reader: CodeReader, line: string): Value {
  reader.acts.command(line);
  return DATA;
}

function word(value: Value): string {
  const exact = exactly(value);
  return exact === undefined ? '"$tau_open"' : quote(exact);
}

export const PYTHON_CODE_HANDLERS: readonly (readonly [string, Handler])[] = [
  ["pdb.run", timed],
  ["pdb.runeval", timed],
  ["bdb.Bdb.run", timed],
  ["trace.Trace.run", timed],
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
  ["pkgutil.resolve_name", resolved],
  ["pydoc.locate", resolved],
  ["unittest.mock._importer", resolved],
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
  ...["update", "setdefault", "__setitem__"].map((name): [string, Handler] => [
    `globals.${name}`,
    defined,
  ]),
  ...["get", "pop", "__getitem__"].map((name): [string, Handler] => [
    `globals.${name}`,
    (reader, given) => indexOf(reader, known("globals"), first(given)),
  ]),
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
  ["timeit.timeit", (reader, given) => timed(reader, given)],
  ["timeit.repeat", (reader, given) => timed(reader, given)],
  ["timeit.Timer", (reader, given) => timed(reader, given)],
  ["cProfile.run", (reader, given) => timed(reader, given)],
  ["profile.run", (reader, given) => timed(reader, given)],
];
