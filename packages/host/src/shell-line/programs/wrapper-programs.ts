// Programs that run another one with the rest of their arguments: they are looked through. Where
// an option is not in the table, every tail of the arguments that is a dangerous command counts.

import {
  addTargets,
  readArguments,
  hasAny,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { exactText, knownField, unknownField, type Field } from "../field.ts";
import {
  judgeCommandsIn,
  judgeOutputs,
  judgeTails,
  judgeTextOf,
  takeOver,
  programName,
} from "../judge-unknown.ts";
import { judgeVariable } from "../judge-variable.ts";
import { isLocationVariable, isRiskyVariable, isShellVariable } from "../risky-variable.ts";
import { sameOutcome, withDirectories, withVariable, type Outcome } from "../shell-state.ts";
import { pathsOf } from "../place-path.ts";
import { judgeHyperfine, judgeParallel } from "./filled-commands.ts";
import { judgeXargs } from "./xargs-program.ts";

interface Wrapper {
  /** Options that take a value, without dashes, separated by blanks. */
  valued?: string;
  /** Of them those that are files which are written. */
  writes?: string;
  /** Of them those that are command lines for a shell. */
  lines?: string;
  /** Of them those that are the directory in which it runs. */
  places?: string;
  /** Operands before the command. */
  skip?: number;
  elevates?: boolean;
  /** Why it is critical, whatever it runs. */
  critical?: string;
  /** What it runs may be anything, as far as can be seen. */
  executes?: boolean;
}

const TRACE: Wrapper = {
  valued: "o output e trace p attach s u user E a O P S X b I",
  writes: "o output",
  executes: true,
};
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  setsid: {},
  time: { valued: "f format o output", writes: "o output" },
  nice: { valued: "n adjustment" },
  ionice: { valued: "c class n classdata p P u" },
  timeout: { valued: "k kill-after s signal", skip: 1 },
  gtimeout: { valued: "k kill-after s signal", skip: 1 },
  stdbuf: { valued: "i input o output e error" },
  chronic: {},
  unbuffer: {},
  ts: {},
  caffeinate: { valued: "t w" },
  command: {},
  builtin: {},
  exec: { valued: "a" },
  busybox: {},
  toybox: {},
  taskset: { valued: "p", skip: 1 },
  chrt: { valued: "T P D", skip: 1 },
  numactl: { valued: "i m N C p interleave membind cpunodebind physcpubind preferred" },
  setarch: { skip: 1 },
  linux32: {},
  linux64: {},
  i386: {},
  x86_64: {},
  arch: { valued: "e" },
  eatmydata: {},
  fakeroot: { valued: "l lib faked s i b" },
  faketime: { skip: 1 },
  "dbus-run-session": { valued: "config-file" },
  "systemd-run": {
    places: "working-directory",
    valued: "working-directory u unit p property slice uid gid t E on-calendar on-active",
    executes: true,
    critical: "starts what outlives this session",
  },
  "systemd-inhibit": { valued: "what who why mode" },
  "systemd-cat": { valued: "t p identifier priority" },
  flock: {
    valued: "w wait timeout E conflict-exit-code c command",
    lines: "c command",
    skip: 1,
  },
  unshare: {
    valued: "R root w wd S setuid G setgid propagation setgroups",
    places: "w wd R root",
    executes: true,
  },
  setpriv: { valued: "reuid regid groups securebits", executes: true },
  strace: TRACE,
  ltrace: TRACE,
  valgrind: { executes: true },
  heaptrack: { valued: "o output", writes: "o output", executes: true },
  entr: { executes: true },
  reptyr: { executes: true },
  firejail: { executes: true },
  proot: { valued: "b r w", executes: true },
  "cross-env": {},
  "cross-env-shell": { executes: true },
  dotenv: { valued: "e v p c f file", executes: true },
  "dotenv-cli": { valued: "e v p c", executes: true },
  "env-cmd": { valued: "f e file environments", executes: true },
  dotenvx: { skip: 1, valued: "f env-file", executes: true },
  envchain: { skip: 1, executes: true },
  "aws-vault": { skip: 2, executes: true },
  "xvfb-run": { valued: "n e f s p w", executes: true },
  mpirun: { valued: "n np c hostfile host H x mca machinefile bind-to map-by", executes: true },
  mpiexec: { valued: "n np hostfile host", executes: true },
  watchexec: {
    valued: "w watch e exts i ignore f filter d debounce s signal shell",
    executes: true,
  },
  rr: { skip: 1, executes: true },
  samply: { skip: 1, executes: true },
  nsys: { skip: 1, executes: true },
  catchsegv: {},
  winpty: {},
  rlwrap: { valued: "f a C D H s", executes: true },
  "run-one": {},
  cpulimit: { valued: "l p e limit", executes: true },
  tini: { valued: "p e", executes: true },
  "dumb-init": {},
  chpst: { valued: "u U e l m d o p f c" },
  "wait-for-it": { valued: "h p t", executes: true },
  "wait-for-it.sh": { valued: "h p t", executes: true },
  dockerize: { valued: "wait timeout template", executes: true },
  sudo: {
    valued: "u user g group p prompt C r role t type h host T D chdir R chroot U other-user",
    elevates: true,
  },
  sudoedit: { valued: "u user g group", elevates: true },
  doas: { valued: "u C", elevates: true },
  pkexec: { valued: "user", elevates: true },
  run0: { valued: "u user g D chdir unit", elevates: true },
  chroot: { valued: "userspec groups", skip: 1, elevates: true },
  gosu: { skip: 1, elevates: true },
  "su-exec": { skip: 1, elevates: true },
  nsenter: { valued: "t S G r w target", elevates: true },
  runuser: { valued: "u g G s c command", lines: "c command", elevates: true },
  capsh: { valued: "c", lines: "c", elevates: true },
};

