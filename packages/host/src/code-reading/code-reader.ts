// Goes through a piece of code as if it ran, with values as far as they are known. Every way is
// gone; loops twice, so that what one round leaves behind is seen by the next.

import { UnreadableCode, mayLeave, type Expression, type Statement } from "./code-node.ts";
import { CodeActs } from "./code-acts.ts";
import type { CodeDeadline } from "./code-deadline.ts";
import { CodeScope } from "./code-scope.ts";
import {
  DATA,
  HIDDEN,
  NUMBER,
  choice,
  elementOf,
  exactly,
  itemAt,
  joined,
  list,
  text,
  type Args,
  type Value,
} from "./code-value.ts";
import { captureValue } from "./capture-value.ts";
import { callValue, enterFunction } from "./call-value.ts";
import { handedOn } from "./hand-on.ts";
import { classValue, functionValue } from "./define-value.ts";
import { comprehensionValue } from "./comprehension-value.ts";
import { listValue, recordValue } from "./collection-value.ts";
import { operate } from "./operate-values.ts";
import { indexOf, memberOf } from "./member-value.ts";
import { INSERTED } from "./javascript-expressions.ts";
import type { CodeLanguage } from "./code-language.ts";

/** Steps that a judgement may take: far above what cells need, and some tens of milliseconds. */
const MAX_STEPS = 60_000;
const MAX_CALL_DEPTH = 12;
const MAX_TEXT_DEPTH = 4;
const MAX_RECURSION = 2;
/** Of more failures than that nobody tells which is caught. */
const MAX_THROWN = 20;

export interface CodePlace {
  acts: CodeActs;
  top: CodeScope;
  home: string;
  cwd?: string;
  deadline: CodeDeadline;
  /** The whole of it. */
  source: string;
  /** The file that it is in, as the command line names it. */
  script?: string;
  /** The file or its stand-in first, then what follows it on the command line. */
  argv?: readonly Value[];
}

export class CodeReader {
  readonly language: CodeLanguage;
  readonly acts: CodeActs;
  readonly top: CodeScope;
  readonly home: string;
  readonly cwd: string | undefined;
  readonly source: string;
  readonly script: string | undefined;
  readonly argv: readonly Value[] | undefined;
  /** Of the options that the code reads from its command line. */
  readonly defaults: Value[] = [];
  /** What the functions that are being read hand out one after the other. */
  readonly yielded: Value[][] = [];
  readonly #thrown: Value[] = [];
  readonly #deadline: CodeDeadline;
  readonly #parse: (text: string) => Statement[];
  #textDepth = 0;
  /** In how many ways the code has parted. */
  level = 0;
  #steps = 0;
  readonly #entered = new Map<readonly Statement[], number>();
  #callDepth = 0;

  constructor(
    language: CodeLanguage,
    parse: (text: string) => Statement[],
    { acts, top, home, cwd, deadline, source, script, argv }: CodePlace,
  ) {
    this.source = source;
    this.script = script;
    this.argv = argv;
    this.#parse = parse;
    this.#deadline = deadline;
    this.language = language;
    this.acts = acts;
    this.top = top;
    this.home = home;
    this.cwd = cwd;
  }

