// What a piece of Python or JavaScript would do, by reading its syntax: the one judge for
// `python -c`, `node -e`, scripts in here documents, and cells. It never throws: what cannot be
// read, or takes too long, is unknown.

import { scriptOf } from "../kernel/javascript/cell-code.ts";
import { CodeActs } from "./code-acts.ts";
import { MAX_CODE, type CodeEffects } from "./code-effects.ts";
import { CodeDeadline } from "./code-deadline.ts";
import { CodeLanguage, type LanguageTables } from "./code-language.ts";
import { CodeMemory } from "./code-memory.ts";
import { UnreadableCode, type Statement } from "./code-node.ts";
import { CodeReader } from "./code-reader.ts";
import { HIDDEN, text } from "./code-value.ts";
import { parseJavaScript } from "./javascript-statements.ts";
import { JAVASCRIPT_TABLES, OWN_PLACE } from "./javascript-tables.ts";
import { parsePython } from "./python-statements.ts";
import { PYTHON_TABLES } from "./python-tables.ts";

export interface CodeWorld {
  home: string;
  /** Where it runs, if that is known. */
  cwd?: string;
  /** Where temporary files are; `/tmp` if absent. */
  temporary?: string;
  /** What earlier code of the same kernel has defined; it is changed by what this code defines. */
  memory?: CodeMemory;
  /** Whether the helpers of cells (`read`, `write`, `tool`) are there. */
  hasHelpers?: boolean;
  /** The file that it is in, if it is in one. */
  script?: string;
  /** What follows it on the command line; undefined in the list: only the shell knows. */
  argv?: readonly (string | undefined)[];
}

export const BUG = "the judge of code failed";

export function judgePython(code: string, world: CodeWorld): CodeEffects {
  return judge(code, world, PYTHON_TABLES, parsePython);
}

export function judgeJavaScript(code: string, world: CodeWorld): CodeEffects {
  return judge(code, world, JAVASCRIPT_TABLES, parseScript);
}

/** As the kernel will run it, without its types; or as it stands. */
function parseScript(given: string, deadline: CodeDeadline): Statement[] {
  // What strips the types would put its own place for them.
  const code = given.replace(/\b__(?=(?:dir|file)name\b)/g, OWN_PLACE);
  let script: string;
  try {
    script = scriptOf(code);
  } catch (error) {
    // Not what a kernel takes; other runtimes may.
    if (!(error instanceof Error)) throw error;
    script = code;
  }
  return parseJavaScript(script, deadline);
}

function judge(
  code: string,
  world: CodeWorld,
  tables: LanguageTables,
  parse: (text: string, deadline: CodeDeadline) => Statement[],
): CodeEffects {
  const { home, temporary = "/tmp", memory = new CodeMemory(), hasHelpers = false, script } = world;
  const argv = world.argv && [
    text(script ?? ""),
    ...world.argv.map((each) => (each === undefined ? HIDDEN : text(each))),
  ];
  const acts = new CodeActs(memory.directory);
  const language = new CodeLanguage(tables, hasHelpers, temporary);
  const { top } = memory;
  const deadline = new CodeDeadline();
  const read = (part: string): Statement[] => parse(part, deadline);
  const reader = new CodeReader(language, read, {
    acts,
    top,
    home,
    cwd: world.cwd,
    deadline,
    source: code,
    script,
    argv,
  });
  if (code.length > MAX_CODE) acts.unknown("the code is too long to judge");
  else {
    try {
      reader.run(read(code), top);
    } catch (error) {
      acts.unknown(whyNot(error));
    }
  }
  memory.directory = acts.directory;
  return acts.effects;
}

function whyNot(error: unknown): string {
  if (error instanceof UnreadableCode) return `the code cannot be read (${error.message})`;
  // The stack is full: it calls itself more deeply than anybody writes.
  if (error instanceof RangeError) return "the code is nested too deeply to judge";
  // A bug of ours, but whoever waits for the answer must not take it for consent.
  return `${BUG} (${error instanceof Error ? error.message : String(error)})`;
}
