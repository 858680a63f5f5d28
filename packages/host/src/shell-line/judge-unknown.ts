// What no table knows may still be read: a program that is given another one, or a text that is a
// command, probably runs it. Each tail of the arguments that begins with a program which can do
// harm, and each argument that holds such a command, is judged as if it ran. Only what somebody
// would have to agree to is taken over: that a stranger's word looks like a command proves little.

import type { CommandCall } from "./command-call.ts";
import { addTargets, targetsOf } from "./command-call.ts";
import { guardedReasons, unknownReasons, type CommandEffects } from "./command-effects.ts";
import { exactText, knownField, type Field } from "./field.ts";

const HARMFUL =
  `rm rmdir unlink shred srm rimraf dd mkfs mke2fs wipefs blkdiscard truncate mv cp ln tee
chmod chown chgrp sed find fd xargs sh bash zsh dash ksh ash fish busybox toybox sudo doas su pkexec env nohup timeout
nice setsid stdbuf exec eval git curl wget scp rsync ssh tar unzip python python3 perl ruby node php awk gawk docker
podman kubectl pkill killall crontab tau source nc ncat socat gsettings dconf launchctl systemctl osascript`.split(
    /\s+/,
  );
const HEADS: ReadonlySet<string> = new Set(HARMFUL);
/** With these, what cannot be told is enough to ask. */
const STRONG: ReadonlySet<string> = new Set([
  "rm",
  "shred",
  "dd",
  "sh",
  "bash",
  "zsh",
  "dash",
  "eval",
]);
/** What they are told may write or run: that is enough as well. */
const SCRIPTED: ReadonlySet<string> = new Set(["sed", "awk", "gawk", "perl", "python", "python3"]);
const HEAD_IN_TEXT = new RegExp(
  String.raw`(?:^|[^\w.$/-])((?:/[\w./-]*/)?(?:${HARMFUL.join("|")}))(?=\s)`,
  "g",
);
/** Each costs a walk of its own. */
const MAX_TAILS = 40;
const MAX_TEXTS = 40;
/** Longer texts are data. */
const MAX_TEXT = 100_000;

export function programName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** For programs that are in no table: what such a thing does nobody can tell. */
export function judgeUnknown(call: CommandCall): void {
  judgeStranger(call);
  call.effects.unknown.push(`it is not known what ${call.name} does`);
}

/** For programs whose options nobody has modelled, the project's own files among them. */
export function judgeStranger(call: CommandCall): void {
  const { effects, args, input } = call;
  effects.executes = true;
  judgeTails(call, args, { isOpenEnough: true });
  for (const arg of args) judgeTextOf(call, arg);
  if (input.text !== undefined) judgeCommandsIn(call, input.text);
  judgeOutputs(call);
  judgeProgramOptions(call);
  judgePrintedFiles(call);
  judgeGuardedOperands(call);
  judgeVerbs(call);
}

/** Words that mean the same in nearly every tool: others lose something, or everybody gets it. */
const LOSING =
  /^(?:destroy|delete|purge|wipe|nuke|terminate|unpublish|drop)(?:[-:].*)?$|[-:.](?:destroy|purge|nuke)$/;
const PUBLISHING = /^(?:publish|.*[.:]publish)$/;
/** They have no other purpose. */
const RELEASERS: ReadonlySet<string> = new Set(["semantic-release", "np", "release-it"]);
/** A subcommand is among the first words. */
const MAX_VERBS = 3;

export function judgeVerbs({ name, args, effects }: CommandCall): void {
  const words = args.map(({ text }) => text ?? "").filter((text) => /^[a-z@]/.test(text));
  const verbs = words.slice(0, MAX_VERBS);
  if (verbs.some((word) => LOSING.test(word)))
    effects.critical.push("deletes something that may not come back");
  if (
    verbs.some((word) => PUBLISHING.test(word)) ||
    (!args.some(({ text }) => text === "--dry-run" || text === "-d") &&
      [name, ...verbs].some((word) => RELEASERS.has(word)))
  )
    effects.critical.push("publishes to everybody");
}

/** They run what the file says that they are given. */
const SCRIPTABLE =
  /^(?:cmake|ctest|gdb|lldb|make|gmake|just|ninja|vim?|nvim|emacs|psql|mysql|expect|gnuplot)$/;
