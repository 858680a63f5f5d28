// Asks for a word at a terminal that can only print. What was typed before the question could be
// read is set aside and answers nothing: first it is printed, then the keyboard rests, and only
// then there is a place to answer.

import type { Style } from "../../base/style.ts";
import { LineReader } from "./line-reader.ts";
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
  /** Ends it as well, but not once somebody has begun to type. */
  late?: AbortSignal;
  /** Ctrl-C is more than no answer: it stops what asks. */
  interrupt(): void;
}

/** In small letters, without blanks around it; undefined where nobody answers any more. */
export async function askLine(question: LineQuestion, asking: Asking): Promise<string | undefined> {
  return (await askAsTyped(question, asking))?.toLowerCase();
}

/** The same in its own letters. */
export async function askAsTyped(
  question: LineQuestion,
  asking: Asking,
): Promise<string | undefined> {
  const { typeAhead, style, signal, interrupt } = asking;
  let isInterrupted = false;
  const interrupted = (): void => {
    isInterrupted = true;
    interrupt();
  };
  process.stdout.write(`\r\x1b[K${question.text}`);
  await untilQuiet(typeAhead, { quietMs: QUIET_MS, signal, interrupt: interrupted });
  if (signal?.aborted || isInterrupted) return undefined;
  const kept = typeAhead.takeNews();
  if (kept !== undefined) {
    process.stdout.write(`${style.dim(`Kept for your next prompt: ${kept}`)}\n`);
  }
  return readAnswer(question.prompt, { ...asking, interrupt: interrupted });
}

async function readAnswer(
  prompt: string,
  { typeAhead, style, signal, late, interrupt }: Asking,
): Promise<string | undefined> {
  if (late?.aborted) return undefined;
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const leave = (): void => resolve(undefined);
  using reader = new LineReader({
    prompt: `${style.accent("?")} ${prompt} `,
    heard: {
      line(line, rest) {
        // What was pasted with the answer is more than the answer.
        typeAhead.add(rest);
        resolve(line);
      },
      interrupt() {
        leave();
        interrupt();
      },
      end: leave,
    },
  });
  const leaveUntouched = (): void => {
    if (reader.line === "") leave();
  };
  signal?.addEventListener("abort", leave, { once: true });
  late?.addEventListener("abort", leaveUntouched, { once: true });
  const word = await promise;
  signal?.removeEventListener("abort", leave);
  late?.removeEventListener("abort", leaveUntouched);
  if (word === undefined) {
    typeAhead.add(reader.line);
    process.stdout.write("\n");
  }
  return word?.trim();
}
