// Agents in one session: the user's own has the registry; an agent shares it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { GATHERED } from "../../context/gathered.ts";
import { AGENT_BOOK } from "../../feature-api/agent-book.ts";
import { OPEN_CHILD } from "../../feature-api/child-sessions.ts";
import type { FeatureHost, FeatureParts } from "../../feature-api/feature.ts";
import { AGENT_RUNNER } from "../../feature-api/agent-runner.ts";
import { PENDING_WORK, type PendingWork } from "../../feature-api/pending-work.ts";
import { READ_ONLY } from "../../feature-api/read-only-mode.ts";
import { offer } from "../../session/session-host.ts";
import type { Session } from "../../session/session.ts";
import { SessionStore } from "../../session/session-store.ts";
import { WORKSPACE } from "../../tools/workspace.ts";
import type { Agent } from "./agent.ts";
import { offerToPrograms, whenDone } from "./agents-for-programs.ts";
import { agentBook } from "./agent-book.ts";
import type { AgentTranscripts } from "./agent-transcripts.ts";
import { agentFiles, TREES } from "./agent-files.ts";
import { MAIN } from "./agent-names.ts";
import { AgentTrees } from "./agent-trees.ts";
import { agentHistory, agentScheme } from "./agent-scheme.ts";
import { findAgents, knownAgents, orderFor, type AgentPlace } from "./find-agents.ts";
import { createIrcTool } from "./irc-tool.ts";
import { AGENTS, AgentRegistry } from "./registry.ts";
import { IRC_ROWS, TASK_ROWS } from "./settings.ts";
import { TaskRunner } from "./task-runner.ts";
import { createTaskTool } from "./task-tool.ts";
import { agentRunner } from "./agent-runner.ts";
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
  const limits = { spawns: seat?.spawns ?? "*", disabled: settings.disabledAgents.map(String) };
  if (host.toolNames.includes("task")) {
    host.session.parts.provide(
      AGENT_RUNNER,
      agentRunner({ ...limits, search, runner, concurrency: settings.maxConcurrency }),
    );
    tools.unshift(
      createTaskTool({
        ...limits,
        search,
        runner,
        canIsolate: settings["isolation.mode"] !== "none",
        known: knownAgents(host.part(GATHERED)?.items ?? []),
      }),
    );
  }
  const { schemes } = workspace.resources;
  const store = new SessionStore({ env, cwd });
  // Sessions have it already; agents are among them.
  schemes.register(agentHistory(registry, store, schemes.get("history")));
  return {
    part: offer(AGENTS, registry),
    tools: tools.filter(({ name }) => host.toolNames.includes(name)),
    hooks: seat && agentHooks(host, seat),
    schemes: [agentScheme(registry)],
    ...(seat ? {} : await asMain(host, { registry, runner, store })),
  };
}

interface MainPlace {
  registry: AgentRegistry;
  runner: TaskRunner;
  store: SessionStore;
}

/** Of the user's own session: whoever watches it hears of the agents, and they go with it. */
async function asMain(
  host: FeatureHost,
  { registry, runner, store }: MainPlace,
): Promise<Pick<FeatureParts, "hooks" | "dispose">> {
  const unsubscribe = registry.subscribe((agents) =>
    host.notify({ type: "agents_changed", agents }),
  );
  const files = agentFiles(host.log);
  host.session.parts.provide(PENDING_WORK, pendingWork(registry));
  offerToPrograms(host.session.parts, registry, store);
  const transcripts = await offerToScreens(host, registry, store);
  return {
    hooks: {
      async session_start({ reason }) {
        host.background(() => tidyTrees(host));
        if (!files || reason === "new" || !existsSync(files.directory)) return;
        const { restoreAgents } = await import("./restore-agents.ts");
        const { surroundings } = store;
        await restoreAgents({ host, registry, runner, files, surroundings });
      },
    },
    dispose: async () => {
      unsubscribe();
      transcripts?.[Symbol.dispose]();
      await registry[Symbol.asyncDispose]();
    },
  };
}

/** Nobody opens a screen in print mode: there nothing follows what agents say. */
async function offerToScreens(
  { ui, session }: FeatureHost,
  registry: AgentRegistry,
  store: SessionStore,
): Promise<Disposable | undefined> {
  const transcripts = ui.front === "print" ? undefined : await followAll(registry);
  session.parts.provide(AGENT_BOOK, agentBook({ registry, transcripts, store }));
  return transcripts;
}

async function followAll(registry: AgentRegistry): Promise<AgentTranscripts> {
  const { AgentTranscripts } = await import("./agent-transcripts.ts");
  return new AgentTranscripts(registry);
}

/** What a Tau that was killed has left, of this conversation or another. */
async function tidyTrees({ agentDirectory, env }: FeatureHost): Promise<void> {
  const directory = join(agentDirectory, TREES);
  if (!existsSync(directory)) return;
  const { tidyIsolation } = await import("@tau/host/isolation/tidy-isolation");
  await tidyIsolation(directory, env);
}

function pendingWork(registry: AgentRegistry): PendingWork {
  return {
    get count() {
      return registry.pending.length;
    },
    get words() {
      return registry.pending.map(({ id }) => id).join(", ");
    },
    whenDone: (signal) => whenDone(registry, signal),
    stop: async () => {
      await Promise.all(registry.pending.map(({ id }) => registry.stop(id)));
      await registry.whenDone();
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
  const { sessionId, env, agentDirectory } = host;
  const trees = new AgentTrees({ sessionId, env, agentDirectory, settings, files });
  const registry: AgentRegistry = new AgentRegistry({
    main: host.session,
    maxConcurrency: () => settings.maxConcurrency,
    // What is in memory only does not come back.
    idleTtlMs: () => (files ? settings.agentIdleTtlMs : 0),
    open,
    cameBack,
    trees,
  });
  return registry;

  async function open(agent: Agent, isNew: boolean): Promise<Session> {
    // One of an earlier run is opened as its kind is described now.
    agent.order ??= orderFor(agent.record, (await findAgents(search)).agents);
    const parent = registry.get(agent.record.parent)?.session ?? host.session;
    const tree = agent.record.isIsolated ? await trees.open(agent, parent) : undefined;
    try {
      const { openAgent } = await import("./open-agent.ts");
      return await openAgent(agent, agent.order, {
        registry,
        settings,
        parent,
        open: parent.parts.need(OPEN_CHILD),
        readOnly: host.part(READ_ONLY),
        tree: tree?.tree,
        treeWords: tree && !isNew ? await trees.comeBack(agent) : undefined,
        log: files
          ? { kind: isNew ? "new" : "open", path: files.log(agent.id) }
          : { kind: "memory" },
      });
    } catch (error) {
      await trees.leave(agent);
      throw error;
    }
  }
}
