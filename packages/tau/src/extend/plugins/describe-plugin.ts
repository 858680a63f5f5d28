// What somebody has to know before a plugin is installed: what it brings, what it may run, and what it costs
// in tokens, from its files alone.

import { dirname } from "node:path";
import { textTokens } from "../../base/message-tokens.ts";
import { discover } from "../../discovery/discover.ts";
import { isInForce, type DiscoveredItem } from "../../discovery/item.ts";
import { KIND_IDS, KINDS, type KindId } from "../../discovery/kinds.ts";
import { loadBody } from "../../discovery/load-body.ts";
import type { PluginContents } from "../../discovery/plugins/read-plugin.ts";
import type { DiscoveryRow } from "../../discovery/row.ts";
import { whatWouldRun } from "../../trust/what-would-run.ts";

export interface PluginItem {
  kind: KindId;
  name: string;
  description?: string;
  /** From the plugin's root. */
  path: string;
  /** Lines: what it may run. */
  runs: readonly string[];
  /** Of what stands in every prompt, and of what is read when it is used. */
  alwaysTokens: number;
  useTokens: number;
  /** Why it will not be used. */
  heldBack?: string;
}

export interface PluginDescription {
  items: readonly PluginItem[];
  alwaysTokens: number;
  useTokens: number;
}

/** Kinds that a prompt lists by name and description. */
const LISTED: ReadonlySet<KindId> = new Set(["skills", "agents", "rules"]);
const WITH_BODY: ReadonlySet<KindId> = new Set([
  "skills",
  "agents",
  "rules",
  "commands",
  "prompts",
]);

export async function describePlugin(
  name: string,
  root: string,
  { parts }: Pick<PluginContents, "parts">,
): Promise<PluginDescription> {
  const table = parts.map(({ patterns, isNamespace, ...part }): DiscoveryRow => ({
    ...part,
    source: "plugin",
    user: patterns,
    plugin: { name, root, level: "user", isNamespace, settings: {} },
  }));
  const place = { cwd: root, home: dirname(root), agentDirectory: root };
  const { items } = await discover({ ...place, table, isWithoutPlugins: true });
  const described: PluginItem[] = [];
  for (const kind of KIND_IDS) {
    for (const item of items) {
      if (item.kind === kind && !item.isShadowed) described.push(await describeItem(item, root));
    }
  }
  const sum = (key: "alwaysTokens" | "useTokens"): number =>
    described.reduce((total, one) => total + one[key], 0);
  return { items: described, alwaysTokens: sum("alwaysTokens"), useTokens: sum("useTokens") };
}

async function describeItem(item: DiscoveredItem, root: string): Promise<PluginItem> {
  const { kind, name, path, frontmatter, heldBack } = item;
  const description =
    typeof frontmatter.description === "string" ? frontmatter.description : undefined;
  const isUsed = isInForce(item);
  const body = isUsed && WITH_BODY.has(kind) ? textTokens((await loadBody(item)).text) : 0;
  const listed = textTokens(`- ${name}: ${description ?? ""}`);
  const runs = isUsed && KINDS[kind].executes ? await whatWouldRun({ id: path, kind, item }) : [];
  const isWhole = kind === "rules" && frontmatter.alwaysApply === true;
  return {
    kind,
    name,
    description,
    path: path.slice(root.length + 1),
    // Where it stands now is not where it will stand.
    runs: runs.map((line) => line.replaceAll(root, "${CLAUDE_PLUGIN_ROOT}")),
    alwaysTokens: !isUsed ? 0 : isWhole ? body : LISTED.has(kind) ? listed : 0,
    useTokens: isWhole ? 0 : body,
    heldBack: heldBack?.why,
  };
}
