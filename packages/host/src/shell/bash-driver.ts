// The words that pass between Tau and a bash that lives longer than one command. The shell reads
// one line of these a command; the command itself runs in the shell, so that what it changes
// (directory, variables, functions, aliases) is there for the next one.

import { OWNER_VARIABLE } from "../process/reaper.ts";
import { SHELL_MARK_VARIABLE, type CommandPlace, type ShellDriver } from "./shell-driver.ts";

/** A shell reads a pipe byte by byte. */
const MAX_INLINE_CHARACTERS = 2000;

/** Without `errexit` and `nounset`: they end a shell that goes on. */
export const KEPT_SET_OPTIONS: readonly string[] = ["noclobber", "physical", "pipefail"];

const STATE_END = "# end of the shell's state";

export const BASH_DRIVER: ShellDriver = {
  name: "bash",
  program: "bash",
  arguments: ["--noprofile", "--norc"],
  lifetime: "session",
  maxInlineCharacters: MAX_INLINE_CHARACTERS,
  fileSuffix: ".sh",
  stateEnd: STATE_END,
  keepLine: "__tau_keep\n",
  readyLine: "__tau_ready=1\n",
  setup,
  // What cannot be set again (`readonly`) stays as it is.
  restore: (statePath) => `. ${quote(statePath)} >/dev/null 2>&1 </dev/null\n`,
  enter: (directory) => `builtin cd -- ${quote(directory)}\n`,
  // Redirections of a group are carried out before the first of its commands could be skipped.
  probe: (path) => `{ builtin :; } 2>|${quote(path)}\n`,
  command: (command, token, place) => runLine(quote(command), token, place),
  fileCommand: (path, token, place) => runLine(`"$(<${quote(path)})"`, token, place),
};

/**
 * The marks are the shell's own, whatever another wrote down: by them it finds what to end. One
 * that is stopped while it still begins must not take what it is by then for all there was. What ends the shell (`exit`, `set -e`, a signal) first has it
 * write down what it was, so that the next one can go on from there.
 */
function setup(statePath: string): string {
  return `shopt -s expand_aliases
set +o history
declare -r ${SHELL_MARK_VARIABLE} ${OWNER_VARIABLE}
__tau_state=${quote(`${statePath}.new`)}
__tau_ready=
__tau_keep() {
  [ -n "$__tau_ready" ] || builtin return 0
  {
    builtin shopt -p
    builtin shopt -po ${KEPT_SET_OPTIONS.join(" ")} || builtin :
    builtin declare -px
    builtin declare -f
    builtin alias -p
    builtin printf 'builtin cd -- %q\\n' "$PWD"
    builtin printf '%s\\n' ${quote(STATE_END)}
  } >|"$__tau_state" 2>/dev/null </dev/null
}
trap __tau_keep EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
__tau_end() { builtin printf '%s %s %s\\036' "$2" "$1" "$PWD"; }
`;
}

function runLine(
  source: string,
  token: string,
  { cwd, env = {}, returns = false }: CommandPlace = {},
): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quote(value)} `);
  // `\command`: the shell may have a function or an alias of the name `eval`; behind `builtin` the
  // variables would not be seen. Both outputs are redirected, so that both are given back where an
  // `exec >file` takes one.
  const run = `${assignments.join("")}\\command eval ${source} </dev/null 2>&1 1>&2`;
  const end = `__tau_end "$?" ${quote(token)}`;
  if (cwd === undefined && returns) {
    return (
      `LINENO=0;__tau_from=$PWD;${run};__tau_status=$?;builtin cd -- "$__tau_from" 2>/dev/null;` +
      `__tau_end "$__tau_status" ${quote(token)}\n`
    );
  }
  if (cwd === undefined) return `LINENO=0;${run};${end}\n`;
  // Back again afterwards, unless the command itself went somewhere.
  const there = quote(cwd);
  return (
    `LINENO=0;__tau_from=$PWD;if builtin cd -- ${there} 2>/dev/null;then __tau_at=$PWD;${run};` +
    `__tau_status=$?;[ "$PWD" = "$__tau_at" ]&&builtin cd -- "$__tau_from" 2>/dev/null;` +
    `__tau_end "$__tau_status" ${quote(token)};else __tau_end 1 ${quote(token)};fi\n`
  );
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
