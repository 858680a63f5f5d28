// Reads the expressions of JavaScript.

import type { CodeDeadline } from "./code-deadline.ts";
import {
  MAX_NESTING,
  UnreadableCode,
  type Argument,
  type Entry,
  type Expression,
  type Param,
  type Statement,
} from "./code-node.ts";
import { ScriptTokens, type ScriptToken } from "./javascript-tokens.ts";

const BINDING: ReadonlyMap<string, number> = new Map(
  [
    ["??"],
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!=", "===", "!=="],
    ["<", ">", "<=", ">=", "in", "instanceof"],
    ["<<", ">>", ">>>"],
    ["+", "-"],
    ["*", "/", "%"],
    ["**"],
  ].flatMap((names, at) => names.map((name) => [name, at + 1] as const)),
);
const CHOOSING = new Set(["??", "||", "&&"]);
const ASSIGNING = /^(?:\+|-|\*|\/|%|\*\*|<<|>>|>>>|&|\||\^|&&|\|\||\?\?)?=$/;
const UNARY = new Set(["!", "~", "+", "-", "++", "--", "typeof", "void", "delete", "await"]);
export const INSERTED = "${}";
export const NOTHING: Expression = { type: "other", parts: [] };

/** A place to come back to. */
interface Mark {
  token: ScriptToken;
  at: number;
}

export abstract class ScriptExpressions {
  readonly #tokens: ScriptTokens;
  protected token: ScriptToken;
  readonly #deadline: CodeDeadline;
  #depth = 0;
  /** `for (x in y)`: the word ends the expression. */
  #isInAllowed = true;

  constructor(source: string, deadline: CodeDeadline) {
    this.#deadline = deadline;
    this.#tokens = new ScriptTokens(source);
    this.token = this.#tokens.next();
  }

  protected abstract block(): Statement[];
  protected abstract classBody(): Statement[];

  protected advance(): ScriptToken {
    const { token } = this;
    this.token = this.#tokens.next();
    return token;
  }

  protected mark(): Mark {
    return { token: this.token, at: this.#tokens.at };
  }

  protected back({ token, at }: Mark): void {
    this.token = token;
    this.#tokens.at = at;
  }

  protected isAt(text: string): boolean {
    const { type } = this.token;
    return (type === "operator" || type === "name") && this.token.text === text;
  }

  protected take(text: string): boolean {
    if (!this.isAt(text)) return false;
    this.advance();
    return true;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.fail(`"${text}" is missing`);
  }

  protected fail(why: string): never {
    throw new UnreadableCode(`${why} at character ${this.token.start}`);
  }

  protected deeper<T>(read: () => T): T {
    this.#deadline.check();
    if (++this.#depth > MAX_NESTING) throw new UnreadableCode("it is nested too deeply");
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  protected name(): string {
    const { type } = this.token;
    if (type !== "name" && type !== "private") this.fail("a name is missing");
    const { text } = this.advance();
    return type === "private" ? `#${text}` : text;
  }

  /** With commas. */
  expression(): Expression {
    const first = this.assignment();
    if (!this.isAt(",")) return first;
    const parts = [first];
    while (this.take(",")) parts.push(this.assignment());
    return { type: "other", parts: [{ type: "list", items: parts.map((value) => ({ value })) }] };
  }

  withoutIn<T>(read: () => T): T {
    const before = this.#isInAllowed;
    this.#isInAllowed = false;
    try {
      return read();
    } finally {
      this.#isInAllowed = before;
    }
  }

  protected withIn<T>(read: () => T): T {
    const before = this.#isInAllowed;
    this.#isInAllowed = true;
    try {
      return read();
    } finally {
      this.#isInAllowed = before;
    }
  }

  assignment(): Expression {
    return this.deeper(() => {
      if (this.isAt("yield")) {
        this.advance();
        const operator = this.take("*") ? "yield from" : "yield";
        const hasValue = !this.token.isNewLine && !/^[)\]},;:]$/.test(this.token.text);
        if (!hasValue) return { type: "other", parts: [] };
        return { type: "unary", operator, value: this.assignment() };
      }
      const target = this.#conditional();
      if (this.isAt("=>")) return this.#arrow(target);
      const { type, text } = this.token;
      if (type !== "operator" || !ASSIGNING.test(text)) return target;
      this.advance();
      const value = this.assignment();
      return { type: "assignment", target, operator: text.slice(0, -1) || "=", value };
    });
  }

