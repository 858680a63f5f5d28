// Reads the statements of JavaScript.

import type { Expression, ImportBinding, Statement } from "./code-node.ts";
import { CAUGHT, COMPUTED } from "./code-node.ts";
import { CodeDeadline } from "./code-deadline.ts";
import { NOTHING, ScriptExpressions } from "./javascript-expressions.ts";

/** Throws `UnreadableCode`. */
export function parseJavaScript(source: string, deadline = new CodeDeadline()): Statement[] {
  return new ScriptStatements(source, deadline).all();
}

class ScriptStatements extends ScriptExpressions {
  #computed = 0;

  all(): Statement[] {
    const found: Statement[] = [];
    while (this.token.type !== "end") found.push(...this.#statement());
    return found;
  }

  protected block(): Statement[] {
    return this.deeper(() => {
      this.expect("{");
      const found: Statement[] = [];
      while (!this.take("}")) {
        if (this.token.type === "end") this.fail('"}" is missing');
        found.push(...this.#statement());
      }
      return found;
    });
  }

  protected classBody(): Statement[] {
    return this.deeper(() => {
      this.expect("{");
      const found: Statement[] = [];
      while (!this.take("}")) {
        if (this.take(";")) continue;
        if (this.token.type === "end") this.fail('"}" is missing');
        found.push(...this.#classMember());
      }
      return found;
    });
  }

  #classMember(): Statement[] {
    let [isGetter, isSetter] = [this.isAt("get"), this.isAt("set")];
    if (this.isAt("static")) {
      const mark = this.mark();
      this.advance();
      if (this.isAt("{")) return this.block();
      [isGetter, isSetter] = [this.isAt("get"), this.isAt("set")];
      this.back(mark);
    }
    const key = this.propertyKey();
    // Under a name that is only known when it runs.
    const name = key.type === "text" ? key.value : `${COMPUTED}${this.#computed++}`;
    const computed: Statement[] = key.type === "text" ? [] : [{ type: "expression", value: key }];
    if (this.isAt("(")) {
      const value: Expression = { type: "function", name, ...this.method(), isGetter, isSetter };
      return [...computed, { type: "define", name, value, decorators: [] }];
    }
    const value = this.take("=") ? this.assignment() : NOTHING;
    this.#endStatement();
    return [...computed, assigned({ type: "name", name }, value)];
  }

  #statement(): Statement[] {
    return this.deeper(() => {
      const { type, text } = this.token;
      if (type === "operator" && text === "{") return this.block();
      if (this.take(";")) return [];
      if (type === "name") {
        const found = this.#worded(text);
        if (found) return found;
      }
      const value = this.expression();
      if (value.type === "name" && this.take(":")) return this.#statement();
      this.#endStatement();
      return [{ type: "expression", value }];
    });
  }

  #endStatement(): void {
    if (this.take(";")) return;
    if (this.token.isNewLine || this.isAt("}") || this.token.type === "end") return;
    this.fail("this is not understood");
  }

