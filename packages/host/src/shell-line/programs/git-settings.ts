// Settings of git: which of them only change how it does something, and what the others make it run.

import { targetsOf, type CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { judgeCommandsIn } from "../judge-unknown.ts";
import { judgeCommand } from "../judge-variable.ts";
import { isFarAddress } from "./git-push.ts";

/** Settings with which git runs a program, goes elsewhere, or reads other settings. */
export const RUNNING_SETTING =
  /pager|editor|sshcommand|fsmonitor|external|^alias\.|command|helper|textconv|cmd|hookspath|proxy|askpass|clean$|smudge$|process$|driver|program|^include|worktree|^protocol\.|insteadof|attributesfile|excludesfile|template|sshvariant|uploadpack|receivepack|^url\.|^remote\.|^safe\.|^trailer\.|^sendemail\.|^gpg\.|^core\.bare|^submodule\..*update/i;

/** With these git does the same in another way. */
export const SAFE_SETTING =
  /^(?:user\.(?:name|email|signingkey)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|init\.defaultbranch|branch\.[^.]+\.(?:remote|merge|rebase|description)|branch\.auto\w+|merge\.(?:conflictstyle|ff|renames|renamelimit)|core\.(?:autocrlf|eol|ignorecase|filemode|longpaths|quotepath|precomposeunicode|safecrlf|symlinks|whitespace|abbrev|commentchar)|color\.[\w.-]+|rerere\.\w+|rebase\.(?:autosquash|autostash|updaterefs)|fetch\.(?:prune|prunetags|parallel)|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|diff\.(?:algorithm|renames|renamelimit|colormoved|mnemonicprefix|noprefix)|log\.(?:date|decorate|abbrevcommit)|status\.\w+|advice\.\w+|gc\.auto|column\.ui|http\.postbuffer|pack\.\w+|feature\.\w+|lfs\.\w*)$/i;

/** For one command, these as well. */
const SAFE_FOR_ONCE =
  /^(?:user|author|committer|color|advice|log|format|merge|rebase|status|column|grep|blame|interactive|index|checkout|clone|commit|tag|branch|stash|versionsort|i18n|pack|rerere|fetch|feature|apply|am|diff|difftool|mergetool|notes|showbranch|trace2|uploadpackfilter|maintenance|pull|push|submodule)\.(?!.*(?:command|cmd|external|textconv|driver|tool|path|program|update|pushoption|recurse|template|sign(?:ing)?key$))[\w.-]+$|^core\.(?:autocrlf|eol|ignorecase|filemode|longpaths|quotepath|precomposeunicode|protect\w+|safecrlf|symlinks|whitespace|abbrev|commentchar|commentstring|compression|preloadindex|untrackedcache|checkstat|loosecompression|packed\w+|bigfilethreshold|logallrefupdates|multipackindex|commitgraph|fsync\w*|sparsecheckout\w*|splitindex|trustctime|deltabasecachelimit)$|^init\.defaultbranch$|^user\.signingkey$|^gc\.(?:auto\w*|packrefs)$|^http\.(?:postbuffer|version|lowspeed\w+|maxrequests|useragent|followredirects|extraheader|.*\.extraheader)$|^protocol\.(?:version|file\.allow)$|^safe\.(?:directory|barerepository)$|^lfs\.\w*$|^fsck\.\S+$|^receive\.\w+$|^transfer\.\w+$|^ssh\.variant$|^credential\.(?:usehttppath|username|interactive)$|^submodule\.(?:recurse|fetchjobs|propagatebranches)$/i;
/** Switched off, nothing of theirs runs. */
const OFF = /^(?:|false|no|off|0|\/dev\/null|none)$/i;
const COMMAND_SETTING =
  /^(?:core\.(?:sshcommand|editor|pager|askpass)|sequence\.editor|pager\.\w+|diff\.external|gpg\.program|credential\.helper)$/i;
const USUAL_HELPER = /^(?:|cache(?: .*)?|store|osxkeychain|manager(?:-core)?|wincred|libsecret)$/;

/** `-c alias.x='!rm -rf x'` and the like; gives the directory that git works in from then on. */
export function judgeSetting(call: CommandCall, field: Field | undefined): Field | undefined {
  const { effects } = call;
  const setting = field?.text ?? field?.prefix ?? "";
  const at = setting.indexOf("=");
  const key = at < 0 ? setting : setting.slice(0, at);
  const value = at < 0 ? "" : setting.slice(at + 1);
  if (field?.text === undefined || RUNNING_SETTING.test(key)) effects.executes = true;
  if (field?.text === undefined && RUNNING_SETTING.test(key))
    effects.unknown.push("a setting by which git runs programs is only known when it runs");
  if (/^alias\./i.test(key) && value.startsWith("!")) call.walk.runText(call, value.slice(1));
  else if (/^alias\./i.test(key) && value !== "") call.walk.runText(call, `git ${value}`);
  else {
    judgeCommandsIn(call, value.replace(/^!/, ""));
    judgeKey(call, key, value);
  }
  return /^core\.worktree$/i.test(key) ? knownField(value) : undefined;
}

function judgeKey(call: CommandCall, key: string, value: string): void {
  if (/remote$|pushdefault$/i.test(key) && isFarAddress(value))
    call.effects.critical.push("pushes to an address that the line names");
  if (SAFE_FOR_ONCE.test(key) || OFF.test(value)) return;
  if (/^credential\.helper$/i.test(key) && USUAL_HELPER.test(value)) return;
  if (COMMAND_SETTING.test(key)) return judgeCommand(call, "GIT_EDITOR", value.replace(/^!/, ""));
  // A hooks directory of the project is its own code.
  if (/^core\.hookspath$/i.test(key) && isOwn(call, value)) return;
  call.effects.critical.push(`sets git's ${key} for this command`);
}

function isOwn(call: CommandCall, path: string): boolean {
  return targetsOf(call, knownField(path)).every(
    ({ place, path: found }) =>
      place === "inside" &&
      ![...call.walk.written.keys(), ...call.walk.downloaded].some((each) =>
        each.startsWith(`${found}/`),
      ),
  );
}

/** `GIT_CONFIG_KEY_0=… GIT_CONFIG_VALUE_0=…` is as good as `-c`. */
export function environmentSettings({ environment, state }: CommandCall): Field[] {
  const found: Field[] = [];
  for (const [name, key] of [...state.variables, ...environment]) {
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    if (number === undefined) continue;
    const value =
      environment.get(`GIT_CONFIG_VALUE_${number}`) ??
      state.variables.get(`GIT_CONFIG_VALUE_${number}`);
    found.push(knownField(`${key.text ?? key.prefix}=${value?.text ?? value?.prefix ?? ""}`));
  }
  const parameters = environment.get("GIT_CONFIG_PARAMETERS");
  for (const [, each] of (parameters?.text ?? "").matchAll(/'((?:[^'\\]|\\.)*)'(?:\s|$)/g))
    found.push(knownField(each!.replace(/^([^']*)'='/, "$1=")));
  return found;
}
