// Starts agents as jobs of the session that wants them, and sees to it that each result reaches that
// session once: through `job` if it asks, through its mailbox otherwise.

import { developerText } from "@tau/ai/message";
import { JobFailed } from "../../jobs/job.ts";
import type { JobManager } from "../../jobs/job-manager.ts";
import type { Agent, AgentOutcome } from "./agent.ts";
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
    // All names are known before the first one is told who else there is.
    const agents = orders.map((order) => this.#add(order));
    return agents.map((agent, at) => this.#begin(agent, orders[at]!));
  }

  /** For whoever wants the results in one answer. Who stops waiting stops the agents. */
  async wait(started: readonly StartedTask[], signal: AbortSignal): Promise<string[]> {
    const { jobs } = this.#place;
    const stop = (): void => started.forEach(({ agent }) => void jobs.cancel(agent.id));
    signal.addEventListener("abort", stop, { once: true });
    const results: string[] = [];
    for (const { agent, outcome } of started) {
      const settled = await outcome;
      jobs.report([agent.id]);
      results.push(outcomeText(agent, settled));
    }
    signal.removeEventListener("abort", stop);
    return results;
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

  #begin(agent: Agent, order: TaskOrder): StartedTask {
    const work = (signal: AbortSignal) => agent.work(order.assignment, signal);
    const outcome = this.#watch(agent, labelOf(order), work);
    return { agent, outcome, isQueued: agent.state === "queued" };
  }

  #watch(
    agent: Agent,
    label: string,
    work: (signal: AbortSignal) => Promise<AgentOutcome>,
  ): Promise<AgentOutcome> {
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
        deliver: () => outcome.then((settled) => this.deliver(agent, settled)),
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
    this.#watch(agent, `${kind}: ${description}`, (signal) => agent.goOn(signal));
  }

  async deliver(agent: Agent, outcome: AgentOutcome): Promise<void> {
    const { registry } = this.#place;
    const { id, record } = agent;
    // Of one that was stopped nobody wants to know any more.
    if (registry.get(record.parent)?.state === "aborted") return;
    // Whoever wanted it may have been parked meanwhile, or be of an earlier run.
    const { hide, mailbox } = await registry.live(record.parent);
    this.teller.over(agent, outcome);
    const message = hide(developerText(outcomeText(agent, outcome)));
    await mailbox.post(message, {
      delivery: "steer",
      sender: id,
      isPatient: true,
      isDurable: true,
      id: resultMailId(agent),
    });
    // Only so that a restart need not look it up; the parent's log has the last word.
    await agent.session?.append([agentEntry({ event: "told" })]);
  }
}

function labelOf({ definition, description, assignment }: TaskOrder): string {
  const words = (description ?? assignment).replaceAll(/\s+/g, " ").trim();
  const label = `${definition.name}: ${words}`;
  return label.length > MAX_LABEL_CHARACTERS
    ? `${label.slice(0, MAX_LABEL_CHARACTERS - 1)}…`
    : label;
}
