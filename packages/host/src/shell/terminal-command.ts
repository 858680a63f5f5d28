// A command for a terminal of its own that begins as the agent's shell is now: its directory,
// variables, functions and aliases, but with a person there to page, edit and answer.

import { UNATTENDED_ENVIRONMENT } from "../pty/unattended-environment.ts";
import { quote } from "./bash-driver.ts";
import { SHELL_MARK_VARIABLE } from "./shell-driver.ts";

export interface TerminalPlace {
  /** The bash. */
  program: string;
  /** What it is confined to; its words stand before the shell's. */
  wrapper: readonly string[];
  /** Where the agent's shell has written down what it is, if it has. */
  statePath: string | undefined;
  cwd: string;
  /** The person's own. */
  env: Readonly<Record<string, string | undefined>>;
}

export function terminalCommand(command: string, place: TerminalPlace): string[] {
  const { program, wrapper, statePath, cwd, env } = place;
  const attended = Object.keys(UNATTENDED_ENVIRONMENT).map((name) =>
    env[name] === undefined ? `unset ${name}` : `export ${name}=${quote(env[name])}`,
  );
  const script = [
    "shopt -s expand_aliases",
    // Another shell's mark would have that shell end what runs here.
    `declare -rx ${SHELL_MARK_VARIABLE}=`,
    "__tau_term=$TERM",
    ...(statePath === undefined ? [] : [`. ${quote(statePath)} >/dev/null 2>&1 </dev/null`]),
    ...attended,
    "export TERM=$__tau_term",
    `builtin cd -- ${quote(cwd)} || exit`,
    "trap - EXIT INT TERM",
    'builtin eval "$1"',
  ].join("\n");
  return [...wrapper, program, "--noprofile", "--norc", "-c", script, "bash", command];
}
