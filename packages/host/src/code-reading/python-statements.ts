// Reads the statements of Python.

import {
  CAUGHT,
  UnreadableCode,
  type Expression,
  type ImportBinding,
  type Statement,
} from "./code-node.ts";
import { CodeDeadline } from "./code-deadline.ts";
import { PythonExpressions } from "./python-expressions.ts";

const AUGMENTED = /^(?:\+|-|\*|\/|\/\/|%|@|&|\||\^|>>|<<|\*\*)=$/;

/** Throws `UnreadableCode`. */
export function parsePython(source: string, deadline = new CodeDeadline()): Statement[] {
  return new PythonStatements(source, deadline).all();
}

class PythonStatements extends PythonExpressions {
  all(): Statement[] {
    const found: Statement[] = [];
    while (this.peek().type !== "end") {
      // A cell may be indented as a whole.
      if (/^(?:newline|indent|dedent)$/.test(this.peek().type)) this.at++;
      else found.push(...this.#statement());
    }
    return found;
  }

  #statement(): Statement[] {
    return this.deeper(() => {
      const token = this.peek();
      if (token.type === "operator" && token.text === "@") return this.#decorated();
      if (token.type === "name") {
        const compound = this.#compound(token.text);
        if (compound) return compound;
      }
      const found = this.#simple();
      while (this.take(";")) {
        if (this.peek().type === "newline") break;
        found.push(...this.#simple());
      }
      this.#endLine();
      return found;
    });
  }

  #endLine(): void {
    if (this.peek().type === "newline") this.at++;
    else if (this.peek().type !== "end") this.fail("this is not understood");
  }

