// Which session a user means: a path, or the beginning or end of an id. The project's own sessions
// come first; what could be several is refused with all of them named.

import { basename, resolve } from "node:path";
import { existsSync } from "node:fs";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import { listAllSessions, listSessions, surveySessions } from "./list-sessions.ts";
import { sameDirectory } from "../../base/same-directory.ts";
import type { SessionInfo } from "./session-info.ts";

export interface SessionPlaces {
  cwd: string;
  /** Of this project. */
  directory: string;
  /** Of all projects. */
  sessionsDirectory: string;
}

const MOST_CANDIDATES = 5;

/** Whether it names a file; anything else is looked for among the ids. */
export function isSessionPath(wanted: string): boolean {
  return /[/\\]/.test(wanted) || wanted.endsWith(".jsonl");
}

export async function findSession(wanted: string, places: SessionPlaces): Promise<string> {
  if (isSessionPath(wanted)) {
    const path = resolve(places.cwd, wanted);
    if (!existsSync(path)) throw new UserError(`the session ${path} does not exist`, EXIT.usage);
    return path;
  }
  const local = matching(wanted, await listSessions(places.directory));
  const found =
    local.length > 0 ? local : matching(wanted, await listAllSessions(places.sessionsDirectory));
  if (found.length === 1) return found[0]!.path;
  if (found.length === 0) {
    throw new UserError(`there is no session "${wanted}"; tau sessions lists them`, EXIT.usage);
  }
  const named = found.slice(0, MOST_CANDIDATES).map((info) => `${info.id} (${info.name})`);
  throw new UserError(
    `"${wanted}" is ambiguous: ${named.join(", ")}; give more of the id`,
    EXIT.usage,
  );
}

/** By either end of its id (lists show the end, which differs most), or by file name. */
function matching(wanted: string, sessions: readonly SessionInfo[]): SessionInfo[] {
  const key = wanted.toLowerCase();
  return sessions.filter(({ id, path }) => {
    const file = basename(path).toLowerCase();
    return (
      id.toLowerCase().startsWith(key) ||
      id.toLowerCase().endsWith(key) ||
      file.startsWith(key) ||
      afterTime(file).startsWith(key)
    );
  });
}

function afterTime(file: string): string {
  return file.slice(file.indexOf("_") + 1);
}

export type LatestSession = { path: string } | { damaged: string } | undefined;

/** The newest of this project that was ever answered; or what was, if its beginning cannot be read. */
export async function latestSession(places: SessionPlaces): Promise<LatestSession> {
  const { sessions, damaged } = await surveySessions(places.directory);
  // Two projects may share a directory's name; the header tells whose a session is.
  const own = sessions.filter(({ cwd }) => cwd === "" || sameDirectory(cwd, places.cwd));
  const latest = own.find((info) => info.status !== "empty") ?? own[0];
  const [broken] = damaged;
  if (broken && broken.modifiedAt > (latest?.modifiedAt ?? 0)) return { damaged: broken.path };
  return latest && { path: latest.path };
}
