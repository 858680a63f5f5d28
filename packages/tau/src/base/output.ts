// Writing to the process's own streams. A reader that goes away (`| head -1`, a window that is
// closed) is a normal end for whoever writes, never an exception.

import { write, writeSync } from "node:fs";
import { isTerminal } from "./is-terminal.ts";
import { styleOnly } from "./style-only.ts";

/** Between two tries of a pipe that somebody else has told not to wait. */
const FULL_PIPE_PAUSE_MS = 10;

/** Resolves once the text is with the operating system; false if nobody reads any more. */
export async function writeOutput(text: string): Promise<boolean> {
  return writeBytes(new TextEncoder().encode(isTerminal(1) ? styleOnly(text) : text));
}

/** As they are: on a terminal only what cannot command it. */
export async function writeBytes(bytes: Uint8Array): Promise<boolean> {
  for (let at = 0; at < bytes.length;) {
    try {
      at += await writeSome(bytes, at);
    } catch (error) {
      const { code } = error as { code?: string };
      // What is a broken disk behind a file is a closed window behind a terminal.
      if (code === "EPIPE" || (code === "EIO" && process.stdout.isTTY)) return false;
      if (code !== "EAGAIN") throw error;
      await Bun.sleep(FULL_PIPE_PAUSE_MS);
    }
  }
  return true;
}

/**
 * On a thread of its own: a reader that does not read holds nothing else up, signals above all, and
 * the pipe, which other processes may share, stays as it was (a sink of Bun's leaves it unblocking).
 */
function writeSome(bytes: Uint8Array, at: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  write(1, bytes, at, bytes.length - at, null, (error, written) =>
    error ? reject(error) : resolve(written),
  );
  return promise;
}

/**
 * Synchronous, so that the last words before an exit are not lost. Errors quote servers and files, and a
 * log that they are kept in is read on a terminal some day: nothing in them commands one.
 */
export function writeError(text: string): void {
  drawError(styleOnly(text));
}

/** As it is, for what moves the cursor; never with foreign words in it. */
export function drawError(text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(2, bytes, at);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "EAGAIN") continue;
      // Nobody can be told that standard error is gone.
      return;
    }
  }
}
