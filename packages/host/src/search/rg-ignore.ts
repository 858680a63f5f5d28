// Which files of a tree ripgrep looks at, so that it sees exactly what our own walk sees:
// the rules of git and no others, those above the tree only where they apply, and never
// the repository's own storage.

import { rulesAbove } from "../walk/repository-rules.ts";
import type { TreeScope } from "./line-engine.ts";

export async function ignoreArguments(scope: TreeScope): Promise<string[]> {
  const shared = [
    "--no-ignore-messages",
    "--glob=!.git",
    scope.hidden ? "--hidden" : "--no-hidden",
  ];
  if (!scope.gitignore) return [...shared, "--no-ignore"];
  const { place } = await rulesAbove(scope.root);
  return [
    ...shared,
    // What else the machine's user wants ignored is not the tree's business.
    "--no-ignore-global",
    "--no-ignore-dot",
    // A copy of a repository is treated as the repository. Not within one: ripgrep would
    // no longer see where repositories begin.
    ...(place === "apart" ? ["--no-require-git"] : []),
    ...(place === "below" ? [] : ["--no-ignore-parent"]),
  ];
}
