// Programs that work on another machine: what they run there, what they write over there, and what
// they open on the way. Nothing there is ours.

import { posix } from "node:path";
import { guardedPlace } from "../../guard/guarded-places.ts";
import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import type { Field } from "../field.ts";
import { judgeCommandsIn, takeOver } from "../judge-unknown.ts";
import { noteWholeProject } from "../note-whole-project.ts";
import { fileText } from "../note-written.ts";
import { REMOTE_WORLD, remoteContext } from "../remote-context.ts";

const REMOTE = /^[^/]*:/;

function judgeScp(call: CommandCall): void {
  const read = readArguments(call.args, "i P F o c l J S D X");
  const { operands } = read;
  call.effects.network = true;
  judgeConnection(call, read);
  const target = operands.at(-1);
  if (target && REMOTE.test(target.text ?? target.prefix)) {
    call.effects.sends = true;
    if (hasAny(read, "r")) noteWholeProject(call, operands.slice(0, -1));
    judgeRemoteTarget(call, target, operands.slice(0, -1));
  } else if (target) addTargets(call, "overwrites", [target]);
}

/** `-o ProxyCommand=…`, `-S program`: the connection itself runs something. */
function judgeConnection(call: CommandCall, read: ReadArguments): void {
  for (const { text } of valuesOf(read, "o S e D")) {
    const value = text ?? "";
    const command =
      /^(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand)[= ](.*)$/is.exec(
        value,
      )?.[1];
    if (command !== undefined) call.walk.runText(call, command.replaceAll("%", ""));
    else judgeCommandsIn(call, value);
    if (text === undefined) call.effects.unknown.push("an option of it is only known when it runs");
  }
}

/** A place there that is run or obeyed later is guarded like one here. */
export function judgeRemoteTarget(
  call: CommandCall,
  { text, prefix }: Field,
  sources: readonly Field[],
): void {
  const path = (text ?? prefix).replace(/^(?:\w+:\/\/[^/]*|[^/:]*::?)/, "");
  const world = { ...REMOTE_WORLD, platform: "linux", pathDirectories: [] };
  const named = posix.resolve(world.home, path.replace(/^~(?=\/|$)/, world.home));
  const names = sources.map((source) => posix.basename(source.text ?? source.prefix));
  for (const each of [named, ...names.map((name) => posix.join(named, name))]) {
    const what = guardedPlace(each, world);
    if (what === undefined) continue;
    call.effects.critical.push(`changes ${path || "files"} on another machine, ${what}`);
    return;
  }
}

/** With these, others get at this machine, or act in this person's name from another one. */
function judgeTunnel(call: CommandCall, read: ReadArguments): void {
  const { effects } = call;
  if (hasAny(read, "R")) effects.critical.push("lets another machine connect to this one");
  if (hasAny(read, "A")) effects.critical.push("lends this person's keys to another machine");
  const isOpen = ({ text, prefix }: Field): boolean =>
    /^(?:0\.0\.0\.0|\*|\[::\]|):/.test(text ?? prefix);
  if (valuesOf(read, "L D").some(isOpen) || (hasAny(read, "g") && hasAny(read, "L D")))
    effects.critical.push("opens a connection to everybody");
  const settings = valuesOf(read, "o").map(({ text }) => text ?? "");
  if (
    settings.some((text) =>
      /^(?:remoteforward|forwardagent[= ]+yes|gatewayports[= ]+yes|tunnel[= ])/i.test(text),
    )
  )
    effects.critical.push("lets another machine connect to this one");
}

const SSH_VALUED = "b c D E e F I i J L l m O o p Q R S W w B";

/** What runs there is judged too; nothing there is ours. */
function judgeSsh(call: CommandCall): void {
  const { effects, args, input } = call;
  effects.network = true;
  effects.executes = true;
  const end = hostIndex(args);
  const read = readArguments(args.slice(0, end), SSH_VALUED);
  judgeConnection(call, read);
  judgeTunnel(call, read);
  addTargets(call, "overwrites", valuesOf(read, "E"));
  const command = args.slice(end + 1);
  const texts = command.map(({ text, prefix }) => text ?? prefix);
  const isReadingScript =
    command.length === 0 ||
    /^\s*(?:\S*\/)?(?:ba|da|z|k|a)?sh(?:\s+-\w+)*\s*(?:--.*)?$/.test(texts.join(" "));
  const script = isReadingScript ? (input.text ?? fileText(call, input.file)) : undefined;
  if (isReadingScript && script === undefined) {
    if (input.isPresent) {
      effects.sends = true;
      effects.unknown.push("what it runs on the other machine comes from elsewhere");
    }
    if (command.length === 0) return;
  }
  effects.sends = true;
  if (script !== undefined) texts.splice(0, texts.length, script);
  const [first] = command;
  if (first && first.text === undefined && /^\W*$|\s-c\s*['"]?$/.test(first.prefix))
    effects.unknown.push("what it runs on the other machine is only known when it runs");
  const found = call.walk.probeText(call, texts.join(" "), remoteContext());
  // What git changes in its own directory is kept by git there as well as here.
  for (const each of found)
    if (each.program === "git")
      each.overwrites = each.overwrites.filter(({ path }) => !path?.endsWith("/?*"));
  takeOver(effects, found, false);
  const isOpen = command.some(({ text }) => text === undefined);
  if (isOpen && /(?:^|\s)(?:rm|shred|dd|mkfs\S*)\s/.test(texts.join(" ")))
    effects.unknown.push("what it deletes on the other machine cannot be determined");
}

function hostIndex(args: readonly Field[]): number {
  for (let index = 0; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === undefined || !text.startsWith("-")) return index;
    const letters = text.slice(1);
    const at = [...letters].findIndex((letter) => SSH_VALUED.split(" ").includes(letter));
    if (at >= 0 && at === letters.length - 1) index++;
  }
  return args.length;
}

export const REMOTE_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["scp", judgeScp],
  ["ssh", judgeSsh],
  ["mosh", judgeSsh],
  ["autossh", judgeSsh],
]);
