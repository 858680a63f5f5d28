// The hooks that count in a directory: the user's own, and those of a project that the user trusts.

import { dirname } from "node:path";
import { agentDirectory, homeOf } from "../../config/places.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { disabledSourcesFrom } from "../../discovery/settings.ts";
import type { DiscoveredItem } from "../../discovery/item.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { CommandHook } from "./command-hook.ts";
import { HOOK_FILES } from "./may-have-hooks.ts";
import { readHooks } from "./read-hooks.ts";

export interface LoadedHooks {
  hooks: CommandHook[];
  /** A sentence each. */
  notices: string[];
}

type Place = Pick<FeatureHost, "cwd" | "env" | "settings">;

export async function loadHooks({ cwd, env, settings }: Place): Promise<LoadedHooks> {
  const [{ discover }, { shortPath }] = await Promise.all([
    import("../../discovery/discover.ts"),
    import("../../trust/show-sources.ts"),
  ]);
  const { items, problems, places } = await discover({
    cwd,
    home: homeOf(env),
    agentDirectory: agentDirectory(env),
    kinds: ["hooks"],
    disabledSources: disabledSourcesFrom(settings),
  });
  const wanted = items.filter(({ member, isInert }) => member !== undefined && !isInert);
  const files = new Set(wanted.map(({ path }) => path));
  const notices = problems
    .filter(({ file }) => HOOK_FILES.some((one) => file.endsWith(one)) && !files.has(file))
    .map(describeProblem);
  if (wanted.length === 0) return { hooks: [], notices };
  const { standing, notice } = await underTrust(wanted, { cwd, env });
  if (notice !== undefined) notices.push(notice);
  const inForce = standing.filter(({ heldBack, isShadowed }) => !heldBack && !isShadowed);
  const off = await switchedOff(inForce);
  const hooks: CommandHook[] = [];
  for (const item of inForce) {
    if (off(item)) continue;
    const read = readHooks(
      { [item.name]: item.member!.value },
      {
        file: shortPath(item.path, places),
        level: item.level,
        projectDirectory:
          item.level === "user" || item.plugin ? places.root : dirname(dirname(item.path)),
        pluginRoot: item.plugin?.root,
      },
    );
    hooks.push(...read.hooks);
    notices.push(...read.problems);
  }
  return { hooks, notices };
}

async function underTrust(
  items: readonly DiscoveredItem[],
  { cwd, env }: Pick<Place, "cwd" | "env">,
): Promise<{ standing: readonly DiscoveredItem[]; notice?: string }> {
  // Most projects have none: then nothing has to be asked.
  if (!items.some(({ level }) => level === "project")) return { standing: items };
  const [{ trustOf }, { underTrust: held, standingState }, { heldBackNotice }] = await Promise.all([
    import("../../trust/project-standing.ts"),
    import("../../trust/project-trust.ts"),
    import("../../trust/held-back-notice.ts"),
  ]);
  const trust = await trustOf(cwd, env);
  const standing = held(items, trust);
  const isHeld = standing.some(({ heldBack }) => heldBack !== undefined);
  const told = { ...trust, state: standingState(standing, trust) };
  return { standing, notice: isHeld ? heldBackNotice(told, "its hooks do not run") : undefined };
}

/** `disableAllHooks` of a user's file is about all hooks of that tool; of a project's, about its own. */
async function switchedOff(
  items: readonly DiscoveredItem[],
): Promise<(item: DiscoveredItem) => boolean> {
  const { readDocument } = await import("../../discovery/read-document.ts");
  const off = new Set<string>();
  const paths = new Map(
    items.filter(({ source }) => source === "claude").map((item) => [item.path, item]),
  );
  for (const [path, { realPath = path, level }] of paths) {
    const document = await readDocument(realPath);
    if (document.ok && document.data.disableAllHooks === true)
      off.add(level === "user" ? "all" : path);
  }
  return ({ source, path }) => source === "claude" && (off.has("all") || off.has(path));
}
