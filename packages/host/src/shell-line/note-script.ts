// A program in a file that this session wrote, in another language than the shell's: what it deletes,
// writes, runs and sends. Unlike a one-liner it has many words that mean nothing, so that each is
// read in its line, with the values that its names were given.

import { addReads, addTargets, targetsOf, type CommandCall } from "./command-call.ts";
import { knownField } from "./field.ts";
import { judgeCommandsIn } from "./judge-unknown.ts";
import { DELETING, FETCHING, LITERAL, literalsOf, noteEnvironment, WRITING } from "./note-code.ts";

/** It starts other programs. */
const STARTING =
  /subprocess|os\.(?:system|popen|exec|spawn)|child_process|(?<![\w.])(?:exec|spawn)(?:File)?(?:Sync)?\(|\bsystem\(|(?<![\w.$])sh\s*[("']|commandLine\b|popen|Bun\.(?:\$|spawn)|\$`|\bexeca|shelljs|Deno\.Command|exec\.Command|Command::new|\bqx\b|%x|passthru|shell_exec|proc_open|ProcessBuilder|getRuntime/;
/** It runs text as code. */
const EVALUATING =
  /(?<![\w.])(?:eval|exec)\s*\(|new Function\(|(?<![\w.])compile\(|vm\.run|__import__\(|importlib|instance_eval|class_eval/;
const HIDING =
  /b64decode|base64_decode|Buffer\.from\([^)]*,\s*['"](?:base64|hex)|atob\(|fromCharCode|unhexlify|codecs\.decode|marshal\.loads|decode64/;
const AT_HOME =
  /expanduser|Path\.home|homedir\(|process\.env\.HOME|environ[^\n]{0,8}HOME|ENV\[?['"({]HOME|getenv\(['"]HOME|Dir\.home|UserHomeDir|home_dir\(/;
/** Their value is a place of the project, or a temporary one. */
const OURS =
  /tempfile|mkdtemp|mkstemp|tmp_?path|TemporaryDirectory|NamedTemporary|tmpdir|tmpname|TempDir|MkdirTemp|__dirname|__file__|import\.meta|getcwd|process\.cwd|Path\.cwd/i;
/** Words of a call that are no values; attributes are left out before. */
const FILLING =
  /^(?:os|path|join|Path|pathlib|shutil|fs|fsp|promises|await|async|str|resolve|recursive|force|true|false|True|False|None|null|undefined|ignore_errors|missing_ok|self|this|rm|rmSync|unlink|unlinkSync|rmdir|rmdirSync|remove|rmtree|rename|renameSync|truncate|unlinkat|File|FileUtils|Dir|if|exists|existsSync|in|for|of|const|let|var|not|and|or|return|try|except|catch|finally|with|glob|err|std|fileURLToPath|URL|Deno|Bun|Filepath|filepath|maxRetries|retryDelay|function|def|void|new|as|open|list|sorted|reversed|Files)$/;
const MAX_VALUES_DEEP = 4;
/** `${process.env.HOME}/x`, `{os.environ['HOME']}/x` */
const HOME_IN_TEXT = /\$?\{[^{}\n]*(?:\bHOME\b|homedir\(\)|Path\.home\(\)|expanduser)[^{}\n]*\}/g;
/** The rest of a call may stand on the lines below. */
const LINES_OF_CALL = 3;

export function noteScript(call: CommandCall, code: string): void {
  const { effects } = call;
  const lines = code
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .split("\n")
    .filter((line) => !/^\s*(?:#(?!!)|\/\/|--\s)/.test(line))
    .flatMap((line) => line.split(/;\s+/));
  const text = lines.join("\n");
  noteEnvironment(call, text);
  if (FETCHING.test(text)) {
    effects.network = true;
    effects.sends = true;
    if (EVALUATING.test(text)) effects.downloadsAndExecutes = true;
  }
  if (HIDING.test(text) && (EVALUATING.test(text) || STARTING.test(text)))
    effects.unknown.push("its script hides what it does");
  addReads(
    call,
    literalsOf(text, call.context.home).map((path) => knownField(path)),
  );
  const starting = lines.flatMap((line, index) =>
    STARTING.test(line) && !/^\s*(?:import|from|const .*require|use )\b/.test(line)
      ? lines.slice(index, index + LINES_OF_CALL)
      : [],
  );
  if (starting.length > 0)
    judgeCommandsIn(call, starting.join("\n").replace(HOME_IN_TEXT, call.context.home));
  if (effects.network && effects.readsSecrets.length > 0) effects.sends = true;
  for (const line of lines) {
    if (
      DELETING.test(line) &&
      /\(|\bfile delete\b/.test(line) &&
      !/^\s*(?:import|from)\b/.test(line)
    )
      judgeChange(call, line, text, "deletes");
    else if (WRITING.test(line)) judgeChange(call, line, text, "overwrites");
  }
}

/** One line that deletes or writes: each place that it names, by value if it has a name. */
function judgeChange(
  call: CommandCall,
  line: string,
  code: string,
  list: "deletes" | "overwrites",
): void {
  const at = (list === "deletes" ? DELETING : WRITING).exec(line)?.index ?? 0;
  // Of a method, what stands before it is what it is about.
  const expression = /[.\w)\]]/.test(line[at] ?? "") && line[at] !== "." ? line.slice(at) : line;
  const found = valuesIn(expression, code, MAX_VALUES_DEEP);
  const { home } = call.context;
  const paths = found.literals.map((each) => knownField(each.replace(/^~(?=\/|$)/, home)));
  const far = paths.filter((path) =>
    targetsOf(call, path).some(
      ({ place, guard, isRoot }) =>
        place === "outside" || guard !== undefined || (isRoot && list === "deletes"),
    ),
  );
  addTargets(call, list, far);
  if (found.isAtHome)
    call.effects.unknown.push("its script may change files outside the workspace");
  // To write somewhere is what scripts are for; to delete something unknown is not.
  else if (list === "deletes" && found.isOpen && far.length === 0)
    call.effects.unknown.push("its script deletes files, and which cannot be told");
}

interface Values {
  literals: string[];
  isAtHome: boolean;
  /** Some name in it has a value that the code does not tell. */
  isOpen: boolean;
}

function valuesIn(expression: string, code: string, depth: number): Values {
  const literals: string[] = [];
  const bare = expression
    .replace(/\b[frbu]{1,2}(?=["'])/gi, "")
    .replace(LITERAL, (_, __, literal: string) => {
      if (/^[\w./~-][^\s]*$/.test(literal) && literal.length > 1) literals.push(literal);
      return " ";
    });
  const values: Values = { literals, isAtHome: AT_HOME.test(expression), isOpen: false };
  if (OURS.test(expression)) return values;
  for (const name of new Set(bare.replace(/\.\s*[A-Za-z_]\w*/g, "").match(/[A-Za-z_]\w*/g) ?? [])) {
    if (FILLING.test(name)) continue;
    const given = depth > 0 ? assignmentOf(name, code) : undefined;
    if (given === undefined) {
      values.isOpen = true;
      continue;
    }
    const inner = valuesIn(given, code, depth - 1);
    literals.push(...inner.literals);
    values.isAtHome ||= inner.isAtHome;
    values.isOpen ||= inner.isOpen;
  }
  if (/sys\.argv|process\.argv|ARGV|\$argv|input\(/.test(expression)) values.isOpen = true;
  return values;
}

/** `name = …`, `for name in …`, `with … as name` */
function assignmentOf(name: string, code: string): string | undefined {
  const pattern = new RegExp(
    String.raw`(?:^|[\s;({])(?:const |let |var )?${name}\s*(?::\s*[\w.[\] ]+)?(?::=|=(?!=))\s*([^\n;]+)|\bfor\s*\(?\s*(?:const |let |var )?[^\n]*\b${name}\b[^\n]*?\s(?:in|of)\s+([^\n]+)|with\s+([^\n]+)\s+as\s+${name}\b`,
    "m",
  );
  const found = pattern.exec(code);
  return found?.slice(1).find((group) => group !== undefined);
}
