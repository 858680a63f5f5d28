// The demo's commands look at directories that nobody has vouched for yet, so git must run nothing
// that a repository names: no file monitor, no hook, no signature program, no transport for missing
// objects, no repository hidden in another. The subcommands it is used for apply no filters.

/** Written out before each subcommand, so that whoever consents to the command can read all of it. */
export const INERT_GIT = [
  "GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none GIT_OPTIONAL_LOCKS=0 git --no-pager",
  "-c safe.bareRepository=explicit -c core.fsmonitor=false",
  "-c core.hooksPath=/dev/null -c log.showSignature=false",
].join(" ");
