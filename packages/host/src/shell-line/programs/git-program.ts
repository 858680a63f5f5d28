// git. Changing the working tree and the local history is work inside the workspace, also where it
// throws uncommitted changes away (`reset --hard`, `clean -fd`): it is no worse than `rm` there,
// which is allowed. What others share is another matter: overwriting or deleting it on a remote
// is critical. Hooks and network make a command "other".

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { noteSpelling } from "../command-effects.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { pathsOf } from "../place-path.ts";
import { withDirectories } from "../shell-state.ts";

const LOOKING: ReadonlySet<string> = new Set(
  `status log diff show blame annotate grep ls-files ls-tree rev-parse rev-list describe shortlog cat-file
  count-objects check-ignore check-attr check-mailmap check-ref-format var version help name-rev merge-base
  for-each-ref diff-tree diff-index diff-files range-diff whatchanged fsck verify-commit verify-tag show-ref
  show-branch cherry get-tar-commit-id merge-tree patch-id`.split(/\s+/),
);
/** They change the working tree or the repository, and nothing else. */
const CHANGING: ReadonlySet<string> = new Set(
  `add rm mv restore reset checkout switch stash clean apply tag branch init notes gc prune update-ref
  update-index read-tree write-tree commit-tree hash-object repack pack-refs symbolic-ref sparse-checkout
  worktree replace rerere reflog config remote submodule bisect maintenance format-patch archive bundle
  mktag mktree checkout-index`.split(/\s+/),
);
const NETWORK: ReadonlySet<string> = new Set(
  "fetch pull push clone ls-remote remote-update send-email lfs svn".split(" "),
);
/** Settings with which git runs a program. */
const RUNNING_SETTING =
  /pager|editor|sshcommand|fsmonitor|external|^alias\.|command|helper|textconv|cmd|hookspath|proxy|askpass|clean$|smudge$|process$|driver|program/i;

function judgeGit(call: CommandCall): void {
  const { effects, args } = call;
  let index = 0;
  let state = call.state;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === "-C" || text === "--git-dir" || text === "--work-tree") {
      state = moved(call, args[++index]);
    } else if (text === "-c" || text === "--config-env") {
      const setting = args[++index]?.text;
      if (setting === undefined || RUNNING_SETTING.test(setting.split("=")[0]!))
        effects.executes = true;
    } else if (/^--(?:git-dir|work-tree)=/.test(text ?? "")) {
      state = moved(call, knownField(text!.slice(text!.indexOf("=") + 1)));
    } else if (
      text === "--exec-path" ||
      text === "--namespace" ||
      text?.startsWith("--exec-path=")
    ) {
      effects.executes = true;
    } else if (text === undefined || !text.startsWith("-")) break;
  }
  const [subcommand, ...rest] = args.slice(index);
  if (!subcommand) {
    effects.reads = true;
    return;
  }
  const name = exactText(subcommand);
  if (name === undefined) effects.unknown.push("its subcommand is only known when it runs");
  else {
    noteSpelling(effects, "git", [subcommand, ...rest]);
    judgeSubcommand({ ...call, state, args: rest }, name);
  }
}