  #worded(word: string): Statement[] | undefined {
    switch (word) {
      case "var":
      case "let":
      case "const":
      case "using":
        return this.#declaration(word);
      case "await":
        return this.#awaitUsing();
      case "function":
        return [this.#define(this.functionValue())];
      case "async":
        return this.#asyncFunction();
      case "class":
        return [this.#define(this.classValue())];
      case "if":
        return [this.#if()];
      case "for":
        return this.#for();
      case "while":
        return [this.#while()];
      case "do":
        return [this.#do()];
      case "switch":
        return [this.#switch()];
      case "try":
        return [this.#try()];
      case "with":
        this.fail("with changes what names mean");
      // falls through
      case "return":
      case "throw":
        return this.#return(word);
      case "break":
      case "continue":
      case "debugger":
        this.advance();
        if (this.token.type === "name" && !this.token.isNewLine) this.advance();
        this.#endStatement();
        return [];
      case "import":
        return this.#import();
      case "export":
        return this.#export();
      default:
        return undefined;
    }
  }

  #declaration(word: string): Statement[] | undefined {
    const mark = this.mark();
    this.advance();
    const other = word === "using" ? /^(?:in|of|instanceof)$/ : /^(?:in|instanceof)$/;
    const isName = this.token.type === "name" && !other.test(this.token.text);
    const isPattern = (this.isAt("[") || this.isAt("{")) && word !== "using";
    // `let` and `using` are names, too.
    if (!isName && !isPattern) {
      this.back(mark);
      return undefined;
    }
    const found = this.#declarators();
    this.#endStatement();
    return found;
  }

  #awaitUsing(): Statement[] | undefined {
    const mark = this.mark();
    this.advance();
    if (this.isAt("using")) {
      const found = this.#declaration("using");
      if (found) return found;
    }
    this.back(mark);
    return undefined;
  }

  #declarators(): Statement[] {
    const found: Statement[] = [];
    do {
      const target = this.#pattern();
      if (this.take("=")) found.push(assigned(target, this.assignment()));
      else found.push(assigned(target, undefined));
    } while (this.take(","));
    return found.filter(({ type }) => type === "assign");
  }

  #pattern(): Expression {
    if (this.take("[")) return { type: "list", items: this.arguments("]") };
    if (this.isAt("{")) return this.#recordPattern();
    return { type: "name", name: this.name() };
  }

  #recordPattern(): Expression {
    this.expect("{");
    const entries: { key: Expression | undefined; value: Expression }[] = [];
    while (!this.take("}")) {
      if (this.take("...")) entries.push({ key: undefined, value: this.assignment() });
      else {
        const key = this.propertyKey();
        const own: Expression = { type: "name", name: key.type === "text" ? key.value : "" };
        if (this.take(":")) entries.push({ key, value: this.assignment() });
        else if (this.take("=")) {
          const value = this.assignment();
          entries.push({ key, value: { type: "assignment", target: own, operator: "=", value } });
        } else entries.push({ key, value: own });
      }
      if (this.take(",")) continue;
      this.expect("}");
      break;
    }
    return { type: "record", entries };
  }

  #define(value: Expression): Statement {
    const name = (value.type === "function" || value.type === "class") && value.name;
    return name ? { type: "define", name, value, decorators: [] } : { type: "expression", value };
  }

  #asyncFunction(): Statement[] | undefined {
    const mark = this.mark();
    this.advance();
    if (this.isAt("function") && !this.token.isNewLine) return [this.#define(this.functionValue())];
    this.back(mark);
    return undefined;
  }

