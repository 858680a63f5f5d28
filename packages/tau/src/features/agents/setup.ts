// Agents in one session: the user's own has the registry; an agent shares it.

import { GATHERED } from "../../context/gathered.ts";
import { OPEN_CHILD } from "../../feature-api/child-sessions.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { READ_ONLY } from "../../feature-api/read-only-mode.ts";
import { offer } from "../../session/session-host.ts";
import type { Session } from "../../session/session.ts";
import { SessionStore } from "../../session/session-store.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import type { Agent } from "./agent.ts";
import { agentFiles } from "./agent-files.ts";
import { MAIN } from "./agent-names.ts";
import { agentHistory, agentScheme } from "./agent-scheme.ts";
import { findAgents, knownAgents, orderFor, type AgentPlace } from "./find-agents.ts";
import { createIrcTool } from "./irc-tool.ts";
import { openAgent } from "./open-agent.ts";
import { AGENTS, AgentRegistry } from "./registry.ts";
import { IRC_ROWS, TASK_ROWS } from "./settings.ts";
import { TaskRunner } from "./task-runner.ts";
import { createTaskTool } from "./task-tool.ts";

export async function setUpAgents(host: FeatureHost): Promise<FeatureParts> {
  const { seat } = host.wishes;
  const settings = host.settings.group(TASK_ROWS);
  const { cwd, env, project } = host;
  const search = { cwd, env, settings: host.settings, readsFiles: project.readsFiles };
  const workspace = host.need(WORKSPACE);
  const registry = seat?.registry ?? openRegistry(host, search);
  const self = seat?.agent;
  const runner = new TaskRunner({ host, jobs: workspace.jobs, registry, self });
  const tools = [
    createIrcTool({
      self: self?.id ?? MAIN,
      mailbox: host.mailbox,
      registry,
      waiting: registry.waiting,
      timeoutMs: host.settings.group(IRC_ROWS).timeoutMs,
    }),
  ];
  if (host.toolNames.includes("task")) {
    tools.unshift(
      createTaskTool({
        search,
        runner,
        spawns: seat?.spawns ?? "*",
        disabled: settings.disabledAgents.map(String),
        canIsolate: false,
        known: knownAgents(host.part(GATHERED)?.items ?? []),
      }),
    );
  }
  const { schemes } = workspace.resources;
  return {
    part: offer(AGENTS, registry),
    tools: tools.filter(({ name }) => host.toolNames.includes(name)),
    schemes: [
      agentScheme(registry),
      agentHistory(registry, new SessionStore({ env, cwd }), schemes.get("history")),
    ],
    ...(seat ? {} : tellAndLeave(host, registry)),
  };
}

/** Of the user's own session: whoever watches it hears of the agents, and they go with it. */
function tellAndLeave(host: FeatureHost, registry: AgentRegistry): Pick<FeatureParts, "dispose"> {
  const unsubscribe = registry.subscribe((agents) =>
    host.notify({ type: "agents_changed", agents }),
  );
  return {
    dispose: async () => {
      unsubscribe();
      await registry[Symbol.asyncDispose]();
    },
  };
}

function openRegistry(host: FeatureHost, search: AgentPlace): AgentRegistry {
  const settings = host.settings.group(TASK_ROWS);
  const files = agentFiles(host.log);
  const registry: AgentRegistry = new AgentRegistry({
    main: host.session,
    maxConcurrency: () => settings.maxConcurrency,
    // What is in memory only does not come back.
    idleTtlMs: () => (files ? settings.agentIdleTtlMs : 0),
    open,
  });
  return registry;

  async function open(agent: Agent, isNew: boolean): Promise<Session> {
    // One of an earlier run is opened as its kind is described now.
    agent.order ??= orderFor(agent.record, (await findAgents(search)).agents);
    const parent = registry.get(agent.record.parent)?.session ?? host.session;
    return openAgent(agent, agent.order, {
      registry,
      settings,
      parent,
      open: parent.parts.need(OPEN_CHILD),
      readOnly: host.part(READ_ONLY),
      log: files ? { kind: isNew ? "new" : "open", path: files.log(agent.id) } : { kind: "memory" },
    });
  }
}
