// Perl, Ruby, PHP and Lua on a command line, in a here document or on the input: read by their tokens
// against a closed vocabulary. What is in it goes by unasked; writing files of the project too, if the
// code says which.

import { addTargets, targetsOf, type CommandCall } from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { judgeFile } from "../programs/run-file.ts";
import { CLOSED_OPTIONS, readClosed, type ClosedCommand } from "./closed-options.ts";
import type { CodeFindings } from "./code-findings.ts";
import { MAX_CODE, UnreadableTokens } from "./code-token.ts";
import { judgeLua } from "./judge-lua.ts";
import { isPerlModule, judgePerl } from "./judge-perl.ts";
import { judgePhp } from "./judge-php.ts";
import { isRiskyLibrary, judgeRuby } from "./judge-ruby.ts";

type ClosedName = "perl" | "ruby" | "php" | "lua";

export function closedNameOf(program: string): ClosedName | undefined {
  const name = /^(perl|ruby|php|lua)(?:jit)?-?[\d.]*$/.exec(program)?.[1];
  return name as ClosedName | undefined;
}

/** The command line: options, modules and operands. The code itself is judged by `noteClosedCode`. */
export function judgeClosedCommand(call: CommandCall, name: ClosedName): ClosedCommand {
  const { effects } = call;
  const command = readClosed(call.args, CLOSED_OPTIONS[name]!);
  for (const odd of command.odd) judgeOdd(call, name, odd);
  for (const place of command.places)
    if (isElsewhere(call, place)) effects.unknown.push(`its modules come from ${place}`);
  for (const module of command.modules) judgeModule(call, name, module);
  // `perl -ne '…' 'command|'`: a file whose name is a command.
  if (name === "perl" && command.codes.length > 0)
    for (const { text = "" } of command.operands)
      if (/^\s*\||\|\s*$|^\s*>/.test(text))
        effects.unknown.push("it takes an operand for a command");
  return command;
}

/** Options of one letter, with their values. */
function judgeOdd(call: CommandCall, name: ClosedName, odd: string): void {
  const { effects } = call;
  if (name !== "php") {
    if (!/^-[Ej]/.test(odd)) effects.unknown.push(`its option ${odd} runs something else`);
    return;
  }
  const value = odd.slice(2);
  if (odd.startsWith("-d")) judgeSetting(call, value);
  else if (odd.startsWith("-c") || odd.startsWith("-z")) {
    if (isElsewhere(call, value)) effects.unknown.push(`it obeys ${value}`);
  } else if (odd.startsWith("-S") && !/^(?:localhost|127\.|\[::1\])/.test(value))
    effects.critical.push("opens this machine to others");
}

const PLAIN_SETTING =
  /^(?:memory_limit|max_execution_time|display_errors|display_startup_errors|error_reporting|log_errors|error_log|date\.timezone|zend\.\w+|assert\.\w+|opcache\.(?!preload|file_cache=|error_log)[\w.]+|xdebug\.(?!output_dir|log)\w+|pcov\.\w+|short_open_tag|phar\.readonly|post_max_size|upload_max_filesize|max_input_\w+|variables_order|precision|serialize_precision|html_errors|default_charset|pcre\.\w+|mbstring\.\w+|register_argc_argv|realpath_cache_\w+|output_buffering|implicit_flush|disable_functions|apc\.\w+|ffi\.enable)(?:=|$)/;

function judgeSetting({ effects }: CommandCall, setting: string): void {
  if (PLAIN_SETTING.test(setting)) return;
  if (/^(?:zend_)?extension=["']?[\w.-]+["']?$/.test(setting)) return;
  effects.unknown.push(`it is not known what the setting ${setting.split("=")[0]} does`);
}

function judgeModule(call: CommandCall, name: ClosedName, module: string): void {
  const { effects } = call;
  if (name === "perl") {
    const bare = /^[ -]?([\w:]+)(?:=[\w,:. !/-]*)?$/.exec(module)?.[1];
    const isLib = /^lib=(.*)$/.exec(module)?.[1];
    const isOdd = bare === undefined || !isPerlModule(bare) || /^re=.*eval/.test(module);
    if (isLib !== undefined ? isElsewhere(call, isLib) : isOdd)
      effects.unknown.push(`it is not known what ${bare ?? module} does in its script`);
  } else if (name === "ruby" && isRiskyLibrary(module)) {
    effects.unknown.push(`it is not known what ${module} does in its script`);
  } else if (/[/\\~]/.test(module) && !/^[\w-]+(?:\/[\w-]+)*$/.test(module)) {
    loadFile(call, module);
  } else if (name === "lua" && !/^[\w.=-]+$/.test(module))
    effects.unknown.push(`it is not known what ${module} does in its script`);
}

/** Neither in the project, nor a place of the system. */
function isElsewhere(call: CommandCall, path: string): boolean {
  return targetsOf(call, knownField(path)).some(({ place }) => place !== "inside");
}

function loadFile(call: CommandCall, path: string): void {
  if (/^\w+:\/\//.test(path)) call.effects.downloadsAndExecutes = true;
  else if (isElsewhere(call, path)) call.effects.unknown.push(`it runs ${path}`);
  else judgeFile(call, knownField(path));
}

/** One piece of code. */
export function noteClosedCode(
  call: CommandCall,
  name: ClosedName,
  code: string,
  command?: ClosedCommand,
): void {
  const { effects } = call;
  const found = findingsOf(name, code, command);
  if (typeof found === "string") {
    effects.unknown.push(found);
    return;
  }
  effects.unknown.push(...found.asks);
  for (const line of found.commands) call.walk.runText(call, line);
  for (const path of found.loads) loadFile(call, path);
  const fields = (paths: readonly string[]): Field[] =>
    paths.map((path) => {
      const home = path.replace(/^~(?=\/|$)/, call.context.home);
      return knownField(home, /[*?[]/.test(home));
    });
  addTargets(call, "overwrites", fields(found.writes));
  addTargets(call, "deletes", fields(found.deletes));
  for (const field of fields(found.writes))
    for (const { path } of targetsOf(call, field))
      if (path !== undefined) call.walk.written.set(path, "unknown");
  if (found.changesOperands) {
    const operands = command?.operands ?? [];
    addTargets(call, "overwrites", operands);
    if (
      operands.length === 0 ||
      operands.some((field) => exactText(field) === undefined && !field.isPattern)
    )
      effects.unknown.push("its script changes files that are only known when it runs");
  }
}

function findingsOf(
  name: ClosedName,
  code: string,
  command: ClosedCommand | undefined,
): CodeFindings | string {
  if (code.length > MAX_CODE) return "its script is too long to judge";
  try {
    if (name === "perl") return judgePerl(code);
    if (name === "ruby")
      return judgeRuby(code, {
        loadsProject:
          command?.places.some((place) => !/^[/~]/.test(place)) === true ||
          command?.modules.some((module) => /^\.\.?\//.test(module)) === true,
      });
    if (name === "php") return judgePhp(code, { isBare: (command?.codes.length ?? 0) > 0 });
    return judgeLua(code);
  } catch (error) {
    if (error instanceof UnreadableTokens) return "its script cannot be read";
    throw error;
  }
}
