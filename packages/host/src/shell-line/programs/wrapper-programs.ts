// Programs that run another one with the rest of their arguments: they are looked through.

import { readArguments, hasAny, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { knownField, unknownField, type Field } from "../field.ts";
import { isRiskyVariable } from "../risky-variable.ts";
import { sameOutcome, withVariable, type Outcome } from "../shell-state.ts";
import { substitute } from "./find-program.ts";

interface Wrapper {
  /** Options that take a value, one letter each. */
  short?: string;
  /** Long ones, whose value may be the next argument. */
  long?: RegExp;
  /** Operands before the command. */
  skip?: number;
  elevates?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  setsid: {},
  time: { short: "fo" },
  nice: { short: "n" },
  ionice: { short: "cnp" },
  timeout: { short: "ks", skip: 1 },
  gtimeout: { short: "ks", skip: 1 },
  stdbuf: { short: "ioe" },
  chronic: {},
  unbuffer: {},
  caffeinate: { short: "t" },
  command: {},
  builtin: {},
  exec: { short: "a" },
  busybox: {},
  taskset: { short: "", skip: 1 },
  flock: { short: "wE", skip: 1 },
  sudo: { short: "ugpCrthTD", long: /^--(?:user|group|prompt|host|chdir)$/, elevates: true },
  doas: { short: "uC", elevates: true },
  pkexec: { long: /^--user$/, elevates: true },
  chroot: { skip: 1, elevates: true },
  gosu: { skip: 1, elevates: true },
  runuser: { short: "ugGs", elevates: true },
};

function judgeWrapper({ short = "", long, skip = 0, elevates = false }: Wrapper): ProgramJudge {
  return (call) => {
    const { args, effects } = call;
    if (elevates) effects.elevates = true;
    let index = 0;
    for (; index < args.length; index++) {
      const text = args[index]!.text;
      if (text === undefined || !text.startsWith("-") || text === "-") break;
      if (text === "--") {
        index++;
        break;
      }
      if (call.name === "command" && /^-[vVp]+$/.test(text) && text !== "-p") return;
      const isValued = text.startsWith("--")
        ? long?.test(text)
        : short.includes(text.at(-1)!) && text.length === 2;
      if (isValued) index++;
    }
    // `sudo NAME=value command`
    if (elevates) while (/^\w+=/.test(args[index]?.text ?? "")) index++;
    const rest = args.slice(index + skip);
    return rest.length === 0 ? undefined : call.walk.runArguments(call, rest);
  };
}

function judgeEnv(call: CommandCall): Outcome | void {
  const { args, effects } = call;
  let index = 0;
  let state = call.state;
  for (; index < args.length; index++) {
    const { text, prefix } = args[index]!;
    if (text === "-u" || text === "--unset" || text === "-C" || text === "--chdir") {
      if (text.endsWith("C") || text.endsWith("chdir"))
        state = { ...state, directories: undefined };
      index++;
    } else if (text === "-S" || /^(?:-S.|--split-string)/.test(text ?? "")) {
      effects.unknown.push("its command is a text that is split");
      return undefined;
    } else if (text?.startsWith("-")) continue;
    else if (/^[A-Za-z_]\w*=/.test(text ?? prefix)) {
      const name = (text ?? prefix).split("=")[0]!;
      if (isRiskyVariable(name)) effects.executes = true;
      state = withVariable(state, name, undefined);
    } else break;
  }
  if (index >= args.length) {
    effects.reads = true;
    return undefined;
  }
  call.walk.runArguments({ ...call, state }, args.slice(index));
  return sameOutcome(call.state);
}

const XARGS_VALUED = "InPLsdEa";

function judgeXargs(call: CommandCall): void {
  const { args, input } = call;
  let index = 0;
  let isFile = false;
  let placeholder: string | undefined;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === undefined || !text.startsWith("-")) break;
    if (text === "-a" || text.startsWith("--arg-file")) isFile = true;
    if (text.startsWith("-I"))
      placeholder = text.length > 2 ? text.slice(2) : args[index + 1]?.text;
    if (text === "-i" || text.startsWith("--replace")) placeholder = text.split("=")[1] ?? "{}";
    if (text.length === 2 && XARGS_VALUED.includes(text[1]!)) index++;
    else if (/^--(?:max-args|max-procs|max-lines|delimiter)$/.test(text)) index++;
  }
  const command = args.slice(index);
  const open = [unknownField({ isMany: placeholder === undefined })];
  const paths: readonly Field[] = (isFile ? undefined : input.paths) ?? open;
  const inner = {
    ...call,
    input: { ...input, paths: undefined, isDownload: false, isPresent: false },
  };
  for (const path of paths) {
    const fields =
      placeholder === undefined ? [...command, path] : substitute(command, placeholder, path);
    inner.walk.runArguments(inner, command.length === 0 ? [knownField("echo")] : fields);
  }
}

function judgeSu(call: CommandCall): void {
  call.effects.elevates = true;
  const read = readArguments(call.args, "c command s shell");
  const text = (read.values.get("c") ?? read.values.get("command"))?.[0]?.text;
  if (text !== undefined) call.walk.runText(call, text);
  else if (hasAny(read, "c command"))
    call.effects.unknown.push("its command is only known when it runs");
}

/** They run it again and again, or under another's eyes. */
function judgeLoose(call: CommandCall): void {
  call.effects.executes = true;
  const at = call.args.findIndex(({ text }) => text !== undefined && /^[a-z]/.test(text));
  if (at >= 0) call.walk.runArguments(call, call.args.slice(at));
}

function judgeWatch(call: CommandCall): void {
  const { operands } = readArguments(call.args, "n interval");
  const texts = operands.map(({ text }) => text);
  if (texts.includes(undefined))
    call.effects.unknown.push("its command is only known when it runs");
  else call.walk.runText(call, texts.join(" "));
}

export const WRAPPER_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...Object.entries(WRAPPERS).map(([name, row]) => [name, judgeWrapper(row)] as const),
  ["env", judgeEnv],
  ["xargs", judgeXargs],
  ["su", judgeSu],
  ["watch", judgeWatch],
  ["strace", judgeLoose],
  ["ltrace", judgeLoose],
  [
    "parallel",
    (call) => {
      judgeXargs(call);
      call.effects.executes = true;
    },
  ],
]);
