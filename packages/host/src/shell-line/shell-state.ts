// What is known of the shell at one point of a line: its directory, and those variables whose
// value the line itself has set. Immutable; where two ways meet, what both agree on remains.

import { DIGITS, exactText, joinSecrets, knownField, unknownField, type Field } from "./field.ts";
import type { ShellContext } from "./shell-context.ts";

/** More places than this a shell may be in are not told apart any more. */
const MAX_DIRECTORIES = 8;
/** Each change copies them; a line with more of them forgets the rest. */
const MAX_VARIABLES = 200;

export interface ShellState {
  /** All it may be in: a `cd` that fails leaves it where it was. Undefined: anywhere. */
  readonly directories: readonly string[] | undefined;
  readonly variables: ReadonlyMap<string, Field>;
  /** The arguments of the function or script that runs; undefined if unknown. */
  readonly positional: readonly Field[] | undefined;
}

/** How things stand after a command; undefined where it does not come to that. */
export interface Outcome {
  ok: ShellState | undefined;
  failed: ShellState | undefined;
}

export function initialState(context: ShellContext): ShellState {
  const variables = new Map(
    Object.entries(context.variables ?? {}).map(([name, value]) => [name, knownField(value)]),
  );
  variables.set("HOME", knownField(context.home));
  return { directories: [context.cwd], variables, positional: [] };
}

export const UNKNOWN_STATE: ShellState = {
  directories: undefined,
  variables: new Map(),
  positional: undefined,
};

export function sameOutcome(state: ShellState): Outcome {
  return { ok: state, failed: state };
}

export function join(
  left: ShellState | undefined,
  right: ShellState | undefined,
): ShellState | undefined {
  if (!left || left === right) return right;
  if (!right) return left;
  return {
    directories: joinDirectories(left.directories, right.directories),
    variables: joinVariables(left.variables, right.variables),
    positional: left.positional === right.positional ? left.positional : undefined,
  };
}

/** After a command that nothing tells apart: as if it could have gone either way. */
export function after({ ok, failed }: Outcome): ShellState {
  // Not reached as far as can be seen; if it is after all, nothing is known.
  return join(ok, failed) ?? UNKNOWN_STATE;
}

export function withVariable(
  state: ShellState,
  name: string,
  value: Field | undefined,
): ShellState {
  if (value === undefined && !state.variables.has(name)) return state;
  const variables = new Map(state.variables);
  // What came from the network or holds a secret is worth knowing even if its text is not.
  const isTold =
    value &&
    (value.text !== undefined || value.anyOf || value.items || value.isDownload || value.secrets);
  const isKnown = isTold && (!value.isMany || value.secrets !== undefined);
  if (isKnown && variables.size < MAX_VARIABLES) variables.set(name, value);
  else variables.delete(name);
  return { ...state, variables };
}

export function withDirectories(state: ShellState, directories: readonly string[] | undefined) {
  if (directories && directories.length > MAX_DIRECTORIES)
    return { ...state, directories: undefined };
  return { ...state, directories };
}

export function forgetVariables(state: ShellState): ShellState {
  return { ...state, variables: new Map() };
}

export function isSame(left: ShellState, right: ShellState): boolean {
  return left.variables.size === right.variables.size && isSameList(left, right);
}

export function isSameList(
  { directories: left }: ShellState,
  { directories: right }: ShellState,
): boolean {
  if (left === undefined || right === undefined) return left === right;
  return left.length === right.length && left.every((path, index) => path === right[index]);
}

/** More values than that are not told apart any more. */
const MAX_VALUES = 4;
const NUMBER = /^\d+$/;

/** What both have in common: numbers, or that it is one of a few words. */
function eitherOf(one: Field, other: Field): Field | undefined {
  const both = [one, other];
  const isNumber = ({ text, isPattern }: Field): boolean =>
    text !== undefined && (isPattern ? text === DIGITS.text : NUMBER.test(text));
  if (both.every(isNumber)) return DIGITS;
  const texts = both.map((field) => field.anyOf ?? exactText(field));
  if (texts.includes(undefined)) return undefined;
  const anyOf = [...new Set(texts.flat() as string[])];
  return anyOf.length > MAX_VALUES ? undefined : unknownField({ anyOf });
}

function joinDirectories(
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): readonly string[] | undefined {
  if (left === right || !left || !right) return left === right ? left : undefined;
  const both = [...new Set([...left, ...right])];
  return both.length > MAX_DIRECTORIES ? undefined : both;
}

function joinVariables(
  left: ReadonlyMap<string, Field>,
  right: ReadonlyMap<string, Field>,
): ReadonlyMap<string, Field> {
  if (left === right) return left;
  const agreed = new Map<string, Field>();
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [one, other] = [left.get(name), right.get(name)];
    const secrets = joinSecrets(one?.secrets, other?.secrets);
    if (one && other && other.text === one.text && other.isPattern === one.isPattern)
      agreed.set(name, secrets === one.secrets ? one : { ...one, secrets });
    // On one way at least it holds a secret.
    else if (secrets) agreed.set(name, unknownField({ secrets }));
    else if (one && other) {
      const either = eitherOf(one, other);
      if (either) agreed.set(name, either);
    }
  }
  return agreed;
}
