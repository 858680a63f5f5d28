// Starts agents as jobs of the session that wants them, and sees to it that each result reaches that
// session once: through `job` if it asks, through its mailbox otherwise.

import { developerText } from "@tau/ai/message";
import { JobFailed } from "../../jobs/job.ts";
import type { JobManager } from "../../jobs/job-manager.ts";
import type { Session } from "../../session/session.ts";
import { AgentGone, UnknownAgent, type Agent, type AgentOutcome } from "./agent.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { agentEntry } from "./agent-log.ts";
import { MAIN } from "./agent-names.ts";
import type { AgentRegistry } from "./registry.ts";
import { keepOutput } from "./agent-output.ts";
import { outcomeText } from "./outcome-text.ts";
import { TaskTeller } from "./tell-tasks.ts";

export interface TaskOrder {
  definition: AgentDefinition;
  context?: string;
  id?: string;
  description?: string;
  assignment: string;
  isolated?: boolean;
  /** Instead of the definition's. */
  model?: string;
  output?: AgentDefinition["output"];
}

export interface StartedTask {
  readonly agent: Agent;
  readonly isQueued: boolean;
  /** What came of it; resolves in any case. */
  readonly outcome: Promise<AgentOutcome>;
}

export interface WaitedTask {
  readonly agent: Agent;
  readonly outcome: AgentOutcome;
}

type Telling = (agent: Agent, outcome: AgentOutcome) => Promise<void>;

interface WatchedTask {
  label: string;
  work(signal: AbortSignal): Promise<AgentOutcome>;
  /** Whoever did not ask. */
  tell: Telling;
}

export interface RunnerPlace {
  jobs: JobManager;
  registry: AgentRegistry;
  /** The agent whose session this is; none for the user's own. */
  self?: Agent;
}

/** A label in a list of jobs. */
const MAX_LABEL_CHARACTERS = 80;

/** The mail that carries an agent's result: the same after a restart. */
export function resultMailId(agent: Pick<Agent, "id">, run = 1): string {
  return `agent:${agent.id}:${run}`;
}

export class TaskRunner {
  /** Tells people what begins and ends. */
  readonly teller: TaskTeller;
  readonly #place: RunnerPlace;

  constructor(place: RunnerPlace) {
    this.#place = place;
    this.teller = new TaskTeller(place.registry);
  }

  start(orders: readonly TaskOrder[]): StartedTask[] {
    return this.#start(orders, (agent, outcome) => this.deliver(agent, outcome));
  }

  /** For whoever wants the results in one answer, and is the only one told. Who stops waiting stops the agents. */
  async startAndWait(orders: readonly TaskOrder[], signal: AbortSignal): Promise<WaitedTask[]> {
    const { jobs } = this.#place;
    const started = this.#start(orders, (agent) => noteTold(agent));
    const stop = (): void => started.forEach(({ agent }) => void jobs.cancel(agent.id));
    signal.addEventListener("abort", stop, { once: true });
    const results = started.map(async ({ agent, outcome }) => ({ agent, outcome: await outcome }));
    const settled = await Promise.all(results);
    signal.removeEventListener("abort", stop);
    return settled;
  }

  #start(orders: readonly TaskOrder[], tell: Telling): StartedTask[] {
    // All names are known before the first one is told who else there is.
    const agents = orders.map((order) => this.#add(order));
    return agents.map((agent, at) => this.#begin(agent, orders[at]!, tell));
  }

  #add(order: TaskOrder): Agent {
    const { registry, self } = this.#place;
    const { definition, description, isolated: isIsolated = false } = order;
    const id = registry.names.allocate(self?.id, order.id);
    const parent = self?.id ?? MAIN;
    const depth = (self?.record.depth ?? 0) + 1;
    const { context, model, output } = order;
    const kind = definition.name;
    const agent = registry.add({ id, parent, kind, description, isIsolated, depth, context });
    agent.order = { definition, context, model, output };
    return agent;
  }

  #begin(agent: Agent, order: TaskOrder, tell: Telling): StartedTask {
    const work = (signal: AbortSignal) => agent.work(order.assignment, signal);
    const outcome = this.#watch(agent, { label: labelOf(order), work, tell });
    return { agent, outcome, isQueued: agent.state === "queued" };
  }

  #watch(agent: Agent, { label, work, tell }: WatchedTask): Promise<AgentOutcome> {
    const { jobs, registry } = this.#place;
    agent.isOwed = true;
    const { promise: outcome, resolve } = Promise.withResolvers<AgentOutcome>();
    jobs.start(
      "task",
      label,
      async ({ signal }) => {
        const settled = await work(signal);
        // It goes on another time: nothing came of it yet.
        if (settled.end === "interrupted") jobs.cancel(agent.id);
        await keepOutput(this.#place.registry, agent, settled);
        resolve(settled);
        const text = outcomeText(agent, settled);
        if (settled.end === "completed") return text;
        throw new JobFailed(text);
      },
      {
        id: agent.id,
        deliver: () => outcome.then((settled) => tell(agent, settled)),
        over: () => {
          agent.isOwed = false;
          registry.lookAt(agent.record.parent);
        },
      },
    );
    return outcome;
  }

  /** One that was interrupted goes on: what comes of it is awaited as before. */
  resume(agent: Agent): void {
    const { kind, description = "" } = agent.record;
    this.#watch(agent, {
      label: `${kind}: ${description}`,
      work: (signal) => agent.goOn(signal),
      tell: (one, outcome) => this.deliver(one, outcome),
    });
  }

  async deliver(agent: Agent, outcome: AgentOutcome): Promise<void> {
    const { registry } = this.#place;
    const { id, record } = agent;
    // Whoever wanted it may have been parked meanwhile, or be of an earlier run; or it was stopped.
    const parent = await unlessGone(registry.live(record.parent));
    if (!parent) return noteTold(agent);
    const { hide, mailbox } = parent;
    this.teller.over(agent, outcome);
    const message = hide(developerText(outcomeText(agent, outcome)));
    const posted = mailbox.post(message, {
      delivery: "steer",
      sender: id,
      isPatient: true,
      isDurable: true,
      id: resultMailId(agent),
    });
    // It is in the box, and has woken whoever it is for: their run waits for nothing more of this one.
    agent.isOwed = false;
    await posted;
    await noteTold(agent);
  }
}

async function unlessGone(session: Promise<Session>): Promise<Session | undefined> {
  try {
    return await session;
  } catch (error) {
    if (error instanceof AgentGone || error instanceof UnknownAgent) return undefined;
    throw error;
  }
}

/** So that a restart need not look it up; the parent's log has the last word. */
async function noteTold(agent: Agent): Promise<void> {
  await agent.session?.append([agentEntry({ event: "told" })]);
}

function labelOf({ definition, description, assignment }: TaskOrder): string {
  const words = (description ?? assignment).replaceAll(/\s+/g, " ").trim();
  const label = `${definition.name}: ${words}`;
  return label.length > MAX_LABEL_CHARACTERS
    ? `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…`
    : label;
}
