// Writing to the process's own streams. A reader that goes away (`| head -1`, a window that is
// closed) is a normal end for whoever writes, never an exception.

import { writeSync } from "node:fs";

/** Resolves once the text is with the operating system; false if nobody reads any more. */
export async function writeOutput(text: string): Promise<boolean> {
  // Written to a file, nothing at all would empty it.
  if (text === "") return true;
  try {
    await Bun.write(Bun.stdout, text);
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    // What is a broken disk behind a file is a closed window behind a terminal.
    if (code === "EPIPE" || (code === "EIO" && process.stdout.isTTY)) return false;
    throw error;
  }
}

/** Synchronous, so that the last words before an exit are not lost. */
export function writeError(text: string): void {
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
