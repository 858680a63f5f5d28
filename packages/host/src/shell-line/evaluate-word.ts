// From a word of the tree to the arguments it becomes, as far as the line itself tells: quotes,
// braces, `~`, patterns, and those values that were set before.

import { expandBraces } from "./expand-braces.ts";
import { DIGITS, joinSecrets, knownField, unknownField, type Field } from "./field.ts";
import { isSecretVariable } from "./secret-variable.ts";
import type { ShellState } from "./shell-state.ts";
import type { Sequence, Word, WordPart } from "./syntax-tree.ts";
import { trimValue } from "./trim-value.ts";

export interface WordWorld {
  home: string;
  /** Walks over what a substitution runs, and gives its output where that can be told. */
  runSubstitution: (body: Sequence, state: ShellState, flow?: "in") => Field;
  /** `${x:=…}` and arithmetic change variables unseen; to what, if that is known. */
  set: (name: string, value: Field, state: ShellState) => void;
  note: (reason: string) => void;
  /** IFS is not what it was: nobody knows how values are split. */
  isSplittingOdd: boolean;
}

/** Stand for characters that quotes protect while braces and patterns are looked for. */
const PROTECTED_FROM = 0xe000;
const PATTERN = /[*?]|\[.+\]/s;
const SPECIAL = /[{},.*?[\]~\\]/g;
const PROTECTED = /[\ue000-\ue07f]/;
const ALL_PROTECTED = /[\ue000-\ue07f]/g;

/** All arguments that a word becomes; split where its values are. */
export function evaluateWord(word: Word, state: ShellState, world: WordWorld): Field[] {
  const list = listOf(word, state, world);
  if (list) return list;
  const pieces = word.parts.map((part) => evaluatePart(part, state, world));
  const [only] = pieces;
  if (pieces.length === 1 && only!.kind === "field" && only!.field.anyOf) return [only!.field];
  if (pieces.every((piece) => piece.kind === "text")) {
    return expandText(pieces.map((piece) => piece.text).join(""), world);
  }
  return combine(pieces, world);
}

/** Signs that mean something when a value is split and matched against names. */
const NOT_PLAIN = /[\\*?[\]~{}]/;

/** A word that is nothing but one value: the arguments that it holds, if they are known. */
function listOf({ parts }: Word, state: ShellState, world: WordWorld): Field[] | undefined {
  const isEmpty = (each: WordPart): boolean => each.type === "literal" && each.text === "";
  const [part, ...more] = parts.filter((each) => !isEmpty(each));
  if (more.length > 0 || part?.type !== "parameter" || world.isSplittingOdd) return undefined;
  const { name, operator, isQuoted } = part;
  if (operator === "[]" && isAll(part)) {
    const items = state.variables.get(name)?.items;
    return items && [...items];
  }
  if (operator !== "") return undefined;
  if (name === "@" && (isQuoted || state.positional?.every(isPlain))) {
    return state.positional && [...state.positional];
  }
  const { text, isPattern, secrets } = valueOf(name, state);
  if (isQuoted || isPattern || text === undefined || !/\s/.test(text) || NOT_PLAIN.test(text))
    return undefined;
  const words = text.split(/\s+/).filter((each) => each !== "");
  return words.map((each) => ({ ...knownField(each), secrets }));
}

/** `${x[@]}` */
function isAll({ operand }: WordPart & { type: "parameter" }): boolean {
  const [only] = operand;
  return operand.length === 1 && only?.type === "literal" && /^[@*]$/.test(only.text);
}

function isPlain({ text, isPattern }: Field): boolean {
  return text !== undefined && !isPattern && !/\s/.test(text) && !NOT_PLAIN.test(text);
}

/** As one argument: in assignments, redirections and `case` nothing is split. */
export function evaluateWhole(word: Word, state: ShellState, world: WordWorld): Field {
  const pieces = word.parts.map((part) => evaluatePart(quotedPart(part), state, world));
  if (!pieces.every((piece) => piece.kind === "text"))
    return { ...combine(pieces, world)[0]!, isMany: false };
  const text = pieces.map((piece) => piece.text).join("");
  return knownField(
    unprotect(expandTilde(text, world)),
    pieces.some((piece) => piece.isPattern),
  );
}

