// Every way in which a line gives a variable a value comes through here: an assignment, `read`, `printf -v`,
// `for`, `${x:=…}`, `export "$(…)"`. Some variables make programs run other programs, and two arrays of
// bash's own say what names mean.

import { addTargets, type CommandCall } from "./command-call.ts";
import { knownField, unknownField, type Field } from "./field.ts";
import {
  HIDDEN_COMMAND,
  hasHiddenCommand,
  isPromptWithCommand,
  PROMPT_COMMAND,
} from "./hidden-command.ts";
import { judgeCommandsIn } from "./judge-unknown.ts";
import { isObeyedVariable, judgeVariable } from "./judge-variable.ts";
import { fileText, judgeWrittenScript } from "./note-written.ts";
import { isRiskyVariable, isShellVariable } from "./risky-variable.ts";

/** What bash runs for a name: its table of programs, and its aliases. */
const NAME_TABLES = /^(?:BASH_CMDS|BASH_ALIASES)$/;
/** Where programs are put. */
const PLACES =
  /^(?:GOBIN|DESTDIR|PREFIX|CARGO_INSTALL_ROOT|PIP_(?:TARGET|PREFIX)|npm_config_prefix|NPM_CONFIG_PREFIX|PYTHONUSERBASE)$/;
const OPEN_NAME = "it sets a variable whose name is only known when it runs";

/** `a[i]` is an element of `a`. */
function variableName(target: string): string {
  return target.replace(/\+?$|\[.*$/s, "");
}

/** `name=value`, alone, before a command, or given to `export` and its kin. */
export function noteAssignment(call: CommandCall, target: string, field: Field): void {
  const { effects } = call;
  const name = variableName(target);
  if (hasHiddenCommand(field)) effects.unknown.push(HIDDEN_COMMAND);
  if (isPromptWithCommand(name, field)) effects.unknown.push(PROMPT_COMMAND);
  if (NAME_TABLES.test(name)) effects.unknown.push("a name means another program from now on");
  if (PLACES.test(name) && field.text !== undefined) addTargets(call, "overwrites", [field]);
  judgeVariable(call, name, field);
  if (!isRiskyVariable(name)) return;
  effects.executes = true;
  if (/^(?:BASH_ENV|ENV)$/.test(name)) judgeWrittenScript({ ...call, name: "sh" }, field);
  judgeCommandsIn(call, field.printed ?? field.text ?? field.prefix);
  if (field.isPipe && field.printed === undefined)
    effects.unknown.push("its script comes from elsewhere");
}

/** By a builtin, a loop or an expansion: what an assignment would say openly has to be told. */
export function noteIndirect(
  call: CommandCall,
  target: string | undefined,
  value: Field | undefined,
): void {
  const { effects } = call;
  if (target === undefined) {
    effects.unknown.push(OPEN_NAME);
    return;
  }
  if (hasHiddenCommand(knownField(target))) effects.unknown.push(HIDDEN_COMMAND);
  const name = variableName(target);
  if (isShellVariable(name)) effects.unknown.push(`it changes ${name}`);
  // `while read node`: names of a script's own are written in small letters.
  const isOwn = /[a-z]/.test(name) && !name.startsWith("npm_config_");
  if (isOwn) return;
  noteAssignment(call, target, value ?? unknownField());
  if (value?.text === undefined && isObeyedVariable(name))
    effects.unknown.push(`it sets ${name} to what is only known when it runs`);
}

/** Files of settings that are made to be exported as a whole. */
const SETTINGS = /^[\w./-]*\.env(?:\.[\w.-]+)?$|^[\w./-]*\.envrc$/;
/** They give on the lines of a file, or leave some out. */
const READERS = /^\s*(?:(?:cat|e?grep|sed|xargs|awk|cut|tr|head|tail|sort)\b|<)/;

/** `export $(cat .env)`: as many variables as the file has lines. */
export function noteOpenExport(call: CommandCall): void {
  const { effects, node, walk } = call;
  const inner = /^\S+(?:\s+-\w+)*\s+"?\$\(([^()`]*)\)"?$/s.exec(node.text.trim())?.[1] ?? "";
  const isReading = inner.split("|").every((command) => READERS.test(command));
  const words = inner.split(/[\s<|]+/).filter((word) => /^[\w./-]+$/.test(word));
  const file = words.find((word) => SETTINGS.test(word)) ?? words.at(-1) ?? "";
  const text = fileText(call, knownField(file));
  for (const [, name, value] of text?.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/gm) ?? [])
    noteAssignment(call, name!, knownField(value!.trim().replace(/^(["'])(.*)\1$/s, "$2")));
  const isOfLine = [...walk.written.keys(), ...walk.downloaded].some((path) =>
    path.endsWith(`/${file}`),
  );
  effects.executes = true;
  const isTold = text !== undefined || (SETTINGS.test(file) && !isOfLine);
  if (!isReading || !isTold) effects.unknown.push(OPEN_NAME);
}