function moved(call: CommandCall, field: Field | undefined) {
  const places = field && pathsOf(field, call.state);
  return withDirectories(
    call.state,
    places?.map((path) => path.replace(/\/\.git\/*$/, "") || "/"),
  );
}

function judgeSubcommand(call: CommandCall, name: string): void {
  const { effects } = call;
  const read = readArguments(
    call.args,
    "m message F file C c o output b B author date n max-count S G exec",
  );
  addTargets(call, "overwrites", valuesOf(read, "output"));
  if (
    hasAny(read, "ext-diff textconv O open-files-in-pager upload-pack receive-pack exec x-exec")
  ) {
    if (name !== "log" || !hasAny(read, "O")) effects.executes = true;
  }
  if (name === "push") judgePush(call, read.operands, read.options);
  else if (name === "config") judgeConfig(call);
  else if (LOOKING.has(name) || isLookingForm(name, call.args)) {
    effects.reads = true;
    if (read.hasOpenOption && call.args.some(({ isMany, text }) => isMany && text === undefined)) {
      effects.unknown.push("an option of it is only known when it runs");
    }
  } else if (NETWORK.has(name)) {
    effects.network = true;
    if (name === "clone") addTargets(call, "writes", read.operands.slice(1, 2));
    else if (name === "pull") changeHere(call);
  } else if (CHANGING.has(name)) {
    if (name === "worktree") addTargets(call, "writes", read.operands.slice(1, 2));
    else if (name === "init")
      addTargets(call, "writes", read.operands.length > 0 ? read.operands : [knownField(".")]);
    else if (name === "archive" || name === "format-patch" || name === "bundle") {
      const out = valuesOf(read, "o");
      addTargets(call, "overwrites", out.length > 0 ? out : [knownField("?*", true)]);
    } else changeHere(call);
    if (name === "submodule" || name === "bisect") effects.executes = true;
    if (name === "remote" && read.operands[0]?.text === "update") effects.network = true;
  } else {
    // commit, merge, rebase and the like run hooks; anything else may be an alias.
    effects.executes = true;
    changeHere(call);
  }
}

/** What a repository is and has is where the command runs. */
function changeHere(call: CommandCall): void {
  addTargets(call, "overwrites", [knownField("./?*", true)]);
}

function judgePush(
  call: CommandCall,
  operands: readonly Field[],
  options: ReadonlySet<string>,
): void {
  call.effects.network = true;
  call.effects.executes = true;
  const isForced = ["force", "f", "mirror", "delete", "d", "prune"].some((each) =>
    options.has(each),
  );
  const isForcedReference = operands.some(({ text }) => /^\+|^:./.test(text ?? ""));
  if (isForced || isForcedReference)
    call.effects.critical.push("overwrites or deletes what a remote has");
  if (operands.some((field) => field.text === undefined && field.isMany)) {
    call.effects.unknown.push("an option of it is only known when it runs");
  }
}

function judgeConfig(call: CommandCall): void {
  const read = readArguments(call.args, "f file blob default type");
  const [first] = read.operands;
  const isGet =
    hasAny(read, "get get-all get-regexp get-urlmatch list l show-origin show-scope get-color") ||
    first?.text === "list" ||
    first?.text === "get" ||
    (read.operands.length === 1 && !hasAny(read, "unset unset-all e edit add remove-section"));
  if (isGet) {
    call.effects.reads = true;
    return;
  }
  const key = read.operands.map(({ text }) => text ?? "").find((text) => text.includes(".")) ?? "";
  if (RUNNING_SETTING.test(key) || hasAny(read, "e edit")) call.effects.executes = true;
  if (hasAny(read, "global"))
    addTargets(call, "overwrites", [knownField(`${call.context.home}/.gitconfig`)]);
  else if (hasAny(read, "system")) addTargets(call, "overwrites", [knownField("/etc/gitconfig")]);
  else addTargets(call, "overwrites", [...valuesOf(read, "f file"), knownField("./.git/config")]);
}

/** Commands that look in one form and change in another. */
function isLookingForm(name: string, args: readonly Field[]): boolean {
  const texts = args.map(({ text }) => text);
  if (texts.includes(undefined)) return false;
  const operands = texts.filter((text) => !text!.startsWith("-"));
  const [first] = operands;
  switch (name) {
    case "branch":
      return operands.length === 0
        ? !texts.some((text) =>
            /^-[dDmMcCfu]|^--(?:delete|move|copy|force|edit|set-up|unset)/.test(text!),
          )
        : texts.some((text) =>
            /^(?:--list|-l|--contains|--no-contains|--merged|--no-merged|--points-at)$/.test(text!),
          ) && !texts.some((text) => /^-[dDmMcC]$/.test(text!));
    case "tag":
      return (
        operands.length === 0 ||
        texts.some((text) => /^(?:-l|--list|-n\d*|--contains|--points-at)$/.test(text!))
      );
    case "remote":
      return operands.length === 0 || first === "get-url";
    case "stash":
      return first === "list" || first === "show";
    case "worktree":
    case "notes":
    case "bundle":
      return first === "list" || first === "show" || first === "verify";
    case "reflog":
      return first === undefined || !/^(?:expire|delete)$/.test(first);
    case "submodule":
      return first === undefined || first === "status" || first === "summary";
    case "symbolic-ref":
      return operands.length === 1 && !texts.includes("-d") && !texts.includes("--delete");
    case "bisect":
      return first === "log" || first === "view";
    case "archive":
      return !texts.some((text) => /^(?:-o|--output)/.test(text!));
    case "format-patch":
      return texts.includes("--stdout");
    case "apply":
      return texts.includes("--check") || texts.includes("--stat");
    case "clean":
      return texts.some((text) => /^-[a-z]*n|^--dry-run$/.test(text!));
    default:
      return false;
  }
}

export const GIT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map([["git", judgeGit]]);
