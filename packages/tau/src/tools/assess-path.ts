// What writing to a path means for whoever gives consent: inside the working directory, a
// temporary one or the session's own it is what the agent is for; putting something else in the
// place of what is there outside of them is for a person to decide.

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CallAssessment } from "@tau/agent/tool";
import { temporaryDirectory } from "../config/places.ts";
import { shownPath } from "../resources/local-path.ts";
import { isLocalAddress } from "../resources/local-scheme.ts";
import type { Workspace } from "./workspace.ts";

export async function assessPaths(
  workspace: Workspace,
  paths: readonly string[],
): Promise<CallAssessment> {
  const outside: string[] = [];
  const subjects: string[] = [];
  for (const path of paths) {
    if (isLocalAddress(path) || /^[a-z]+:\/\//i.test(path)) {
      subjects.push(path);
      continue;
    }
    // An archive's member or a row is its file's; links lead where they lead.
    const file = path.replace(/:(?!\\).*$/, (rest, at: number) => (at === 1 ? rest : ""));
    const real = await workspace.identify(file);
    subjects.push(workspace.shown(real));
    if (existsSync(real) && isOutside(real, workspace)) outside.push(workspace.shown(real));
  }
  const guard =
    outside.length === 0
      ? {}
      : { guard: `overwrites ${outside.join(", ")}, outside of the project` };
  return { tier: "write", subjects, ...guard };
}

function isOutside(path: string, { cwd, env }: Workspace): boolean {
  return [cwd, temporaryDirectory(env)].every((directory) =>
    isAbsolute(shownPath(path, directory)),
  );
}
