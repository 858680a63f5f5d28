// The state of a repository in a few rows. Names and subjects are other people's words: they are
// cut, made visible, and said to be what git prints.

import { printableName } from "../../resources/printable-name.ts";

const MAX_FILES = 12;
const MAX_CHARS = 80;

export interface RepositoryOverview {
  /** `git status --porcelain=v2 --branch` */
  status: string;
  /** A row for each of the last commits; empty if there are none. */
  log: string;
}

export function repositoryWords({ status, log }: RepositoryOverview): string {
  const rows = status.split("\n").filter((row) => row !== "");
  const branch = valueOf(rows, "# branch.head ") ?? "(unknown)";
  const upstream = valueOf(rows, "# branch.upstream ");
  const [, ahead = "0", behind = "0"] =
    /^\+(\d+) -(\d+)$/.exec(valueOf(rows, "# branch.ab ") ?? "") ?? [];
  const away = [ahead !== "0" && `${ahead} ahead`, behind !== "0" && `${behind} behind`].filter(
    Boolean,
  );
  const versus = upstream && away.length > 0 ? `, ${away.join(" and ")} of ${short(upstream)}` : "";
  const files = rows.filter((row) => !row.startsWith("#")).map(fileRow);
  const changed = files.slice(0, MAX_FILES);
  if (files.length > MAX_FILES) changed.push(`… ${files.length - MAX_FILES} more`);
  const commits = log.split("\n").filter((row) => row !== "");
  return [
    "The repository as the session begins, in git's words (not kept up to date):",
    `Branch ${short(branch)}${versus}; ${files.length === 0 ? "nothing is changed" : "changed files:"}`,
    ...changed,
    ...(commits.length > 0 ? ["Last commits:", ...commits.map(short)] : ["No commits yet."]),
  ].join("\n");
}

function valueOf(rows: readonly string[], name: string): string | undefined {
  return rows.find((row) => row.startsWith(name))?.slice(name.length);
}

/** As `git status --short` has it. */
function fileRow(row: string): string {
  const [kind, xy = "??"] = row.split(" ");
  // The path stands behind so many words; of a rename the old one stands behind a tab.
  const words = { "1": 8, "2": 9, u: 10, "?": 1 }[kind!] ?? 1;
  const path = row.split(" ").slice(words).join(" ").split("\t")[0]!;
  const state = kind === "?" ? "??" : xy.replaceAll(".", " ");
  return `${state} ${short(path)}`;
}

function short(text: string): string {
  const shown = printableName(text);
  return shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS)}…` : shown;
}
