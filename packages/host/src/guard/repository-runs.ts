// Whether git, asked to look at a repository, would run something because the repository says so:
// filters, viewers, monitors, hooks. Told from its settings without starting git. Only settings
// that are known to run nothing are let pass; the user's own settings are the user's.

import { lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** A repository's own settings have a few hundred bytes. */
const MAX_SETTINGS_BYTES = 256 * 1024;
/** They hold text, or say how git stores and compares what it knows. */
const INERT =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|hidedotfiles|longpaths|quotepath|abbrev|whitespace|commentchar)|remote\.(?:url|fetch|pushurl|tagopt|prune|gh-resolved)|branch\.(?:remote|merge|rebase|description|autosetuprebase|autosetupmerge|vscode-merge-base|gh-merge-base|github-pr-owner-number)|user\.(?:name|email|signingkey)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|init\.defaultbranch|color\.\w+|rerere\.\w+|rebase\.\w+|fetch\.(?:prune|prunetags|parallel)|commit\.gpgsign|tag\.(?:gpgsign|sort)|merge\.(?:conflictstyle|ff|renames|renamelimit)|diff\.(?:algorithm|renames|renamelimit|colormoved|noprefix|mnemonicprefix)|status\.\w+|advice\.\w+|gc\.\w+|pack\.\w+|feature\.\w+|column\.\w+|lfs\.repositoryformatversion|extensions\.(?:worktreeconfig|objectformat|refstorage)|http\.postbuffer|gui\.\w+|log\.(?:date|decorate))$/;
/** The only hooks that looking can set off. */
const HOOKS = ["post-index-change", "fsmonitor-watchman", "reference-transaction"];

export function repositoryRuns(directory: string): boolean {
  const git = gitDirectory(directory);
  if (git === undefined) return false;
  const common = readText(join(git, "commondir"));
  const places = common === undefined ? [git] : [git, resolve(git, common.trim())];
  return places.some(
    (place) =>
      [join(place, "config"), join(place, "config.worktree")].some(hasRunningSetting) ||
      HOOKS.some((name) => exists(join(place, "hooks", name))) ||
      // Each of them has settings of its own.
      exists(join(place, "modules")),
  );
}

/** As git finds it: the nearest upwards, a directory that is one itself included. */
function gitDirectory(from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    const found = join(directory, ".git");
    if (statOf(found)?.isDirectory()) return found;
    const link = /^gitdir:\s*(.+?)\s*$/m.exec(readText(found) ?? "")?.[1];
    if (link !== undefined) return resolve(directory, link);
    if (exists(found)) return found;
    if (exists(join(directory, "HEAD")) && exists(join(directory, "config"))) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

function hasRunningSetting(path: string): boolean {
  if (!exists(path)) return false;
  const text = readText(path);
  if (text === undefined) return true;
  let section = "";
  for (const line of text.split("\n")) {
    const bare = line.trim();
    if (bare === "" || /^[#;]/.test(bare)) continue;
    const head = /^\[\s*([\w.-]+)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*$/.exec(bare);
    if (head) {
      section = head[1]!.toLowerCase().split(".")[0]!;
      continue;
    }
    const key = /^([\w-]+)\s*(?:=|$)/.exec(bare)?.[1]?.toLowerCase();
    // What goes on in the next line, or is written in another way, is not read.
    if (key === undefined || bare.endsWith("\\") || !INERT.test(`${section}.${key}`)) return true;
  }
  return false;
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

/** Undefined if it is not there, or below something that is not a directory. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Undefined if it is no file of a sensible size: nothing is opened that could hold it up. */
function readText(path: string): string | undefined {
  const found = statOf(path);
  if (!found?.isFile() || found.size > MAX_SETTINGS_BYTES) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Gone or forbidden since; git will not read it either.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
