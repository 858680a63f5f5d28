// The end of what came out of a job, for people: a few clean lines.

import { plainOutput } from "@tau/host/text/plain-output";
import { rowText } from "../render/clip-text.ts";

/** As many as the terminal shows of a command that is done. */
const MAX_LINES = 5;
/** A line of a log; the rest is in the artifact, or asked for with the job tool. */
const MAX_LINE_COLUMNS = 200;
/** More than that is never looked at: lines that no screen shows. */
const MAX_CHARACTERS = 16 * 1024;

/** Says how many lines stand before it; empty if nothing came out. */
export function outputTail(output: string): string {
  const lines = plainOutput(output.slice(-MAX_CHARACTERS)).trimEnd().split("\n");
  if (lines.every((line) => line.trim() === "")) return "";
  const shown = lines.slice(-MAX_LINES).map((line) => `  ${rowText(line, MAX_LINE_COLUMNS)}`);
  const before = lines.length - shown.length;
  const isCut = output.length > MAX_CHARACTERS;
  const words = `  … ${isCut ? "more than " : ""}${before} earlier ${before === 1 ? "line" : "lines"}`;
  return (before > 0 || isCut ? [words, ...shown] : shown).join("\n");
}
