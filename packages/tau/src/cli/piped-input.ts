// What is piped into Tau becomes part of the prompt. A pipe that nobody writes to must
// not hold a script up for ever, so with a prompt at hand Tau waits only a moment for
// the first byte.

import { fstatSync } from "node:fs";
import { COMMAND } from "../brand.ts";
import { EXIT } from "../exit-code.ts";
import { UserError } from "../user-error.ts";
import { writeError } from "../base/output.ts";

const FIRST_BYTE_MS = 1000;
/** As for a file on the command line: more than this is not a prompt. */
const MAX_BYTES = 1024 * 1024;

export async function readPiped(options: { hasPrompt: boolean }): Promise<string | undefined> {
  if (!isPipeOrFile()) return undefined;
  const reader = Bun.stdin.stream().getReader();
  const first = reader.read();
  if (options.hasPrompt) {
    const waited = await Promise.race([first, Bun.sleep(FIRST_BYTE_MS)]);
    if (waited === undefined) {
      writeError(`${COMMAND}: nothing on standard input yet; continuing without it\n`);
      return undefined;
    }
  }
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (let part = await first; !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > MAX_BYTES) {
      throw new UserError(
        "more than 1 MB was piped in; save it to a file and mention its path instead",
        EXIT.usage,
      );
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** /dev/null, a terminal and a closed descriptor hold no prompt. */
function isPipeOrFile(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch (error) {
    if ((error as { code?: string }).code === "EBADF") return false;
    throw error;
  }
}
