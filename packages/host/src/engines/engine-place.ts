// Where extracted engines are kept: with the user's own Tau files, since what is there is run.
// Never in the directory Tau works in, nor where others may write.

import { createRequire } from "node:module";
import { isAbsolute, join } from "node:path";

/** Overrides the place; how the process that parses is told of it, having no home. */
export const ENGINE_CACHE_VARIABLE = "TAU_ENGINE_CACHE";

type Environment = Readonly<Record<string, string | undefined>>;

/** Absolute; a relative one would depend on the directory Tau works in. */
export function engineCacheDirectory(env: Environment): string {
  const named = env[ENGINE_CACHE_VARIABLE];
  if (named !== undefined && isAbsolute(named)) return named;
  const agent = env.TAU_AGENT_DIR;
  // Moved as a whole by that variable; what is beside it may be anybody's.
  if (agent !== undefined && isAbsolute(agent)) return join(agent, "cache");
  return join(env.HOME || env.USERPROFILE || home(), ".tau", "cache");
}

function home(): string {
  // Rarely needed, and not free to load.
  return (createRequire(import.meta.url)("node:os") as typeof import("node:os")).homedir();
}
