// The last word, on the shell's own screen: how to come back, if there is something to come back to.

import { writeOutput } from "../base/output.ts";
import { COMMAND } from "../brand.ts";
import type { Session } from "../session/session.ts";

export async function sayGoodbye({ id, log, messages }: Session): Promise<void> {
  if (!log.path || messages.length === 0) return;
  await writeOutput(`${COMMAND} -r ${id} resumes this session.\n`);
}
