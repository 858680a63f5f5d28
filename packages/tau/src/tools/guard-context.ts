// What every tool that can change something asks before it does: which places are guarded, which
// hold secrets, where links lead, and what is the project's own. One answer for all of them, so
// that no tool is a way around another one.

import { existsSync } from "node:fs";
import { delimiter, isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { GuardWorld } from "@tau/host/guard/place-table";
import type { ShellContext } from "@tau/host/shell-line/shell-context";
import { onDisk } from "@tau/host/walk/byte-path";
import { temporaryDirectory } from "../config/places.ts";
import type { Workspace } from "./workspace.ts";
import { scriptContent } from "./written-files.ts";

/** All that is known of a line before it is known where it runs. */
export type GuardContext = Omit<ShellContext, "cwd"> &
  Required<Pick<ShellContext, "guards" | "secrets" | "secretsBelow" | "real">>;

/** What is true of a session's places stays true: it is worked out once. */
const contexts = new WeakMap<Workspace, Promise<GuardContext>>();

export function guardContext(workspace: Workspace): Promise<GuardContext> {
  const known = contexts.get(workspace) ?? contextOf(workspace);
  contexts.set(workspace, known);
  return known;
}

async function contextOf(workspace: Workspace): Promise<GuardContext> {
  const { cwd, env, files, agentDirectory } = workspace;
  const [{ guardedPlace }, { secretPlace, secretsBelow }, { realPlace }, { repositoryRuns }] =
    await Promise.all([
      import("@tau/host/guard/guarded-places"),
      import("@tau/host/guard/secret-places"),
      import("@tau/host/guard/real-path"),
      import("@tau/host/guard/repository-runs"),
    ]);
  const world = {
    home: files.home,
    workspace: cwd,
    agentDirectory,
    pathDirectories: (env.PATH ?? "").split(delimiter).filter((path) => isAbsolute(path)),
    platform: process.platform,
  };
  const real = {
    ...world,
    home: realPlace(files.home),
    workspace: realPlace(cwd),
    agentDirectory: realPlace(agentDirectory),
  };
  // Paths are known by both names if the home itself is reached through a link.
  const worlds = isDeepStrictEqual(world, real) ? [world] : [world, real];
  const firstOf = (place: PlaceOf) =>
    remembered((path) => {
      for (const each of worlds) {
        const found = place(path, each);
        if (found !== undefined) return found;
      }
      return undefined;
    });
  return {
    home: files.home,
    workspace: cwd,
    temporary: [temporaryDirectory(env)],
    guards: firstOf(guardedPlace),
    secrets: firstOf(secretPlace),
    secretsBelow: firstOf(secretsBelow),
    real: realPlace,
    exists: (path) => existsSync(onDisk(path)),
    repositoryRuns,
    writtenBelow: (prefix) => workspace.written.below(prefix),
    isWritten: (path) => workspace.written.has(path) || workspace.written.has(realPlace(path)),
    contentOf: scriptContent,
  };
}

type PlaceOf = (path: string, world: GuardWorld) => string | undefined;

/** Judging a line asks about the same few paths again and again. */
const MAX_REMEMBERED = 1000;

function remembered(
  place: (path: string) => string | undefined,
): (path: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    if (known.size >= MAX_REMEMBERED) known.clear();
    const found = place(path);
    known.set(path, found);
    return found;
  };
}
