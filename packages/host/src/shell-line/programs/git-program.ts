// git. Changing the working tree and the local history is work inside the workspace, also where it
// throws uncommitted changes away (`reset --hard`, `clean -fd`): it is no worse than `rm` there,
// which is allowed. What others share is another matter: overwriting or deleting it on a remote
// is critical. Hooks and network make a command "other".

import {
  addTargets,
  hasAny,
  readArguments,
  targetsOf,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import { noteSpelling } from "../command-effects.ts";
import { exactText, knownField, unknownField, type Field } from "../field.ts";
import { judgeCommandsIn, judgeTails } from "../judge-unknown.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import { pathsOf } from "../place-path.ts";
import { judgeFetch, judgeMail } from "./git-network.ts";
import { isFarAddress, judgePush, noteKept, noteRemote } from "./git-push.ts";
import {
  environmentSettings,
  judgeSetting,
  RUNNING_SETTING,
  SAFE_SETTING,
} from "./git-settings.ts";
import { withDirectories, type ShellState } from "../shell-state.ts";
import { lostHistory } from "./git-history.ts";

/** `$(git merge-base main HEAD)` is a revision, and not an option. */
const NAMES_REVISION =
  /\$\(\s*git (?:rev-parse|merge-base|rev-list|describe|symbolic-ref|hash-object|tag|for-each-ref|log [^)]*%[hH])\b[^)]*\)/;

/** They obey nothing that a repository says. */
const LOOKING: ReadonlySet<string> = new Set(
  `ls-files ls-tree rev-parse rev-list cat-file count-objects check-ignore check-attr check-mailmap check-ref-format var
  version help name-rev merge-base for-each-ref verify-pack show-ref cherry get-tar-commit-id patch-id show-index
  log shortlog describe`.split(/\s+/),
);
/** They look, but run filters, viewers or watchers that the repository's settings name. */
const OBEYING: ReadonlySet<string> = new Set(
  `status diff show blame annotate grep diff-tree diff-index diff-files range-diff whatchanged fsck verify-commit
  verify-tag show-branch merge-tree`.split(/\s+/),
);
/** With them, `log` and the like look into files or at signatures. */
const OBEYING_OPTION =
  /^(?:-p|-u|-c|-G|-S|-L|-O|--(?:patch|stat|numstat|shortstat|dirstat|textconv|ext-diff|show-signature|cc|raw|word-diff|color-words|pickaxe|find-copies|find-renames|summary|check|dirty|broken|filters|open-files|remerge|diff)|--(?:pretty|format)[= ]?.*%G)/;
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
const VALUED =
  "m message F file C c o output output-directory b B author date n max-count S G exec x tree-filter index-filter env-filter msg-filter commit-filter parent-filter tag-name-filter setup extcmd O open-files-in-pager upload-pack u receive-pack config template separate-git-dir prefix directory s strategy X onto remote format j jobs depth branch origin reference filter";

/** Where the letters mean something else. */
const VALUED_OF: ReadonlyMap<string, string> = new Map([
  ["clean", "e exclude"],
  ["push", "o push-option repo receive-pack exec"],
  ["prune", "expire"],
  ["grep", "e f m max-count A B C max-depth threads"],
  ["log", VALUED.replace(" O ", " ").replace(" x ", " ")],
]);

function judgeGit(call: CommandCall): void {
  const { effects, args } = call;
  let index = 0;
  let state = environmentState(call);
  for (const setting of environmentSettings(call)) state = withSetting(call, setting, state);
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === "-C") state = moved({ ...call, state }, args[++index]);
    else if (text === "--git-dir") state = joined(state, moved(call, args[++index]));
    else if (text === "--work-tree") state = moved(call, args[++index]);
    else if (text === "-c" || text === "--config-env")
      state = withSetting(call, args[++index], state);
    else if (text?.startsWith("--work-tree=")) state = moved(call, valueOf(text));
    else if (text?.startsWith("--git-dir=")) state = joined(state, moved(call, valueOf(text)));
    else if (text?.startsWith("--config-env="))
      state = withSetting(call, unknownField({ prefix: valueOf(text!).prefix }), state);
    else if (text?.startsWith("--exec-path=")) effects.unknown.push("its programs are elsewhere");
    else if (text === "--namespace" || text === "--super-prefix") index++;
    else if (text === "--exec-path" || text === "-p" || text === "--paginate")
      effects.executes = true;
    else if (text === undefined || !text.startsWith("-")) break;
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

