// What writing to a path means for whoever gives consent: inside the working directory, a
// temporary one or the session's own it is what the agent is for; putting something else in the
// place of what is there outside of them is for a person to decide.

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CallAssessment } from "@tau/agent/tool";
import { temporaryDirectory } from "../config/places.ts";
import { shownPath, tidyPath } from "../resources/local-path.ts";
import { isLocalAddress } from "../resources/local-scheme.ts";
import type { Workspace } from "./workspace.ts";

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

/** `scheme://…`, as opposed to a path. */
export function isAddress(path: string): boolean {
  return ADDRESS.test(path);
}

export async function assessPaths(
  workspace: Workspace,
  paths: readonly string[],
): Promise<CallAssessment> {
  const outside: string[] = [];
  const subjects: string[] = [];
  for (const path of paths.map(tidyPath)) {
    // It cannot lead out of the session's own directory.
    if (isLocalAddress(path)) {
      subjects.push(path);
      continue;
    }
    const leadsElsewhere = isAddress(path);
    // An archive's member or a row is its file's; but a name may have a colon as well. Links lead
    // where they lead, and an address that nobody answers to is taken for a path.
    const file = leadsElsewhere ? path : withoutPart(path);
    const real = await workspace.files.identify(file);
    subjects.push(leadsElsewhere ? path : workspace.files.shown(real));
    const named = file === path ? [real] : [real, await workspace.files.identify(path)];
    const found = named.find((one) => existsSync(one) && isOutside(one, workspace));
    if (found !== undefined) outside.push(workspace.files.shown(found));
  }
  const guard =
    outside.length === 0 ? {} : { guard: `overwrites ${outside.join(", ")}, outside the project` };
  return { tier: "write", subjects, ...guard };
}

function withoutPart(path: string): string {
  return path.replace(/:(?!\\).*$/, (rest, at: number) => (at === 1 ? rest : ""));
}

function isOutside(path: string, { cwd, env }: Workspace): boolean {
  return [cwd, temporaryDirectory(env)].every((directory) =>
    isAbsolute(shownPath(path, directory)),
  );
}
