// The ignore rules that hold where a walk begins: those of the repository around it. A
// walk that begins inside something ignored was asked for by name, so that the rules above
// it say nothing any more; outside of a repository only rules within the walk count.

import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemCode } from "../storage-error.ts";
import { onDisk } from "./byte-path.ts";
import { IgnoreRules, MAX_IGNORE_FILE_BYTES } from "./ignore-rules.ts";

export interface RulesAbove {
  rules: IgnoreRules;
  /** From the root of the rules to the beginning of the walk, "" when they are the same. */
  prefix: string;
  /**
   * Where the walk stands: at the root of a repository, below one whose rules apply, or
   * where nothing above it applies.
   */
  place: "root" | "below" | "apart";
}

export async function rulesAbove(root: string): Promise<RulesAbove> {
  const none: RulesAbove = { rules: await IgnoreRules.none(), prefix: "", place: "apart" };
  if (await exists(join(root, ".git"))) return { ...none, place: "root" };
  const above: string[] = [];
  let repository: string | undefined;
  for (let at = dirname(root); repository === undefined; at = dirname(at)) {
    above.unshift(at);
    if (await exists(join(at, ".git"))) repository = at;
    else if (dirname(at) === at) return none;
  }
  let rules = await repositoryRules(repository);
  let prefix = "";
  for (const [index, directory] of above.entries()) {
    rules = rules.with(prefix, await ignoreFileText(join(directory, ".gitignore")));
    const next = basename(above[index + 1] ?? root);
    prefix = prefix === "" ? next : `${prefix}/${next}`;
    if (rules.ignores(prefix, "directory")) return none;
  }
  return { rules, prefix, place: "below" };
}

/** What a repository leaves out besides its .gitignore files. */
export async function repositoryRules(repository: string): Promise<IgnoreRules> {
  const none = await IgnoreRules.none();
  const exclude = join(await commonGitDirectory(join(repository, ".git")), "info", "exclude");
  return none.with("", await ignoreFileText(exclude));
}

/** Worktrees and submodules have a file that says where their repository is. */
async function commonGitDirectory(dotGit: string): Promise<string> {
  const pointer = /^gitdir: (.+)$/m.exec(await ignoreFileText(dotGit))?.[1];
  if (pointer === undefined) return dotGit;
  const own = resolve(dirname(dotGit), pointer.trim());
  const common = (await ignoreFileText(join(own, "commondir"))).trim();
  return common === "" ? own : resolve(own, common);
}

/** Empty when there is no such file, or it is none that can be read to its end. */
export async function ignoreFileText(path: string): Promise<string> {
  try {
    const { size, isFile } = await kindOf(path);
    return isFile && size <= MAX_IGNORE_FILE_BYTES ? await readFile(onDisk(path), "utf8") : "";
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}

async function kindOf(path: string): Promise<{ size: number; isFile: boolean }> {
  const status = await stat(onDisk(path));
  return { size: status.size, isFile: status.isFile() };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(onDisk(path));
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