type Piece =
  /** Quoted characters in it are protected. */
  { kind: "text"; text: string; isPattern: boolean } | { kind: "field"; field: Field };

function evaluatePart(part: WordPart, state: ShellState, world: WordWorld): Piece {
  switch (part.type) {
    case "literal":
      if (PROTECTED.test(part.text)) return { kind: "field", field: unknownField() };
      return {
        kind: "text",
        text: part.isQuoted ? protect(part.text) : part.text,
        isPattern: false,
      };
    case "parameter":
      return pieceOf(evaluateParameter(part, state, world), part.isQuoted, world);
    case "substitution": {
      const value = world.runSubstitution(part.body, state);
      return pieceOf(value, part.isQuoted, world);
    }
    case "process": {
      const { isDownload, printed, secrets } = world.runSubstitution(
        part.body,
        state,
        part.direction === ">" ? "in" : undefined,
      );
      return {
        kind: "field",
        field: unknownField({ prefix: "/dev/fd/", isDownload, isPipe: true, printed, secrets }),
      };
    }
    case "arithmetic":
      for (const inner of part.expression) evaluatePart(inner, state, world);
      setAssigned(part.expression, state, world);
      return pieceOf(DIGITS, true, world);
    case "array":
      for (const element of part.elements) evaluateWord(element, state, world);
      return { kind: "field", field: unknownField() };
  }
}

/** Any name in an expression that may assign is a variable that is not known any more. */
export function setAssigned(expression: WordPart[], state: ShellState, world: WordWorld): void {
  for (const part of expression) {
    if (part.type !== "literal") continue;
    const names = part.text.match(
      /[A-Za-z_]\w*(?=\s*(?:\[[^\]]*\]\s*)?(?:[-+*/%&|^]|<<|>>)?=(?!=)|\s*(?:\+\+|--))|(?<=(?:\+\+|--)\s*)[A-Za-z_]\w*/g,
    );
    for (const name of names ?? []) world.set(name, DIGITS, state);
  }
}

function pieceOf(field: Field, isQuoted: boolean, world: WordWorld): Piece {
  const { text } = field;
  const isOpen = text === undefined || PROTECTED.test(text);
  if (isOpen || (!isQuoted && world.isSplittingOdd)) {
    return { kind: "field", field: isQuoted ? field : { ...field, isMany: true } };
  }
  if (isQuoted)
    return {
      kind: "text",
      text: field.isPattern ? text : protect(text),
      isPattern: field.isPattern,
    };
  // Unquoted it is split and matched against names; more than that is not followed.
  if (/[\s\\]/.test(text))
    return { kind: "field", field: unknownField({ isMany: true, secrets: field.secrets }) };
  return {
    kind: "text",
    text: text.replace(/[{}~,]/g, protectChar),
    isPattern: PATTERN.test(text),
  };
}