  #conditional(): Expression {
    const test = this.#binary(1);
    if (!this.take("?")) return test;
    const first = this.withIn(() => this.assignment());
    this.expect(":");
    return { type: "choice", test, options: [first, this.assignment()] };
  }

  #binary(least: number): Expression {
    return this.deeper(() => {
      let left = this.#unary();
      for (;;) {
        const { type, text } = this.token;
        const binding = type === "operator" || type === "name" ? BINDING.get(text) : undefined;
        if (binding === undefined || binding < least) return left;
        if (text === "in" && !this.#isInAllowed) return left;
        this.advance();
        const right = this.#binary(binding + (text === "**" ? 0 : 1));
        left = CHOOSING.has(text)
          ? { type: "choice", options: [left, right] }
          : { type: "binary", operator: text, left, right };
      }
    });
  }

  #unary(): Expression {
    const { type, text } = this.token;
    if ((type === "operator" || type === "name") && UNARY.has(text)) {
      const mark = this.mark();
      this.advance();
      // `await` may be a name.
      const isName =
        text === "await" &&
        /^(?:[)\],;=.}]|=>|)$/.test(this.token.text) &&
        this.token.type !== "text";
      if (!isName)
        return this.deeper(() => ({ type: "unary", operator: text, value: this.#unary() }));
      this.back(mark);
    }
    const value = this.#postfix(this.#atom());
    if ((this.isAt("++") || this.isAt("--")) && !this.token.isNewLine) {
      this.advance();
      return { type: "unary", operator: "++", value };
    }
    return value;
  }

  #postfix(start: Expression, isCallable = true): Expression {
    let value = start;
    for (;;) {
      if (this.isAt("`")) value = { type: "tagged", tag: value, parts: this.#template(true) };
      else if (this.take(".")) value = { type: "member", object: value, name: this.name() };
      else if (this.isAt("?.")) {
        this.advance();
        if (this.isAt("(") || this.isAt("[")) continue;
        value = { type: "member", object: value, name: this.name() };
      } else if (this.take("[")) {
        const index = this.withIn(() => this.expression());
        this.expect("]");
        value = { type: "index", object: value, index };
      } else if (isCallable && this.take("(")) {
        value = { type: "call", callee: value, args: this.arguments(")") };
      } else return value;
    }
  }

  /** Up to the bracket, with what may be parameters after all. */
  protected arguments(end: string): Argument[] {
    return this.deeper(() =>
      this.withIn(() => {
        const args: Argument[] = [];
        while (!this.take(end)) {
          // A hole in an array.
          if (this.take(",")) {
            args.push({ value: NOTHING });
            continue;
          }
          const isSpread = this.take("...");
          args.push({ value: this.assignment(), isSpread });
          if (this.take(",")) continue;
          this.expect(end);
          break;
        }
        return args;
      }),
    );
  }

  #atom(): Expression {
    const { type, text, start } = this.token;
    if (type === "text") {
      this.advance();
      return { type: "text", value: text };
    }
    if (type === "number") {
      this.advance();
      return { type: "number", value: Number(text.replaceAll("_", "").replace(/n$/, "")) };
    }
    if (type === "private") return { type: "name", name: this.name() };
    if (type === "name") return this.#word(text);
    if (text === "/" || text === "/=") {
      this.#tokens.regex(start);
      this.token = this.#tokens.next();
      return NOTHING;
    }
    if (text === "`") return { type: "template", parts: this.#template() };
    if (this.take("("))
      return this.deeper(() => {
        const items = this.arguments(")");
        if (items.length === 1 && !items[0]!.isSpread) return items[0]!.value;
        return { type: "other", parts: [{ type: "list", items }] };
      });
    if (this.take("[")) return { type: "list", items: this.arguments("]") };
    if (this.take("{")) return this.deeper(() => this.withIn(() => this.#record()));
    return this.fail("an expression is missing");
  }

  #word(text: string): Expression {
    if (text === "function") return this.functionValue();
    if (text === "class") return this.classValue();
    if (text === "new") return this.#new();
    this.advance();
    if (text === "async" && !this.token.isNewLine) {
      if (this.isAt("function")) return this.functionValue();
      const isParam = this.token.type === "name" && !BINDING.has(this.token.text);
      if (isParam && !this.isAt("of")) return { type: "name", name: this.name() };
    }
    if (text === "import") return this.#importWord();
    return { type: "name", name: text };
  }

  /** `import(…)`, `import.meta`. */
  #importWord(): Expression {
    return { type: "name", name: "import" };
  }

  #new(): Expression {
    this.expect("new");
    if (this.take(".")) {
      this.name();
      return NOTHING;
    }
    return this.deeper(() => {
      const start = this.isAt("new") ? this.#new() : this.#atom();
      const callee = this.#postfix(start, false);
      const args = this.take("(") ? this.arguments(")") : [];
      return { type: "call", callee, args, isNew: true };
    });
  }

  /** What is put into a template that a function is given is told from its own text. */
  #template(isTagged = false): Expression[] {
    return this.deeper(() => {
      const parts: Expression[] = [];
      for (;;) {
        // The token is the back quote or the brace before the text.
        const { text, isLast } = this.#tokens.templateText();
        if (text !== "") parts.push({ type: "text", value: text });
        this.token = this.#tokens.next();
        if (isLast) return parts;
        const value = this.withIn(() => this.expression());
        parts.push(isTagged ? { type: "unary", operator: INSERTED, value } : value);
        if (!this.isAt("}")) this.fail("a template is not closed");
      }
    });
  }

  #arrow(head: Expression): Expression {
    this.expect("=>");
    const params = paramsOf(head);
    if (this.isAt("{")) return { type: "function", params, body: this.withIn(() => this.block()) };
    return { type: "function", params, body: [{ type: "return", value: this.assignment() }] };
  }

  functionValue(): Expression {
    this.expect("function");
    this.take("*");
    const name = this.token.type === "name" ? this.name() : undefined;
    return this.withIn(() => ({ type: "function", name, ...this.method() }));
  }

  classValue(): Expression {
    this.expect("class");
    const isNamed = this.token.type === "name" && !this.isAt("extends");
    const name = isNamed ? this.name() : undefined;
    const bases = this.take("extends") ? [this.#postfix(this.#atom())] : [];
    return { type: "class", name, bases, body: this.withIn(() => this.classBody()) };
  }

  /** Parameters and body. */
  protected method(): { params: Param[]; body: Statement[] } {
    return this.deeper(() => {
      this.expect("(");
      const params = this.arguments(")").map(paramOf);
      return { params, body: this.block() };
    });
  }

  #record(): Expression {
    const entries: Entry[] = [];
    while (!this.take("}")) {
      if (this.take("...")) entries.push({ key: undefined, value: this.assignment() });
      else entries.push(this.#entry());
      if (this.take(",")) continue;
      this.expect("}");
      break;
    }
    return { type: "record", entries };
  }

  #entry(): Entry {
    const isGetter = this.isAt("get");
    const isSetter = this.isAt("set");
    const key = this.propertyKey();
    if (this.isAt("("))
      return { key, value: { type: "function", ...this.method(), isGetter, isSetter } };
    if (this.take(":")) return { key, value: this.assignment() };
    const name: Expression = { type: "name", name: key.type === "text" ? key.value : "" };
    if (!this.take("=")) return { key, value: name };
    // Only where it is what is assigned to.
    const value: Expression = {
      type: "assignment",
      target: name,
      operator: "=",
      value: this.assignment(),
    };
    return { key, value };
  }

  /** Words before it (`get`, `async`, `static`, a star) are passed over. */
  protected propertyKey(): Expression {
    for (;;) {
      if (this.take("*")) continue;
      const { type, text } = this.token;
      if (type !== "name" || !/^(?:get|set|async|static|accessor)$/.test(text)) break;
      const mark = this.mark();
      this.advance();
      if (/^[(,:=;}]$/.test(this.token.text) && this.token.type === "operator") {
        this.back(mark);
        break;
      }
    }
    const { type, text } = this.token;
    if (type === "name" || type === "private") return { type: "text", value: this.name() };
    if (type === "text" || type === "number") {
      this.advance();
      return { type: "text", value: text };
    }
    this.expect("[");
    const key = this.withIn(() => this.assignment());
    this.expect("]");
    return key;
  }
}

/** `(a, b = 1, ...c)` was read as values. */
function paramsOf(head: Expression): Param[] {
  if (head.type === "list") return head.items.map(paramOf);
  const [only] = head.type === "other" ? head.parts : [];
  if (only?.type === "list") return only.items.map(paramOf);
  // `async (a, b) => …` was read as a call.
  if (head.type === "call") return head.args.map(paramOf);
  return [paramOf({ value: head })];
}

export function paramOf({ value, isSpread }: Argument): Param {
  if (value.type === "assignment")
    return { target: value.target, byDefault: value.value, isRest: isSpread };
  return { target: value, isRest: isSpread };
}
