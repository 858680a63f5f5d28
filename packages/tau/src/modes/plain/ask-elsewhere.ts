// A session that belongs to another directory: whether to take it here, to copy it here, or to
// leave it, is for the person at the terminal to say.

import { createInterface } from "node:readline/promises";
import type { Elsewhere, ElsewhereChoice } from "../../session/listing/elsewhere.ts";

export async function askElsewhere({ id, cwd, isGone }: Elsewhere): Promise<ElsewhereChoice> {
  const where = isGone ? `${cwd}, which is gone` : cwd;
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D leave everything as it is.
  const left = new Promise<string>((resolve) => reader.once("close", () => resolve("c")));
  try {
    process.stdout.write(`Session ${id} belongs to ${where}.\n`);
    const question = reader.question("Take it here (t), copy it here (y), or leave it (c)? ");
    const answer = (await Promise.race([question, left])).trim().toLowerCase();
    if (answer === "t" || answer === "take") return "move";
    return answer === "y" || answer === "copy" ? "fork" : "cancel";
  } finally {
    reader.close();
  }
}
