// Reads the expressions of Python.

import type { CodeDeadline } from "./code-deadline.ts";
import {
  MAX_NESTING,
  UnreadableCode,
  type Argument,
  type Clause,
  type Entry,
  type Expression,
  type Param,
  type Statement,
} from "./code-node.ts";
import { pythonTokens, type PythonToken } from "./python-tokens.ts";

const NONE: Expression = { type: "other", parts: [] };
/** How tightly they bind; comparisons are all alike. */
const BINDING: ReadonlyMap<string, number> = new Map([
  ...["or", "and"].map((name, at) => [name, at + 1] as const),
  ...["in", "is", "<", ">", "==", ">=", "<=", "!="].map((name) => [name, 4] as const),
  ["|", 5],
  ["^", 6],
  ["&", 7],
  ["<<", 8],
  [">>", 8],
  ["+", 9],
  ["-", 9],
  ...["*", "@", "/", "//", "%"].map((name) => [name, 10] as const),
]);
const NOT_BINDING = 3;
const KEYWORDS = new Set(
  `if else for in is and or not lambda await async import from as with while try except finally return raise del
  global nonlocal pass break continue assert yield class def elif`.split(/\s+/),
);

export class PythonExpressions {
  protected readonly tokens: readonly PythonToken[];
  protected at = 0;
  readonly #deadline: CodeDeadline;
  #depth: number;

  constructor(source: string, deadline: CodeDeadline, depth = 0) {
    this.tokens = pythonTokens(source, deadline);
    this.#deadline = deadline;
    this.#depth = depth;
  }

