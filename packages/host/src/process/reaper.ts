// Sees to it that nothing Tau started outlives Tau, even where Tau is killed and cannot see to
// it itself: a small shell waits for the other end of a pipe to close, which the system does for
// a dead process too, and then ends every process that carries Tau's mark, and removes the temporary
// directories that it was told of.

import { isAbsolute } from "node:path";

/** In the environment of everything that is started for a model or a user. */
export const OWNER_VARIABLE = "TAU_PROCESS_OWNER";

/** Rounds of looking, so that what is being started meanwhile is found as well. */
const ROUNDS = 20;

const SCRIPT = `
trap '' INT TERM HUP
# A line that was torn by the end is none.
while IFS= read -r directory; do set -- "$@" "$directory"; done
for _ in $(seq ${ROUNDS}); do
  pids=$(grep -lzsF -- "$1" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\\n ' )
  found=
  for pid in $pids; do
    [ "$pid" = "$$" ] && continue
    kill -9 "$pid" 2>/dev/null && found=1
  done
  [ -n "$found" ] || break
  sleep 0.05
done
shift
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

let reaper: Bun.Subprocess<"pipe", "ignore", "ignore"> | undefined;

/** Started with the first process that needs it; once is enough. */
export function startReaper(): void {
  if (reaper || process.platform !== "linux") return;
  reaper = Bun.spawn(["/bin/sh", "-c", SCRIPT, "tau-reaper", ownerMark()], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
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
  reaper?.stdin.write(`${directory}\n`);
  reaper?.stdin.flush();
}
