// Removes a session in which nothing was said and nothing kept: only Tau itself wrote into it.

import { existsSync } from "node:fs";
import { readSessionInfo } from "../listing/session-info.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { deleteSession } from "./delete-session.ts";

export async function removeEmptySession(
  path: string,
  surroundings: SessionSurroundings,
): Promise<void> {
  // A file is made with the first entry.
  if (!existsSync(path)) return;
  const info = await readSessionInfo(path);
  if (info?.status === "empty") await deleteSession(path, surroundings);
}
