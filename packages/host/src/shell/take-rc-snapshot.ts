// Runs a person's startup file once, as their terminal would, and writes down what it made of the
// shell. The file is theirs and may do anything, also hang, ask, print and start daemons: it has no
// terminal, no input and no readers, little time, and what it leaves running ends with it.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endProcesses, processesWithMark, signalGroup } from "../process/process-tree.ts";
import { programOnPath } from "../process/program-on-path.ts";
import { ownedEnvironment } from "../process/reaper.ts";
import { KEPT_SET_OPTIONS } from "./bash-driver.ts";
import { KEPT_SHOPTS, type RcSnapshot } from "./rc-snapshot.ts";
import { SHELL_MARK_VARIABLE } from "./shell-driver.ts";

export interface RcPlace {
  /** The startup file. */
  rcFile: string;
  home: string;
  /** What the file sees; PATH in it is what its additions are told from. */
  env: Readonly<Record<string, string | undefined>>;
  /** For what is written down; made, and removed again. */
  directory: string;
  shell?: string;
  /** Stands before the shell's words, such as a sandbox. */
  wrapper?: readonly string[];
  timeoutMs: number;
}

export type RcOutcome = { ok: true; snapshot: RcSnapshot } | { ok: false; why: string };

const CAPTURE_FILE = "captured";
/** A torn one lacks it. */
const CAPTURE_END = "end";

// Quoted names are no aliases, and `builtin` is no function.
const CAPTURE_SCRIPT = `\\builtin unset HISTFILE
\\builtin set +eux
\\builtin trap - DEBUG ERR RETURN EXIT
IFS=$' \\t\\n'
{
\\builtin printf 'a\\0'; \\builtin alias -p; \\builtin printf '\\0'
while IFS= \\builtin read -r __tau_name; do
\\builtin printf 'f\\0%s\\0' "$__tau_name"; \\builtin declare -f -- "$__tau_name"; \\builtin printf '\\0'
done < <(\\builtin compgen -A function)
for __tau_name in ${KEPT_SHOPTS.join(" ")}; do
\\builtin shopt -q "$__tau_name" && \\builtin printf 'o\\0%s\\0' "$__tau_name"
done
for __tau_name in ${KEPT_SET_OPTIONS.join(" ")}; do
[[ -o $__tau_name ]] && \\builtin printf 'o\\0%s\\0' "$__tau_name"
done
while IFS= \\builtin read -r __tau_name; do
\\builtin printf 'e\\0%s\\0%s\\0' "$__tau_name" "\${!__tau_name}"
done < <(\\builtin compgen -e)
\\builtin printf '${CAPTURE_END}\\0'
} 2>/dev/null >|"$1"
\\builtin exit 0
`;

export async function takeRcSnapshot(place: RcPlace): Promise<RcOutcome> {
  const { rcFile, home, env, directory, shell = "bash", wrapper = [], timeoutMs } = place;
  const mark = `${SHELL_MARK_VARIABLE}=${crypto.randomUUID()}`;
  const captured = join(directory, CAPTURE_FILE);
  const words = ["--rcfile", rcFile, "-i", "-c", CAPTURE_SCRIPT, "tau", captured];
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    const program = programOnPath(shell, env.PATH) ?? shell;
    const child = Bun.spawn([...wrapper, program, ...words], {
      // Not the project's: what a startup file picks up from where it runs is not the person's.
      cwd: home,
      env: ownedEnvironment(env, mark),
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      // Without a terminal to take over.
      detached: true,
    });
    child.unref();
    const timer = Promise.withResolvers<"late">();
    const timeout = setTimeout(() => timer.resolve("late"), timeoutMs);
    const end = await Promise.race([child.exited, timer.promise]);
    clearTimeout(timeout);
    signalGroup(child.pid, "SIGKILL");
    await endProcesses(() => processesWithMark(mark), 0);
    await child.exited;
    if (end === "late") return { ok: false, why: `did not end within ${timeoutMs / 1000} s` };
    return readCapture(captured, env.PATH ?? "");
  } catch (error) {
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
    return { ok: false, why: (error as Error).message };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readCapture(path: string, givenPath: string): RcOutcome {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    return { ok: false, why: "ended the shell that read it" };
  }
  const fields = text.split("\0");
  const functions: Record<string, string> = {};
  const variables: Record<string, string> = {};
  const options: string[] = [];
  let aliases: Record<string, string> = {};
  let isWhole = false;
  for (let at = 0; at < fields.length;) {
    const [kind, first = "", second = ""] = fields.slice(at, at + 3);
    if (kind === "a") aliases = parseAliases(first);
    else if (kind === "o") options.push(first);
    else if (kind === "f") functions[first] = second.trimEnd();
    else if (kind === "e") variables[first] = second;
    else isWhole ||= kind === CAPTURE_END;
    at += kind === "a" || kind === "o" ? 2 : kind === "f" || kind === "e" ? 3 : 1;
  }
  if (!isWhole) return { ok: false, why: "was cut short" };
  const { PATH = "", ...rest } = variables;
  const given = new Set(givenPath.split(":"));
  const pathEntries = [...new Set(PATH.split(":"))].filter((entry) => entry && !given.has(entry));
  return { ok: true, snapshot: { aliases, functions, options, variables: rest, pathEntries } };
}

/** As `alias -p` prints them: quoted, a quote in it as `'\''`. */
function parseAliases(text: string): Record<string, string> {
  const found = text.matchAll(/^alias (?:-- )?([^=\n]+)='((?:[^']|'\\'')*)'$/gm);
  return Object.fromEntries(
    [...found].map(([, name, value]) => [name!, value!.replaceAll("'\\''", "'")]),
  );
}
