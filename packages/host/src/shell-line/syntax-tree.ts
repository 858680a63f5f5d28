// What a bash command line says, as a tree. Quotes are resolved; what only a running shell knows
// (values, file names, output of commands) stays as parts whose inner commands are in the tree, so
// that nothing a line would run is out of sight. What the parser does not understand is a node too.

export interface ShellLine {
  text: string;
  body: Sequence;
}

/** A command that is made of others. */
export interface Compound extends Span {
  redirects: Redirect[];
  /** Whole, as it stands in the line. */
  text: string;
}

/** Places are offsets in the text that was parsed, for backquotes in what stands between them. */
export interface Span {
  from: number;
  to: number;
}

export interface Sequence {
  items: SequenceItem[];
}

export interface SequenceItem {
  command: ShellCommand;
  isBackground: boolean;
}

export type ShellCommand =
  | SimpleCommand
  | Pipeline
  | AndOr
  | GroupCommand
  | IfCommand
  | LoopCommand
  | ForCommand
  | ArithmeticForCommand
  | CaseCommand
  | FunctionDefinition
  | TestCommand
  | ArithmeticCommand
  | UnknownCommand;

export interface SimpleCommand extends Span {
  type: "simple";
  assignments: Assignment[];
  words: Word[];
  redirects: Redirect[];
  text: string;
}

export interface Pipeline extends Span {
  type: "pipeline";
  commands: ShellCommand[];
  /** Where each `|` or `|&` stands. */
  bars: (Span & { withErrors: boolean })[];
  isNegated: boolean;
  isTimed: boolean;
}

export interface AndOr extends Span {
  type: "and-or";
  first: ShellCommand;
  rest: { operator: "&&" | "||"; command: ShellCommand; at: Span }[];
}

export interface GroupCommand extends Compound {
  type: "group";
  isSubshell: boolean;
  body: Sequence;
}

export interface IfCommand extends Compound {
  type: "if";
  branches: { condition: Sequence; body: Sequence }[];
  otherwise: Sequence | undefined;
}

export interface LoopCommand extends Compound {
  type: "loop";
  condition: Sequence;
  body: Sequence;
}

export interface ForCommand extends Compound {
  type: "for";
  kind: "for" | "select";
  name: string;
  /** Without `in` the arguments of whatever runs. */
  words: Word[] | undefined;
  body: Sequence;
}

export interface ArithmeticForCommand extends Compound {
  type: "arithmetic-for";
  expression: WordPart[];
  body: Sequence;
}

export interface CaseCommand extends Compound {
  type: "case";
  subject: Word;
  clauses: { patterns: Word[]; body: Sequence }[];
}

export interface FunctionDefinition extends Span {
  type: "function";
  name: string;
  body: ShellCommand;
}

export interface TestCommand extends Compound {
  type: "test";
  words: Word[];
}

export interface ArithmeticCommand extends Compound {
  type: "arithmetic";
  expression: WordPart[];
}

/** From here on the line could not be understood. */
export interface UnknownCommand extends Span {
  type: "unknown";
  reason: string;
}

export interface Assignment {
  name: string;
  isAppended: boolean;
  /** `a[i]=x`: one element. */
  isElement: boolean;
  value: Word;
  /** `a=(x y)` */
  elements: Word[] | undefined;
}

export interface Word extends Span {
  parts: WordPart[];
}

export type WordPart =
  /** Text as the command gets it; unquoted, its `*`, `{a,b}` and leading `~` are still the shell's. */
  | { type: "literal"; text: string; isQuoted: boolean }
  /** `$name`, `${name}`, or with an operator such as `:-` and what stands behind it. */
  | {
      type: "parameter";
      name: string;
      operator: string;
      operand: WordPart[];
      isQuoted: boolean;
    }
  | { type: "substitution"; body: Sequence; isQuoted: boolean }
  | { type: "process"; direction: "<" | ">"; body: Sequence }
  | { type: "arithmetic"; expression: WordPart[] }
  | { type: "array"; elements: Word[] };

export interface Redirect extends Span {
  operator: RedirectOperator;
  /** A number, or `{name}`. */
  descriptor: string | undefined;
  target: Word;
  document: HereDocument | undefined;
}

export interface HereDocument {
  parts: WordPart[];
  /** As it stands below the line, without its end. */
  text: string;
}

export type RedirectOperator =
  "<" | ">" | ">>" | ">|" | "<>" | "<&" | ">&" | "&>" | "&>>" | "<<" | "<<-" | "<<<";

/** The word's text if it has nothing but plain unquoted characters: only such a word is a keyword. */
export function bareText(word: Word): string | undefined {
  const [part] = word.parts;
  if (word.parts.length !== 1 || part!.type !== "literal" || part!.isQuoted) return undefined;
  return part!.text;
}

/** The word's text if no value is needed to know it, whatever its quotes. */
export function literalText(word: Word): string | undefined {
  let text = "";
  for (const part of word.parts) {
    if (part.type !== "literal") return undefined;
    text += part.text;
  }
  return text;
}
