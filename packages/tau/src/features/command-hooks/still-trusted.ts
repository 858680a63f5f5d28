// Whether a project is still as the user allowed it, asked before each of its hooks runs: the session, a build
// or another program may have rewritten a script since, and nobody has agreed to the new one.

import type { Environment } from "@tau/ai/environment";

/** Looks at all of it, each time: a file's date says nothing that a program could not have set. */
export async function isStillTrusted(place: { cwd: string; env: Environment }): Promise<boolean> {
  const { trustOf } = await import("../../trust/project-standing.ts");
  return (await trustOf(place.cwd, place.env)).state === "trusted";
}
