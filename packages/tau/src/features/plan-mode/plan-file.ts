// The plan as a file that a person can open in their own editor: beside what the session keeps. What
// stands in it counts, whoever wrote it; a session that is not saved has its plan in the log only.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { artifactDirectory } from "../../session/artifacts/artifact-name.ts";
import type { SessionLog } from "../../session/session-log.ts";

const NAME = "plan.md";
/** Of a plan that somebody edited; more is another file that was saved under its name. */
const MAX_BYTES = 1024 * 1024;

export function planPath({ path }: Pick<SessionLog, "path">): string | undefined {
  return path === undefined ? undefined : join(artifactDirectory(path), NAME);
}

export async function writePlan(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${text.trimEnd()}\n`, { mode: 0o600 });
}

/** Undefined if there is none, or nothing in it. */
export async function readPlan(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path);
    const text = bytes.subarray(0, MAX_BYTES).toString("utf8").trim();
    return text === "" ? undefined : text;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
