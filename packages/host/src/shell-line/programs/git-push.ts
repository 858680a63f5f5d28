// What goes to a remote: over what others have, or to somebody whom the line itself has named.

import { addReads, readArguments, targetsOf, valuesOf, type CommandCall } from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { isProxied } from "../note-leaving.ts";

/** Remotes that are added, renamed or pointed elsewhere. */
export function noteRemote({ walk, args }: CommandCall, name: string): void {
  const words = args.map((field) => exactText(field) ?? "?");
  const operands = words.filter((word) => !word.startsWith("-"));
  const changed = walk.remotes;
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
  if (isUnsafe(call)) effects.critical.push("sends a login through a machine that the line names");
  if (operands.some(({ text }) => /^\+?(?:refs\/)?stash\b/.test(text ?? "")))
    effects.critical.push("sends what was put aside, with the files that nobody else is to see");
  noteSecretsPushed(call);
  const names = remotes.length === 0 ? [""] : remotes.map((field) => exactText(field) ?? "");
  if (names.some((name) => walk.remotes.has(name)))
    effects.critical.push("pushes to a remote that was just changed");
}

/** Without a look at who answers, or through somebody who reads along. */
function isUnsafe(call: CommandCall): boolean {
  const { environment, state } = call;
  const value = environment.get("GIT_SSL_NO_VERIFY") ?? state.variables.get("GIT_SSL_NO_VERIFY");
  const isUnverified = value !== undefined && !/^(?:|0|false|no|off)$/i.test(value.text ?? "1");
  return isUnverified && isProxied(call);
}

/** What this line has put into the repository goes with it. */
function noteSecretsPushed({ effects, walk }: CommandCall): void {
  for (const secret of walk.kept)
    if (!effects.readsSecrets.includes(secret)) effects.readsSecrets.push(secret);
}

/** They make something that a push takes along. */
const KEEPING =
  /^(?:tag|merge|notes|checkout|switch|branch|commit|update-index|add|stage|stash|replace|commit-tree|am|revert|cherry-pick)$/;

/** A command of git that puts what it reads into the repository. */
export function noteKept(call: CommandCall, name: string): void {
  if (!KEEPING.test(name)) return;
  const { walk, effects, args, environment } = call;
  const words = args.map(({ text, prefix }) => text ?? prefix);
  const { kept } = walk;
  const files = [
    ...args.filter((_, index) => /^(?:-F|--file|-t|--template)$/.test(words[index - 1] ?? "")),
    ...words
      .flatMap((word) => /^(?:--file=|-F)(.+)$/s.exec(word)?.[1] ?? [])
      .map((each) => knownField(each)),
    ...(name === "update-index" ? args : []),
  ];
  const before = effects.readsSecrets.length;
  addReads(call, files);
  for (const secret of effects.readsSecrets.slice(before)) kept.add(secret);
  const values = [
    ...args,
    ...[...environment]
      .filter(([key]) => /^GIT_(?:AUTHOR|COMMITTER)_/.test(key))
      .map(([, field]) => field),
  ];
  for (const { secrets } of values) for (const secret of secrets ?? []) kept.add(secret);
  // What is ignored is ignored because nobody is to see it.
  const isForced = words.some((word) => /^(?:--force|-[a-zA-Z]*f[a-zA-Z]*)$/.test(word));
  const isAll = words.some((word) => /^(?:\.|\*|:\/|--all|-[a-zA-Z]*A[a-zA-Z]*)$/.test(word));
  if (/^(?:add|stage)$/.test(name) && isForced && isAll)
    kept.add("the whole project, with the secrets that may be in it");
}

/** An address instead of the name of a remote. */
export function isFarAddress(text: string): boolean {
  return (
    /^[a-z][a-z+]*:\/\/(?!\/)|^[\w.-]+@[\w.-]+:|^[\w.-]+\.[\w-]+:/i.test(text) &&
    !text.startsWith("file:")
  );
}

/** A directory of the project, or a temporary one, is somebody's test. */
function isAddress(call: CommandCall, field: Field): boolean {
  const text = field.text ?? field.prefix;
  if (isFarAddress(text)) return true;
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
