// Commands and what they print, here or on another machine: the command while nothing else is
// known, the end of its output while it runs, the last rows when it is done.

import { plainOutput } from "@tau/host/text/plain-output";
import { cleanLine } from "@tau/tui/components/clean-text";
import type { CallLook, CallState } from "../../feature-api/tool-view.ts";
import { hasFailed, resultText, textArgument } from "./call-values.ts";
import { countLines } from "./clip-text.ts";
import { codeRows } from "./code-rows.ts";
import { failureRows, outputRows } from "./output-rows.ts";

/** Rows of output while it runs: enough to follow it. */
const RUNNING_ROWS = 8;
const DONE_ROWS = 5;
/** Of a command of several lines, before it runs. */
const COMMAND_ROWS = 8;
/** Of what has been printed, in UTF-16 units: the last screens of it. */
const MAX_LIVE_UNITS = 64 * 1024;
/** In UTF-16 units; how a command ended is said in few words. */
const MAX_ENDING_UNITS = 200;

export interface Ended {
  output: string;
  /** In words, such as `exit code 1`. */
  ending: string | undefined;
}

/** The last row of a failure, in brackets, is how it ended, and no part of the output. */
export function endedOf(state: CallState): Ended {
  const text = resultText(state);
  if (!hasFailed(state)) return { output: text, ending: undefined };
  const own = text.trimEnd();
  const start = own.lastIndexOf("\n") + 1;
  const isEnding = own[start] === "[" && own.endsWith("]");
  if (!isEnding || own.length - start > MAX_ENDING_UNITS)
    return { output: text, ending: undefined };
  return { output: own.slice(0, start), ending: own.slice(start + 1, -1) };
}

/** Clean, for a remark. */
export function endingOf(state: CallState): string | undefined {
  const { ending } = endedOf(state);
  return ending === undefined ? undefined : cleanLine(ending);
}

/** What was printed so far, as it would stand on a terminal. */
export const liveOutput = ({ output }: CallState): string =>
  plainOutput(withoutErased(output.slice(-MAX_LIVE_UNITS)));

/** Characters that a backspace took back; in one pass, however many there are. */
function withoutErased(text: string): string {
  if (!text.includes("\b")) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character !== "\b") kept.push(character);
    else if (kept.length > 0 && kept.at(-1) !== "\n") kept.pop();
  }
  return kept.join("");
}

export function commandRows(state: CallState, look: CallLook): string[] {
  const command = textArgument(state, "command");
  const isScript = countLines(command) > 1;
  const script = (): string[] =>
    isScript ? codeRows(command, look, { language: "bash", most: COMMAND_ROWS, keep: "head" }) : [];
  switch (state.phase) {
    case "writing":
      return isScript
        ? codeRows(command, look, { language: "bash", most: COMMAND_ROWS, keep: "tail" })
        : [];
    case "waiting":
      return script();
    case "running": {
      const rows = outputRows(liveOutput(state), look, { keep: "tail", most: RUNNING_ROWS });
      return look.detail === "full" ? parted(script(), rows) : rows;
    }
    default: {
      const { output, ending } = endedOf(state);
      const tail = (text: string): string[] =>
        outputRows(text, look, { keep: "tail", most: DONE_ROWS });
      const isUnexplained = hasFailed(state) && ending === undefined;
      // A result may say no more than that it was stopped; what was seen until then stays.
      const seen = state.phase === "stopped" ? tail(liveOutput(state)) : [];
      const rows = isUnexplained ? [...seen, ...failureRows(state, look)] : tail(output);
      return look.detail === "full" ? parted(script(), rows) : rows;
    }
  }
}

function parted(above: readonly string[], below: readonly string[]): string[] {
  return above.length > 0 && below.length > 0 ? [...above, "", ...below] : [...above, ...below];
}
