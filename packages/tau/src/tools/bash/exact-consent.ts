// In which words a yes to a command line is remembered. The text alone is enough if it alone says what the
// line does: in the project's root, with nothing that the shell, a link or a script adds. Otherwise the
// directory goes with it (`in /home/ada/shop/sub: rm ../x`), and the danger that was agreed to, if it
// cannot be told from the text (`… # deletes /home/ada/x`). What no words pin down is not remembered.

import { relative } from "node:path";
import { classifyShellLine, type LineJudgement } from "@tau/host/shell-line/classify-shell-line";
import type { CommandEffects } from "@tau/host/shell-line/command-effects";
import { needsOfLine } from "@tau/host/shell-line/line-needs";
import type { ShellContext } from "@tau/host/shell-line/shell-context";
import { guardFrom } from "./guard-from.ts";

export interface JudgedLine {
  command: string;
  /** Where and how it was judged. */
  context: ShellContext;
  judgement: LineJudgement;
  /** Every reason to ask, also those that are not in the line. */
  guard: string | undefined;
  /** What rules are about, part by part. */
  subjects: readonly string[];
  /** Variables that come with the call. */
  env: Readonly<Record<string, string>>;
  /** The project's. */
  root: string;
  /** Functions and aliases that earlier commands of the session defined. */
  defined: (name: string) => boolean;
}

/** Judged there, a path that is not absolute leads nowhere near the project. */
const ELSEWHERE = "/nowhere/in/particular";

/** Undefined: the subjects say it. Empty: the yes is to this call alone. */
export function exactConsent(line: JudgedLine): readonly string[] | undefined {
  return line.guard === undefined ? ofHarmless(line) : ofDangerous(line, line.guard);
}

/** Its parts, unless one of them would be a danger by itself. */
function ofHarmless(line: JudgedLine): readonly string[] | undefined {
  const { subjects, context, root } = line;
  if (isAtRoot(line) && (subjects.length === 1 || needsOfLine(line.command).isList))
    return undefined;
  const isDanger = subjects.some((text) => ownGuard(text, root, context) !== undefined);
  return isDanger ? [placed(line, wholeText(line))] : undefined;
}

function ofDangerous(line: JudgedLine, guard: string): readonly string[] {
  const { command, context, judgement, env } = line;
  const needs = needsOfLine(command);
  const isOpen =
    judgement.commands.some(isUndetermined) ||
    needs.goesBack ||
    [...needs.variables].some((name) => env[name] === undefined) ||
    [...needs.words].some((word) => !needs.functions.has(word) && line.defined(word));
  if (isOpen) return [];
  if (needs.isList && line.subjects.length > 1 && Object.keys(env).length === 0) {
    const parts = judgement.commands.map(({ text }) => text.trim());
    const guards = parts.map((text) => ownGuard(text, context.cwd, context));
    const together = guards.filter((one) => one !== undefined).join("; ");
    if (together === guard && parts.every((text) => text !== "")) {
      return parts.map((text, at) => (guards[at] === undefined ? text : placed(line, text)));
    }
  }
  const text = wholeText(line);
  const own = ownGuard(command, context.cwd, { ...context, variables: ownVariables(line) });
  return [own === guard ? placed(line, text) : `${placed(line, text)} # ${guard}`];
}

function isUndetermined({ deletes, overwrites }: CommandEffects): boolean {
  return [...deletes, ...overwrites].some(({ place }) => place === "unknown");
}

function wholeText({ command, env, judgement }: JudgedLine): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  const isTorn = judgement.commands.some(({ text }) => text.trim() === "");
  return isTorn ? `line: ${command.trim()}` : variables.join("") + command.trim();
}

function ownVariables({ context, env }: JudgedLine): Record<string, string> {
  return { TMPDIR: context.temporary[0]!, ...env };
}

/** With the directory, unless it is the project's root or makes no difference. */
function placed(line: JudgedLine, text: string): string {
  if (isAtRoot(line) || isSameAnywhere(text, line.context)) return text;
  return `in ${realOf(line.context, line.context.cwd)}: ${text}`;
}

function isAtRoot({ context, root }: JudgedLine): boolean {
  // In a project that covers the home everything is a danger that is none in others.
  const coversHome = !relative(context.workspace, context.home).startsWith("..");
  return !coversHome && realOf(context, context.cwd) === root;
}

/** Why the text would ask by itself: in a new shell, with no link and no script of the session. */
function ownGuard(text: string, cwd: string, context: ShellContext): string | undefined {
  const judgement = classifyShellLine(text, { ...bare(context), cwd });
  const isAsking = judgement.class === "guarded" || judgement.class === "unknown";
  return isAsking ? guardFrom(judgement) : undefined;
}

function bare(context: ShellContext): ShellContext {
  return {
    ...context,
    names: undefined,
    functions: undefined,
    definitions: undefined,
    downloaded: undefined,
    real: undefined,
    isWritten: undefined,
    variables: context.variables,
  };
}

/** All that it does to files is named in full, and it does nothing else that asks. */
function isSameAnywhere(text: string, context: ShellContext): boolean {
  const here = classifyShellLine(text, { ...bare(context) });
  const there = classifyShellLine(text, { ...bare(context), cwd: ELSEWHERE });
  return [here, there].every(({ commands }) => commands.every(isAboutFilesOnly))
    ? touched(here) === touched(there)
    : false;
}

function isAboutFilesOnly(effects: CommandEffects): boolean {
  const { critical, unknown, elevates, downloadsAndExecutes, sends, executes } = effects;
  return (
    critical.length === 0 &&
    unknown.length === 0 &&
    !elevates &&
    !downloadsAndExecutes &&
    !sends &&
    !executes
  );
}

function touched({ commands }: LineJudgement): string {
  return JSON.stringify(
    commands.map(({ writes, deletes, overwrites, readsFiles }) => [
      ...[writes, deletes, overwrites].map((targets) => targets.map(({ path }) => path ?? null)),
      [...readsFiles],
    ]),
  );
}

function realOf({ real }: ShellContext, path: string): string {
  return real?.(path) ?? path;
}
