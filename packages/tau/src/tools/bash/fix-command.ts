// Small repairs to a command before it runs. Models cut output with `| head` out of habit, and so
// hide what failed and that it failed; the tool bounds output itself and keeps all of it. Nothing is
// changed unless the tree shows that only the amount of output, and the exit code that is told,
// differ.

import { parseShellLine } from "@tau/host/shell-line/parse-shell-line";
import { programOf } from "@tau/host/shell-line/programs-of-line";
import {
  literalText,
  type ShellCommand,
  type ShellLine,
  type SimpleCommand,
} from "@tau/host/shell-line/syntax-tree";

export interface FixedCommand {
  command: string;
  /** What was done, a few words each. */
  notes: string[];
}

/** Lines to keep, counted from the end that they name; `+5` and bytes mean something else. */
const COUNT = /^(?:-\d+|-n\d+|--lines=\d+)$/;
/**
 * `head` ends what feeds it. These end by themselves, whatever nobody reads; of others (servers,
 * `yes`, `tail -f`) nobody knows.
 */
const ENDING: ReadonlySet<string> = new Set(
  `ls cat grep rg find fd git seq sort uniq wc diff sed awk jq cut tr echo printf npm pnpm yarn bun npx
  cargo go rustc gcc g++ clang make cmake ninja tsc eslint oxlint prettier jest vitest pytest mypy ruff
  pip pip3 mvn gradle dotnet tree du ps`.split(/\s+/),
);
const ENDLESS = /^(?:-f|-F|--follow|--watch|-w|watch|dev|start|serve|\/dev\/.*)$/;

/** For the setting `bash.stripTrailingHeadTail`. */
export function fixCommand(command: string): FixedCommand {
  const notes: string[] = [];
  let text = command;
  const shorter = withoutTrailingCut(parseShellLine(text));
  if (shorter !== undefined) {
    notes.push(`removed "${text.slice(shorter.length).trim()}": long output is kept in full`);
    text = shorter;
  }
  const merged = withoutTrailingMerge(parseShellLine(text));
  if (merged !== undefined) {
    notes.push('left out "2>&1": both streams are shown anyway');
    text = merged;
  }
  return { command: text, notes };
}

/** The command whose status and output are the line's, if nothing stands behind it. */
function lastCommand({ body, text }: ShellLine): ShellCommand | undefined {
  const item = body.items.at(-1);
  if (body.items.length !== 1 || item!.isBackground) return undefined;
  const { command } = item!;
  if (text.slice(command.to).trim() !== "") return undefined;
  return command.type === "and-or" ? command.rest.at(-1)!.command : command;
}

function withoutTrailingCut(line: ShellLine): string | undefined {
  const pipeline = lastCommand(line);
  if (pipeline?.type !== "pipeline" || pipeline.commands.length < 2) return undefined;
  if (pipeline.isNegated || pipeline.isTimed) return undefined;
  const cut = pipeline.commands.at(-1)!;
  const before = pipeline.commands.slice(0, -1);
  if (cut.type !== "simple" || !isPlainCut(cut) || !before.every(endsByItself)) return undefined;
  const end = line.text.slice(0, pipeline.bars.at(-1)!.from).trimEnd();
  // Documents that follow a line would lose it.
  return end.includes("<<") ? undefined : end;
}

function isPlainCut(command: SimpleCommand): boolean {
  if (command.assignments.length > 0) return false;
  // `2>&1` behind it merges nothing worth having.
  if (!command.redirects.every(isMerge)) return false;
  const [name, ...args] = command.words.map(literalText);
  if (name !== "head" && name !== "tail") return false;
  if (args.length === 2) return args[0] === "-n" && /^\d+$/.test(args[1] ?? "");
  return args.length === 0 || (args.length === 1 && COUNT.test(args[0] ?? ""));
}

function endsByItself(command: ShellCommand): boolean {
  if (command.type !== "simple") return false;
  const use = programOf(command);
  if (!use || !ENDING.has(use.name)) return false;
  return !use.args.some((text) => text === undefined || ENDLESS.test(text));
}

function isMerge({ operator, descriptor, target }: SimpleCommand["redirects"][number]): boolean {
  return operator === ">&" && descriptor === "2" && literalText(target) === "1";
}

function withoutTrailingMerge(line: ShellLine): string | undefined {
  const command = lastCommand(line);
  if (command?.type !== "simple" || command.words.length === 0) return undefined;
  // For the shell itself `exec 2>&1` is for good.
  if (literalText(command.words[0]!) === "exec") return undefined;
  const [only] = command.redirects;
  if (command.redirects.length !== 1 || !isMerge(only!) || only!.to !== command.to)
    return undefined;
  return line.text.slice(0, only!.from).trimEnd();
}

/**
 * Whether the line begins with `cd X &&`: the directory is meant for what follows, as `cwd` is.
 * A `cd` alone moves the shell.
 */
export function beginsWithCd(text: string): boolean {
  const { body } = parseShellLine(text);
  const [item] = body.items;
  if (body.items.length !== 1 || item!.isBackground) return false;
  const { command } = item!;
  if (command.type !== "and-or" || command.rest[0]!.operator !== "&&") return false;
  const { first } = command;
  return first.type === "simple" && first.words.length > 1 && literalText(first.words[0]!) === "cd";
}
