// find and fd: they list, unless told to act on what they find.

import { addReads, addTargets, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { below } from "../command-output.ts";
import { knownField, unknownField, type Field } from "../field.ts";
import { isChoosing } from "./find-tests.ts";

function judgeFind(call: CommandCall): void {
  const { effects } = call;
  effects.reads = true;
  // `-L` and the like stand before the places.
  const start = call.args.findIndex(({ text }) => !/^-(?:[HLP]|O\d|D)$/.test(text ?? ""));
  const before = start < 0 ? call.args : call.args.slice(0, start);
  const hasDebug = before.at(-1)?.text === "-D";
  const args = start < 0 ? [] : call.args.slice(start + (hasDebug ? 1 : 0));
  const isFollowing =
    before.some(({ text }) => text === "-L" || text === "-H") ||
    args.some(({ text }) => text === "-follow");
  const isActing = args.some(({ text }) => /^-(?:delete|exec|execdir|ok|okdir)$/.test(text ?? ""));
  if (isFollowing && isActing) effects.unknown.push("it follows links to wherever they lead");
  if (args.some(({ text }) => text === "-files0-from"))
    effects.unknown.push("where it looks is only known when it runs");
  const end = args.findIndex(({ text }) => text === undefined || /^[-(!,]/.test(text));
  const roots = end < 0 ? args : args.slice(0, end);
  const found = below(roots).paths ?? [unknownField()];
  const rest = end < 0 ? [] : args.slice(end);
  // A value may be the place to begin at; behind a test it is the test's.
  rest.forEach((field, index) => {
    const isOperand =
      /^-(?:i?name|i?path|newer|type|size|mtime|m?min|user|i?regex|maxdepth|mindepth)$/.test(
        rest[index - 1]?.text ?? "",
      );
    if (field.text === undefined && (field.isMany || (!isOperand && index > 0))) {
      effects.unknown.push("an action of it is only known when it runs");
    }
  });
  if (rest[0]?.text === undefined && rest.length > 0 && rest[0]?.isMany === false) {
    // `find "$dir" …`: whatever it deletes is there.
    return judgeActions(call, rest, [unknownField({ prefix: rest[0]!.prefix })]);
  }
  const isDeleting = rest.some(({ text }) => text === "-delete");
  const isAll = !isChoosing(rest);
  if (isDeleting && isAll)
    addTargets(call, "deletes", roots.length > 0 ? roots : [knownField(".")]);
  if (isActing || isDeleting) addReads(call, roots, { isDeep: true });
  // `-name .git`: what is found may be just that.
  const named = rest.flatMap(({ text }, index) =>
    /^-i?name$/.test(rest[index - 1]?.text ?? "") && text?.startsWith(".") ? [text] : [],
  );
  const places = roots.length > 0 ? roots : [knownField(".")];
  const exact = places.flatMap(({ text }) =>
    text === undefined ? [] : named.map((name) => knownField(`${text}/${name}`, true)),
  );
  judgeActions(call, rest, [...found, ...exact, ...(isAll ? places : [])]);
}

function judgeActions(call: CommandCall, rest: readonly Field[], found: readonly Field[]): void {
  for (let index = 0; index < rest.length; index++) {
    const text = rest[index]!.text ?? "";
    if (text === "-delete") addTargets(call, "deletes", found);
    else if (/^-f(?:print0?|ls|printf)$/.test(text)) {
      addTargets(call, "overwrites", rest.slice(index + 1, index + 2));
    } else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = rest.findIndex(
        ({ text: each }, at) => at > index && (each === ";" || each === "+"),
      );
      const command = rest.slice(index + 1, end < 0 ? undefined : end);
      for (const path of found) call.walk.runArguments(call, substitute(command, "{}", path));
      index = end < 0 ? rest.length : end;
    }
  }
}

/** The placeholder becomes the path; as a part of an argument it is only known to be in it. */
export function substitute(args: readonly Field[], placeholder: string, path: Field): Field[] {
  return args.map((field) => {
    if (field.text === placeholder) return path;
    if (!field.text?.includes(placeholder)) return field;
    const prefix = field.text.slice(0, field.text.indexOf(placeholder));
    if (path.text === undefined) return unknownField({ prefix, secrets: path.secrets });
    return knownField(field.text.replaceAll(placeholder, path.text), true);
  });
}

function judgeFd(call: CommandCall): void {
  const { args, effects } = call;
  effects.reads = true;
  if (args.some((field) => field.text === undefined && field.isMany)) {
    effects.unknown.push("an action of it is only known when it runs");
  }
  const at = args.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text ?? ""));
  if (at < 0) return;
  const command = args.slice(at + 1);
  const path = knownField("./?*", true);
  const isNamed = command.some(({ text }) => text?.includes("{}"));
  const roots = args
    .slice(0, at)
    .filter(
      ({ text }, index) =>
        text !== undefined &&
        !text.startsWith("-") &&
        !/^(?:-t|--type)$/.test(args[index - 1]?.text ?? ""),
    );
  // With a pattern and a place, what it finds is in that place.
  const isAll = roots.every(({ text }) => /^[.*]$/.test(text ?? ""));
  const line = args
    .slice(0, at)
    .map(({ text }) => text ?? "?")
    .join(" ");
  const everything =
    isAll &&
    !/(?:^| )-(?:e|g|t|S|-extension|-glob|-type)/.test(
      // Files are what there is.
      line.replace(/(?:^| )(?:-t ?|--type[= ])f(?:ile)?(?= |$)/g, ""),
    );
  const found =
    roots.length > 1
      ? (below(roots.slice(1)).paths ?? [unknownField()])
      : [path, ...(everything ? [knownField(".")] : [])];
  for (const each of found) {
    const fields = isNamed ? substitute(command, "{}", each) : [...command, each];
    call.walk.runArguments(call, fields);
  }
}

export const FIND_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["find", judgeFind],
  ["bfs", judgeFind],
  ["fd", judgeFd],
  ["fdfind", judgeFd],
]);
