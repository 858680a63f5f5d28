// What a repository keeps and git throws away: branches that the work is on, all branches or tags, put
// aside changes, and what only the log of references still leads to. One branch that a person has named
// can be had back from that log; these cannot, or nobody would know what to look for.

import { hasAny, valuesOf, type CommandCall, type ReadArguments } from "../command-call.ts";

const KEPT = "deletes what the history still keeps";
const MAIN = /^(?:refs\/heads\/)?(?:main|master|trunk|develop|production)$/;
/** At once, or within the last minutes. */
const NOW = /^(?:now|all|0|(?:\d+[. ](?:second|minute|hour)s?[. ]ago)|tomorrow)$/i;
const EXPIRE = /\bgc\.(?:\S+\.)?(?:prune|reflog|worktreePrune)Expire\w*=(?:now|all|0)\b/i;
/** The tree with nothing in it, and the commit before all others. */
const EMPTY =
  /\b4b825dc\w*|\b6ef19b41\w*|hash-object\b[^)]*-t tree|\bmktree\b|--max-parents=0|\bread-tree\b[^;|]*--empty/;

export function lostHistory(
  { node, input }: CommandCall,
  name: string,
  read: ReadArguments,
): string | undefined {
  const [first] = read.operands;
  const verb = first?.text ?? "";
  const isOpen = read.operands.some(
    ({ text, isMany, isPattern }) => (text === undefined && isMany) || isPattern,
  );
  switch (name) {
    case "update-ref": {
      const isMain = /^HEAD$/.test(verb) || MAIN.test(verb);
      if (hasAny(read, "d delete") && (isMain || first?.text === undefined))
        return "deletes the branch that the work is on";
      if (EMPTY.test(node.text)) return KEPT;
      const orders = input.text ?? (input.isPresent ? "delete ?" : "");
      if (hasAny(read, "stdin") && /^\s*(?:delete|update)\b/m.test(orders)) return KEPT;
      return undefined;
    }
    case "symbolic-ref":
      return hasAny(read, "d delete") ? "deletes the branch that the work is on" : undefined;
    case "branch": {
      const isForced = hasAny(read, "D") || (hasAny(read, "d delete") && hasAny(read, "f force"));
      const isRemote = hasAny(read, "r remotes");
      if (isForced && !isRemote && read.operands.some(({ text }) => MAIN.test(text ?? "")))
        return "deletes the branch that the work is on";
      // `git branch -M x main`: what main was is gone.
      const isMoved =
        hasAny(read, "M C") || (hasAny(read, "m move c copy") && hasAny(read, "f force"));
      if (isMoved && read.operands.length === 2 && MAIN.test(read.operands[1]?.text ?? ""))
        return "deletes the branch that the work is on";
      if (isForced && isEvery(node.text, "branch")) return "deletes all branches";
      // What is merged, or gone where it came from, is done with.
      const isDone = /--merged|\bgone\b/.test(node.text);
      return isForced && isOpen && !isDone ? "deletes branches that only it knows" : undefined;
    }
    case "tag":
      return hasAny(read, "d delete") && isOpen && isEvery(node.text, "tag")
        ? "deletes all tags"
        : undefined;
    case "stash":
      return verb === "clear" ? "deletes all that was put aside" : undefined;
    case "reflog":
      return /^(?:expire|delete|drop)$/.test(verb) ? KEPT : undefined;
    case "gc":
      return isNow(read, "prune") || EXPIRE.test(node.text) ? KEPT : undefined;
    case "prune":
      return hasAny(read, "n dry-run") || !isNow(read, "expire") ? undefined : KEPT;
    case "repack":
      return isNow(read, "unpack-unreachable") ? KEPT : undefined;
    case "reset":
    case "checkout":
    case "read-tree":
    case "restore":
      return EMPTY.test(node.text) && !hasAny(read, "soft mixed n dry-run")
        ? "overwrites every file of the project"
        : undefined;
    default:
      return undefined;
  }
}

function isNow(read: ReadArguments, option: string): boolean {
  return valuesOf(read, option).some(({ text }) => NOW.test(text ?? "now"));
}

/** A list of them that nothing chooses from. */
function isEvery(line: string, what: "branch" | "tag"): boolean {
  const list = new RegExp(
    String.raw`\$\(\s*git (?:${what}(?! --merged)(?:\s+(?:-l|-a|--list|--all|--format=(?:'[^']*'|"[^"]*"|\S+)|--sort=\S+))*|for-each-ref[^)|]*)\s*\)`,
  );
  return list.test(line);
}