  step(): void {
    this.#deadline.check();
    if (++this.#steps > MAX_STEPS) throw new UnreadableCode("it takes too long");
  }

  /** Undefined where functions call each other too deeply. */
  deeper<T>(read: () => T): T | undefined {
    if (this.#callDepth >= MAX_CALL_DEPTH) return undefined;
    this.#callDepth++;
    try {
      return read();
    } finally {
      this.#callDepth--;
    }
  }

  /** What happens in it may happen or not. */
  perhaps<T>(read: () => T): T {
    this.level++;
    try {
      return read();
    } finally {
      this.level--;
    }
  }

  /** Code in a text that the code itself runs; what it returns. */
  readText(code: string): Value {
    if (this.#textDepth >= MAX_TEXT_DEPTH) {
      this.acts.unknown("it runs code in code in code");
      return HIDDEN;
    }
    this.#textDepth++;
    try {
      return this.#lastOf(this.#parse(code));
    } catch (error) {
      if (!(error instanceof UnreadableCode)) throw error;
      this.acts.unknown("it runs code that cannot be read");
      this.#deadline.check();
      return HIDDEN;
    } finally {
      this.#textDepth--;
    }
  }

  /** `eval(code, { f: os.remove })`: the names that code in a text is given. */
  defineAll(worlds: readonly Value[]): void {
    for (const world of worlds)
      if (world.kind === "record")
        this.perhaps(() => {
          for (const [name, value] of world.entries) this.top.define(name, value, this.level);
        });
  }

  /** The value of its last expression, or what it returns. */
  #lastOf(statements: readonly Statement[]): Value {
    const last = statements.at(-1);
    if (last?.type !== "expression") return this.run(statements, this.top).at(-1) ?? DATA;
    this.run(statements.slice(0, -1), this.top);
    const found = this.evaluate(last.value, this.top);
    // As the kernel has it, the value of a cell is in a record.
    const isBoxed = this.language.tables.isHoisting && found.kind === "record";
    return (isBoxed ? found.entries.get("value") : undefined) ?? found;
  }

  /** A function that the code makes of a text; undefined if it cannot be read. */
  functionIn(code: string): Value | undefined {
    try {
      const [only] = this.#parse(code);
      if (only?.type !== "expression") return undefined;
      const found = this.evaluate(only.value, this.top);
      // As the kernel has it, the value of a cell is in a record.
      return found.kind === "record" ? found.entries.get("value") : found;
    } catch (error) {
      if (!(error instanceof UnreadableCode)) throw error;
      this.#deadline.check();
      return undefined;
    }
  }

  /** What the statements return, if they do. */
  run(statements: readonly Statement[], scope: CodeScope): Value[] {
    const returned: Value[] = [];
    const before = this.level;
    this.language.hoist(this, statements, scope);
    for (const statement of statements) {
      this.step();
      const found = this.#run(statement, scope);
      // After a way out, nobody knows whether the rest happens.
      if (found.length > 0 || mayLeave(statement)) this.level++;
      returned.push(...found);
    }
    this.level = before;
    return returned;
  }

  #run(statement: Statement, scope: CodeScope): Value[] {
    switch (statement.type) {
      case "expression":
        this.shown(this.evaluate(statement.value, scope));
        return [];
      case "assign":
        this.#assignAll(statement, scope);
        return [];
      case "import":
        for (const binding of statement.bindings) this.language.bind(this, binding, scope);
        return [];
      case "branch":
        return this.#branch(statement, scope);
      case "for": {
        const source = this.evaluate(statement.source, scope);
        this.language.iterated(this, source);
        const body = (): Value[] => {
          this.assign(statement.target, elementOf(source), scope);
          return this.run(statement.body, scope);
        };
        const found = this.perhaps(() => [...body(), ...body()]);
        return [...found, ...this.perhaps(() => this.run(statement.rest, scope))];
      }
      case "with": {
        for (const { value, target } of statement.items) {
          const entered = this.language.entered(this, this.evaluate(value, scope));
          if (target) this.assign(target, entered, scope);
        }
        // It may swallow what goes wrong in it.
        return this.run(statement.body, scope);
      }
      case "define": {
        const value = this.#decorated(statement, scope);
        scope.define(statement.name, value, this.level);
        return [];
      }
      case "return":
        return [statement.value ? this.evaluate(statement.value, scope) : DATA];
      case "delete":
        for (const target of statement.targets) {
          if (target.type === "name") scope.forget(target.name, this.level);
          else this.evaluate(target, scope);
        }
        return [];
      case "outer":
        for (const name of statement.names) scope.borrowed.add(name);
        return [];
      case "leave":
        return [];
    }
  }