/** Words by which their scripts delete and run. */
const SCRIPTED_HARM =
  /\b(?:file\s*\(\s*REMOVE\w*|remove\w*|delete\w*|shell|execute_process|system|exec|unlink|rm)\b/i;

/** `cmake -P <(…)`, `gdb -x <(…)`: a file that another command prints. */
export function judgePrintedFiles(call: CommandCall): void {
  const { args, effects, name } = call;
  for (const { isPipe, isDownload, printed } of args) {
    if (!isPipe) continue;
    if (isDownload) effects.downloadsAndExecutes = true;
    if (printed !== undefined) judgeCommandsIn(call, printed.replace(/^\s*(?:shell|!)\s*/gm, ""));
    if (SCRIPTABLE.test(name) && (printed === undefined || SCRIPTED_HARM.test(printed)))
      effects.unknown.push("its script comes from elsewhere");
  }
}

/** Options under which programs take another program that they run. */
const PROGRAM_OPTION =
  /^--?(?:[\w-]*-)?(?:program|command|cmd|exec|pager|editor|browser|shell|wrapper|viewer|hook|opener)$/i;

/** The program that an option names, with files that nobody knows: harmful ones are told by name. */
export function judgeProgramOptions(call: CommandCall): void {
  call.args.forEach(({ text = "" }, index) => {
    const equals = EQUALS.exec(text);
    const option = equals?.[1] ?? text;
    const value = equals ? knownField(equals[2]!) : call.args[index + 1];
    if (!PROGRAM_OPTION.test(option) || value?.text === undefined) return;
    const [head = ""] = value.text.split(/[\s,]/);
    if (!HEADS.has(programName(head))) return;
    const line = value.text.includes(" ") ? value.text : value.text.replaceAll(",", " ");
    takeOver(call.effects, call.walk.probeText(call, line), false);
    if (STRONG.has(programName(head)))
      call.effects.unknown.push(`it runs ${programName(head)} on what only it knows`);
  });
}

/** The same for a value that is known to be run: whatever nobody knows asks. */
export function judgeProgramValue(call: CommandCall, { text }: Field): void {
  const { effects, walk } = call;
  effects.executes = true;
  const name = programName(/^\S*/.exec(text ?? "")![0]);
  if (text === undefined) effects.unknown.push("its command is only known when it runs");
  else {
    takeOver(effects, walk.probeText(call, text), true);
    if (HEADS.has(name)) effects.unknown.push(`it runs ${name} on what only it knows`);
  }
}

/** Whatever the arguments before it mean: here a program begins that can do harm. */
export function judgeTails(
  call: CommandCall,
  args: readonly Field[],
  { isOpenEnough = false, from = 0 }: { isOpenEnough?: boolean; from?: number } = {},
): void {
  let tails = 0;
  for (let index = from; index < args.length; index++) {
    const path = exactText(args[index]);
    if (path === undefined || !HEADS.has(programName(path))) continue;
    if (++tails > MAX_TAILS) {
      call.effects.unknown.push("it has too many commands to judge");
      return;
    }
    const tail = args.slice(index);
    const found = call.walk.probeArguments(call, tail);
    const isStrong =
      isOpenEnough &&
      (SCRIPTED.has(programName(path)) ||
        (STRONG.has(programName(path)) &&
          tail.some(({ prefix }, at) => at > 0 && /^-[a-zA-Z]*[rfRc]|^of=/.test(prefix))));
    takeOver(call.effects, found, isStrong);
  }
}

/** An argument, or what an option in it is given, as a command line. */
export function judgeTextOf(call: CommandCall, { text, prefix }: Field): void {
  const whole = text ?? prefix;
  const value = /^(?:-{1,2}[\w-]+|[A-Za-z_]\w*)=(.*)$/s.exec(whole)?.[1] ?? whole;
  if (/\s|>/.test(value)) judgeCommandsIn(call, value);
}

/** A text that may be a command line, or has command lines in it: code, scripts, settings. */
export function judgeCommandsIn(call: CommandCall, text: string): void {
  if (text.length > MAX_TEXT) return;
  const lines = new Set<string>();
  const first = /^\s*[!|:]?\s*([^\s;|&<>()'"]+)/.exec(text)?.[1] ?? "";
  if (call.walk.isProgram(programName(first))) lines.add(text.replace(/^\s*[!|:]\s*/, ""));
  // `["rm", "-rf", "x"]` is a command line too.
  for (const each of [text, text.replace(/["'`](?:\s*,\s*|\s+(?:\(list\s+)?)["'`]/g, " ")]) {
    for (const match of each.matchAll(HEAD_IN_TEXT)) {
      const at = match.index + match[0].length - match[1]!.length;
      for (const line of cutsOf(each, at)) lines.add(line);
      if (lines.size > MAX_TEXTS) break;
    }
  }
  if (lines.size > MAX_TEXTS) call.effects.unknown.push("it has too many commands to judge");
  for (const line of [...lines].slice(0, MAX_TEXTS)) {
    takeOver(call.effects, call.walk.probeText(call, line), false);
  }
}

/** From there to where the quotes or brackets around it end. */
function cutsOf(text: string, at: number): string[] {
  const rest = text.slice(at);
  const before = text[at - 1] ?? "";
  const closing = { "(": ")", "[": "]", "{": "}", "`": "`", '"': '"', "'": "'" }[before];
  const line = rest.split("\n")[0]!;
  if (closing === undefined) return [line, line.replace(/["'`)\]}].*$/s, "")];
  const end = [...rest].findIndex((char, index) => char === closing && rest[index - 1] !== "\\");
  return end < 0 ? [line] : [rest.slice(0, end).replace(/\\(["'`])/g, "$1")];
}

/** What somebody would have to agree to is now this command's. */
export function takeOver(
  effects: CommandEffects,
  found: readonly CommandEffects[],
  isOpenEnough: boolean,
): void {
  for (const each of found) {
    effects.sends ||= each.sends;
    effects.network ||= each.network;
    for (const path of each.readsFiles) effects.readsFiles.add(path);
    for (const what of each.readsSecrets)
      if (!effects.readsSecrets.includes(what)) effects.readsSecrets.push(what);
    if (guardedReasons(each).length > 0) {
      effects.critical.push(...each.critical);
      effects.elevates ||= each.elevates;
      effects.downloadsAndExecutes ||= each.downloadsAndExecutes;
      effects.deletes.push(...each.deletes.filter(isTold));
      effects.overwrites.push(...each.overwrites.filter(isTold));
      effects.writes.push(...each.writes.filter(isTold));
    }
    if (isOpenEnough) effects.unknown.push(...unknownReasons(each));
  }
}

function isTold({ place }: { place: string }): boolean {
  return place !== "unknown";
}

/** Names under which most programs take a file or a directory that they write. */
const OUTPUT =
  /^(?:-o|-O|--?(?:out|output|outfile|out-?file|output-?file|outdir|out-?dir|output-?dir(?:ectory)?|outputFile|outFile|outDir|dest|destination|dest-?dir|target-?dir(?:ectory)?|log-?file|logfile|save-?to|save|report-?file|export|dump|write-?to|to-file|output-?path|tee|rdb)|-MF)$/i;
const ASSIGNED = /^(?:of|out|output|dest|destdir|prefix|outfile|outdir)=(.+)$/is;
const EQUALS = /^(--?[\w-]+)=(.+)$/s;
/** `-o/path`, `-O/path` */
const GLUED = /^-[oO]([/~.].*)$/s;

/** Values of options that are likely to be written. Where they are inside, that is nothing. */
export function judgeOutputs(call: CommandCall): void {
  const { args } = call;
  args.forEach((field, index) => {
    const text = field.text ?? field.prefix;
    const after = (value: string): Field => ({
      ...field,
      text: field.text === undefined ? undefined : value,
      prefix: value,
    });
    const equals = EQUALS.exec(text);
    const glued = GLUED.exec(text)?.[1] ?? ASSIGNED.exec(text)?.[1];
    if (equals && OUTPUT.test(equals[1]!)) addFarTargets(call, after(equals[2]!));
    else if (glued !== undefined) addFarTargets(call, after(glued));
    else if (OUTPUT.test(text) && args[index + 1]) addFarTargets(call, args[index + 1]!);
  });
}

/** What cannot be told is no reason to ask here: nobody knows that it is written at all. */
function addFarTargets(call: CommandCall, given: Field): void {
  // Whoever gets it may know a `~`, too.
  const isHome = /^~(?:\/|$)/.test(given.text ?? "");
  const field = isHome ? knownField(call.context.home + given.text!.slice(1)) : given;
  if (field.text === undefined && field.prefix === "") return;
  const isFar = targetsOf(call, field).some(
    ({ place, guard }) => place === "outside" || guard !== undefined,
  );
  if (isFar) addTargets(call, "overwrites", [field]);
}

/** Of the strangers, those that only read what they are given. */
const LOOKING: ReadonlySet<string> = new Set(
  "ssh-add ssh-copy-id shellcheck actionlint hadolint yamllint jsonlint taplo bashate glow mdcat chezmoi".split(
    " ",
  ),
);
/** More words in a text than that are prose. */
const MAX_WORDS = 200;

/** A stranger that is given a guarded place of this person or this project may change it. */
export function judgeGuardedOperands(call: CommandCall): void {
  const { home, workspace, guards } = call.context;
  if (!guards || LOOKING.has(call.name)) return;
  for (const { text = "", isPattern } of call.args) {
    const value = EQUALS.exec(text)?.[2] ?? text;
    const words = /\s/.test(value) ? value.split(/[\s'"`;()=,]+/).slice(0, MAX_WORDS) : [value];
    for (const word of words) {
      if (!/[/~.]/.test(word) || word.startsWith("-") || word.includes("://")) continue;
      const path = word.replace(/^~(?=\/|$)/, home);
      const targets = targetsOf(call, knownField(path, isPattern)).filter(
        ({ guard, path: found }) =>
          guard !== undefined &&
          (found?.startsWith(`${home}/`) || found?.startsWith(`${workspace}/`)),
      );
      call.effects.overwrites.push(...targets);
    }
  }
}
