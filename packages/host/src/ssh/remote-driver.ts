// The few lines of shell that run a command on a POSIX host. They exist because `ssh` alone gives
// neither an end to a command when its caller goes away, nor an exit code that can be told from
// its own, nor a way to pass a command that no login shell changes: the command comes over
// standard input, a token stands behind its output, and standard input stays open as a lifeline.

import { quote } from "../shell/bash-driver.ts";

/** Runs the same in every login shell: no character that csh or fish reads in another way. */
export const BOOTSTRAP = `exec sh -c 'IFS= read -r l && eval "$l"'`;

/** For a shell that is named rather than met: its input is the driver. */
export const plainBootstrap = (shell: "bash" | "sh"): string => `${shell} -s`;

/** In the environment of the command and all that it starts. */
const CALL_VARIABLE = "TAU_SSH_CALL";
/** Between asking and ending, in seconds; not every `sleep` knows fractions. */
const END_GRACE = "sleep 0.5 || sleep 1";
/** What a command leaves behind gets less: its caller has the result already. */
const LEFTOVER_GRACE = "sleep 0.2 || sleep 1";
/** Rounds, so that what is being started meanwhile is found as well. */
const ROUNDS = "1 2 3";

/** The directory is not there, instead of an exit code. */
export const NO_DIRECTORY = "cwd";

export interface RemoteCall {
  command: string;
  cwd?: string;
  /** Random; stands behind the output, followed by a space, the exit code and U+001E. */
  token: string;
}

/** What goes to standard input, which then stays open for as long as the command may run. */
export function driverInput({ command, cwd, token }: RemoteCall): string {
  return `${driverLine(cwd, token)}\n${command}\n${token}\n`;
}

function driverLine(cwd: string | undefined, token: string): string {
  const mark = `${CALL_VARIABLE}=${token.replace(/\W/g, "")}`;
  return [
    // Not every server starts a command in a group of its own.
    `if [ -n "$l" ] && ! kill -s 0 -- -$$ 2>/dev/null && command -v setsid >/dev/null 2>&1; then exec setsid sh -c "$l"; fi`,
    `t=${quote(token)}; d=${quote(remoteDirectory(cwd))}; n=$(printf '\\nx'); n=\${n%x}; s=`,
    `while IFS= read -r i; do if [ "$i" = "$t" ]; then break; fi; s=$s$i$n; done`,
    // The shell's own words about jobs are nobody's.
    `exec 3<&0 </dev/null 2>/dev/null`,
    `unset CDPATH; case $d in '~') d=$HOME;; '~/'*) d=$HOME/\${d#??};; esac`,
    `if [ -n "$d" ] && ! cd -- "$d"; then printf '%s ${NO_DIRECTORY}\\036' "$t"; exit 1; fi`,
    // The lifeline: its end is the end of the command and all that it started.
    `(trap '' TERM HUP INT; while IFS= read -r i <&3; do :; done; kill -s TERM -- -$$; ${END_GRACE}; ` +
      `for i in ${ROUNDS}; do for f in $(grep -lsF ${quote(mark)} /proc/[0-9]*/environ); do ` +
      `f=\${f#/proc/}; kill -s KILL "\${f%/environ}"; done; done; kill -s KILL -- -$$) & w=$!`,
    // In a shell of its own, so that "Killed" is said where nobody hears it.
    `(export ${mark}; exec "\${SHELL:-sh}" -c "$s") 2>&1 3<&-; r=$?`,
    `kill -s KILL $w; printf '%s %s\\036' "$t" "$r"`,
    `trap '' TERM HUP; kill -s TERM -- -$$; ${LEFTOVER_GRACE}; kill -s KILL -- -$$`,
  ].join("; ");
}

/** One that begins with a dash is a directory, not an option or the last place. */
function remoteDirectory(cwd: string | undefined): string {
  if (cwd === undefined) return "";
  return cwd.startsWith("-") ? `./${cwd}` : cwd;
}