function judgeWrapper(row: Wrapper): ProgramJudge {
  const { valued = "", skip = 0, elevates = false } = row;
  return (call) => {
    const { args, effects } = call;
    if (elevates) effects.elevates = true;
    if (row.executes) effects.executes = true;
    const { head, skipped, rest } = splitAtCommand(args, valued, skip);
    // `command -v x` only tells where it is.
    if (call.name === "command" && head.some(({ text }) => /^-[pvV]*[vV]/.test(text ?? ""))) return;
    const read = readArguments(head, valued);
    // A lock is made if it is not there.
    if (call.name === "flock") addTargets(call, "writes", skipped);
    for (const value of valuesOf(read, row.writes ?? "-")) {
      // `strace -o '|command'`
      const piped = /^[|!](.*)$/s.exec(value.text ?? "")?.[1];
      if (piped === undefined) addTargets(call, "overwrites", [value]);
      else call.walk.runText(call, piped);
    }
    if (row.critical !== undefined) effects.critical.push(row.critical);
    if (row.executes) judgeOutputs({ ...call, args: head });
    for (const line of valuesOf(readArguments(args, valued), row.lines ?? "-")) runLine(call, line);
    if (hasOption(args)) judgeTails(call, args, { isOpenEnough: true });
    // `sudo NAME=value command`
    let start = 0;
    while (/^\w+=/.test(rest[start]?.text ?? "")) start++;
    const command = rest.slice(start);
    // `cd` and the like change the shell only if the shell itself runs them.
    // What is skipped may have been left out.
    if (skipped.length > 0) {
      const isProgram = call.walk.isProgram(programName(exactText(skipped[0]) ?? ""));
      takeOver(effects, call.walk.probeArguments(call, [...skipped, ...rest]), isProgram);
    }
    const [place] = valuesOf(read, row.places ?? "-");
    const state = place ? withDirectories(call.state, pathsOf(place, call.state)) : call.state;
    const inner = { ...call, state };
    if (place) judgeTails(inner, args, { isOpenEnough: true });
    const outcome = command.length === 0 ? undefined : call.walk.runArguments(inner, command);
    return /^(?:command|builtin)$/.test(call.name) ? outcome : sameOutcome(call.state);
  };
}

/** With a process it changes that one, unless it only asks for its limits. */
function judgeLimits(call: CommandCall): Outcome | void {
  const valued = "p pid o output";
  const isOther = hasAny(readArguments(call.args, valued), "p pid");
  const isSetting = call.args.some(
    ({ text, prefix }) =>
      /^--(?!pid|output)[a-z]+=/.test(text ?? prefix) ||
      /^-[cdefilmnqrstuvxy]\S/.test(text ?? prefix),
  );
  if (isOther && isSetting) call.effects.critical.push("changes what it did not start");
  return judgeWrapper({ valued })(call);
}

function hasOption(args: readonly Field[]): boolean {
  return args.some(({ text }) => text?.startsWith("-"));
}

/** Options end at the first operand. */
function splitAtCommand(args: readonly Field[], valued: string, skip: number) {
  let index = 0;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === undefined || !text.startsWith("-") || text === "-") break;
    if (text === "--") {
      index++;
      break;
    }
    const one = readArguments(args.slice(index, index + 2), valued);
    if (one.operands.length === 0 && !text.includes("=") && args[index + 1]) {
      // It took the next one, unless that is an option too.
      const alone = readArguments([args[index]!], valued);
      const took = [...one.values].some(([name]) => !alone.values.has(name));
      if (took) index++;
    }
  }
  return {
    head: args.slice(0, index),
    skipped: args.slice(index, index + skip),
    rest: args.slice(index + skip),
  };
}

function runLine(call: CommandCall, line: Field): void {
  const text = exactText(line);
  if (text === undefined) call.effects.unknown.push("its command is only known when it runs");
  else call.walk.runText(call, text);
}

