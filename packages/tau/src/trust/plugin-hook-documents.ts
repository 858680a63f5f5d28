// Hooks in Claude Code's words that installed plugins bring, as far as they may run: a project's only if the
// user trusts the project.

import type { Environment } from "@tau/ai/environment";
import { agentDirectory, homeOf } from "../config/places.ts";
import type { SourceId } from "../config/sources.ts";
import { isInForce, type DiscoveredItem } from "../discovery/item.ts";

export interface PluginHookDocument {
  plugin: string;
  /** What `CLAUDE_PLUGIN_ROOT` is for its commands; it is filled in already where it is written. */
  root: string;
  /** As in a settings file: lists of matchers by event. */
  document: { hooks: Record<string, unknown> };
}

export async function pluginHookDocuments(place: {
  cwd: string;
  env: Environment;
  disabledSources?: readonly SourceId[];
}): Promise<PluginHookDocument[]> {
  const { cwd, env, disabledSources } = place;
  const { discover } = await import("../discovery/discover.ts");
  const search = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env), disabledSources };
  const { items } = await discover({ ...search, kinds: ["hooks"] });
  const brought = items.filter(({ plugin, member }) => plugin && member);
  if (brought.length === 0) return [];
  return documentsOf(await standing(brought, { cwd, env }));
}

async function standing(
  items: readonly DiscoveredItem[],
  { cwd, env }: { cwd: string; env: Environment },
): Promise<DiscoveredItem[]> {
  if (!items.some(({ level }) => level === "project")) return items.filter(isInForce);
  const [{ trustOf }, { inForce }] = await Promise.all([
    import("./project-standing.ts"),
    import("./project-trust.ts"),
  ]);
  return inForce(items, await trustOf(cwd, env));
}

function documentsOf(items: readonly DiscoveredItem[]): PluginHookDocument[] {
  const byRoot = Map.groupBy(items, ({ plugin }) => plugin!.root);
  return [...byRoot].map(([root, own]) => {
    const hooks: Record<string, unknown> = {};
    for (const { member } of own) {
      const event = member!.path.at(-1)!;
      // A plugin may have several documents.
      hooks[event] = [hooks[event] ?? [], member!.value].flat();
    }
    return { plugin: own[0]!.plugin!.name, root, document: { hooks } };
  });
}