function evaluateParameter(
  part: WordPart & { type: "parameter" },
  state: ShellState,
  world: WordWorld,
): Field {
  const { name, operator } = part;
  const operand = part.operand.map((inner) => evaluatePart(inner, state, world));
  if (operator.includes("=")) {
    // Of `${a[i]:=x}` the index stands before the value.
    const given = operator.includes("[]") ? undefined : operandText(operand);
    world.set(name, given === undefined ? unknownField() : knownField(given), state);
  }
  // The keys of an array are what the line has put there, or numbers.
  if (operator === "![]" && isAll(part)) return unknownField({ isMany: true });
  if (operator.startsWith("!") || operator.endsWith("@")) {
    world.note("a value in it is run or looked up");
    return unknownField({ isMany: true });
  }
  if (operator === "#" || /^[#?$!]$|^(?:RANDOM|UID|EUID|PPID|SECONDS|LINENO)$/.test(name)) {
    return operator === "" || operator === "#" ? DIGITS : unknownField();
  }
  const value = valueOf(name, state);
  if (operator === "") return value;
  const trimmed = /^(?:%%?|##?)$/.test(operator) ? operandText(operand) : undefined;
  if (trimmed !== undefined && value.text !== undefined) return trimValue(value, operator, trimmed);
  // `${HOME:-x}`: a value that is known and not empty is what it gives.
  if (/^:?[-?]$|^:=$|^=$/.test(operator) && value.text) return value;
  return unknownField({ isDownload: value.isDownload, secrets: value.secrets });
}

function operandText(pieces: Piece[]): string | undefined {
  if (!pieces.every((piece) => piece.kind === "text")) return undefined;
  return unprotect(pieces.map((piece) => piece.text).join(""));
}

function valueOf(name: string, state: ShellState): Field {
  if (name === "PWD" && state.directories?.length === 1) return knownField(state.directories[0]!);
  if (/^[1-9]$/.test(name))
    return state.positional?.[Number(name) - 1] ?? unknownField({ isMany: true });
  if (name === "@" || name === "*") {
    // One argument stands for all of them only if there is exactly one.
    return state.positional?.length === 1 ? state.positional[0]! : unknownField({ isMany: true });
  }
  return (
    state.variables.get(name) ??
    unknownField({ secrets: isSecretVariable(name) ? [`$${name}`] : undefined })
  );
}

/** Pieces of which one at least is not known. */
function combine(pieces: Piece[], world: WordWorld): Field[] {
  const [only] = pieces;
  if (pieces.length === 1 && only!.kind === "field" && only!.field.isPipe) return [only!.field];
  let prefix = "";
  let isPrefixOpen = true;
  let isMany = false;
  let isDownload = false;
  let secrets: readonly string[] | undefined;
  for (const piece of pieces) {
    if (piece.kind === "text") {
      if (!isPrefixOpen) continue;
      if (/[{*?[]/.test(piece.text)) isPrefixOpen = false;
      else prefix += piece.text;
      continue;
    }
    if (isPrefixOpen) prefix += piece.field.prefix;
    isPrefixOpen = false;
    isMany ||= piece.field.isMany;
    isDownload ||= piece.field.isDownload;
    secrets = joinSecrets(secrets, piece.field.secrets);
  }
  // The rest of `~$x` may be a user's name.
  const start = /^~(?:\/|$)/.test(prefix) ? expandTilde(prefix, world) : prefix;
  return [unknownField({ prefix: unprotect(start), isMany, isDownload, secrets })];
}

function expandText(text: string, world: WordWorld): Field[] {
  const words = expandBraces(text);
  if (!words) return [unknownField({ isMany: true })];
  return words.map((each) => {
    const expanded = expandTilde(each, world);
    return knownField(unprotect(expanded), PATTERN.test(expanded));
  });
}

/** `dd of=~/x`: what looks like an assignment is treated as one, among arguments as well. */
const ASSIGNED = /^([A-Za-z_]\w*\+?=)(.*~.*)$/s;

function expandTilde(text: string, world: WordWorld): string {
  const [, name, value = ""] = ASSIGNED.exec(text) ?? [];
  if (name !== undefined)
    return (
      name +
      value
        .split(":")
        .map((part) => expandTilde(part, world))
        .join(":")
    );
  if (!text.startsWith("~")) return text;
  if (text === "~" || text.startsWith("~/")) return world.home + text.slice(1);
  // `~name`, `~+`: somebody's home, or a place that was visited. Never one of ours.
  return `/~${text.slice(1)}`;
}

function quotedPart(part: WordPart): WordPart {
  return part.type === "parameter" || part.type === "substitution"
    ? { ...part, isQuoted: true }
    : part;
}

function protectChar(char: string): string {
  return String.fromCharCode(PROTECTED_FROM + char.charCodeAt(0));
}

function protect(text: string): string {
  return text.replace(SPECIAL, protectChar);
}

function unprotect(text: string): string {
  return text.replace(ALL_PROTECTED, (char) =>
    String.fromCharCode(char.charCodeAt(0) - PROTECTED_FROM),
  );
}
