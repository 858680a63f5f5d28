// Small ways to break a source file, one at a time: a statement is left out, a condition is always
// or never true, an operand, an argument, a property or a default is dropped, a result is withheld.
// Types, imports, comments and words are left alone: what compiles to the same program is no mutant.

import { Lang, parse, type SgNode } from "@ast-grep/napi";

export interface Mutant {
  /** Counts from 1. */
  line: number;
  /** What was done to which text; stays the same when lines above it move. */
  change: string;
  /** The whole source with the change. */
  source: string;
}

interface Edit {
  node: SgNode;
  verb: string;
  from: number;
  to: number;
  text: string;
}

/** Enough of a changed text to find it again. */
const SHOWN_CHARS = 100;

const STATEMENTS = new Set([
  "expression_statement",
  "for_in_statement",
  "for_statement",
  "while_statement",
  "throw_statement",
  "break_statement",
  "continue_statement",
]);
const LOGICAL = new Set(["&&", "||", "??"]);
const COMPARING = new Set(["===", "!==", "<", "<=", ">", ">=", "instanceof", "in"]);
/** Off by one is the slip that limits are made of. */
const NEIGHBOURS: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const CONDITIONAL = new Set(["if_statement", "ternary_expression"]);
const LOOPS = new Set(["while_statement", "for_statement"]);
const OBJECT_MEMBERS = new Set(["pair", "shorthand_property_identifier", "spread_element"]);

export function makeMutants(source: string): Mutant[] {
  const transpiler = new Bun.Transpiler({ loader: "ts", minifyWhitespace: true });
  const seen = new Set([transpiler.transformSync(source)]);
  const mutants: Mutant[] = [];
  for (const { node, verb, from, to, text } of editsIn(parse(Lang.TypeScript, source).root())) {
    const changed = source.slice(0, from) + text + source.slice(to);
    let compiled: string;
    try {
      compiled = transpiler.transformSync(changed);
    } catch (error) {
      if (isSyntaxError(error)) continue;
      throw error;
    }
    if (seen.has(compiled)) continue;
    seen.add(compiled);
    const change = `${verb} ${shown(node.text())}`;
    mutants.push({ line: node.range().start.line + 1, change, source: changed });
  }
  return mutants;
}

/** Bun throws one message of its own, or several as one. */
function isSyntaxError(error: unknown): boolean {
  return error instanceof AggregateError || (error as { name?: string }).name === "BuildMessage";
}

function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS)}…`;
}

function* editsIn(node: SgNode): Generator<Edit> {
  yield* editsOf(node);
  for (const child of node.children()) yield* editsIn(child);
}

function* editsOf(node: SgNode): Generator<Edit> {
  const kind = String(node.kind());
  // The parser takes `using` for a word like any other.
  if (STATEMENTS.has(kind) && node.text().startsWith("using ")) {
    yield replace("not disposed", node, `const ${node.text().slice("using ".length)}`);
  } else if (STATEMENTS.has(kind)) yield replace("without", node, ";");
  else if (kind === "return_statement") yield otherResult(node);
  else if (kind === "arrow_function") yield* withheld(node);
  else if (kind === "await_expression") {
    yield replace("not awaited", node, node.text().slice("await".length));
  } else if (kind === "finally_clause") yield replace("without", node, "finally {}");
  else if (kind === "binary_expression") yield* operands(node);
  else if (kind === "arguments") yield* lastArgument(node);
  else if (kind === "array") for (const one of namedChildren(node)) yield drop(one);
  else if (OBJECT_MEMBERS.has(kind) && node.parent()?.kind() === "object") yield drop(node);
  else if (kind === "object_assignment_pattern" || kind === "required_parameter") {
    yield* defaultValue(node);
  }
  if (CONDITIONAL.has(kind)) yield* condition(node);
}

function replace(verb: string, node: SgNode, text: string): Edit {
  const { start, end } = node.range();
  return { node, verb, from: start.index, to: end.index, text };
}

/** With the comma after it. */
function drop(node: SgNode): Edit {
  const edit = replace("without", node, "");
  const comma = node.next();
  return comma?.kind() === "," ? { ...edit, to: comma.range().end.index } : edit;
}

function namedChildren(node: SgNode): SgNode[] {
  return node.children().filter((child) => child.isNamed() && child.kind() !== "comment");
}

/** Where a false result would do, none does too; a true one does not. */
function otherResult(node: SgNode): Edit {
  const value = node.children()[1]?.text();
  if (value === "true") return replace("false for", node, "return false as never;");
  if (value === "false") return replace("true for", node, "return true as never;");
  return replace("result withheld", node, "return undefined as never;");
}

function* withheld(node: SgNode): Generator<Edit> {
  const body = node.field("body");
  if (!body || body.kind() === "statement_block") return;
  yield { ...replace("result withheld", body, "(undefined as never)"), node };
}

function* condition(node: SgNode): Generator<Edit> {
  const test = node.field("condition");
  if (!test) return;
  const wrap =
    test.kind() === "parenthesized_expression" ? (value: string) => `(${value})` : String;
  yield { ...replace("never", test, wrap("false")), node };
  yield { ...replace("always", test, wrap("true")), node };
}

function* operands(node: SgNode): Generator<Edit> {
  const operator = node.field("operator")?.text() ?? "";
  const left = node.field("left");
  const right = node.field("right");
  if (!left || !right) return;
  if (LOGICAL.has(operator)) {
    yield replace("only the first of", node, left.text());
    yield replace("only the second of", node, right.text());
  }
  const neighbour = NEIGHBOURS[operator];
  if (neighbour !== undefined) {
    yield replace(`${neighbour} in`, node, `${left.text()} ${neighbour} ${right.text()}`);
  }
  if (COMPARING.has(operator) && !isCovered(node)) {
    yield replace("never", node, "false");
    yield replace("always", node, "true");
  }
}

/** A condition, or an operand: what holds it is changed as a whole. */
function isCovered(node: SgNode): boolean {
  const parent = node.parent();
  if (!parent) return false;
  if (parent.kind() === "parenthesized_expression") return isCovered(parent);
  // A loop that never ends says nothing about its tests.
  if (LOOPS.has(String(parent.kind()))) return true;
  if (CONDITIONAL.has(String(parent.kind()))) return parent.field("condition")?.id() === node.id();
  return LOGICAL.has(parent.field("operator")?.text() ?? "");
}

/** A first argument that is missing fails at once; a further one may have been optional. */
function* lastArgument(node: SgNode): Generator<Edit> {
  const given = namedChildren(node);
  const last = given.at(-1);
  const before = given.at(-2);
  if (!last || !before) return;
  const from = before.range().end.index;
  yield { ...replace("without", last, ""), from };
}

function* defaultValue(node: SgNode): Generator<Edit> {
  const value = node.field(node.kind() === "required_parameter" ? "value" : "right");
  const name = node.children()[0];
  if (!value || !name) return;
  const kept = node.text().slice(0, value.range().start.index - node.range().start.index);
  yield replace("without the default of", node, kept.replace(/\s*=\s*$/, ""));
}