  #branch(statement: Extract<Statement, { type: "branch" }>, scope: CodeScope): Value[] {
    const once = (): Value[] => {
      for (const head of statement.heads) this.evaluate(head, scope);
      return this.perhaps(() => statement.bodies.flatMap((body) => this.run(body, scope)));
    };
    return statement.isLoop ? [...once(), ...once()] : once();
  }

  #decorated(statement: Extract<Statement, { type: "define" }>, scope: CodeScope): Value {
    let value = this.evaluate(statement.value, scope);
    for (const node of statement.decorators.toReversed()) {
      const decorator = this.evaluate(node, scope);
      const given = callValue(this, decorator, {
        positional: [value],
        named: new Map(),
        isOpen: false,
      });
      // Most give back what they got, with something around it.
      const isOwn = given.kind === "function" && (given.isProperty ?? given.isCommand) === true;
      const isOther = /^(?:function|known|method|class)$/.test(given.kind);
      value = isOwn ? given : isOther ? choice([value, given]) : value;
    }
    return value;
  }

  #assignAll(statement: Extract<Statement, { type: "assign" }>, scope: CodeScope): void {
    if (statement.operator === "declare") {
      for (const target of statement.targets)
        if (target.type === "name" && scope.outer) scope.define(target.name, DATA, this.level);
      return;
    }
    const value = this.evaluate(statement.value, scope);
    for (const target of statement.targets) {
      if (statement.operator === "=") this.assign(target, value, scope);
      else {
        const before = this.evaluate(target, scope);
        this.assign(target, operate(this, statement.operator, before, value), scope);
      }
    }
  }

  /** Whatever stands on the left of an assignment. */
  assign(target: Expression, value: Value, scope: CodeScope, isOuter = false): void {
    this.step();
    switch (target.type) {
      case "name":
        if (isOuter) scope.assign(target.name, value, this.level);
        else scope.define(target.name, value, this.level);
        return;
      case "list":
        target.items.forEach((item, at) => {
          const part = item.isSpread ? list([elementOf(value)], true) : itemAt(value, at);
          this.assign(item.value, part, scope, isOuter);
        });
        return;
      case "record":
        for (const { key, value: inner } of target.entries) {
          const name = key && this.evaluate(key, scope);
          const part = name ? indexOf(this, value, name) : value;
          this.assign(inner, part, scope, isOuter);
        }
        return;
      case "assignment": {
        const byDefault = this.evaluate(target.value, scope);
        const isGiven = value.kind !== "unknown" || value.source !== "data";
        this.assign(target.target, isGiven ? value : choice([value, byDefault]), scope, isOuter);
        return;
      }
      case "member":
        this.language.setMember(this, this.evaluate(target.object, scope), target.name, value);
        return;
      case "index": {
        const object = this.evaluate(target.object, scope);
        const index = this.evaluate(target.index, scope);
        this.language.setIndex(this, object, index, value);
        return;
      }
      default:
        this.evaluate(target, scope);
    }
  }

  call(callee: Value, given: Args): Value {
    return callValue(this, callee, given);
  }

  /** Functions among what is given are taken for called. */
  handedOn(given: Args, receiver?: Value): Value | undefined {
    return handedOn(this, given, receiver);
  }

  /** A cell shows the value of an expression; what is printed is seen as well. */
  shown(value: Value): void {
    this.language.shown(this, value);
  }

  evaluate(node: Expression, scope: CodeScope): Value {
    this.step();
    switch (node.type) {
      case "text":
        return text(node.value);
      case "number":
        return { kind: "number", value: node.value };
      case "name":
        return this.language.lookUp(this, node.name, scope);
      case "member":
        return memberOf(this, this.evaluate(node.object, scope), node.name);
      case "index": {
        const object = this.evaluate(node.object, scope);
        return indexOf(this, object, this.evaluate(node.index, scope));
      }
      case "slice": {
        const bounds = node.bounds.map((bound) =>
          bound === undefined ? undefined : this.evaluate(bound, scope),
        );
        const items = bounds.map((bound) => bound ?? DATA);
        return {
          kind: "made",
          by: `slice:${bounds.map((each) => exactly(each) ?? "").join(":")}`,
          target: bounds.every((each) => each === undefined || exactly(each) !== undefined)
            ? undefined
            : list(items),
        };
      }
      case "call":
        return this.language.called(this, node, scope);
      case "template":
        return joined(...node.parts.map((part) => this.#inText(this.evaluate(part, scope))));
      case "tagged":
        return this.language.tagged(this, this.evaluate(node.tag, scope), node.parts, scope);
      case "binary": {
        const left = this.evaluate(node.left, scope);
        return operate(this, node.operator, left, this.evaluate(node.right, scope));
      }
      case "unary":
        return this.#unary(node.operator, this.evaluate(node.value, scope));
      case "list":
        return listValue(this, node, scope);
      case "record":
        return recordValue(this, node, scope);
      case "choice": {
        if (node.test) this.evaluate(node.test, scope);
        const [first, ...rest] = node.options;
        const options = [this.evaluate(first!, scope)];
        for (const option of rest) options.push(this.perhaps(() => this.evaluate(option, scope)));
        return choice(options);
      }
      case "assignment":
        return this.#assignment(node, scope);
      case "function":
        return functionValue(this, node, scope);
      case "class":
        return classValue(this, node, scope);
      case "capture":
        return captureValue(this, this.evaluate(node.subject, scope), node.member);
      case "comprehension":
        return comprehensionValue(this, node, scope);
      case "other": {
        const values = node.parts.map((part) => this.evaluate(part, scope));
        // `(a, b)` in JavaScript is b.
        const [only] = values;
        if (values.length === 1 && only?.kind === "list" && node.parts[0]?.type === "list")
          return only.items.at(-1) ?? DATA;
        return DATA;
      }
    }
  }

  #inText(value: Value): Value {
    this.language.shown(this, value);
    return value;
  }

  #assignment(node: Extract<Expression, { type: "assignment" }>, scope: CodeScope): Value {
    const given = this.evaluate(node.value, scope);
    const isPlain = node.operator === "=";
    const isChoosing = /^(?:&&|\|\||\?\?)$/.test(node.operator);
    const before = isPlain ? given : this.evaluate(node.target, scope);
    const value = isPlain
      ? given
      : isChoosing
        ? choice([before, given])
        : operate(this, node.operator, before, given);
    this.assign(node.target, value, scope, true);
    return value;
  }

  #unary(operator: string, value: Value): Value {
    if (operator === "yield") this.yielded.at(-1)?.push(value);
    if (operator === "yield from") this.yielded.at(-1)?.push(elementOf(value));
    if (operator === "throw" && this.#thrown.length < MAX_THROWN) this.#thrown.push(value);
    if (operator === "caught") return choice([DATA, ...this.#thrown]);
    if (operator === "await" || operator === INSERTED) return value;
    if (operator === "-" && value.kind === "number")
      return { kind: "number", value: value.value === undefined ? undefined : -value.value };
    if (/^(?:-|\+|~|\+\+|--)$/.test(operator)) return NUMBER;
    if (operator === "typeof") return DATA;
    return DATA;
  }

  callFunction(fn: Extract<Value, { kind: "function" }>, given: Args): Value {
    const times = this.#entered.get(fn.body) ?? 0;
    // A function that calls itself does the same again.
    if (times >= MAX_RECURSION) return DATA;
    this.#entered.set(fn.body, times + 1);
    try {
      return this.deeper(() => enterFunction(this, fn, given)) ?? HIDDEN;
    } finally {
      this.#entered.set(fn.body, times);
    }
  }
}
