// Shorter output of programs that are known to be wordy: progress and passed tests go, everything
// that may matter stays. The caller keeps the whole.

import { parseShellLine } from "@tau/host/shell-line/parse-shell-line";
import { programsOfLine } from "@tau/host/shell-line/programs-of-line";
import { NOISE_TABLE } from "./noise-table.ts";

/** Below this nothing is gained that is worth a second look at the artifact. */
const MIN_LINES_SAVED = 8;
/** More than this is cut by others; looking at it line by line is not worth the time. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Stays whatever a row says: something went wrong, or a place in a file is named. */
const ALWAYS_KEPT =
  /error|fail|panic|warn|fatal|exception|traceback|abort|denied|refused|cannot|unable|not found|undefined|deprecat|vulnerab|conflict|segfault|\.\w{1,10}[:(]\d|\/[\w.-]{1,100}:\d|^\s*[\w.-]{1,100}:\d+[:,]|line \d/i;

/** Undefined where the command is not known, or its output is hardly shorter. */
export function minimizeOutput(command: string, output: string): string | undefined {
  if (output.length > MAX_CHARACTERS) return undefined;
  const noise = noiseOf(command);
  if (noise.length === 0) return undefined;
  const kept: string[] = [];
  let left = 0;
  let saved = 0;
  const flush = (): void => {
    if (left > 0) kept.push(`[… ${left} ${left === 1 ? "line" : "lines"} left out …]`);
    saved += Math.max(0, left - 1);
    left = 0;
  };
  // A line that was written over is many.
  for (const line of output.split(/\r\n|\n|\r/)) {
    if (!ALWAYS_KEPT.test(line) && noise.some((pattern) => pattern.test(line))) left++;
    else {
      flush();
      kept.push(line);
    }
  }
  flush();
  return saved < MIN_LINES_SAVED ? undefined : kept.join("\n");
}

function noiseOf(command: string): RegExp[] {
  const uses = programsOfLine(parseShellLine(command));
  return NOISE_TABLE.filter(({ runs }) => uses.some(runs)).flatMap(({ noise }) => noise);
}
