// What every tool that can change something asks before it does: which places are guarded, which
// hold secrets, where links lead, and what is the project's own. One answer for all of them, so
// that no tool is a way around another one.

import { delimiter, isAbsolute } from "node:path";
import type { ShellContext } from "@tau/host/shell-line/shell-context";
import { temporaryDirectory } from "../config/places.ts";
import type { Workspace } from "./workspace.ts";

/** All that is known of a line before it is known where it runs. */
export type GuardContext = Omit<ShellContext, "cwd"> &
  Required<Pick<ShellContext, "guards" | "secrets" | "secretsBelow" | "real">>;

export async function guardContext(workspace: Workspace): Promise<GuardContext> {
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
  // Paths are known by both names if the home itself is reached through a link.
  const real = {
    ...world,
    home: realPlace(files.home),
    workspace: realPlace(cwd),
    agentDirectory: realPlace(agentDirectory),
  };
  return {
    home: files.home,
    workspace: cwd,
    temporary: [temporaryDirectory(env)],
    guards: (path) => guardedPlace(path, world) ?? guardedPlace(path, real),
    secrets: (path) => secretPlace(path, world) ?? secretPlace(path, real),
    secretsBelow: (path) => secretsBelow(path, world) ?? secretsBelow(path, real),
    real: realPlace,
    repositoryRuns,
  };
}
