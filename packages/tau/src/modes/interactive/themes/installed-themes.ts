// Themes that installed plugins bring, by name. They yield to the user's own and to built-in ones.

import type { Environment } from "@tau/ai/environment";
import { agentDirectory, homeOf } from "../../../config/places.ts";
import { isInForce } from "../../../discovery/item.ts";
import { hasPlugins } from "../../../discovery/plugins/plugin-places.ts";

/** The files, by the name that a setting calls them by. */
export async function installedThemes(place: {
  cwd: string;
  env: Environment;
}): Promise<ReadonlyMap<string, string>> {
  const { cwd, env } = place;
  const search = { home: homeOf(env), agentDirectory: agentDirectory(env) };
  // What a project brings has no say in how a terminal looks.
  if (!hasPlugins({ ...search, root: search.home })) return new Map();
  const { discover } = await import("../../../discovery/discover.ts");
  const { items } = await discover({ ...search, cwd, kinds: ["themes"] });
  const own = items.filter((item) => isInForce(item) && item.level === "user");
  return new Map(own.map(({ name, path, realPath = path }) => [name, realPath]));
}
