// What differs between the languages: which names stand for what before anybody defines them, and
// what the functions of their libraries do.

import { COMPUTED, type Expression, type ImportBinding, type Statement } from "./code-node.ts";
import { instanceMember } from "./instance-member.ts";
import type { CodeReader } from "./code-reader.ts";
import { OVERRIDE, type CodeScope } from "./code-scope.ts";
import {
  DATA,
  args,
  choice,
  elementOf,
  exactly,
  joined,
  known,
  list,
  optionsOf,
  partsOf,
  text,
  type Args,
  type ClassValue,
  type Value,
} from "./code-value.ts";
import { judgeStranger } from "./judge-stranger.ts";
import { here, makePath, isPath } from "./path-value.ts";
import { setIndex, setMember } from "./set-member.ts";
import { runTemplate, wordOf } from "./run-command.ts";

/** What a function does and gives, for what a row cannot say. */
export type Handler = (reader: CodeReader, given: Args, name: string) => Value | undefined;

export interface LanguageTables {
  /** Of a name that nobody has defined. */
  builtin(name: string, hasHelpers: boolean): Value | undefined;
  /** One name for what has several. */
  canonical(name: string): string;
  /** By full name; methods of what a function made are under its name. */
  rows: ReadonlyMap<string, string>;
  handlers: ReadonlyMap<string, Handler>;
  /** Modules whose functions only compute. */
  harmless: ReadonlySet<string>;
  /** Modules that can do harm, with their functions that cannot. */
  powerful: ReadonlyMap<string, RegExp>;
  /** Modules that reach other machines. */
  web: ReadonlySet<string>;
  /** Modules through which something elsewhere is lost. */
  remote: ReadonlySet<string>;
  environment: string;
  /** Functions are there before they are defined, and objects are not handed to their methods. */
  isHoisting: boolean;
  /** Values and other names for members of libraries. */
  member(name: string, reader: CodeReader): Value | undefined;
}

const ENVIRONMENT = "the environment";
/** Modules all of whose names were imported. */
const STARS = "\0*";
const SECRET_NAME =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?|APIKEY|KEY|PAT|AUTH)(?:$|_)/i;
/** Functions that the language calls by itself. */
const CALLED_UNSEEN =
  /^(?:__(?!init__$|name__$|slots__$|all__$|doc__$|version__$)\w+__|valueOf|toString|toJSON|then)$/;

/** Variables that make every program load or run something. */
const DECIDING =
  /^(?:PATH|LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_\w+|BASH_ENV|ENV|ZDOTDIR|PYTHONSTARTUP|PERL5LIB|RUBYLIB|GIT_EXEC_PATH|GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM|GIT_SSH|GIT_ASKPASS|SSH_ASKPASS)$/;
/** Where anybody can put a program. */
const FOREIGN_START = /^(?:\/tmp|\/var\/tmp|\/dev\/shm)(?:[/:]|$)/;
export class CodeLanguage {
  readonly tables: LanguageTables;
  readonly hasHelpers: boolean;
  readonly temporary: string;

  constructor(tables: LanguageTables, hasHelpers: boolean, temporary: string) {
    this.tables = tables;
    this.hasHelpers = hasHelpers;
    this.temporary = temporary;
  }

  lookUp(reader: CodeReader, name: string, scope: CodeScope): Value {
    const found = scope.find(name);
    if (found) return found;
    const added = reader.top.names.get(`${OVERRIDE}builtins.${name}`);
    if (added) return added;
    const builtin = this.tables.builtin(name, this.hasHelpers);
    if (builtin?.kind === "known") return this.known(reader, builtin.name);
    return builtin ?? this.#fromStar(reader, name) ?? DATA;
  }

