// How a session was left: the last thing that was asked and the last that was answered, from
// the end of its file alone.

import { open } from "node:fs/promises";
import { wordsOfLine } from "./entry-words.ts";

/** Enough for a long answer; of a longer one its end is what matters. */
const TAIL_BYTES = 256 * 1024;
/** More than any preview shows. */
const MAX_CHARACTERS = 4000;

export interface LastExchange {
  prompt?: string;
  answer?: string;
}

export async function readLastExchange(path: string): Promise<LastExchange> {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const start = Math.max(0, size - TAIL_BYTES);
  const buffer = Buffer.alloc(size - start);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  const found: LastExchange = {};
  let end = bytesRead;
  while (end > 0 && (found.prompt === undefined || found.answer === undefined)) {
    const newline = buffer.lastIndexOf(0x0a, end - 1);
    const words = wordsOfLine(buffer.subarray(newline + 1, end));
    end = newline;
    if (!words) continue;
    if (words.role === "assistant" && found.prompt === undefined) {
      found.answer ??= words.text.slice(0, MAX_CHARACTERS);
    }
    if (words.role === "user") found.prompt ??= words.text.slice(0, MAX_CHARACTERS);
    if (found.prompt !== undefined) break;
  }
  return found;
}
