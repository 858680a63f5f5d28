// Keys of git's configuration whose values git runs, for one thing or another that it does: what a
// hostile repository sets, and what looking at one must not set off.

/** `x` is a filter, a driver or a remote of that name. */
export const GIT_PROGRAM_KEYS = [
  "filter.x.clean",
  "filter.x.smudge",
  "filter.x.process",
  "filter.odd name.clean",
  "core.fsmonitor",
  "core.pager",
  "pager.status",
  "pager.log",
  "core.editor",
  "core.sshCommand",
  "core.gitProxy",
  "core.askPass",
  "core.alternateRefsCommand",
  "credential.helper",
  "diff.external",
  "diff.x.command",
  "diff.x.textconv",
  "merge.x.driver",
  "gpg.program",
  "remote.x.uploadpack",
  "remote.x.vcs",
  "interactive.diffFilter",
] as const;

/** Commands that a repository may try to name anew. */
export const GIT_ALIASES = ["status", "log", "diff", "config", "ls-files", "rev-parse"] as const;
