// The tree of a piece of code, the same for Python and JavaScript: only what a judge looks at is kept.
// Operators, loops and classes of both come to the same few forms.

export type Expression =
  | { type: "text"; value: string }
  | { type: "number"; value: number }
  | { type: "name"; name: string }
  | { type: "member"; object: Expression; name: string }
  | { type: "index"; object: Expression; index: Expression }
  | { type: "call"; callee: Expression; args: Argument[]; isNew?: boolean }
  /** `x[a:b:c]` */
  | { type: "slice"; bounds: (Expression | undefined)[] }
  /** Pieces of text and what is put between them. */
  | { type: "template"; parts: Expression[] }
  /** A template that a function is given: `$`rm x``. */
  | { type: "tagged"; tag: Expression; parts: Expression[] }
  | { type: "binary"; operator: string; left: Expression; right: Expression }
  /** `-x`, `not x`, `typeof x`. */
  | { type: "unary"; operator: string; value: Expression }
  /** Tuples and sets as well. */
  | { type: "list"; items: Argument[] }
  | { type: "record"; entries: Entry[] }
  /** One of several, nobody knows which. */
  | { type: "choice"; test?: Expression; options: Expression[] }
  | { type: "assignment"; target: Expression; operator: string; value: Expression }
  /** `isGetter`: it is called by naming it. */
  | {
      type: "function";
      name?: string;
      params: Param[];
      body: Statement[];
      isGetter?: boolean;
      /** It is called with what is assigned to its name. */
      isSetter?: boolean;
      /** Python's types, which are looked at when the function is defined. */
      types?: Expression[];
    }
  /** `keywords`: `metaclass=M` and what else the class before it is given. */
  | {
      type: "class";
      name?: string;
      bases: Expression[];
      body: Statement[];
      keywords?: Argument[];
    }
  /** A name in a pattern: something of what is matched, `member` if it says which. */
  | { type: "capture"; subject: Expression; member?: string }
  /** `[x for x in y]`: the elements last. */
  | { type: "comprehension"; clauses: Clause[]; elements: Expression[] }
  /** Whatever is in it is looked at, and nothing is known of the result. */
  | { type: "other"; parts: Expression[] };

/** What a `catch` is given: anything that was thrown so far. */
export const CAUGHT: Expression = {
  type: "unary",
  operator: "caught",
  value: { type: "other", parts: [] },
};

/** What a member of a class is called if its name is computed; a number follows. */
export const COMPUTED = "\0computed";

export interface Argument {
  value: Expression;
  /** Python's keywords. */
  name?: string;
  isSpread?: boolean;
}

export interface Entry {
  /** Undefined: another record is poured into it. */
  key: Expression | undefined;
  value: Expression;
}

export interface Param {
  target: Expression;
  byDefault?: Expression;
  isRest?: boolean;
}

export interface Clause {
  target?: Expression;
  source: Expression;
}

export type Statement =
  | { type: "expression"; value: Expression }
  /** The operator is `=`, `declare` (no value is given), or what is done with the value before. */
  | { type: "assign"; targets: Expression[]; operator: string; value: Expression }
  | { type: "import"; bindings: ImportBinding[] }
  /** One path through the code among others: the assignments in it may or may not happen. */
  | { type: "branch"; heads: Expression[]; bodies: Statement[][]; isLoop?: boolean }
  | { type: "for"; target: Expression; source: Expression; body: Statement[]; rest: Statement[] }
  | { type: "with"; items: { value: Expression; target?: Expression }[]; body: Statement[] }
  | { type: "define"; name: string; value: Expression; decorators: Expression[] }
  | { type: "return"; value?: Expression }
  | { type: "delete"; targets: Expression[] }
  /** The code after it may not run. */
  | { type: "leave" }
  /** `global x`: the names are of a scope further out. */
  | { type: "outer"; names: string[] };

export interface ImportBinding {
  module: string;
  /** What of it; undefined is the module itself, `*` all of it under its own names. */
  member?: string;
  /** Undefined: nothing is bound, it is only loaded. */
  local?: string;
}

/** What cannot be read: the text is not of the language, or uses a form that is not known. */
export class UnreadableCode extends Error {
  override readonly name = "UnreadableCode";
}

/** Deeper than anybody writes; the readers call themselves. */
export const MAX_NESTING = 150;

/** Whether what comes after it may not happen. */
export function mayLeave(statement: Statement): boolean {
  if (statement.type === "leave") return true;
  if (statement.type !== "branch" && statement.type !== "for") return false;
  const bodies = statement.type === "for" ? [statement.body] : statement.bodies;
  return bodies.some((body) => body.some(mayLeave));
}