  #head(): Expression {
    this.expect("(");
    const value = this.expression();
    this.expect(")");
    return value;
  }

  #if(): Statement {
    this.expect("if");
    const heads = [this.#head()];
    const bodies = [this.#statement()];
    if (this.take("else")) bodies.push(this.#statement());
    return { type: "branch", heads, bodies };
  }

  #while(): Statement {
    this.expect("while");
    const heads = [this.#head()];
    return { type: "branch", heads, bodies: [this.#statement()], isLoop: true };
  }

  #do(): Statement {
    this.expect("do");
    const bodies = [this.#statement()];
    this.expect("while");
    const heads = [this.#head()];
    this.take(";");
    return { type: "branch", heads, bodies, isLoop: true };
  }

  #for(): Statement[] {
    this.expect("for");
    this.take("await");
    this.expect("(");
    const isDeclared =
      /^(?:var|let|const|using)$/.test(this.token.text) && this.token.type === "name";
    if (isDeclared) this.advance();
    let init: Statement[] = [];
    if (!this.isAt(";")) {
      const target = this.withoutIn(() => (isDeclared ? this.#pattern() : this.expression()));
      const isEach = this.take("of");
      if (isEach || this.take("in")) {
        const given = this.expression();
        this.expect(")");
        // The names of what is in it are no parts of it.
        const source: Expression = isEach ? given : { type: "other", parts: [given] };
        return [{ type: "for", target, source, body: this.#statement(), rest: [] }];
      }
      if (isDeclared) init = this.withoutIn(() => this.#restDeclared(target));
      else init = [{ type: "expression", value: target }];
    }
    this.expect(";");
    const heads: Expression[] = [];
    if (!this.isAt(";")) heads.push(this.expression());
    this.expect(";");
    const step: Statement[] = this.isAt(")")
      ? []
      : [{ type: "expression", value: this.expression() }];
    this.expect(")");
    return [
      ...init,
      { type: "branch", heads, bodies: [[...this.#statement(), ...step]], isLoop: true },
    ];
  }

  #restDeclared(target: Expression): Statement[] {
    const found = [assigned(target, this.take("=") ? this.assignment() : undefined)];
    if (this.take(",")) found.push(...this.#declarators());
    return found;
  }

  #switch(): Statement {
    this.expect("switch");
    const heads = [this.#head()];
    const bodies: Statement[][] = [];
    this.expect("{");
    while (!this.take("}")) {
      if (this.take("case")) heads.push(this.expression());
      else this.expect("default");
      this.expect(":");
      const body: Statement[] = [];
      while (!this.isAt("case") && !this.isAt("default") && !this.isAt("}")) {
        if (this.token.type === "end") this.fail('"}" is missing');
        body.push(...this.#statement());
      }
      bodies.push(body);
    }
    return { type: "branch", heads, bodies };
  }

  #try(): Statement {
    this.expect("try");
    const bodies = [this.block()];
    if (this.take("catch")) {
      const caught: Statement[] = [];
      if (this.take("(")) {
        caught.push(assigned(this.#pattern(), CAUGHT));
        this.expect(")");
      }
      bodies.push([...caught, ...this.block()]);
    }
    if (this.take("finally")) bodies.push(this.block());
    return { type: "branch", heads: [], bodies };
  }

  #return(word: string): Statement[] {
    this.advance();
    const isEmpty =
      this.token.isNewLine || this.isAt(";") || this.isAt("}") || this.token.type === "end";
    const value = isEmpty ? undefined : this.expression();
    this.#endStatement();
    if (word === "return") return [{ type: "return", value }];
    const thrown: Expression = { type: "unary", operator: "throw", value: value ?? NOTHING };
    return [{ type: "expression", value: thrown }, { type: "leave" }];
  }

  #import(): Statement[] | undefined {
    const mark = this.mark();
    this.advance();
    if (this.isAt("(") || this.isAt(".")) {
      this.back(mark);
      return undefined;
    }
    const bindings: Omit<ImportBinding, "module">[] = [];
    if (this.token.type !== "text") {
      if (this.token.type === "name") bindings.push({ member: "default", local: this.name() });
      this.take(",");
      if (this.take("*")) {
        this.expect("as");
        bindings.push({ local: this.name() });
      } else if (this.take("{")) bindings.push(...this.#named());
      this.expect("from");
    }
    const module = this.#source();
    if (bindings.length === 0) bindings.push({});
    return [{ type: "import", bindings: bindings.map((binding) => ({ ...binding, module })) }];
  }

  #source(): string {
    if (this.token.type !== "text") this.fail("a module is missing");
    const { text } = this.advance();
    if (this.take("with") || this.take("assert")) this.assignment();
    this.#endStatement();
    return text;
  }

  #named(): { member: string; local: string }[] {
    const found: { member: string; local: string }[] = [];
    while (!this.take("}")) {
      const member = this.token.type === "text" ? this.advance().text : this.name();
      found.push({ member, local: this.take("as") ? this.#exported() : member });
      if (!this.take(",")) {
        this.expect("}");
        break;
      }
    }
    return found;
  }

  #exported(): string {
    return this.token.type === "text" ? this.advance().text : this.name();
  }

  #export(): Statement[] {
    this.expect("export");
    if (this.take("default")) {
      if (this.isAt("function") || this.isAt("class") || this.isAt("async"))
        return this.#statement();
      const value = this.assignment();
      this.#endStatement();
      return [{ type: "expression", value }];
    }
    if (this.take("*")) {
      if (this.take("as")) this.#exported();
      this.expect("from");
      return [{ type: "import", bindings: [{ module: this.#source() }] }];
    }
    if (this.take("{")) {
      this.#named();
      if (this.take("from")) return [{ type: "import", bindings: [{ module: this.#source() }] }];
      this.#endStatement();
      return [];
    }
    return this.#statement();
  }
}

function assigned(target: Expression, value: Expression | undefined): Statement {
  return {
    type: "assign",
    targets: [target],
    operator: value ? "=" : "declare",
    value: value ?? NOTHING,
  };
}
