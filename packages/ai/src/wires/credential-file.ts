// Files in which clouds keep credentials. The `ai` package touches no file system: whoever
// makes the call may lend it a way to read.

import type { AuthorizationContext } from "../wire.ts";
import { authFailure } from "./auth-failure.ts";

type Files = Pick<AuthorizationContext, "readFile">;

/** A file that somebody named: that it is not there is a mistake worth telling. */
export async function readNamedFile(
  context: Files,
  path: string,
  variable: string,
): Promise<string> {
  const text = await readFileIfThere(context, path);
  if (text !== undefined) return text;
  throw authFailure(`${variable} names ${path}, which does not exist; correct or unset it.`);
}

/** A file in its usual place, which may not be there. */
export async function readFileIfThere(context: Files, path: string): Promise<string | undefined> {
  if (!context.readFile) return undefined;
  try {
    return await context.readFile(path);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    // A path through something that is no directory does not exist either.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw authFailure(`Cannot read the credentials in ${path}: ${why}`, error);
  }
}
