// Sees to it that nothing Tau started outlives Tau, even where Tau is killed and cannot see to
// it itself: a small shell waits for the other end of a pipe to close, which the system does for
// a dead process too, and then ends every process that carries one of Tau's marks (a variable, and an odd
// limit, which stays with a process that has cleared its environment) or that it was told of, with
// all below it, and removes the temporary directories that it was told of.

import { isAbsolute } from "node:path";
import { ownEnvironment } from "./own-environment.ts";
import { adoptOrphans, closeToOthers, markByLimit } from "./system-calls.ts";

/** In the environment of everything that is started for a model or a user. */
export const OWNER_VARIABLE = "TAU_PROCESS_OWNER";

/** In that of what is meant to go on after Tau: a browser that was opened, an editor. */
export const FREE_VARIABLE = "TAU_PROCESS_FREE";

/** Rounds of looking, so that what is being started meanwhile is found as well. */
const ROUNDS = 20;

const SCRIPT = `
trap '' INT TERM HUP
mark=$1
limit=$2
shift 2
told=
# A line that was torn by the end is none.
while IFS= read -r line; do
  case $line in
    "d "*) set -- "$@" "\${line#d }" ;;
    "p "*) told="$told \${line#p }" ;;
  esac
done
# With its time of start a number means one process; what is below it goes first.
finish() {
  for child in $(cat /proc/$1/task/*/children 2>/dev/null); do finish "$child"; done
  kill -9 "$1" 2>/dev/null && found=1
}
finish_if() {
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return
  wanted=$2 pid=$1
  set -- \${stat##*) }
  [ "\${20}" = "$wanted" ] && [ "$1" != Z ] && finish "$pid"
}
for _ in $(seq ${ROUNDS}); do
  pids=$(grep -lzsF -- "$mark" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n ' )
  limited=
  [ -z "$limit" ] || for file in $(grep -lsE -- "^Max msgqueue size +$limit " /proc/[0-9]*/limits 2>/dev/null); do
    file=\${file%/limits}
    grep -qzsF -- "${FREE_VARIABLE}=" "$file/environ" || limited="$limited \${file#/proc/}"
  done
  found=
  set_aside=$told
  while [ -n "$set_aside" ]; do
    set_aside=\${set_aside# }
    pid=\${set_aside%% *} rest=\${set_aside#* }
    start=\${rest%% *}
    case $rest in *" "*) set_aside=\${rest#* } ;; *) set_aside= ;; esac
    finish_if "$pid" "$start"
  done
  for pid in $pids $limited; do
    [ "$pid" = "$$" ] && continue
    finish "$pid"
  done
  [ -n "$found" ] || break
  sleep 0.05
done
[ $# -eq 0 ] || rm -rf -- "$@"
`;

let mark: string | undefined;

/** `NAME=value`, the same for the life of this process. */
export function ownerMark(): string {
  mark ??= `${OWNER_VARIABLE}=${process.pid}-${crypto.randomUUID()}`;
  return mark;
}

/** Marks as variables, for the environment of what is started. */
export function markVariables(...marks: readonly string[]): Record<string, string> {
  return Object.fromEntries(marks.map((one) => one.split("=") as [string, string]));
}

export function freeVariables(): Record<string, string> {
  return { [FREE_VARIABLE]: "1" };
}

/** The environment of something that must not outlive this process, however that ends. */
export function ownedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  ...marks: readonly string[]
): Record<string, string | undefined> {
  startReaper();
  return { ...env, ...markVariables(ownerMark(), ...marks) };
}

let reaper: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;

/** Started with the first process that needs it; once is enough. */
export function startReaper(): void {
  if (reaper || process.platform !== "linux") return;
  adoptOrphans();
  closeToOthers();
  const limit = markByLimit();
  reaper = Bun.spawn(["/bin/sh", "-c", SCRIPT, "tau-reaper", ownerMark(), `${limit ?? ""}`], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    cwd: "/",
    env: { PATH: ownEnvironment().PATH ?? "/usr/bin:/bin", ...freeVariables() },
    // Not with us when a terminal ends its group.
    detached: true,
  });
  // It must not keep anyone from leaving.
  reaper.unref();
}

/**
 * A temporary directory of this process alone, with what nobody else should find: it is removed
 * also where this process is killed and cannot do it itself.
 */
export function removeAfterwards(directory: string): void {
  // The reaper reads lines.
  if (!isAbsolute(directory) || directory.includes("\n")) return;
  startReaper();
  tellReaper(`d ${directory}`);
}

/** `d DIRECTORY`, or `p PID START` with the time of start that /proc tells. */
export function tellReaper(line: string): void {
  reaper?.stdin.write(`${line}\n`);
  reaper?.stdin.flush();
}
