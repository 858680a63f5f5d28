// The agents that can be started here: a project's, the user's, those of plugins, and last the bundled
// ones. Of two with one name the nearer counts. They are looked for anew at each call: a file that was
// written a moment ago can be used.

import type { Environment } from "@tau/ai/environment";
import { agentDirectory, homeOf } from "../../config/places.ts";
import type { Settings } from "../../config/settings.ts";
import { discover } from "../../discovery/discover.ts";
import { parseFrontmatter } from "../../discovery/frontmatter.ts";
import { isInForce, type DiscoveredItem } from "../../discovery/item.ts";
import { loadBody } from "../../discovery/load-body.ts";
import { disabledSourcesFrom } from "../../discovery/settings.ts";
import { UserError } from "../../user-error.ts";
import type { AgentRecord } from "./agent.ts";
import type { AgentOrder } from "./open-agent.ts";
import { agentDefinition, type AgentDefinition } from "./agent-definition.ts";
import designer from "./bundled/designer.md" with { type: "text" };
import explore from "./bundled/explore.md" with { type: "text" };
import librarian from "./bundled/librarian.md" with { type: "text" };
import oracle from "./bundled/oracle.md" with { type: "text" };
import plan from "./bundled/plan.md" with { type: "text" };
import quickTask from "./bundled/quick_task.md" with { type: "text" };
import reviewer from "./bundled/reviewer.md" with { type: "text" };
import task from "./bundled/task.md" with { type: "text" };

const BUNDLED = [explore, plan, designer, reviewer, librarian, oracle, task, quickTask];

export interface FoundAgents {
  readonly agents: readonly AgentDefinition[];
  /** Files that are there and cannot be used, by the name that they would have: why, after the path. */
  readonly broken: ReadonlyMap<string, string>;
}

export interface AgentPlace {
  cwd: string;
  env: Environment;
  settings: Settings;
  /** Whether what users and projects have lying around counts. */
  readsFiles: boolean;
}

export async function findAgents(place: AgentPlace): Promise<FoundAgents> {
  const found = place.readsFiles ? await discovered(place) : { agents: [], broken: new Map() };
  const names = new Set(found.agents.map(({ name }) => name));
  const bundled = bundledAgents().filter(({ name }) => !names.has(name));
  return { agents: [...found.agents, ...bundled], broken: found.broken };
}

/** Those that were there when the session began, as far as the model is told of them. */
export function knownAgents(
  items: readonly DiscoveredItem[],
): Pick<AgentDefinition, "name" | "description">[] {
  const own = items
    .filter((item) => item.kind === "agents" && isInForce(item))
    .map(({ name, frontmatter }) => ({ name, description: String(frontmatter.description) }));
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...BUNDLED.map(headOf).filter(({ name }) => !names.has(name))];
}

/** Of a bundled one, without reading all of it as YAML: every start is told of them. */
function headOf(text: string): Pick<AgentDefinition, "name" | "description"> {
  const [, name = ""] = /^name: (.+)$/m.exec(text) ?? [];
  const [, description = ""] = /^description: (.+)$/m.exec(text) ?? [];
  return { name, description };
}

/** For an agent whose kind may no longer be there: then it goes on as one that can do everything. */
export function orderFor(
  { kind, context }: AgentRecord,
  agents: readonly AgentDefinition[],
): AgentOrder {
  const definition =
    agents.find(({ name }) => name === kind) ??
    bundledAgents().find(({ name }) => name === "task")!;
  return { definition, context };
}

export function bundledAgents(): AgentDefinition[] {
  return BUNDLED.map((text) => {
    const { attributes, body } = parseFrontmatter(text);
    return agentDefinition({ name: String(attributes.name), attributes, body, source: "bundled" });
  });
}

async function discovered({ cwd, env, settings }: AgentPlace): Promise<FoundAgents> {
  const { items, places } = await discover({
    cwd,
    home: homeOf(env),
    agentDirectory: agentDirectory(env),
    kinds: ["agents"],
    disabledSources: disabledSourcesFrom(settings),
  });
  const agents: AgentDefinition[] = [];
  const broken = new Map<string, string>();
  for (const item of items) {
    if (item.heldBack) broken.set(item.name, `${item.path} ${item.heldBack.why}`);
    if (!isInForce(item)) continue;
    const read = await definitionOf(item, places.root);
    if (typeof read === "string") broken.set(item.name, read);
    else agents.push(read);
  }
  return { agents, broken };
}

/** Why it cannot be used, if it cannot. */
async function definitionOf(item: DiscoveredItem, root: string): Promise<AgentDefinition | string> {
  const { name, path, level, frontmatter: attributes } = item;
  try {
    const { text: body } = await loadBody(item, root);
    if (body.trim() === "") return `${path} says nothing to the agent: its text is empty`;
    return agentDefinition({ name, attributes, body, source: level, path });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}
