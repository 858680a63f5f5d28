// `xargs`: the rest of its arguments is a command, for the paths that flow in.

import type { CommandCall } from "../command-call.ts";
import { DIGITS, knownField, unknownField, type Field } from "../field.ts";
import { judgeTails, takeOver } from "../judge-unknown.ts";
import { withVariable } from "../shell-state.ts";
import { substitute } from "./find-program.ts";

const XARGS_VALUED = "InPLsdEa";

export function judgeXargs(call: CommandCall): void {
  const { args, input } = call;
  let index = 0;
  let isFile = false;
  let placeholder: string | undefined;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === undefined || !text.startsWith("-")) break;
    if (/^-[0-9rtxop]*a/.test(text) || text.startsWith("--arg-file")) isFile = true;
    const replaced = /^-[0rtxop]*I(.*)$/s.exec(text);
    if (replaced) placeholder = replaced[1] || args[index + 1]?.text;
    if (text === "-i" || text === "-J" || text.startsWith("--replace"))
      placeholder = text.split("=")[1] ?? (text === "-J" ? args[index + 1]?.text : "{}");
    const isCluster = /^-[0rtxop]*[InPLsdEaJSR]$/.test(text);
    if (isCluster && (XARGS_VALUED.includes(text.at(-1)!) || /[JSR]$/.test(text))) index++;
    else if (
      /^--(?:max-args|max-procs|max-lines|delimiter|arg-file|max-chars|eof|process-slot-var)$/.test(
        text,
      )
    )
      index++;
  }
  const command = args.slice(index);
  const isMany = placeholder === undefined;
  const open = [unknownField({ isMany, secrets: input.secrets })];
  const told = isFile ? undefined : wordsOf(input.text);
  const paths: readonly Field[] = (isFile ? undefined : input.paths) ?? open;
  // What is known to flow in is judged as it is, too.
  if (told && placeholder === undefined && command.length > 0)
    takeOver(call.effects, call.walk.probeArguments(call, [...command, ...told]), false);
  const inner = {
    ...call,
    input: { ...input, paths: undefined, text: undefined, isDownload: false, isPresent: false },
  };
  if (args.some(({ text }) => text?.startsWith("-"))) judgeTails(call, args);
  for (const path of paths) {
    const asValue =
      placeholder !== undefined ? inScript(inner, command, placeholder, path) : undefined;
    if (asValue) {
      asValue.walk.runArguments(asValue, asValue.args);
      continue;
    }
    const fields =
      placeholder === undefined ? [...command, path] : substitute(command, placeholder, path);
    inner.walk.runArguments(inner, command.length === 0 ? [knownField("echo")] : fields);
  }
  // What flows in may be the command's own words.
  if (input.isDownload && /^(?:sh|bash|zsh|dash|ksh|eval|env)$/.test(command[0]?.text ?? ""))
    call.effects.downloadsAndExecutes = true;
}

/** More are a list that somebody generated. */
const MAX_WORDS = 100;

function wordsOf(text: string | undefined): Field[] | undefined {
  const words = text?.split(/[\s\0]+/).filter((word) => word !== "") ?? [];
  return words.length === 0 || words.length > MAX_WORDS
    ? undefined
    : words.map((word) => knownField(word.replace(/^(["'])(.*)\1$/s, "$2")));
}

/** Stands in a script for one of the paths that flow in. */
const ITEM = "__item";

/** `xargs -I{} sh -c 'echo {}'`: numbers are no commands; names, which others choose, may be. */
function inScript(
  call: CommandCall,
  command: readonly Field[],
  placeholder: string,
  path: Field,
): CommandCall | undefined {
  const [shell, option, script, ...rest] = command;
  if (!/^(?:ba|z|da)?sh$/.test(shell?.text ?? "") || option?.text !== "-c") return undefined;
  if (path.text !== DIGITS.text || !path.isPattern || script?.text === undefined) return undefined;
  const text = script.text.replaceAll(placeholder, `"$${ITEM}"`);
  const args = [knownField("eval"), knownField(text), ...rest];
  return { ...call, state: withVariable(call.state, ITEM, path), args: args.slice(0, 2) };
}
