// `agent://ID`: what an agent handed in, and parts of it if it is data. `history://ID`: what it did.

import { ToolError } from "@tau/agent/tool";
import type { Resource } from "../../resources/resource.ts";
import type { Scheme } from "../../resources/schemes.ts";
import { openSession } from "../../session/log/open-session.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { SessionStore } from "../../session/session-store.ts";
import type { Agent } from "./agent.ts";
import { agentFiles } from "./agent-files.ts";
import { readOutput } from "./agent-output.ts";
import type { AgentRegistry } from "./registry.ts";

export function agentScheme(registry: AgentRegistry): Scheme {
  return {
    name: "agent",
    example: "agent://NAME",
    async open({ path, query }): Promise<Resource> {
      const [id = "", ...steps] = path.split("/").filter((part) => part !== "");
      if (id === "") return text("agent://", listing(registry));
      const agent = registry.get(decodeURIComponent(id));
      if (!agent) throw new ToolError(`There is no agent "${id}". ${listing(registry)}`);
      const output = await readOutput(registry, agent);
      if (output === undefined) {
        throw new ToolError(`${agent.id} has not handed in anything yet: it is ${agent.state}.`);
      }
      const asked = query.get("q");
      if (asked !== null && steps.length > 0) {
        throw new ToolError("Give the way into the data once: as a path, or with ?q=.");
      }
      const way = asked === null ? steps.map(decodeURIComponent) : stepsOf(asked);
      const shown = `agent://${path}`;
      return text(shown, way.length === 0 ? output : part(agent, output, way));
    },
  };
}

/** Of agents; every other id is an earlier session's. */
export function agentHistory(
  registry: AgentRegistry,
  store: Pick<SessionStore, "surroundings">,
  others: Scheme | undefined,
): Scheme {
  return {
    name: "history",
    example: "history://",
    async open(address, request) {
      const agent = registry.get(address.path);
      if (!agent && others) return others.open(address, request);
      if (!agent) throw new ToolError(`There is no agent or session "${address.path}".`);
      return text(`history://${agent.id}`, await transcript(registry, agent, store));
    },
  };
}

async function transcript(
  registry: AgentRegistry,
  agent: Agent,
  { surroundings }: Pick<SessionStore, "surroundings">,
): Promise<string> {
  const live = agent.session?.log;
  if (live) return inMarkdown(live);
  const files = agentFiles(registry.main.log);
  if (!files)
    throw new ToolError(`Nothing is kept of ${agent.id}: this conversation is not saved.`);
  await using log = await openSession(files.log(agent.id), { ...surroundings, mode: "read" });
  return inMarkdown(log);
}

async function inMarkdown(log: SessionLog): Promise<string> {
  const [{ collectSession }, { exportMarkdown }] = await Promise.all([
    import("../../session/export/exported-session.ts"),
    import("../../session/export/export-markdown.ts"),
  ]);
  return exportMarkdown(await collectSession(log, undefined));
}

function listing(registry: AgentRegistry): string {
  const rows = registry.views().map(({ id, kind, state }) => `${id} (${kind}, ${state})`);
  return rows.length === 0 ? "There are no agents yet." : `There are ${rows.join(", ")}.`;
}

/** `.findings[0].path`, with or without the first dot. */
function stepsOf(query: string): string[] {
  return query.split(/[.[\]]+/).filter((step) => step !== "");
}

function part({ id }: Agent, output: string, way: readonly string[]): string {
  let at: unknown;
  try {
    at = JSON.parse(output);
  } catch {
    throw new ToolError(`What ${id} handed in is text, not data: read agent://${id}.`);
  }
  for (const [depth, step] of way.entries()) {
    const inside = typeof at === "object" && at !== null && Object.hasOwn(at, step);
    if (!inside) {
      const keys = typeof at === "object" && at !== null ? Object.keys(at).join(", ") : "no parts";
      const where = way.slice(0, depth).join(".") || "the result";
      throw new ToolError(`There is no "${step}" in ${where}; it has ${keys}.`);
    }
    at = (at as Record<string, unknown>)[step];
  }
  return typeof at === "string" ? at : JSON.stringify(at, null, 2);
}

function text(shown: string, content: string): Resource {
  return { type: "text", shown, text: content, notes: [] };
}
