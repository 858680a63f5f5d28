// Where what extensions print goes, by the front-end that they print in.

import { writeError } from "../base/output.ts";
import { logLine, writeFamilyLog } from "../extend/family/family-log.ts";
import { quietConsole } from "../extend/quiet-console.ts";
import type { FrontEnd } from "../feature-api/user-interface.ts";

/** Programs that embed Tau print as they like, and RPC mode has seen to it. */
export function quietFor(front: FrontEnd | undefined): void {
  if (front === "print") quietConsole((text) => writeError(`${text}\n`));
  if (front !== "terminal" && front !== "plain") return;
  quietConsole((text) => writeFamilyLog(logLine("console", "info", [text]), () => {}));
}
