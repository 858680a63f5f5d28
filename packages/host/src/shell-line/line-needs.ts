// What a line takes from the shell that runs it: values that it does not set itself, names that may be
// functions, directories that were left earlier. A consent to the line is a consent to what it does now,
// and with other values it does something else.

import { parseShellLine } from "./parse-shell-line.ts";
import { literalText, type ShellCommand, type ShellLine, type Word } from "./syntax-tree.ts";

export interface LineNeeds {
  /** Variables whose values the shell has to know, because the line does not set them before. */
  variables: ReadonlySet<string>;
  /** All plain words, whatever they are: one of them may be the name of a function. */
  words: ReadonlySet<string>;
  /** Functions that it defines itself. */
  functions: ReadonlySet<string>;
  /** It goes back to a directory that only the shell remembers. */
  goesBack: boolean;
  /** Plain commands one after another, none of which changes the shell for the next one. */
  isList: boolean;
}

/** The same in every shell, or said by where the line runs; arguments are those that the line gives. */
const KNOWN = /^(?:HOME|PWD|TMPDIR|\?|#|@|\*|\d+)$/;
const SETTERS: ReadonlySet<string> = new Set("export declare typeset local readonly".split(" "));
/** What comes after one of them runs in another directory, with other values or other names. */
const CHANGES_SHELL: ReadonlySet<string> = new Set([
  ...SETTERS,
  ..."cd pushd popd eval source . alias unalias unset set shopt hash enable builtin exec trap".split(
    " ",
  ),
  ..."read mapfile readarray getopts let printf umask ulimit chroot env".split(" "),
]);
const IDENTIFIER = /[A-Za-z_]\w*/g;
const ASSIGNED = /^([A-Za-z_]\w*)\+?=/;

export function needsOfLine(text: string): LineNeeds {
  const line = parseShellLine(text);
  const found: Found = {
    variables: new Set(),
    words: new Set(),
    functions: new Set(),
    set: new Set(),
    goesBack: false,
  };
  visit(line.body, found);
  const { variables, words, functions, goesBack } = found;
  return { variables, words, functions, goesBack, isList: isPlainList(line) };
}

interface Found {
  variables: Set<string>;
  words: Set<string>;
  functions: Set<string>;
  set: Set<string>;
  goesBack: boolean;
}

/** In the order of the text: what is set later does not count for what comes before. */
function visit(node: unknown, found: Found): void {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, found);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const { type, name } = node as { type?: string; name?: unknown };
  if (type === "parameter" && typeof name === "string") need(name, found);
  if (type === "arithmetic") {
    for (const word of JSON.stringify(node).match(IDENTIFIER) ?? []) {
      if (!TREE_WORDS.has(word)) need(word, found);
    }
  }
  if (type === "function" && typeof name === "string") found.functions.add(name);
  if (type === "for" && typeof name === "string") {
    visit((node as { words?: unknown }).words, found);
    found.set.add(name);
  }
  for (const value of Object.values(node)) visit(value, found);
  if (type === "simple") noteSimple(node as Extract<ShellCommand, { type: "simple" }>, found);
}

/** Of the tree, not of the line. */
const TREE_WORDS: ReadonlySet<string> = new Set(
  "type arithmetic expression literal text isQuoted true false parameter name operator operand".split(
    " ",
  ),
);

function need(name: string, { variables, set }: Found): void {
  if (!set.has(name) && !KNOWN.test(name)) variables.add(name);
}

function noteSimple(
  { assignments, words }: Extract<ShellCommand, { type: "simple" }>,
  found: Found,
): void {
  const texts = words.map(literalText);
  for (const text of texts) if (text !== undefined) found.words.add(text);
  const [program, first] = texts;
  // `A=1 make` sets it for `make` alone.
  if (words.length === 0) for (const { name } of assignments) found.set.add(name);
  if (program !== undefined && SETTERS.has(program)) {
    for (const name of words.slice(1).map(assignedIn)) if (name !== undefined) found.set.add(name);
  }
  const isBack = program === "popd" || program === "dirs" || (program === "cd" && first === "-");
  found.goesBack ||= isBack || texts.some((text) => /^~[-+\d]/.test(text ?? ""));
}

function assignedIn({ parts: [part] }: Word): string | undefined {
  return part?.type === "literal" ? ASSIGNED.exec(part.text)?.[1] : undefined;
}

function isPlainList({ body }: ShellLine): boolean {
  return body.items.every(({ command, isBackground }) => !isBackground && isPlain(command));
}

function isPlain(command: ShellCommand): boolean {
  if (command.type === "and-or") {
    return isPlain(command.first) && command.rest.every((each) => isPlain(each.command));
  }
  if (command.type !== "simple" || command.assignments.length > 0) return false;
  const [program] = command.words;
  const name = program === undefined ? undefined : literalText(program);
  return name !== undefined && !CHANGES_SHELL.has(name);
}
