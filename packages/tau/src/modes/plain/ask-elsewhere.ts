// A session that belongs to another directory: whether to take it here, to copy it here, or to
// leave it, is for the person at the terminal to say.

import type { Elsewhere, ElsewhereChoice } from "../../session/listing/elsewhere.ts";
import { askLine, type Asking } from "./ask-line.ts";

const CHOICES: Readonly<Record<string, ElsewhereChoice>> = {
  m: "move",
  move: "move",
  y: "fork",
  copy: "fork",
};

/** Ctrl-C, Ctrl-D and any other word leave everything as it is. */
export async function askElsewhere(
  { id, cwd, isGone }: Elsewhere,
  asking: Asking,
): Promise<ElsewhereChoice> {
  const where = isGone ? `${cwd}, which no longer exists` : cwd;
  const text = `Session ${id} belongs to ${where}.\n`;
  const prompt = "Move it here (m), copy it here (y), or cancel (Enter)?";
  const word = await askLine({ text, prompt }, asking);
  return CHOICES[word ?? ""] ?? "cancel";
}
