// Functions of JavaScript that call what they are given in their own way, drive other programs, or
// reach further than their names tell.

import { isOwnMachine } from "../shell-line/own-machine.ts";
import { argumentsOf } from "./command-arguments.ts";
import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  NUMBER,
  args,
  choice,
  elementOf,
  exactly,
  known,
  list,
  optionsOf,
  partsOf,
  sourceOf,
  text,
  type Value,
  first,
} from "./code-value.ts";
import { noteVerb } from "./judge-verb.ts";
import { killed } from "./kill-process.ts";
import { GIT_METHODS, runGit } from "./run-git.ts";
import { recordFrom } from "./record-value.ts";
import { runCommand } from "./run-command.ts";
import { insertsIn, noteCodeText } from "./text-code.ts";

/** With what comes after it. */
const soon: Handler = (reader, given) => {
  const [fn, ...rest] = given.positional;
  if (fn) reader.perhaps(() => reader.call(fn, args(...rest)));
  return NUMBER;
};

/** `new Map([["x", fs]])` */
const mapped: Handler = (reader, given, name) => {
  reader.language.iterated(reader, first(given));
  return recordFrom(first(given), { isMap: name !== "Object.fromEntries" });
};

const parsedJson: Handler = (reader, given) => {
  reader.handedOn({ ...given, positional: given.positional.slice(1) });
  return { kind: "unknown", source: sourceOf(first(given)) === "web" ? "web" : "data" };
};

const assigned: Handler = (reader, { positional }) => {
  const [target, ...rest] = positional;
  const isEnvironment =
    target?.kind === "known" && target.name === reader.language.tables.environment;
  for (const each of rest)
    if (each.kind === "record")
      for (const [name, value] of each.entries) {
        if (isEnvironment) reader.language.setVariable(reader, text(name), value);
        else if (target?.kind === "known") reader.language.setMember(reader, target, name, value);
      }
  const module = rest.find(({ kind }) => kind === "known");
  if (module) return choice([target ?? DATA, module]);
  if (target?.kind !== "record") return target ?? DATA;
  for (const each of rest)
    if (each.kind === "record")
      for (const [name, value] of each.entries)
        reader.language.setMember(reader, target, name, value);
  return target;
};

/** What its traps give may be anything that is asked of it. */
const proxied: Handler = (reader, given) => {
  const found = reader.handedOn({ ...given, positional: given.positional.slice(1) });
  const traps = found
    ? optionsOf(found).filter(({ kind }) => /^(?:known|function)$/.test(kind))
    : [];
  return choice([first(given), ...traps]);
};

/** What it does not have itself, it has from there. */
const inherited: Handler = (reader, { positional }) => {
  const [object = DATA, before = DATA] = positional;
  reader.language.setMember(reader, object, "__proto__", before);
  return object;
};

const defined: Handler = (reader, { positional }) => {
  const [object = DATA, name = DATA, descriptor] = positional;
  if (descriptor?.kind !== "record") return object;
  for (const each of ["value", "get", "set"]) {
    const value = descriptor.entries.get(each);
    const isSetter = each === "set";
    const isProperty = each === "get";
    if (value)
      reader.language.setIndex(
        reader,
        object,
        name,
        value.kind === "function" ? { ...value, isProperty, isSetter } : value,
      );
  }
  return object;
};

/** A request is judged where it is put together. */
const requested: Handler = (reader, given, name) => {
  noteVerb(reader, given);
  reader.handedOn(given);
  return { kind: "made", by: name, target: first(given) };
};

/** What a server answers with leaves: that it has read in the answer, not what it was set up with. */
const serving: Handler = (reader, given) => {
  const { reads, deepReads } = reader.acts.effects;
  const before = reads.length + deepReads.length;
  reader.handedOn(given);
  if (reads.length + deepReads.length > before) reader.acts.network();
  return { kind: "made", by: "server" };
};

/** What a program that was started is told. */
const told: Handler = (reader, given) => {
  const [process, input] = given.positional;
  if (process?.kind === "made" && process.target && input && input.kind !== "function")
    runCommand(reader, process.target, { input });
  return DATA;
};

const linked: Handler = (reader, given) => {
  const [target = DATA, path = DATA] = given.positional;
  reader.acts.link(target, path);
  runCommand(reader, list([text("ln"), text("-s"), target, path]));
  return DATA;
};

