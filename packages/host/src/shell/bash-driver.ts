// The words that pass between Tau and a bash that lives longer than one command. The shell reads
// one line of these a command; the command itself runs in the shell, so that what it changes
// (directory, variables, functions, aliases) is there for the next one.

/** Longer ones go through a file: a shell reads a pipe byte by byte. */
export const MAX_INLINE_CHARACTERS = 2000;

/**
 * Read by the shell when it starts. What ends the shell (`exit`, `set -e`, a signal) first has it
 * write down what it was, so that the next one can go on from there.
 */
export function setupScript(statePath: string): string {
  return `shopt -s expand_aliases
set +o history
__tau_state=${quote(statePath)}
__tau_keep() {
  {
    builtin declare -px
    builtin declare -f
    builtin alias -p
    builtin shopt -p
    builtin printf 'cd -- %q\\n' "$PWD"
    builtin printf '%s\\n' ${quote(STATE_END)}
  } >"$__tau_state" 2>/dev/null </dev/null
}
trap __tau_keep EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
__tau_end() { builtin printf '%s %s %s\\036' "$2" "$1" "$PWD"; }
`;
}

/** Its last line: without it the file is not whole and not used. */
export const STATE_END = "# end of the shell's state";

/** Goes on from what another shell was. What cannot be set again (`readonly`) stays as it is. */
export function restoreLine(statePath: string): string {
  return `. ${quote(statePath)} >/dev/null 2>&1 </dev/null\n`;
}

/** Has the shell write down what it is, for others that begin like it. */
export const KEEP_LINE = "__tau_keep\n";

export interface CommandPlace {
  /** For this command only. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** One command; `token` stands behind its output, followed by the status and the directory. */
export function commandLine(command: string, token: string, place: CommandPlace = {}): string {
  return runLine(quote(command), token, place);
}

export function fileCommandLine(path: string, token: string, place: CommandPlace = {}): string {
  return runLine(`"$(<${quote(path)})"`, token, place);
}

function runLine(source: string, token: string, { cwd, env = {} }: CommandPlace): string {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${quote(value)} `);
  // Plain `eval`: behind `builtin` the variables would not be seen.
  const run = `${assignments.join("")}eval ${source} </dev/null 2>&1`;
  const end = `__tau_end $? ${quote(token)}`;
  if (cwd === undefined) return `LINENO=0;${run};${end}\n`;
  // Back again afterwards, unless the command itself went somewhere.
  const there = quote(cwd);
  return (
    `LINENO=0;__tau_from=$PWD;if builtin cd -- ${there} 2>/dev/null;then __tau_at=$PWD;${run};` +
    `__tau_status=$?;[ "$PWD" = "$__tau_at" ]&&builtin cd -- "$__tau_from" 2>/dev/null;` +
    `__tau_end $__tau_status ${quote(token)};else __tau_end 1 ${quote(token)};fi\n`
  );
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
