// Agents in one session: the user's own has the registry; an agent shares it.

import { existsSync } from "node:fs";
import { GATHERED } from "../../context/gathered.ts";
import { AGENT_BOOK } from "../../feature-api/agent-book.ts";
import { OPEN_CHILD } from "../../feature-api/child-sessions.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { PENDING_WORK, type PendingWork } from "../../feature-api/pending-work.ts";
import { READ_ONLY } from "../../feature-api/read-only-mode.ts";
import { offer } from "../../session/session-host.ts";
import type { Session } from "../../session/session.ts";
import { SessionStore } from "../../session/session-store.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import type { Agent } from "./agent.ts";
import { agentBook } from "./agent-book.ts";
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
import { AgentTranscripts } from "./agent-transcripts.ts";
import { agentHooks } from "./agent-hooks.ts";
import { createYieldTool } from "./yield-tool.ts";

export async function setUpAgents(host: FeatureHost): Promise<FeatureParts> {
  const { seat } = host.wishes;
  const settings = host.settings.group(TASK_ROWS);
  const { cwd, env, project } = host;
  const search = { cwd, env, settings: host.settings, readsFiles: project.readsFiles };
  const workspace = host.need(WORKSPACE);
  const self = seat?.agent;
  const registry = seat?.registry ?? openRegistry(host, search, (agent) => runner.resume(agent));
  const runner = new TaskRunner({ jobs: workspace.jobs, registry, self });
  const tools = [
    createIrcTool({
      self: self?.id ?? MAIN,
      mailbox: host.mailbox,
      registry,
      waiting: registry.waiting,
      timeoutMs: host.settings.group(IRC_ROWS).timeoutMs,
    }),
  ];
  if (seat) tools.push(createYieldTool(seat));
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
  const store = new SessionStore({ env, cwd });
  return {
    part: offer(AGENTS, registry),
    tools: tools.filter(({ name }) => host.toolNames.includes(name)),
    hooks: seat && agentHooks(host, seat),
    schemes: [agentScheme(registry), agentHistory(registry, store, schemes.get("history"))],
    ...(seat ? {} : asMain(host, { registry, runner, store })),
  };
}

interface MainPlace {
  registry: AgentRegistry;
  runner: TaskRunner;
  store: SessionStore;
}

/** Of the user's own session: whoever watches it hears of the agents, and they go with it. */
function asMain(
  host: FeatureHost,
  { registry, runner, store }: MainPlace,
): Pick<FeatureParts, "hooks" | "dispose"> {
  const unsubscribe = registry.subscribe((agents) =>
    host.notify({ type: "agents_changed", agents }),
  );
  const files = agentFiles(host.log);
  const transcripts = new AgentTranscripts(registry);
  host.session.parts.provide(PENDING_WORK, pendingWork(registry));
  host.session.parts.provide(AGENT_BOOK, agentBook({ registry, transcripts, store }));
  return {
    hooks: {
      async session_start({ reason }) {
        if (!files || reason === "new" || !existsSync(files.directory)) return;
        const { restoreAgents } = await import("./restore-agents.ts");
        const { surroundings } = store;
        await restoreAgents({ host, registry, runner, files, surroundings });
      },
    },
    dispose: async () => {
      unsubscribe();
      transcripts[Symbol.dispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}

function pendingWork(registry: AgentRegistry): PendingWork {
  return {
    get count() {
      return registry.pending.length;
    },
    get words() {
      return registry.pending.map(({ id }) => id).join(", ");
    },
    whenDone: (signal) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
      return Promise.race([registry.whenDone(), promise]);
    },
    stop: async () => {
      await Promise.all(registry.pending.map(({ id }) => registry.stop(id)));
    },
  };
}

function openRegistry(
  host: FeatureHost,
  search: AgentPlace,
  cameBack: (agent: Agent) => void,
): AgentRegistry {
  const settings = host.settings.group(TASK_ROWS);
  const files = agentFiles(host.log);
  const registry: AgentRegistry = new AgentRegistry({
    main: host.session,
    maxConcurrency: () => settings.maxConcurrency,
    // What is in memory only does not come back.
    idleTtlMs: () => (files ? settings.agentIdleTtlMs : 0),
    open,
    cameBack,
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