function judgeEnv(call: CommandCall): Outcome | void {
  const { args, effects } = call;
  let index = 0;
  let state = call.state;
  const environment = new Map(call.environment);
  for (; index < args.length; index++) {
    const { text, prefix } = args[index]!;
    if (text === "-u" || text === "--unset") index++;
    else if (text === "-C" || text === "--chdir") {
      const field = args[++index];
      state = withDirectories(state, field && pathsOf(field, call.state));
    } else if (/^(?:-C.|--chdir=)/.test(text ?? "")) {
      const value = text!.replace(/^(?:-C|--chdir=)/, "");
      state = withDirectories(state, pathsOf(knownField(value), call.state));
    } else if (/^(?:-[a-zA-Z]*S|--split-string)/.test(text ?? "")) {
      effects.unknown.push("its command is a text that is split");
      for (const field of args) judgeTextOf(call, field);
      return undefined;
    } else if (text?.startsWith("-")) continue;
    else if (/^[A-Za-z_]\w*=/.test(text ?? prefix)) {
      const [name] = (text ?? prefix).split("=") as [string];
      const at = name.length + 1;
      const value = text === undefined ? undefined : knownField(text.slice(at));
      judgeVariable(call, name, value ?? unknownField({ prefix: prefix.slice(at) }));
      if (isRiskyVariable(name)) {
        effects.executes = true;
        judgeCommandsIn(call, (text ?? prefix).slice(at));
      }
      if (isShellVariable(name) && isLocationVariable(name))
        effects.unknown.push(`it changes ${name}`);
      environment.set(name, value ?? unknownField());
      state = withVariable(state, name, value);
    } else break;
  }
  if (index >= args.length) {
    effects.reads = true;
    return undefined;
  }
  call.walk.runArguments({ ...call, state, environment }, args.slice(index));
  return sameOutcome(call.state);
}

function judgeSu(call: CommandCall): void {
  call.effects.elevates = true;
  const read = readArguments(call.args, "c command s shell");
  for (const line of valuesOf(read, "c command")) runLine(call, line);
}

/** `sg group -c 'command'`, `script -c 'command' file`: one option has the command line. */
function judgeLineOption(call: CommandCall): void {
  const read = readArguments(call.args, "c command E T I O B log-out log-io log-in");
  const lines = valuesOf(read, "c command");
  for (const line of lines) runLine(call, line);
  if (call.name !== "script") return;
  const logs = valuesOf(read, "O B I T log-out log-io log-in");
  addTargets(call, "overwrites", [...logs, ...valuesOf(read, "t timing"), ...read.operands]);
  if (logs.length === 0 && read.operands.length === 0)
    addTargets(call, "overwrites", [knownField("typescript")]);
  call.effects.executes = true;
  judgeTails(call, call.args, { from: 1 });
}

/** All operands together are one command line. */
function judgeWatch(call: CommandCall): void {
  const { operands, options } = readArguments(call.args, "n interval");
  const isExec = options.has("x") || options.has("exec");
  const texts = operands.map(({ text }) => text);
  if (isExec) call.walk.runArguments(call, operands);
  else if (texts.includes(undefined))
    call.effects.unknown.push("its command is only known when it runs");
  else call.walk.runText(call, texts.join(" "));
  judgeTails(call, call.args);
}

/** Each operand is a command line of its own. */
function judgeLines(valued: string, lines: string, writes = "-"): ProgramJudge {
  return (call) => {
    call.effects.executes = true;
    const read = readArguments(call.args, valued);
    addTargets(call, "overwrites", valuesOf(read, writes));
    for (const field of [...valuesOf(read, lines), ...read.operands]) {
      // `npm:build` is short for `npm run build`.
      const text = field.text
        ?.replace(/^(npm|pnpm|yarn|bun):(\S*)$/, "$1 run $2")
        .replace(/\*$/, "all");
      if (text !== undefined) call.walk.runText(call, text);
      else call.effects.unknown.push("its command is only known when it runs");
    }
  };
}

/** What they are given to do later comes from the input. */
function judgeLater(call: CommandCall): void {
  const { effects, input } = call;
  const read = readArguments(call.args, "f q t d");
  const isLooking = hasAny(read, "l") || call.name === "atq";
  if (isLooking) {
    effects.reads = true;
    return;
  }
  effects.critical.push("plans a job that runs later");
  if (input.text !== undefined) judgeCommandsIn(call, input.text);
}

export const WRAPPER_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...Object.entries(WRAPPERS).map(([name, row]) => [name, judgeWrapper(row)] as const),
  ["env", judgeEnv],
  ["prlimit", judgeLimits],
  ["xargs", judgeXargs],
  ["su", judgeSu],
  ["sg", judgeLineOption],
  ["script", judgeLineOption],
  ["watch", judgeWatch],
  ["parallel", judgeParallel],
  ["hyperfine", judgeHyperfine],
  ["concurrently", judgeLines("n names c prefix-colors p prefix l m max-processes", "-")],
  ["nodemon", judgeLines("x exec w watch e ext i ignore d delay", "x exec")],
  ["at", judgeLater],
  ["batch", judgeLater],
  ["atq", judgeLater],
]);
