// What goes to a remote: over what others have, or to somebody whom the line itself has named.

import {
  readArguments,
  targetsOf,
  valuesOf,
  type CommandCall,
  type CommandWalk,
} from "../command-call.ts";
import { exactText, type Field } from "../field.ts";

/** Remotes that a line has added, renamed or pointed elsewhere; `*` if it may be any. */
const CHANGED = new WeakMap<CommandWalk, Set<string>>();

export function noteRemote({ walk, args }: CommandCall, name: string): void {
  const words = args.map((field) => exactText(field) ?? "?");
  const operands = words.filter((word) => !word.startsWith("-"));
  const changed = CHANGED.get(walk) ?? new Set();
  CHANGED.set(walk, changed);
  if (name === "remote" && /^(?:add|rename|set-url|set-head)$/.test(operands[0] ?? "")) {
    const named = operands[0] === "add" ? operands.slice(1) : operands.slice(1, 3);
    for (const each of named) changed.add(each);
    // Without a name a push goes to what the branch follows, or to this.
    if (operands[0] !== "add" || operands.includes("origin")) changed.add("");
  }
  const upstream = /(?:^|\s)(?:-u|--set-upstream-to)(?:=|\s+)([\w.-]+)\//.exec(
    words.join(" "),
  )?.[1];
  if (name === "branch" && upstream !== undefined && !/^(?:origin|upstream|fork)$/.test(upstream))
    changed.add("");
  if (name === "config" && /remote|url|pushdefault/i.test(words.join(" "))) changed.add("");
}

export function judgePush(call: CommandCall, options: ReadonlySet<string>): void {
  const { effects, walk } = call;
  effects.network = true;
  effects.executes = true;
  effects.sends = true;
  const read = readArguments(call.args, "o push-option repo receive-pack exec");
  const { operands } = read;
  const isForced = [...options].some((each) =>
    /^(?:f|d|forc?e?|mirr?o?r?|dele?t?e?|prun?e?|force-if\S*)$/.test(each),
  );
  const isForcedReference = operands.some(({ text }) => /^\+|^:./.test(text ?? ""));
  // With a lease, one branch is a rebase that everybody does; all of them are not.
  const isLeased = [...options].some((each) => each.startsWith("force-"));
  const isEvery =
    isLeased &&
    ([...options].some((each) => /^(?:all|branches|tags)$/.test(each)) || isMain(operands));
  if (isForced || isForcedReference || isEvery)
    effects.critical.push("overwrites or deletes what a remote has");
  if (operands.some((field) => field.text === undefined && field.isMany)) {
    effects.unknown.push("an option of it is only known when it runs");
  }
  const remotes = [...valuesOf(read, "repo"), ...operands.slice(0, 1)];
  if (remotes.some((field) => isAddress(call, field)))
    effects.critical.push("pushes to an address that the line names");
  const changed = CHANGED.get(walk);
  const names = remotes.length === 0 ? [""] : remotes.map((field) => exactText(field) ?? "");
  if (names.some((name) => changed?.has(name)))
    effects.critical.push("pushes to a remote that the line itself has changed");
}

/** A directory of the project, or a temporary one, is somebody's test. */
function isAddress(call: CommandCall, field: Field): boolean {
  const text = field.text ?? field.prefix;
  if (/^[a-z][a-z+]*:\/\/(?!\/)|^[\w.-]+@[\w.-]+:|^[\w.-]+\.[\w-]+:/i.test(text))
    return !text.startsWith("file:");
  return (
    /^[/~]|^\.\./.test(text) && targetsOf(call, field).some(({ place }) => place === "outside")
  );
}

/** The branch that others build on. */
function isMain(operands: readonly Field[]): boolean {
  return operands.some(({ text }) =>
    /(?:^|:)(?:refs\/heads\/)?(?:main|master|trunk|production|release)$/.test(text ?? ""),
  );
}
