// Asks for a word at a terminal that can only print. What was typed before the question could be
// read is set aside and answers nothing: first it is printed, then the keyboard rests, and only
// then there is a place to answer.

import { createInterface } from "node:readline/promises";
import type { Style } from "../../base/style.ts";
import { untilQuiet, type TypeAhead } from "./type-ahead.ts";

/** Printed and untouched for so long, before a line can answer. */
const QUIET_MS = 700;

export interface LineQuestion {
  /** What it is about. */
  text: string;
  /** Stands before the answer. */
  prompt: string;
}

export interface Asking {
  typeAhead: TypeAhead;
  style: Style;
  signal?: AbortSignal;
}

/** In small letters, without blanks around it; undefined where nobody answers any more. */
export async function askLine(
  { text, prompt }: LineQuestion,
  { typeAhead, style, signal }: Asking,
): Promise<string | undefined> {
  process.stdout.write(`\r\x1b[K${text}`);
  await untilQuiet(typeAhead, { quietMs: QUIET_MS, signal });
  if (signal?.aborted) return undefined;
  const kept = typeAhead.takeNews();
  if (kept !== undefined) {
    process.stdout.write(`${style.dim(`Kept for your next prompt: ${kept}`)}\n`);
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  // What was pasted with the answer is more than the answer.
  reader.on("line", (line) => typeAhead.add(`${line}\n`));
  const left = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
  const onAbort = (): void => reader.close();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const word = await Promise.race([reader.question(`${style.accent("?")} ${prompt} `), left]);
    return word?.trim().toLowerCase();
  } finally {
    typeAhead.add(reader.line);
    signal?.removeEventListener("abort", onAbort);
    reader.close();
  }
}
