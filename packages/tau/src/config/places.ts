// Where Tau keeps its own files. One directory per user, moved as a whole by one variable.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { CONFIG_DIRECTORY } from "../brand.ts";

/** `TAU_AGENT_DIR`, or `~/.tau/agent`. */
export function agentDirectory(env: Environment): string {
  return env.TAU_AGENT_DIR
    ? resolve(env.TAU_AGENT_DIR)
    : join(homeOf(env), CONFIG_DIRECTORY, "agent");
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
