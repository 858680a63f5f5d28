// Cells of one language as a shell script that does the same, so that one judge reads both: commands
// in cells become commands, code becomes `python3 -c` or `bun -e`. Every line that may be a magic is
// taken for one, whatever it is part of: too much only means a question more.

import { CodeDeadline } from "@tau/host/code-reading/code-deadline";
import { MAX_CODE } from "@tau/host/code-reading/code-effects";
import { UnreadableCode } from "@tau/host/code-reading/code-node";
import { parsePython } from "@tau/host/code-reading/python-statements";
import type { Language } from "./kernels.ts";
import { quoted } from "../shell-quote.ts";

export interface ScriptCell {
  code: string;
  /** Starts its kernel anew, in the project. */
  reset?: boolean;
}

interface ScriptWorld {
  home: string;
}

/** As Python ends its lines. */
const LINE_END = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;
const MAGIC = /^\s*(?:[A-Za-z_][\w.[\]"', ]*?\s*=(?!=)\s*)?([%!])(?=[^\s=])(.*)$/s;
const CELL_MAGIC = /^%%(\w+)[ \t]*(.*)$/;
/** After that nobody knows where relative paths lead. */
const MOVING = /\bchdir\b|\bpushd\b/;
const MOVED_AWAY = 'cd "$(readlink somewhere)"';
/** Cells in cells. */
const MAX_DEPTH = 5;

export function cellScript(
  cells: readonly ScriptCell[],
  language: Language,
  world: ScriptWorld,
): string {
  const lines = cells.flatMap(({ code }) => {
    // It asks, whatever is in it.
    const isLong = code.length > MAX_CODE;
    if (isLong || language === "js") return codeLines(code.slice(0, MAX_CODE + 1), language);
    return pythonLines(code, world, 0);
  });
  return lines.join("\n");
}

function pythonLines(source: string, world: ScriptWorld, depth: number): string[] {
  const [head = "", ...rest] = source.trimStart().split("\n");
  const found = CELL_MAGIC.exec(head.replace(/\r$/, ""));
  if (found && depth < MAX_DEPTH)
    return cellMagic(found[1]!, found[2]!.trim(), rest.join("\n"), world, depth);
  const steps = stepsOf(source);
  if (steps.length > 1 && steps.every(isWhole))
    return steps.flatMap((step) => surely(step, stepLines(step, world, depth)));
  const all = stepLines(source, world, depth);
  // Nobody knows which of it runs before it goes elsewhere, and which after.
  return steps.length > 1 ? [...all, ...stepLines(source, world, depth)] : all;
}

/** From one `%cd` to the next, each at the end of what comes before it. */
function stepsOf(source: string): string[] {
  const steps: string[] = [];
  let step: string[] = [];
  for (const line of source.split(LINE_END)) {
    step.push(line);
    if (!/^\s*(?:\w+\s*=\s*)?%cd\b/.test(line)) continue;
    steps.push(step.join("\n"));
    step = [];
  }
  return step.length === 0 ? steps : [...steps, step.join("\n")];
}

/** Whether it is code by itself, rather than the middle of a text or of a block. */
function isWhole(step: string): boolean {
  try {
    parsePython(step, new CodeDeadline());
    return true;
  } catch (error) {
    if (error instanceof UnreadableCode || error instanceof RangeError) return false;
    throw error;
  }
}

/** If it cannot go there, the cell fails; unless it need not come to that. */
function surely(step: string, lines: string[]): string[] {
  const last = step.slice(step.lastIndexOf("\n") + 1);
  if (!/^(?:\w+\s*=\s*)?%cd\b/.test(last)) return lines;
  return [...lines.slice(0, -1), `${lines.at(-1)} || exit 1`];
}

function stepLines(source: string, world: ScriptWorld, depth: number): string[] {
  const { code, lines } = lineMagics(source, world, depth);
  return [...codeLines(code, "py"), ...lines];
}

function codeLines(code: string, language: Language): string[] {
  const program = language === "py" ? "python3 -c" : "bun -e";
  const line = `${program} ${quoted(code)}`;
  return MOVING.test(code) ? [line, MOVED_AWAY] : [line];
}

/** Commands are no code; what follows a percent sign may be both. */
function lineMagics(
  source: string,
  world: ScriptWorld,
  depth: number,
): { code: string; lines: string[] } {
  const lines: string[] = [];
  const code: string[] = [];
  const pieces = source.split(LINE_END);
  for (let at = 0; at < pieces.length; at++) {
    let line = pieces[at]!;
    const sign = MAGIC.exec(line)?.[1];
    if (sign !== undefined) {
      while (line.endsWith("\\") && at + 1 < pieces.length)
        line = `${line.slice(0, -1)} ${pieces[++at]}`;
    }
    if (sign !== "!") code.push(line);
    const rest = sign === undefined ? "" : MAGIC.exec(line)![2]!;
    if (sign === "!") lines.push(`sh -c ${quoted(rest.trim())}`);
    if (sign === "%") lines.push(...lineMagic(rest, world, depth));
  }
  return { code: code.join("\n"), lines };
}

function lineMagic(text: string, world: ScriptWorld, depth: number): string[] {
  const [, name = "", args = ""] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  switch (name) {
    case "cd":
      return [`cd ${quoted(homePath(args.replaceAll(/^['"]+|['"]+$/g, "") || "~", world))}`];
    case "pip":
      return [`python3 -m pip ${args}`];
    case "run":
    case "load":
      return [`python3 ${args}`];
    case "env":
    case "set_env": {
      const [, key, value] = /^(\w+)\s*[=\s]\s*(.*)$/s.exec(args) ?? [];
      return key === undefined ? [] : [`export ${key}=${quoted(value!)}`];
    }
    case "time":
    case "timeit":
      return depth < MAX_DEPTH ? pythonLines(args, world, depth + 1) : [];
    default:
      return [];
  }
}

function cellMagic(
  name: string,
  args: string,
  body: string,
  world: ScriptWorld,
  depth: number,
): string[] {
  switch (name) {
    case "bash":
    case "sh":
      return [`${name} -c ${quoted(body)} ${name} ${args}`];
    case "writefile":
      return [`: > ${args.replace(/^-a\s+/, "")}`];
    case "timeit":
      return pythonLines(`${args}\n${body}`, world, depth + 1);
    default:
      return pythonLines(body, world, depth + 1);
  }
}

function homePath(path: string, { home }: ScriptWorld): string {
  return path.replace(/^~(?=\/|$)/, home);
}