  #compound(word: string): Statement[] | undefined {
    switch (word) {
      case "if":
      case "while":
        return [this.#conditional(word)];
      case "for":
        return [this.#for()];
      case "try":
        return [this.#try()];
      case "with":
        return [this.#with()];
      case "def":
        return [this.#def([])];
      case "class":
        return [this.#class([])];
      case "async": {
        this.at++;
        return this.#statement();
      }
      case "match":
        return this.#isMatch() ? [this.#match()] : undefined;
      default:
        return undefined;
    }
  }

  #block(): Statement[] {
    this.expect(":");
    if (this.peek().type !== "newline") {
      const found = this.#simple();
      while (this.take(";")) {
        if (this.peek().type === "newline") break;
        found.push(...this.#simple());
      }
      this.#endLine();
      return found;
    }
    this.at++;
    if (this.peek().type !== "indent") return [];
    this.at++;
    const found: Statement[] = [];
    while (this.peek().type !== "dedent" && this.peek().type !== "end") {
      if (this.peek().type === "newline" || this.peek().type === "indent") this.at++;
      else found.push(...this.#statement());
    }
    if (this.peek().type === "dedent") this.at++;
    return found;
  }

  #conditional(word: string): Statement {
    const heads: Expression[] = [];
    const bodies: Statement[][] = [];
    this.expect(word);
    heads.push(this.expression());
    bodies.push(this.#block());
    while (this.take("elif")) {
      heads.push(this.expression());
      bodies.push(this.#block());
    }
    if (this.take("else")) bodies.push(this.#block());
    return { type: "branch", heads, bodies, isLoop: word === "while" };
  }

  #for(): Statement {
    this.expect("for");
    const target = this.targets();
    this.expect("in");
    const source = this.expressionList();
    const body = this.#block();
    const rest = this.take("else") ? this.#block() : [];
    return { type: "for", target, source, body, rest };
  }

  #try(): Statement {
    this.expect("try");
    const bodies = [this.#block()];
    const heads: Expression[] = [];
    while (this.take("except")) {
      this.take("*");
      const body: Statement[] = [];
      if (!this.isAt(":")) {
        heads.push(this.expressionList());
        if (this.take("as")) {
          const target: Expression = { type: "name", name: this.name() };
          body.push(assigned(target, CAUGHT));
        }
      }
      bodies.push([...body, ...this.#block()]);
    }
    if (this.take("else")) bodies.push(this.#block());
    if (this.take("finally")) bodies.push(this.#block());
    return { type: "branch", heads, bodies };
  }

  #with(): Statement {
    this.expect("with");
    const start = this.at;
    const items = this.#withItems() ?? this.#again(start);
    return { type: "with", items, body: this.#block() };
  }

  /** `with (a as b, c as d):`, if it is that. */
  #withItems(): { value: Expression; target?: Expression }[] | undefined {
    if (!this.take("(")) return undefined;
    try {
      const items = this.#items(")");
      this.expect(")");
      return this.isAt(":") ? items : undefined;
    } catch (error) {
      if (error instanceof UnreadableCode) return undefined;
      throw error;
    }
  }

  #again(start: number): { value: Expression; target?: Expression }[] {
    this.at = start;
    return this.#items(":");
  }

  #items(end: string): { value: Expression; target?: Expression }[] {
    const items: { value: Expression; target?: Expression }[] = [];
    do {
      if (this.isAt(end)) break;
      const value = this.expression();
      items.push({ value, target: this.take("as") ? this.#target() : undefined });
    } while (this.take(","));
    return items;
  }

  #target(): Expression {
    return this.binary(5);
  }

  #decorated(): Statement[] {
    const decorators: Expression[] = [];
    while (this.take("@")) {
      decorators.push(this.expression());
      if (this.peek().type === "newline") this.at++;
    }
    this.take("async");
    return [this.isAt("class") ? this.#class(decorators) : this.#def(decorators)];
  }

  #def(decorators: Expression[]): Statement {
    this.expect("def");
    const name = this.name();
    this.#typeParams();
    this.expect("(");
    const types: Expression[] = [];
    const params = this.params(")", types);
    this.expect(")");
    if (this.take("->")) types.push(this.expression());
    const value: Expression = { type: "function", name, params, body: this.#block(), types };
    return { type: "define", name, value, decorators };
  }

  #typeParams(): void {
    if (!this.take("[")) return;
    for (let depth = 1; depth > 0; this.at++) {
      if (this.peek().type === "end") this.fail('"]" is missing');
      if (this.isAt("[")) depth++;
      else if (this.isAt("]")) depth--;
    }
  }

  #class(decorators: Expression[]): Statement {
    this.expect("class");
    const name = this.name();
    this.#typeParams();
    const given = this.take("(") ? this.arguments() : [];
    const keywords = given.filter((each) => each.name !== undefined);
    const bases = given.filter((each) => each.name === undefined).map(({ value }) => value);
    const value: Expression = { type: "class", name, bases, body: this.#block(), keywords };
    return { type: "define", name, value, decorators };
  }

  /** `match` is a name like any other, unless a line begins with it and ends in a colon. */
  #isMatch(): boolean {
    const next = this.peek(1);
    if (next.type === "newline" || next.type === "end") return false;
    if (next.type === "operator" && !/^[([{*-]$/.test(next.text)) return false;
    for (let at = this.at; at < this.tokens.length; at++) {
      if (this.tokens[at]!.type !== "newline") continue;
      const last = this.tokens[at - 1]!;
      return (
        last.type === "operator" && last.text === ":" && this.tokens[at + 1]?.type === "indent"
      );
    }
    return false;
  }

  #match(): Statement {
    this.expect("match");
    const heads = [this.expressionList()];
    this.expect(":");
    this.at++;
    if (this.peek().type === "indent") this.at++;
    const bodies: Statement[][] = [];
    while (this.take("case")) {
      const body: Statement[] = this.#caseNames().map(({ name, member }) =>
        assigned({ type: "name", name }, { type: "capture", subject: heads[0]!, member }),
      );
      if (this.take("if")) body.push({ type: "expression", value: this.expression() });
      bodies.push([...body, ...this.#block()]);
    }
    if (this.peek().type === "dedent") this.at++;
    return { type: "branch", heads, bodies };
  }

  /** The names that a pattern binds; those of classes and members are not among them. */
  #caseNames(): { name: string; member?: string }[] {
    const names: { name: string; member?: string }[] = [];
    let depth = 0;
    for (; ; this.at++) {
      const token = this.peek();
      if (token.type === "end" || token.type === "newline") this.fail("a case does not end");
      if (depth === 0 && (this.isAt(":") || this.isAt("if"))) return names;
      if (token.type === "name" && this.#isCapture())
        names.push({ name: token.text, member: this.#memberBefore() });
      if (token.type !== "operator") continue;
      if ("([{".includes(token.text)) depth++;
      else if (")]}".includes(token.text)) depth--;
    }
  }

  #isCapture(): boolean {
    const { text } = this.peek() as { text: string };
    if (/^(?:_|as|None|True|False)$/.test(text) || this.isAt(".", -1)) return false;
    return !["(", ".", "="].some((sign) => this.isAt(sign, 1));
  }

  /** `run=r`: what the name takes. */
  #memberBefore(): string | undefined {
    const member = this.tokens[this.at - 2];
    return this.isAt("=", -1) && member?.type === "name" ? member.text : undefined;
  }

  #simple(): Statement[] {
    const token = this.peek();
    const word = token.type === "name" ? token.text : "";
    if (word === "import") return [{ type: "import", bindings: this.#import() }];
    if (word === "from") return [{ type: "import", bindings: this.#fromImport() }];
    if (/^(?:pass|break|continue)$/.test(word)) {
      this.at++;
      return [];
    }
    if (word === "return") {
      this.at++;
      return [{ type: "return", value: this.canBegin() ? this.expressionList() : undefined }];
    }
    if (word === "global" || word === "nonlocal") {
      this.at++;
      const names: string[] = [];
      do names.push(this.name());
      while (this.take(","));
      return [{ type: "outer", names }];
    }
    if (word === "del") {
      this.at++;
      const targets = this.expressionList();
      const each = targets.type === "list" ? targets.items.map(({ value }) => value) : [targets];
      return [{ type: "delete", targets: each }];
    }
    if (word === "raise") return [this.#saying("throw"), { type: "leave" }];
    if (word === "assert") return [this.#saying()];
    if (word === "type" && this.peek(1).type === "name") {
      this.at++;
      this.name();
      this.#typeParams();
    }
    return [this.#assignment()];
  }

  #saying(operator = ""): Statement {
    this.at++;
    const parts: Expression[] = [];
    while (this.canBegin()) {
      parts.push(this.expressionList());
      if (!this.take("from") && !this.take(",")) break;
    }
    const said = parts.map((value): Expression => ({ type: "unary", operator, value }));
    return { type: "expression", value: { type: "other", parts: said } };
  }

  #assignment(): Statement {
    const first = this.expressionList();
    if (this.take(":")) {
      // The type is looked at, too.
      const type = this.expressionList();
      if (!this.take("=")) return { type: "expression", value: { type: "other", parts: [type] } };
      return assigned(first, { type: "choice", test: type, options: [this.expressionList()] });
    }
    const token = this.peek();
    if (token.type === "operator" && AUGMENTED.test(token.text)) {
      this.at++;
      const operator = token.text.slice(0, -1);
      return { type: "assign", targets: [first], operator, value: this.expressionList() };
    }
    if (!this.isAt("=")) return { type: "expression", value: first };
    const parts = [first];
    while (this.take("=")) parts.push(this.expressionList());
    return { type: "assign", targets: parts.slice(0, -1), operator: "=", value: parts.at(-1)! };
  }

  #import(): ImportBinding[] {
    this.expect("import");
    const bindings: ImportBinding[] = [];
    do {
      const module = this.#dotted();
      // `import os.path` binds os.
      if (this.take("as")) bindings.push({ module, local: this.name() });
      else {
        const [top = ""] = module.split(".");
        bindings.push({ module: top, local: top });
        if (top !== module) bindings.push({ module });
      }
    } while (this.take(","));
    return bindings;
  }

  #dotted(): string {
    const parts = [this.name()];
    while (this.take(".")) parts.push(this.name());
    return parts.join(".");
  }

  #fromImport(): ImportBinding[] {
    this.expect("from");
    let dots = "";
    while (this.isAt(".") || this.isAt("...")) {
      dots += ".";
      this.at++;
    }
    const module = dots + (this.isAt("import") ? "" : this.#dotted());
    this.expect("import");
    if (this.take("*")) return [{ module, member: "*" }];
    const isBracketed = this.take("(");
    const bindings: ImportBinding[] = [];
    do {
      if (isBracketed && this.isAt(")")) break;
      const member = this.name();
      bindings.push({ module, member, local: this.take("as") ? this.name() : member });
    } while (this.take(","));
    if (isBracketed) this.expect(")");
    return bindings;
  }
}

function assigned(target: Expression, value: Expression): Statement {
  return { type: "assign", targets: [target], operator: "=", value };
}