  /** What `from os import *` has brought. */
  #fromStar(reader: CodeReader, name: string): Value | undefined {
    const stars = reader.top.names.get(STARS);
    if (stars?.kind !== "list") return undefined;
    const modules = stars.items.flatMap((each) => exactly(each) ?? []);
    const { powerful, rows } = this.tables;
    const own = modules.find((each) => powerful.has(each) || rows.has(`${each}.${name}`));
    const found = own ?? modules[0];
    return found === undefined ? undefined : this.known(reader, `${found}.${name}`);
  }

  /** Of a library; what the code has put in its place counts. */
  known(reader: CodeReader, name: string): Value {
    const own = this.tables.canonical(name);
    const replaced = reader.top.names.get(OVERRIDE + own);
    return replaced ?? this.tables.member(own, reader) ?? known(own);
  }

  bind(reader: CodeReader, { module, member, local }: ImportBinding, scope: CodeScope): void {
    this.loaded(reader, module);
    if (member === "*") {
      const before = reader.top.names.get(STARS);
      const modules = before?.kind === "list" ? before.items : [];
      reader.top.names.set(STARS, list([text(module), ...modules]));
    }
    if (member === "*" || local === undefined) return;
    const isWhole = member === undefined || member === "default";
    const name = isWhole ? module : `${module}.${member}`;
    scope.define(local, this.known(reader, name), reader.level);
  }

  /** A module that the code itself has fetched. */
  loaded(reader: CodeReader, module: string): void {
    const path = module.replace(/^\.\//, "").replaceAll(".", "/");
    const isFetched = reader.acts.effects.downloaded.some(({ text: file }) => {
      const own = file?.replace(/^\.\//, "").replace(/\.\w+$/, "");
      return own === path || own === module.replace(/^\.\/|\.\w+$/g, "");
    });
    if (isFetched) reader.acts.effects.downloadsAndExecutes = true;
    if (/^[\w./@-]+$/.test(module)) reader.acts.load(this.tables.isHoisting ? module : path);
  }

  /** Functions of JavaScript are there before their place is reached. */
  hoist(reader: CodeReader, statements: readonly Statement[], scope: CodeScope): void {
    if (!this.tables.isHoisting) return;
    for (const statement of statements) {
      if (statement.type === "define" && statement.value.type === "function")
        scope.define(statement.name, reader.evaluate(statement.value, scope), reader.level);
    }
  }

  /** What a `with` gives: mostly the thing itself. */
  entered(reader: CodeReader, value: Value): Value {
    const enter =
      value.kind === "instance" ? instanceMember(reader, value, "__enter__") : undefined;
    if (enter) return choice([value, reader.call(enter, args())]);
    // What a generator hands out is what is entered.
    return value.kind === "list" ? elementOf(value) : value;
  }

  iterated(reader: CodeReader, value: Value): void {
    this.shown(reader, value);
    for (const option of optionsOf(value))
      if (option.kind === "known" && this.tables.powerful.has(option.name))
        reader.acts.unknown(`it goes through all that ${option.name} has`);
  }

  /** The environment as a whole is seen by somebody. */
  shown(reader: CodeReader, value: Value): void {
    for (const option of optionsOf(value)) {
      if (option.kind === "known" && option.name === this.tables.environment)
        reader.acts.secret(ENVIRONMENT);
      if (option.kind === "made" && option.by === this.tables.environment)
        reader.acts.secret(ENVIRONMENT);
    }
  }

  /** Of the environment, one variable. */
  variable(reader: CodeReader, name: Value): Value {
    const exact = exactly(name);
    if (exact === undefined) {
      reader.acts.secret(ENVIRONMENT);
      return { kind: "unknown", source: "hidden" };
    }
    if (SECRET_NAME.test(exact)) reader.acts.secret(`$${exact}`);
    if (exact === "PWD") return here(reader);
    if (exact === "HOME" || exact === "USERPROFILE") return text(reader.home);
    if (/^(?:TMPDIR|TMP|TEMP)$/.test(exact)) return text(this.temporary);
    return { kind: "unknown", source: "hidden" };
  }

  asEnvironment(value: Value, _changes: ReadonlyMap<string, Value>): Value | undefined {
    if (value.kind === "known" && value.name === this.tables.environment)
      return { kind: "made", by: this.tables.environment };
    if (value.kind === "made" && value.by === this.tables.environment) return value;
    return value.kind === "known" ? value : undefined;
  }

  /** What is set is set for the commands that come after it. */
  setVariable(reader: CodeReader, name: Value, value: Value): void {
    const exact = exactly(name);
    if (exact === undefined || !/^[A-Za-z_]\w*$/.test(exact)) return;
    const [begin] = partsOf(value);
    const pattern = exact === "PATH" ? FOREIGN_START : /^[/~]/;
    if (DECIDING.test(exact) && typeof begin === "string" && pattern.test(begin))
      reader.acts.unknown(`it sets ${exact}, which decides what runs`);
    reader.acts.command(`export ${exact}=${wordOf(value)}`);
  }

  setMember(reader: CodeReader, object: Value, name: string, value: Value): void {
    setMember(reader, object, name, value);
  }

  setIndex(reader: CodeReader, object: Value, index: Value, value: Value): void {
    setIndex(reader, object, index, value);
  }

  called(reader: CodeReader, node: Extract<Expression, { type: "call" }>, scope: CodeScope): Value {
    const callee = reader.evaluate(node.callee, scope);
    const given = this.given(reader, node, scope);
    // Nobody knows where it comes from; its name tells something all the same.
    if (node.callee.type === "name" && callee.kind === "unknown")
      judgeStranger(reader, { name: node.callee.name, given, isHarmless: false });
    return reader.call(callee, given);
  }

  given(reader: CodeReader, node: Extract<Expression, { type: "call" }>, scope: CodeScope): Args {
    const given: Args = { positional: [], named: new Map(), isOpen: false };
    for (const { value: inner, name, isSpread } of node.args) {
      const value = reader.evaluate(inner, scope);
      if (!isSpread && name !== undefined) given.named.set(name, value);
      else if (!isSpread) given.positional.push(value);
      else if (value.kind === "list") {
        given.positional.push(...value.items);
        given.isOpen ||= value.isOpen;
      } else if (value.kind === "record" && name === "**") {
        for (const [key, each] of value.entries) given.named.set(key, each);
        given.isOpen ||= value.isOpen;
      } else {
        given.positional.push(elementOf(value));
        given.isOpen = true;
      }
    }
    return given;
  }

  tagged(reader: CodeReader, tag: Value, parts: readonly Expression[], scope: CodeScope): Value {
    const values = parts.map((part) => reader.evaluate(part, scope));
    for (const each of optionsOf(tag)) {
      if (each.kind === "known" && /^(?:Bun\.\$|zx\.\$|execa\.(?:\$|execa))$/.test(each.name)) {
        const isInserted = parts.map((part) => part.type === "unary");
        runTemplate(reader, values, isInserted);
        return { kind: "made", by: "shell output" };
      }
      if (each.kind === "known" && each.name === "String.raw") return joined(...values);
      if (each.kind === "unknown") continue;
      const isInserted = (at: number): boolean => parts[at]?.type === "unary";
      const texts = values.filter((_, at) => !isInserted(at));
      reader.call(each, args(list(texts), ...values.filter((_, at) => isInserted(at))));
    }
    return { kind: "made", by: "tagged" };
  }

  /** `Path("a") / "b"`. */
  operated(reader: CodeReader, operator: string, left: Value, right: Value): Value | undefined {
    if (operator === "/" && (isPath(left) || isPath(right))) return makePath([left, right]);
    if (operator === "%" && left.kind === "text") return this.formatted(left, right);
    for (const value of [left, right]) {
      if (value.kind !== "instance") continue;
      for (const [name, member] of value.of.members)
        if (/^__(?!init__)/.test(name) && member.kind === "function")
          return reader.call({ ...member, bound: [value] }, args(right));
    }
    return undefined;
  }

  /** `"%s/x" % home` */
  formatted(left: Extract<Value, { kind: "text" }>, right: Value): Value {
    const pattern = exactly(left);
    if (pattern === undefined) return DATA;
    const items = right.kind === "list" ? right.items : [right];
    let at = 0;
    const pieces = pattern.split(/(%(?:\(\w+\))?[-+ #0]*[\d*]*(?:\.\d+)?[a-zA-Z%])/);
    return joined(
      ...pieces.map((piece) => {
        if (piece === "%%") return text("%");
        if (!/^%./.test(piece) || pieces.indexOf(piece) % 2 === 0) return text(piece);
        const key = /^%\((\w+)\)/.exec(piece)?.[1];
        if (key !== undefined && right.kind === "record") return right.entries.get(key) ?? DATA;
        return items[at++] ?? DATA;
      }),
    );
  }

  /** Functions that a class has under names which the language itself calls. */
  defined(reader: CodeReader, made: ClassValue): void {
    for (const [name, member] of made.members) {
      // `__getitem__ = os.system`
      if (CALLED_UNSEEN.test(name) && (member.kind === "known" || member.kind === "method"))
        reader.call(member, args(DATA, DATA));
      if (name.startsWith(COMPUTED) && member.kind === "function")
        reader.perhaps(() => reader.call(member, args(DATA)));
    }
  }

  isCalledUnseen(name: string): boolean {
    return CALLED_UNSEEN.test(name);
  }
}
