// What writing to a path means for whoever gives consent: inside the project, a temporary directory
// or the session's own files it is what the agent is for. Replacing what is there outside of them is
// for a person to decide, and so is any change of a guarded place, wherever that is. A path is
// judged by where it really leads, in each way that the tools may read it.

import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CallAssessment } from "@tau/agent/tool";
import { onDisk } from "@tau/host/walk/byte-path";
import { nearPath, shownPath, tidyPath } from "../resources/local-path.ts";
import { guardContext, type GuardContext } from "./guard-context.ts";
import { namedFiles, wholes, type NamedFile } from "./named-files.ts";
import { projectRoot } from "./project-root.ts";
import type { Workspace } from "./workspace.ts";

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
/** More than a person reads; how many were left out is said. */
const MAX_REASONS = 8;

/** `scheme://…`, as opposed to a path. */
export function isAddress(path: string): boolean {
  return ADDRESS.test(path);
}

export async function assessPaths(
  workspace: Workspace,
  paths: readonly string[],
  { removed }: { removed?: ReadonlySet<string> } = {},
): Promise<CallAssessment> {
  const guard = await guardContext(workspace);
  const subjects: string[] = [];
  const spellings: string[][] = [];
  const reasons = new Set<string>();
  const root = await projectRoot(workspace);
  const exact: string[] = [];
  for (const path of paths) {
    const files = await namedFiles(path, workspace, guard);
    workspace.written.note(files.flatMap((file) => [file.path, file.real]));
    const [main] = files;
    const own = main === undefined || isAddress(tidyPath(path)) ? tidyPath(path) : main.shown;
    subjects.push(own);
    exact.push(own === main?.shown ? shownPath(main.real, root) : own);
    const named = files.flatMap((file) => [
      file.shown,
      file.real,
      file.path,
      nearPath(file.real, workspace.cwd),
      nearPath(file.path, workspace.cwd),
    ]);
    const others = [tidyPath(path), ...named, ...wholes(path, workspace)];
    spellings.push([...new Set(others)].filter((spelling) => spelling !== own));
    for (const file of files) {
      const reason = reasonAgainst(file, {
        workspace,
        guard,
        isRemoved: removed?.has(path) === true,
      });
      if (reason !== undefined) reasons.add(reason);
    }
  }
  const does =
    removed && removed.size > 0
      ? `changes files and removes ${[...removed].join(", ")}`
      : undefined;
  const changes = subjects.map((subject, at) => [subject, ...spellings[at]!]);
  const call: CallAssessment = {
    tier: "write",
    subjects,
    spellings,
    changes,
    does,
    guard: atMost([...reasons]),
  };
  // What is remembered is the project's, in whichever of its directories Tau was started.
  return guard.real(workspace.cwd) === root ? call : { ...call, exact };
}

function atMost(reasons: readonly string[]): string | undefined {
  if (reasons.length === 0) return undefined;
  const more = reasons.length - MAX_REASONS;
  const shown = reasons.slice(0, MAX_REASONS).join("; ");
  return more > 0 ? `${shown}; ${more} more` : shown;
}

function reasonAgainst(
  { path, real }: NamedFile,
  {
    workspace,
    guard,
    isRemoved,
  }: { workspace: Workspace; guard: GuardContext; isRemoved: boolean },
): string | undefined {
  const isThere = existsSync(onDisk(real));
  const place = guard.guards(real) ?? guard.guards(path);
  const named = atHome(real, workspace.files.home);
  const does = isRemoved ? "removes" : "overwrites";
  if (place !== undefined) return `${isThere ? does : "creates"} ${named}, ${place}`;
  if (!isThere || isOurs(real, workspace, guard)) return undefined;
  return hasInside(workspace, guard)
    ? `${does} ${named}, outside the project`
    : `${does} ${named}, in a project that covers your home directory`;
}

function isOurs(real: string, workspace: Workspace, guard: GuardContext): boolean {
  const own = [...guard.temporary, workspace.files.localRoot];
  if (hasInside(workspace, guard)) own.push(workspace.cwd);
  return own.some((directory) => isWithin(real, guard.real(directory)));
}

/** Whoever starts at home or above works on none of it in particular. */
function hasInside({ cwd, files }: Workspace, { real }: GuardContext): boolean {
  return !isWithin(real(files.home), real(cwd));
}

function isWithin(path: string, directory: string): boolean {
  return !isAbsolute(shownPath(path, directory));
}

function atHome(path: string, home: string): string {
  const inside = shownPath(path, home);
  return isAbsolute(inside) ? path : `~/${inside}`;
}
