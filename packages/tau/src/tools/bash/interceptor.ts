// Turns a command away where a tool does it better, and says which. Only if that tool is active,
// and only if the whole line is nothing else: in a pipe or a script the command is the right one.

import { parseShellLine } from "@tau/host/shell-line/parse-shell-line";
import { programOf, type ProgramUse } from "@tau/host/shell-line/programs-of-line";
import {
  literalText,
  type Redirect,
  type ShellCommand,
  type ShellLine,
} from "@tau/host/shell-line/syntax-tree";

/** As in the settings. */
export interface InterceptRule {
  /** A regular expression, tried on the command's text. */
  pattern: string;
  /** Which tool to use instead. */
  tool: string;
  message: string;
}

export interface Interception {
  tool: string;
  message: string;
}

const DEFAULTS = {
  read: "Use the read tool: it numbers lines, takes ranges, and what it shows can be edited.",
  search: "Use the search tool: it takes the same patterns and shows lines that can be edited.",
  find: "Use the find tool: it takes globs and leaves out what is ignored.",
  edit: "Use the edit tool: it changes exactly the lines you name and tells you if they differ.",
  write: "Use the write tool: it needs no quoting.",
} as const;
type DefaultTool = keyof typeof DEFAULTS;

export class Interceptor {
  readonly #rules: { pattern: RegExp; tool: string; message: string }[] = [];

  /** A pattern that is none is reported here, once, and left out. */
  constructor(rules: readonly InterceptRule[], report: (problem: string) => void) {
    for (const { pattern, tool, message } of rules) {
      try {
        this.#rules.push({ pattern: new RegExp(pattern), tool, message });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        report(`The pattern ${pattern} of a rule for bash is not valid; fix it in the settings.`);
      }
    }
  }

  check(command: string, activeTools: readonly string[]): Interception | undefined {
    for (const { pattern, tool, message } of this.#rules) {
      if (activeTools.includes(tool) && pattern.test(command)) return { tool, message };
    }
    const tool = toolFor(parseShellLine(command));
    return tool !== undefined && activeTools.includes(tool)
      ? { tool, message: DEFAULTS[tool] }
      : undefined;
  }
}

/** The one that does all of the line; none where its commands want different things. */
function toolFor({ body }: ShellLine): DefaultTool | undefined {
  const tools = new Set(
    body.items.map(({ command, isBackground }) => (isBackground ? undefined : toolOf(command))),
  );
  return tools.size === 1 ? [...tools][0] : undefined;
}

function toolOf(command: ShellCommand): DefaultTool | undefined {
  if (command.type === "and-or") {
    const parts = [command.first, ...command.rest.map((each) => each.command)];
    // Going somewhere first does not change what it is.
    const tools = new Set(parts.filter((part) => !isCd(part)).map(toolOf));
    return tools.size === 1 ? [...tools][0] : undefined;
  }
  if (command.type === "pipeline") {
    const [first, ...rest] = command.commands;
    if (command.isNegated || command.isTimed || !rest.every(isCut)) return undefined;
    const tool = toolOf(first!);
    return tool === "edit" || tool === "write" ? undefined : tool;
  }
  const use = command.type === "simple" ? programOf(command) : undefined;
  if (!use || use.command.assignments.length > 0 || use.args.includes(undefined)) return undefined;
  const writes = use.command.redirects.filter((redirect) => !isQuiet(redirect));
  if (writes.length > 0) return isPlainWrite(use, writes) ? "write" : undefined;
  return toolOfProgram(use);
}

function isCd(command: ShellCommand): boolean {
  return command.type === "simple" && programOf(command)?.name === "cd";
}

/** Looking at the beginning or the end only. */
function isCut(command: ShellCommand): boolean {
  const use = command.type === "simple" ? programOf(command) : undefined;
  return (use?.name === "head" || use?.name === "tail") && files(use).length === 0;
}

/** `2>/dev/null`, `2>&1` */
function isQuiet({ operator, target, descriptor }: Redirect): boolean {
  const text = literalText(target);
  return (operator === ">&" && descriptor === "2") || (operator === ">" && text === "/dev/null");
}

function toolOfProgram(use: ProgramUse): DefaultTool | undefined {
  const args = use.args as string[];
  const paths = files(use);
  switch (use.name) {
    case "cat":
    case "bat":
    case "less":
    case "more":
    case "nl":
    case "head":
    case "tail":
      if (paths.length === 0 || paths.some((path) => /^\/(?:dev|proc|sys)\//.test(path)))
        return undefined;
      return args.some((arg) => /^(?:-[a-zA-Z]*[fFc]\d*|--follow|--bytes)/.test(arg))
        ? undefined
        : "read";
    case "grep":
    case "egrep":
    case "rg":
    case "ag":
    case "ack": {
      if (args.some((arg) => arg === "--files")) return "find";
      // Counts, parts of lines and mere answers are not what the tool gives.
      const isOther = args.some((arg) =>
        /^-[a-zA-Z]*[coqLvz]|^--(?:count|only|quiet|invert|json|version|help)/.test(arg),
      );
      const isDeep = use.name !== "grep" && use.name !== "egrep";
      const hasPlace =
        paths.length > 1 ||
        (paths.length === 1 && isDeep) ||
        args.some((arg) => /^-[a-zA-Z]*[rR]|^--recursive/.test(arg));
      return hasPlace && !isOther ? "search" : undefined;
    }
    case "find": {
      const tests = args.filter((arg) => arg.startsWith("-"));
      const isPlain = tests.every((arg) =>
        /^-(?:i?name|type|i?path|i?wholename|maxdepth|mindepth|not|o|or|a|and|print|prune)$/.test(
          arg,
        ),
      );
      return isPlain ? "find" : undefined;
    }
    case "fd":
    case "fdfind":
      return args.some((arg) =>
        /^(?:-[xX]|--exec|--changed|-S|--size|--owner|--version|--help)/.test(arg),
      )
        ? undefined
        : "find";
    case "sed":
      return args.some((arg) => /^-[nEr]*i|^--in-place/.test(arg)) && paths.length > 0
        ? "edit"
        : undefined;
    case "perl":
      return args.some((arg) => /^-[a-z0-9]*i/.test(arg)) ? "edit" : undefined;
    case "awk":
    case "gawk":
      return args.some((arg, index) => arg === "-i" && args[index + 1] === "inplace")
        ? "edit"
        : undefined;
    default:
      return undefined;
  }
}

/** Arguments that are no options, counts left out. */
function files({ args, name }: ProgramUse): string[] {
  const isCounted = name === "head" || name === "tail";
  return args.filter((arg, index): arg is string => {
    if (arg === undefined || arg === "-" || arg.startsWith("-")) return false;
    return !(isCounted && /^-(?:n|c|-lines|-bytes)$/.test(args[index - 1] ?? ""));
  });
}

/** Text that stands in the line, to a file that does. */
function isPlainWrite({ name, command }: ProgramUse, writes: readonly Redirect[]): boolean {
  const target = writes.find(({ operator }) => operator === ">" || operator === ">|");
  const path = target && literalText(target.target);
  if (path === undefined || /^\/(?:dev|proc|tmp)\//.test(path)) return false;
  const others = writes.filter((redirect) => redirect !== target);
  if (name === "echo" || name === "printf") return others.length === 0;
  const [document] = others;
  if (name !== "cat" || command.words.length !== 1 || others.length !== 1) return false;
  return document!.document?.parts.every((part) => part.type === "literal") ?? false;
}