  protected peek(ahead = 0): PythonToken {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)]!;
  }

  protected isAt(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return (token.type === "operator" || token.type === "name") && token.text === text;
  }

  protected take(text: string): boolean {
    if (!this.isAt(text)) return false;
    this.at++;
    return true;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.fail(`"${text}" is missing`);
  }

  protected fail(why: string): never {
    throw new UnreadableCode(`${why} on line ${this.peek().line}`);
  }

  protected name(): string {
    const token = this.peek();
    if (token.type !== "name") this.fail("a name is missing");
    this.at++;
    return token.text;
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

  /** `a, *b`: what may stand at both sides of an assignment. */
  expressionList(): Expression {
    const first = this.starred();
    if (!this.isAt(",")) return first.isSpread ? { type: "list", items: [first] } : first.value;
    const items = [first];
    while (this.take(",")) {
      if (!this.canBegin()) break;
      items.push(this.starred());
    }
    return { type: "list", items };
  }

  protected canBegin(): boolean {
    const token = this.peek();
    if (token.type === "text" || token.type === "template" || token.type === "number") return true;
    if (token.type === "name")
      return !KEYWORDS.has(token.text) || /^(?:not|lambda|await|yield)$/.test(token.text);
    return token.type === "operator" && /^(?:[([{~+*-]|\*\*|\.\.\.)$/.test(token.text);
  }

  protected starred(): Argument {
    if (this.take("*")) return { value: this.binary(0), isSpread: true };
    return { value: this.expression() };
  }

  expression(): Expression {
    return this.deeper(() => {
      if (this.isAt("lambda")) return this.#lambda();
      if (this.isAt("yield")) return this.#yield();
      const value = this.binary(0);
      if (this.take(":=")) {
        const given = this.expression();
        return { type: "assignment", target: value, operator: "=", value: given };
      }
      if (!this.take("if")) return value;
      const test = this.binary(0);
      this.expect("else");
      return { type: "choice", test, options: [value, this.expression()] };
    });
  }

  #yield(): Expression {
    this.expect("yield");
    if (this.take("from"))
      return { type: "unary", operator: "yield from", value: this.expression() };
    return this.canBegin()
      ? { type: "unary", operator: "yield", value: this.expressionList() }
      : NONE;
  }

  #lambda(): Expression {
    this.expect("lambda");
    const params = this.params(":");
    this.expect(":");
    const body: Statement[] = [{ type: "return", value: this.expression() }];
    return { type: "function", params, body };
  }

  /** Up to the sign that ends them, which is not taken. */
  protected params(end: string, types?: Expression[]): Param[] {
    const params: Param[] = [];
    while (!this.isAt(end)) {
      if (this.take("/")) {
        this.take(",");
        continue;
      }
      const isRest = this.take("*") || this.take("**");
      if (isRest && (this.isAt(",") || this.isAt(end))) {
        this.take(",");
        continue;
      }
      const target: Expression = { type: "name", name: this.name() };
      if (types && this.take(":")) types.push(this.starred().value);
      const byDefault = this.take("=") ? this.expression() : undefined;
      params.push({ target, byDefault, isRest });
      if (!this.take(",")) break;
    }
    return params;
  }

  protected binary(least: number): Expression {
    return this.deeper(() => {
      let left = this.#notOrUnary(least);
      for (;;) {
        const operator = this.#operator();
        const binding = operator === undefined ? undefined : BINDING.get(operator.name);
        if (!operator || binding === undefined || binding < least) return left;
        this.at += operator.length;
        const right = this.binary(binding + 1);
        left = isChoosing(operator.name)
          ? { type: "choice", options: [left, right] }
          : { type: "binary", operator: operator.name, left, right };
      }
    });
  }

  #operator(): { name: string; length: number } | undefined {
    const token = this.peek();
    if (token.type !== "operator" && token.type !== "name") return undefined;
    if (token.text === "not" && this.isAt("in", 1)) return { name: "in", length: 2 };
    if (token.text === "is" && this.isAt("not", 1)) return { name: "is", length: 2 };
    return { name: token.text, length: 1 };
  }

  #notOrUnary(least: number): Expression {
    if (least <= NOT_BINDING && this.take("not"))
      return { type: "unary", operator: "not", value: this.binary(NOT_BINDING) };
    return this.#unary();
  }

  #unary(): Expression {
    for (const operator of ["-", "+", "~"]) {
      if (this.take(operator))
        return this.deeper(() => ({ type: "unary", operator, value: this.#unary() }));
    }
    if (this.take("await"))
      return this.deeper(() => ({ type: "unary", operator: "await", value: this.#unary() }));
    const base = this.#postfix(this.#atom());
    if (!this.take("**")) return base;
    const right = this.deeper(() => this.#unary());
    return { type: "binary", operator: "**", left: base, right };
  }

  #postfix(start: Expression): Expression {
    let value = start;
    for (;;) {
      if (this.take(".")) value = { type: "member", object: value, name: this.name() };
      else if (this.take("(")) value = { type: "call", callee: value, args: this.arguments() };
      else if (this.take("[")) {
        const index = this.#subscript();
        value = { type: "index", object: value, index };
      } else return value;
    }
  }

  protected arguments(): Argument[] {
    return this.deeper(() => {
      const args: Argument[] = [];
      while (!this.take(")")) {
        const isNamed = this.peek().type === "name" && this.isAt("=", 1);
        if (this.take("**")) args.push({ value: this.expression(), name: "**", isSpread: true });
        else if (isNamed) {
          const name = this.name();
          this.expect("=");
          args.push({ name, value: this.expression() });
        } else {
          const arg = this.starred();
          const isLoop = this.isAt("for") || (this.isAt("async") && this.isAt("for", 1));
          args.push(isLoop ? { value: this.#comprehension([arg.value]) } : arg);
        }
        if (this.take(",")) continue;
        this.expect(")");
        break;
      }
      return args;
    });
  }

  #subscript(): Expression {
    const items: Argument[] = [];
    let isList = false;
    while (!this.take("]")) {
      items.push(this.#slice());
      if (this.take(",")) isList = true;
      else if (!this.isAt("]")) this.fail('"]" is missing');
    }
    return !isList && items.length === 1 ? items[0]!.value : { type: "list", items };
  }

  #slice(): Argument {
    const first = this.isAt(":") ? undefined : this.starred();
    if (first && !this.isAt(":")) return first;
    const bounds = [first?.value];
    while (this.take(":"))
      bounds.push(
        this.isAt(":") || this.isAt("]") || this.isAt(",") ? undefined : this.expression(),
      );
    return { value: { type: "slice", bounds } };
  }

  #atom(): Expression {
    const token = this.peek();
    if (token.type === "text" || token.type === "template") return this.#texts();
    if (token.type === "number") {
      this.at++;
      return { type: "number", value: Number(token.text.replaceAll("_", "")) };
    }
    if (token.type === "name" && !KEYWORDS.has(token.text)) {
      this.at++;
      return { type: "name", name: token.text };
    }
    if (this.take("(")) return this.deeper(() => this.#bracketed(")"));
    if (this.take("[")) return this.deeper(() => this.#bracketed("]"));
    if (this.take("{")) return this.deeper(() => this.#braced());
    if (this.take("...")) return NONE;
    return this.fail("an expression is missing");
  }

  /** Texts in a row are one. */
  #texts(): Expression {
    const parts: Expression[] = [];
    for (;;) {
      const token = this.peek();
      if (token.type === "text") parts.push({ type: "text", value: token.value });
      else if (token.type === "template") {
        for (const part of token.parts) {
          if (typeof part === "string") parts.push({ type: "text", value: part });
          else if (part.source.trim() !== "") parts.push(this.#field(part.source));
        }
      } else break;
      this.at++;
    }
    return parts.length === 1 && parts[0]!.type === "text"
      ? parts[0]!
      : { type: "template", parts };
  }

  #field(source: string): Expression {
    const reader = new PythonExpressions(`(${source})`, this.#deadline, this.#depth + 1);
    return this.deeper(() => reader.expressionList());
  }

  #bracketed(end: string): Expression {
    if (this.take(end)) return { type: "list", items: [] };
    if (this.isAt("yield")) {
      const value = this.#yield();
      this.expect(end);
      return value;
    }
    const first = this.starred();
    if (this.isAt("for") || this.isAt("async")) {
      const loop = this.#comprehension([first.value]);
      this.expect(end);
      return loop;
    }
    const items = [first];
    let isList = end === "]" || first.isSpread === true;
    while (this.take(",")) {
      isList = true;
      if (this.isAt(end)) break;
      items.push(this.starred());
    }
    this.expect(end);
    return isList ? { type: "list", items } : first.value;
  }

  #braced(): Expression {
    const entries: Entry[] = [];
    const items: Argument[] = [];
    while (!this.take("}")) {
      if (this.take("**")) entries.push({ key: undefined, value: this.binary(0) });
      else {
        const key = this.starred();
        if (this.take(":")) entries.push({ key: key.value, value: this.expression() });
        else items.push(key);
      }
      if (this.isAt("for") || this.isAt("async")) {
        const [entry] = entries;
        const elements = entry ? [entry.key!, entry.value] : [items[0]!.value];
        const loop = this.#comprehension(elements);
        this.expect("}");
        return loop;
      }
      if (this.take(",")) continue;
      this.expect("}");
      break;
    }
    return items.length > 0 ? { type: "list", items } : { type: "record", entries };
  }

  #comprehension(elements: Expression[]): Expression {
    const clauses: Clause[] = [];
    for (;;) {
      this.take("async");
      if (this.take("for")) {
        const target = this.targets();
        this.expect("in");
        clauses.push({ target, source: this.binary(0) });
      } else if (this.take("if")) {
        const test = this.isAt("lambda") ? this.expression() : this.binary(0);
        if (this.take(":=")) this.binary(0);
        clauses.push({ source: test });
      } else break;
    }
    return { type: "comprehension", clauses, elements };
  }

  /** What a loop assigns to; `in` ends it. */
  protected targets(): Expression {
    const items: Argument[] = [];
    let isList = false;
    do {
      if (!this.canBegin()) break;
      const isSpread = this.take("*");
      items.push({ value: this.#postfix(this.#atom()), isSpread });
      isList ||= this.isAt(",");
    } while (this.take(","));
    if (items.length === 0) this.fail("a name is missing");
    return isList ? { type: "list", items } : items[0]!.value;
  }
}

function isChoosing(operator: string): boolean {
  return operator === "or" || operator === "and";
}
