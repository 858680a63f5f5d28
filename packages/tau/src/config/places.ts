// Where Tau keeps its own files. One directory per user, moved as a whole by one variable.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { CONFIG_DIRECTORY } from "../brand.ts";

const PLUGINS = "plugins";

/** `TAU_AGENT_DIR`, or `~/.tau/agent`. */
export function agentDirectory(env: Environment): string {
  return env.TAU_AGENT_DIR
    ? resolve(env.TAU_AGENT_DIR)
    : join(homeOf(env), CONFIG_DIRECTORY, "agent");
}

/**
 * What is installed for the user: beside the directory of their own files, or in it if they have moved
 * that one, because the place beside it is somebody else's then.
 */
export function pluginsDirectory(place: { home: string; agentDirectory: string }): string {
  const usual = join(place.home, CONFIG_DIRECTORY);
  return place.agentDirectory === join(usual, "agent")
    ? join(usual, PLUGINS)
    : join(place.agentDirectory, PLUGINS);
}

/** What is installed for everybody who works in a project. */
export function projectPluginsDirectory(root: string): string {
  return join(root, CONFIG_DIRECTORY, PLUGINS);
}

/** The environment's word first: a caller with an environment of its own means it. */
export function homeOf(env: Environment): string {
  const named = env.HOME || env.USERPROFILE;
  if (named) return named;
  // Rarely needed, and not free to load.
  const { homedir } = createRequire(import.meta.url)("node:os") as typeof import("node:os");
  return homedir();
}

/** As the system's programs find it. */
export function temporaryDirectory(env: Environment): string {
  const named = process.platform === "win32" ? env.TEMP || env.TMP : env.TMPDIR;
  return named || (process.platform === "win32" ? "C:\\Windows\\Temp" : "/tmp");
}

/** `~` and `~/x` as a shell would read them; everything else as it is. */
export function expandHome(path: string, env: Environment): string {
  if (path === "~") return homeOf(env);
  return path.startsWith("~/") ? join(homeOf(env), path.slice(2)) : path;
}
