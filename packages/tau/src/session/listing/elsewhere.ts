// A session that is named by its id but belongs to another directory: going on with it here
// would have the model work in a place that the conversation is not about. Who is there to ask
// is asked; a script is told what to write.

import { COMMAND } from "../../brand.ts";
import { EXIT } from "../../exit-code.ts";
import { UserError } from "../../user-error.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { readHeader } from "../log/read-header.ts";
import { isGone, sameDirectory } from "../../base/same-directory.ts";

export interface Elsewhere {
  path: string;
  id: string;
  /** The directory that the session is about. */
  cwd: string;
  /** It was renamed or removed since. */
  isGone: boolean;
}

/** Take the session here, make a copy of it here, or leave it. */
export type ElsewhereChoice = "move" | "fork" | "cancel";

/** Undefined where the session belongs here. */
export async function findElsewhere(
  path: string,
  here: string,
  { storage }: SessionSurroundings,
): Promise<Elsewhere | undefined> {
  const { header } = await readHeader(storage, path);
  const { cwd, id } = header;
  if (typeof cwd !== "string" || cwd === "" || sameDirectory(cwd, here)) return undefined;
  return { path, id: String(id), cwd, isGone: isGone(cwd) };
}

export function elsewhereError({ id, cwd, isGone: gone }: Elsewhere): UserError {
  const message = gone
    ? `session ${id} belongs to ${cwd}, which no longer exists; move it here with: ${COMMAND} sessions move ${id} .`
    : `session ${id} belongs to ${cwd}; resume it there with ${COMMAND} -C ${cwd} -r ${id}, or copy it here with ${COMMAND} sessions fork ${id} --to .`;
  return new UserError(message, EXIT.usage);
}