/** Keys of a store come and go; all of them at once do not. */
const stored: Handler = (reader, given) => {
  reader.acts.network();
  const command = given.positional.map((each) => exactly(each) ?? "").join(" ");
  if (given.positional.length === 0 || /^(?:flush|config|shutdown|debug)/i.test(command))
    reader.acts.critical("deletes something that may not come back");
  return DATA;
};

const deletedThere: Handler = (reader, given) => {
  const [begin] = partsOf(first(given));
  // A path alone is one of the server that is tested here.
  if (typeof begin === "string" && (begin.startsWith("/") || isOwnMachine(begin))) return DATA;
  reader.acts.network();
  reader.acts.critical("deletes something that may not come back");
  return { kind: "made", by: "web:fetch" };
};

/** The code in a template is code. */
const template: Handler = (reader, given, name) => {
  noteCodeText(reader, first(given));
  const code = insertsIn(first(given)).join("\n");
  if (code !== "") reader.readText(code);
  return { kind: "made", by: name };
};

function variables(reader: CodeReader): Value {
  const { environment } = reader.language.tables;
  reader.language.shown(reader, known(environment));
  return { kind: "made", by: environment };
}

const parsedArguments: Handler = (reader, given) => {
  const found = argumentsOf(reader);
  reader.language.shown(reader, first(given));
  const values = found.kind === "made" ? (found.target ?? DATA) : DATA;
  return {
    kind: "record",
    entries: new Map<string, Value>([
      ["values", found],
      ["positionals", list([values], true)],
    ]),
    isOpen: true,
  };
};

export const JAVASCRIPT_LIBRARY_HANDLERS: readonly (readonly [string, Handler])[] = [
  ["process.nextTick", soon],
  ["setImmediate", soon],
  ["queueMicrotask", soon],
  ["Map", mapped],
  ["WeakMap", mapped],
  ["Set", (_, given) => (given.positional.length === 0 ? list([]) : first(given))],
  ["JSON.parse", parsedJson],
  ["Proxy", proxied],
  ["Proxy.revocable", proxied],
  [
    "Reflect.set",
    (reader, given) => {
      const [object = DATA, name = DATA, value = DATA] = given.positional;
      reader.language.setIndex(reader, object, name, value);
      return DATA;
    },
  ],
  ["Object.setPrototypeOf", inherited],
  ["Reflect.setPrototypeOf", inherited],
  ["Object.defineProperty", defined],
  ["Reflect.defineProperty", defined],
  ["Request", requested],
  ["Object.assign", assigned],
  ["Object.fromEntries", mapped],
  ["process.kill", killed],
  ["Bun.serve", serving],
  ["http.createServer", serving],
  ["https.createServer", serving],
  ["net.createServer", serving],
  ["child process.write", told],
  ["child process.end", told],
  ["fs.symlink", linked],
  ["fs.ensureSymlink", linked],
  ["Deno.symlink", linked],
  ["Bun.redis.send", stored],
  ["axios.delete", deletedThere],
  ["got.delete", deletedThere],
  ["ky.delete", deletedThere],
  ["superagent.delete", deletedThere],
  ["ejs.render", template],
  ["ejs.compile", template],
  ["lodash.template", template],
  ["underscore.template", template],
  ["denoenv.get", (reader, given) => reader.language.variable(reader, first(given))],
  ["denoenv.toObject", (reader) => variables(reader)],
  [
    "denoenv.set",
    (reader, given) => (
      reader.language.setVariable(reader, first(given), given.positional[1] ?? DATA),
      DATA
    ),
  ],
  ["util.parseArgs", parsedArguments],
  ["minimist", (reader) => argumentsOf(reader)],
  [
    "simple_git",
    (_, given) => ({ kind: "made", by: "simple_git", target: given.positional[0] ?? text(".") }),
  ],
  [
    "simple_git.simpleGit",
    (_, given) => ({ kind: "made", by: "simple_git", target: given.positional[0] ?? text(".") }),
  ],
  ...GIT_METHODS.map((name): [string, Handler] => [
    `simple_git.${name}`,
    (reader, given) => {
      const [repository, ...positional] = given.positional;
      return runGit(reader, repository, name, { ...given, positional });
    },
  ]),
  ["Iterator.from", (_, given) => list([elementOf(first(given))], true)],
  ["Array.fromAsync", (_, given) => list(optionsOf(first(given)).map(elementOf), true)],
];
