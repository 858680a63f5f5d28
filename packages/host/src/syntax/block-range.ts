// The block that begins on a line: what a person means by "this function", "this if", "this
// entry" when they point at its first line. It is the outermost node whose first character
// is the first of the line, except nodes that only hold a sequence and happen to begin there.

import type { SyntaxNode } from "./engine.ts";
import type { Source } from "./parse-source.ts";
import { ShellBlocks } from "./shell-blocks.ts";
import { fail, succeed, type Outcome } from "./syntax-failure.ts";
import { findFlaw, isError } from "./syntax-flaw.ts";

/** Inclusive, 1-based. */
export interface BlockRange {
  start: number;
  end: number;
  /** The grammar's name for it. */
  kind: string;
  /**
   * Set if it may be replaced but not deleted, because a body would be left empty that must not
   * be: the lines of the construct that has the body.
   */
  needed?: { start: number; end: number };
}

/** Many lines of one text are asked about at once. */
const shellBlocks = new WeakMap<Source, ShellBlocks>();

/**
 * Sequences that begin with their first member. One that opens with a delimiter of its own is
 * a block like any other.
 */
const SEQUENCES = new Set([
  "block",
  "block_mapping",
  "block_node",
  "block_sequence",
  "body",
  "body_statement",
  "class_body",
  "control_structure_body",
  "declarations",
  "document",
  "flow_node",
  "fragment",
  "import_list",
  "imports",
  "indented_block",
  "list",
  "section",
  "select_expression",
  "statement_list",
  "statements",
  "stream",
  "then",
]);
/** A section that has a heading is what the heading stands for. */
const HEADINGS = new Set(["atx_heading", "setext_heading"]);

/** What may stand on lines of its own before a declaration and is not meant by its line. */
const PREFIXES = new Set([
  "annotation",
  "attribute",
  "attribute_declaration",
  "attribute_list",
  "attribute_specifier",
  "comment",
  "block_comment",
  "line_comment",
  "decorator",
  "marker_annotation",
  "modifiers",
]);

const CLOSING_KINDS = new Set([
  "end_tag",
  "erroneous_end_tag",
  "fenced_code_block_delimiter",
  "heredoc_end",
  "jsx_closing_element",
]);
const CLOSING_TOKEN = /^(?:[\])}>]+|end|fi|done|esac|\/>|\?>)/;

/** Grammars that put a function's body beside its head and not into one node with it. */
const HEADS = new Set([
  "function_signature",
  "method_signature",
  "getter_signature",
  "setter_signature",
]);
const DETACHED_BODY = "function_body";

export function blockAt(source: Source, line: number): Outcome<BlockRange> {
  const { lines, root } = source;
  if (!Number.isInteger(line) || line < 1 || line > lines.count) {
    return fail("no_such_line", `Line ${line} does not exist: the text has ${lines.count} lines.`);
  }
  const ink = lines.textOf(line).search(/\S/);
  if (ink < 0) {
    return fail(
      "blank_line",
      `Line ${line} is blank; point at the line that opens the block.`,
      line,
    );
  }
  // The shell's grammar has its own parser here, which knows where a statement ends.
  if (source.language.name === "bash") {
    const blocks = shellBlocks.get(source) ?? new ShellBlocks(source.text);
    shellBlocks.set(source, blocks);
    return blocks.at(line);
  }
  const offset = lines.startOf(line) + ink;
  const path = pathTo(root, offset);
  const first = path.findIndex((node) => node.range().start.index === offset && node !== root);
  const starting = first < 0 ? [] : path.slice(first).filter((node) => !onlyHolds(node));
  const outermost = starting[0];
  if (!outermost) return fail("no_block", noBlock(line), line);
  if (isError(outermost)) return flawed(line, outermost);
  if (CLOSING_KINDS.has(String(outermost.kind())) && !opens(outermost)) return closing(line);
  const promoted = afterPrefixes(path, path.indexOf(outermost));
  const block = promoted ?? outermost;
  if (!promoted && !starting.some((node) => node.isNamed())) {
    return CLOSING_TOKEN.test(outermost.text())
      ? closing(line)
      : fail("no_block", noBlock(line), line);
  }
  // What lies loose in an ERROR node may be a piece of something larger.
  const parent = block.parent();
  if (parent && isError(parent)) return flawed(line, parent);
  const last = detachedBody(block) ?? block;
  for (const part of last === block ? [block] : [block, last]) {
    if (findFlaw(part)) return flawed(line, part);
  }
  const { end } = last.range();
  return succeed({
    start: line,
    end: lines.lineOfLastInk(offset, end.index),
    kind: String(block.kind()),
  });
}

/** From the root down to the innermost node that begins at the offset or holds it. */
function pathTo(root: SyntaxNode, offset: number): SyntaxNode[] {
  const path = [root];
  for (let node: SyntaxNode | undefined = root; node;) {
    node = node.children().find((child) => {
      const { start, end } = child.range();
      return start.index <= offset && offset < end.index;
    });
    if (node) path.push(node);
  }
  return path;
}

function onlyHolds(node: SyntaxNode): boolean {
  if (!SEQUENCES.has(String(node.kind()))) return false;
  const first = node.child(0);
  if (!first || !first.isNamed()) return false;
  if (first.range().start.index !== node.range().start.index) return false;
  return !HEADINGS.has(String(first.kind()));
}

/** The opening fence of a code block is the same kind of node as the closing one. */
function opens(node: SyntaxNode): boolean {
  return node.prev() === null;
}

/**
 * The declaration whose decorators stand on the lines above: it begins earlier, but from
 * this line on it is the block, and its decorators are left alone.
 */
function afterPrefixes(path: readonly SyntaxNode[], from: number): SyntaxNode | undefined {
  // Pointing at one decorator among several means that decorator.
  if (PREFIXES.has(String(path[from]!.kind()))) return undefined;
  let best: SyntaxNode | undefined;
  for (let at = from; at > 1; at--) {
    const node = path[at]!;
    const parent = path[at - 1]!;
    if (SEQUENCES.has(String(parent.kind())) || isError(parent)) break;
    const before = node.prevAll();
    if (!before.every((sibling) => PREFIXES.has(String(sibling.kind())))) break;
    if (before.length > 0 || best) best = parent;
  }
  return best && PREFIXES.has(String(best.kind())) ? undefined : best;
}

function detachedBody(head: SyntaxNode): SyntaxNode | undefined {
  if (!HEADS.has(String(head.kind()))) return undefined;
  const next = head.next();
  return next?.kind() === DETACHED_BODY ? next : undefined;
}

function closing(line: number) {
  return fail(
    "closing_line",
    `Line ${line} closes a block; point at the line that opens it, or name the lines.`,
    line,
  );
}

function flawed(line: number, node: SyntaxNode) {
  const flaw = findFlaw(node);
  const where = flaw ? ` (${flaw.what} on line ${flaw.line})` : "";
  return fail(
    "syntax_error",
    `The block that begins on line ${line} has a syntax error${where}; name the lines from ${line} to its end instead.`,
    flaw?.line ?? line,
  );
}

function noBlock(line: number): string {
  return `No block begins at the start of line ${line}; point at the line that opens it, or name the lines.`;
}