function valueOf(text: string): Field {
  return knownField(text.slice(text.indexOf("=") + 1));
}

/** `GIT_WORK_TREE=~ git clean` cleans the home. */
function environmentState(call: CommandCall): ShellState {
  const valueFor = (name: string): Field | undefined =>
    call.environment.get(name) ?? call.state.variables.get(name);
  const tree = valueFor("GIT_WORK_TREE");
  if (tree) return moved(call, tree);
  const directory = valueFor("GIT_DIR") ?? valueFor("GIT_INDEX_FILE") ?? valueFor("GIT_COMMON_DIR");
  return directory ? joined(call.state, moved(call, directory)) : call.state;
}

function joined(left: ShellState, right: ShellState): ShellState {
  const both = left.directories && right.directories && [...left.directories, ...right.directories];
  return withDirectories(left, both);
}

function withSetting(call: CommandCall, field: Field | undefined, state: ShellState): ShellState {
  const directory = judgeSetting(call, field);
  return directory ? moved(call, directory) : state;
}

function moved(call: CommandCall, field: Field | undefined): ShellState {
  const places = field && pathsOf(field, call.state);
  return withDirectories(
    call.state,
    places?.map((path) => path.replace(/\/\.git\/*$/, "") || "/"),
  );
}

/** Values that are command lines. */
const RUNS =
  "exec x tree-filter index-filter env-filter msg-filter commit-filter parent-filter tag-name-filter setup extcmd O open-files-in-pager upload-pack receive-pack";

function judgeSubcommand(call: CommandCall, name: string): void {
  const { effects, args } = call;
  const read = readArguments(args, VALUED_OF.get(name) ?? VALUED);
  addTargets(
    call,
    "overwrites",
    valuesOf(read, "output output-directory separate-git-dir export-marks"),
  );
  if (/^(?:bugreport|diagnose)$/.test(name)) addTargets(call, "overwrites", valuesOf(read, "o"));
  if (/^(?:remote|branch|config)$/.test(name)) noteRemote(call, name);
  noteKept(call, name);
  judgeTemplate(call, name, read);
  judgeRuns(call, name, read);
  if (read.operands.some(({ text, prefix }) => /^ext::|^fd::/.test(text ?? prefix))) {
    effects.unknown.push("its address is a command");
    for (const { text } of read.operands)
      judgeCommandsIn(call, (text ?? "").replace(/^ext::/, "").replaceAll("% ", " "));
  }
  for (const setting of name === "clone" ? valuesOf(read, "c config") : []) {
    judgeSetting(call, setting);
    // The clone keeps it.
    if (RUNNING_SETTING.test((setting.text ?? setting.prefix).split("=")[0]!))
      effects.unknown.push("the clone keeps a setting by which git runs programs");
  }
  if (name === "push") judgePush(call, read.options);
  else if (name === "config") judgeConfig(call);
  else if (name === "credential" && /^(?:reject|erase)$/.test(read.operands[0]?.text ?? ""))
    effects.critical.push("deletes a login");
  else if (name === "credential") {
    effects.readsSecrets.push("git's credentials");
    effects.executes = true;
  } else if (LOOKING.has(name) || OBEYING.has(name) || isLookingForm(name, args)) {
    effects.reads = true;
    if (isObeying(call, name)) effects.executes = true;
    const isOpen = args.some(({ isMany, text }) => isMany && text === undefined);
    if (read.hasOpenOption && isOpen && !NAMES_REVISION.test(call.node.text)) {
      effects.unknown.push("an option of it is only known when it runs");
    }
  } else if (NETWORK.has(name)) {
    effects.network = true;
    if (name === "clone") judgeClone(call, read);
    else if (name === "pull") changeHere(call);
    else if (name === "send-email") judgeMail(call);
    else if (name === "fetch") judgeFetch(call, read);
    else if (name === "lfs" && /^(?:un)?install\b/.test(wordsOf(read)) && !hasAny(read, "local l"))
      addTargets(call, "overwrites", [knownField(`${call.context.home}/.gitconfig`)]);
    else if (name === "lfs" && /^(?:migrate (?:import|export)|prune)\b/.test(wordsOf(read)))
      effects.critical.push("rewrites the whole history");
  } else if (CHANGING.has(name)) judgeChange(call, name, read);
  else {
    // commit, merge, rebase and the like run hooks; anything else may be an alias.
    effects.executes = true;
    changeHere(call);
    if (!KNOWN_OTHER.test(name)) {
      judgeTails(call, args);
      judgeOutsidePaths(call);
      if (!HELPERS.test(name)) effects.unknown.push(`it is not known what git ${name} does`);
    }
    if (name === "filter-branch" || name === "filter-repo")
      effects.critical.push("rewrites the whole history");
    if (/^(?:daemon|instaweb|http-backend)$/.test(name))
      effects.critical.push("gives repositories to other machines");
  }
}

/** Hooks come with a template. */
function judgeTemplate(call: CommandCall, name: string, read: ReadArguments): void {
  if (name !== "clone" && name !== "init") return;
  const variable =
    call.environment.get("GIT_TEMPLATE_DIR") ?? call.state.variables.get("GIT_TEMPLATE_DIR");
  const given = [...valuesOf(read, "template"), ...(variable ? [variable] : [])];
  if (given.some(({ text }) => text !== ""))
    call.effects.unknown.push("its template may have hooks, which git runs");
}

const KNOWN_OTHER =
  /^(?:commit|merge|rebase|cherry-pick|revert|am|filter-branch|difftool|mergetool|gui|citool)$/;

/** Rarer commands of git, helpers that everybody has, and what most people call their aliases. */
const HELPERS =
  /^(?:filter-repo|request-pull|subtree|imap-send|quiltimport|mailinfo|mailsplit|merge-file|merge-one-file|merge-index|unpack-file|unpack-objects|index-pack|pack-objects|prune-packed|pack-redundant|multi-pack-index|commit-graph|fast-export|fast-import|p4|cvsimport|cvsexportcommit|archimport|daemon|instaweb|http-backend|http-fetch|http-push|fetch-pack|send-pack|upload-pack|upload-archive|receive-pack|stripspace|interpret-trailers|fmt-merge-msg|column|credential-\w+|bugreport|diagnose|survey|backfill|scalar|refs|repo|replay|last-modified|hook|for-each-repo|fsmonitor--daemon|update-server-info|request|web--browse|rev-list|gui--askpass|shell|flow|absorb|town|cliff|machete|spice|branchless|revise|secret|crypt|annex|stacked?|up|co|ci|cob|br|st|s|ss|sw|sync|l|ll|lg|lga|lgg|lol|lola|ls|last|ll?og|hist|graph|tree|recent|branches|tags|remotes|aliases|alias|contributors|who|root|d|df|dc|ds|dif|aa|ap|cm|cam|cma|amend|ca|cane|caa|fixup|fix|wip|save|undo|unstage|uncommit|unadd|pick|cp|mt|rb|rbi|rbc|rba|ri|re|rs|ps|pl|pf?|pr|f|fa|fp|fe|ft|m|me|mg|please|summary|effort|info|ignore|standup|today|changelog|bump)$/;

/** Whether something of the repository's runs while it only looks. */
function isObeying(call: CommandCall, name: string): boolean {
  const { state, context, args } = call;
  const isLooking = LOOKING.has(name);
  const isMore = args.some(({ text }) => text === undefined || OBEYING_OPTION.test(text));
  if (isLooking && !isMore) return false;
  if (!OBEYING.has(name) && !isLooking) return isMore;
  const isExplicit = args.some(({ text }) =>
    /^--(?:ext-diff|textconv|open-files|show-signature)|^-O/.test(text ?? ""),
  );
  if (isExplicit || !context.repositoryRuns || !state.directories) return true;
  return state.directories.some((directory) => context.repositoryRuns!(directory));
}

function judgeRuns(call: CommandCall, name: string, read: ReadArguments): void {
  const { effects, args } = call;
  const isRunning =
    /^(?:rebase|filter-branch|difftool|grep|fetch|pull|push|clone|ls-remote|archive|bisect|submodule|fetch-pack|send-pack)$/.test(
      name,
    );
  if (name === "grep") judgeViewer(call);
  for (const { text } of isRunning
    ? valuesOf(read, name === "rebase" ? RUNS : RUNS.replace(" x ", " "))
    : []) {
    effects.executes = true;
    if (text === undefined) effects.unknown.push("its command is only known when it runs");
    else call.walk.runText(call, text);
  }
  if (name === "difftool")
    for (const { text } of valuesOf(read, "x")) call.walk.runText(call, text ?? "");
  if (name === "clone" || name === "ls-remote")
    for (const { text } of valuesOf(read, "u")) call.walk.runText(call, text ?? "");
  if (hasAny(read, "ext-diff textconv upload-pack receive-pack")) effects.executes = true;
  // `bisect run make`, `submodule foreach 'git clean'`
  const at = args.findIndex(({ text }) => text === "run" || text === "foreach");
  if ((name === "bisect" || name === "submodule") && at >= 0) {
    effects.executes = true;
    const command = args
      .slice(at + 1)
      .filter(({ text }) => text !== "--recursive" && text !== "--quiet");
    if (name === "bisect") call.walk.runArguments(call, command);
    else {
      const texts = command.map(({ text }) => text);
      if (texts.includes(undefined)) effects.unknown.push("its command is only known when it runs");
      else call.walk.runText(call, texts.join(" "));
    }
  }
}

/** `git grep -Orm x`: the files that it finds are given to a program. */
function judgeViewer({ args, effects }: CommandCall): void {
  for (const { text } of args) {
    const viewer = /^(?:-[a-zA-Z]*?O|--open-files-in-pager=)(.+)$/s.exec(text ?? "")?.[1];
    if (viewer === undefined) continue;
    effects.executes = true;
    if (!/^(?:less|more|most|vim?|nvim|nano|emacs|code|cat|bat)$/.test(viewer))
      effects.unknown.push(`it gives the files that it finds to ${viewer}`);
  }
}

function wordsOf(read: ReadArguments): string {
  return read.operands.map(({ text }) => text ?? "?").join(" ");
}

function judgeClone(call: CommandCall, read: ReadArguments): void {
  // Whatever the options before it took: an address is no place, a path may be one.
  const places = read.operands.filter(
    ({ text, prefix }, index) =>
      index > 0 || !/:|^\.{0,2}\/?[\w.-]+\/[\w.-]+$/.test(text ?? prefix),
  );
  addTargets(call, "writes", places);
  if (hasAny(read, "template")) call.effects.executes = true;
}

function judgeChange(call: CommandCall, name: string, read: ReadArguments): void {
  const { effects } = call;
  const [first, second] = read.operands;
  if (name === "worktree") {
    const isRemoving = /^(?:remove|move)$/.test(first?.text ?? "");
    addTargets(call, isRemoving ? "deletes" : "writes", second ? [second] : []);
    // What is left of directories that are gone.
    if (!second) changeHere(call);
  } else if (name === "init") {
    const place = first ?? knownField(".");
    addTargets(call, "writes", [place]);
    // Outside, a history in a directory makes git obey it there.
    const isOutside = targetsOf(call, place).some(({ place: found }) => found === "outside");
    if (isOutside && place.text !== undefined)
      addTargets(call, "overwrites", [knownField(`${place.text}/.git`)]);
    if (hasAny(read, "template")) effects.executes = true;
  } else if (name === "archive" || name === "format-patch") {
    const out = [...valuesOf(read, "o"), ...valuesOf(read, "output output-directory")];
    addTargets(call, "overwrites", out.length > 0 ? out : [knownField("?*", true)]);
  } else if (name === "bundle") addTargets(call, "overwrites", second ? [second] : []);
  else if (name === "checkout-index")
    addTargets(call, "overwrites", [...valuesOf(read, "prefix"), knownField("./?*", true)]);
  else if (name === "clean")
    addTargets(
      call,
      "deletes",
      read.operands.length > 0 ? read.operands : [knownField("./?*", true)],
    );
  else if (name === "rm" && !hasAny(read, "cached n dry-run"))
    addTargets(call, "deletes", read.operands);
  else changeHere(call);
  const lost = lostHistory(call, name, read);
  if (lost !== undefined) effects.critical.push(lost);
  if (name === "apply") {
    if (hasAny(read, "unsafe-paths"))
      effects.unknown.push("what it overwrites cannot be determined");
    addTargets(call, "overwrites", valuesOf(read, "directory"));
  }
  if (name === "maintenance" && /^(?:start|register|stop)$/.test(first?.text ?? ""))
    effects.critical.push("plans a job that runs later");
  if (name === "submodule" || name === "bisect") effects.executes = true;
  if (name === "remote" && first?.text === "update") effects.network = true;
}

/** What a repository is and has is where the command runs. */
function changeHere(call: CommandCall): void {
  addTargets(call, "overwrites", [knownField("./?*", true)]);
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
  const keys = read.operands.map(({ text }) => text ?? "?");
  const key = keys.find((text) => text.includes(".") || text === "?") ?? "";
  if (hasAny(read, "global")) {
    addTargets(call, "overwrites", [knownField(`${call.context.home}/.gitconfig`)]);
  } else if (hasAny(read, "system")) {
    addTargets(call, "overwrites", [knownField("/etc/gitconfig")]);
  } else if (hasAny(read, "f file")) addTargets(call, "overwrites", valuesOf(read, "f file"));
  else if (/^branch\.[^.]+\.(?:push)?remote$/i.test(key) && isFarAddress(keys.at(-1) ?? ""))
    call.effects.critical.push("makes git push to an address that the line names");
  else if (SAFE_SETTING.test(key) && !hasAny(read, "e edit remove-section rename-section"))
    changeHere(call);
  else {
    call.effects.critical.push("changes git's settings, by which it may run programs");
    judgeCommandsIn(call, (keys.at(-1) ?? "").replace(/^!/, ""));
  }
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
        (operands.length === 0 ||
          texts.some((text) => /^(?:-l|--list|-n\d*|--contains|--points-at)$/.test(text!))) &&
        !texts.some((text) => /^-[dvas]$|^--(?:delete|verify|sign|annotate)$/.test(text!))
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
      return (
        texts.every(
          (text) => !text!.startsWith("-") || /^--(?:check|stat|numstat|summary)$/.test(text!),
        ) && texts.some((text) => text!.startsWith("--"))
      );
    case "clean":
      return (
        hasAny(readArguments(args, "e exclude"), "n dry-run") &&
        !texts.some((text) => text!.startsWith("--no-dry"))
      );
    default:
      return false;
  }
}

export const GIT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map([["git", judgeGit]]);
