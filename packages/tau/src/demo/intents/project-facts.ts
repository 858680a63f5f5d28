// What git and the file names say about the working directory, in one command, and the
// reading of its output. One command, because each one may need the user's approval.

import { INERT_GIT } from "../inert-git.ts";
import { plainText } from "../markdown.ts";

/** Enough for every count but the very largest to be right; bounds the time in a home directory. */
const COUNTED_FILES = 50_000;
const COUNTED_DEPTH = 8;
const PRINTED_ROWS = 200;
const COMMITS = 3;

export interface Tally {
  name: string;
  files: number;
}

export interface Commit {
  hash: string;
  date: string;
  subject: string;
}

export interface ProjectFacts {
  folder: string;
  branch?: string;
  trackedFiles?: number;
  commits: Commit[];
  /** Entries of the top level and how many files are in each; folders end in a slash. */
  top: Tally[];
  extensions: Tally[];
}

/** Prints rows of fields parted by tabs; the first field says what the row is. */
export const FACTS_COMMAND = String.raw`# What is this folder: git's facts, files by folder and by extension.
printf 'folder\t%s\n' "${"${PWD##*/}"}"
if ${INERT_GIT} rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  printf 'branch\t%s\n' "$(${INERT_GIT} symbolic-ref --short -q HEAD || ${INERT_GIT} rev-parse --short HEAD)"
  printf 'tracked\t%s\n' "$(${INERT_GIT} ls-files | wc -l)"
  ${INERT_GIT} log -n ${COMMITS} --no-color --date=short \
    --format='commit%x09%h%x09%cd%x09%s' 2>/dev/null
  files() { ${INERT_GIT} -c core.quotepath=off ls-files --cached --others --exclude-standard; }
else
  files() {
    find . -maxdepth ${COUNTED_DEPTH} \( -name node_modules -o -name '.?*' \) -prune \
      -o -type f -print 2>/dev/null
  }
fi
files | head -n ${COUNTED_FILES} | LC_ALL=C awk '
  {
    sub(/^\.\//, "")
    top = $0
    if (sub(/\/.*/, "", top)) top = top "/"
    tops[top]++
    base = $0
    sub(/.*\//, "", base)
    if (match(base, /\.[A-Za-z0-9_+-]+$/) && RSTART > 1) kinds[tolower(substr(base, RSTART + 1))]++
  }
  END {
    for (name in tops) printf "top\t%d\t%s\n", tops[name], name
    for (name in kinds) printf "extension\t%d\t%s\n", kinds[name], name
  }' | LC_ALL=C sort -k 2,2nr -k 3 | head -n ${PRINTED_ROWS}`;

export function parseFacts(result: string): ProjectFacts {
  const facts: ProjectFacts = { folder: "", commits: [], top: [], extensions: [] };
  for (const line of result.split("\n")) {
    const fields = line.split("\t").map(plainText);
    const [kind, first = "", second = "", ...rest] = fields;
    if (fields.length < 2) continue;
    if (kind === "folder") facts.folder = first;
    else if (kind === "branch") facts.branch = first;
    else if (kind === "tracked") facts.trackedFiles = Number(first) || 0;
    else if (kind === "commit") {
      facts.commits.push({ hash: first, date: second, subject: rest.join(" ") });
    } else if (kind === "top") facts.top.push({ name: second, files: Number(first) || 0 });
    else if (kind === "extension") {
      facts.extensions.push({ name: second, files: Number(first) || 0 });
    }
  }
  return facts;
}
