// The task tool: gives work to agents. It checks the whole call before anything is started, starts one
// agent for each task, and returns with their names.

import { defineTool, textOutput, ToolError, type Tool, type ToolOutput } from "@tau/agent/tool";
import {
  array,
  boolean,
  description,
  maxLength,
  minLength,
  optional,
  pipe,
  strictObject,
  string,
} from "valibot";
import { suggest } from "../../base/suggest.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { MAX_NAME_CHARACTERS } from "./agent-names.ts";
import { findAgents, type AgentPlace } from "./find-agents.ts";
import { outcomeText } from "./outcome-text.ts";
import prompt from "./task-prompt.md" with { type: "text" };
import type { StartedTask, TaskOrder, TaskRunner } from "./task-runner.ts";

export interface TaskPlace {
  search: AgentPlace;
  runner: TaskRunner;
  /** Which agents this session may start. */
  spawns: "*" | readonly string[];
  disabled: readonly string[];
  /** Whether agents can have a working tree of their own. */
  canIsolate: boolean;
  /** As of the beginning of the session: what the model is told. */
  known: readonly Pick<AgentDefinition, "name" | "description">[];
}

export interface TaskDetails {
  agent: string;
  tasks: { id: string; description?: string; isolated?: boolean }[];
  /** What comes of these is told later (`task_end`), and belongs to the call; absent if it waits for them. */
  expects?: readonly string[];
}

const task = strictObject({
  id: optional(
    pipe(string(), maxLength(MAX_NAME_CHARACTERS), description("Name; two words by default")),
  ),
  description: optional(pipe(string(), description("A few words for the user"))),
  assignment: pipe(string(), description("Complete instructions, and what is wanted back")),
});
const isolatable = strictObject({
  ...task.entries,
  isolated: optional(
    pipe(boolean(), description("In a working tree of its own, merged when it is done")),
  ),
});

const common = {
  agent: pipe(string(), description("Kind of agent")),
  context: optional(pipe(string(), description("Background that all of them need"))),
};
const plain = strictObject({ ...common, tasks: pipe(array(task), minLength(1)) });
const withIsolation = strictObject({ ...common, tasks: pipe(array(isolatable), minLength(1)) });

export function createTaskTool(place: TaskPlace): Tool {
  return defineTool({
    name: "task",
    description: wordsFor(place),
    parameters: place.canIsolate ? withIsolation : plain,
    // What an agent does is judged call by call, as its own.
    tier: "read",
    concurrency: "shared",
    async execute({ agent: name, context, tasks }, { signal }): Promise<ToolOutput> {
      const definition = await chooseAgent(name, place);
      const orders = tasks.map((one): TaskOrder => ({ definition, context, ...one }));
      checkTasks(orders);
      if (!definition.isBlocking) {
        const started = place.runner.start(orders);
        place.runner.teller.begun(started);
        const expects = started.map(({ agent }) => agent.id);
        return textOutput(words(started, definition), { ...details(name, started), expects });
      }
      const done = await place.runner.startAndWait(orders, signal);
      const results = done.map(({ agent, outcome }) => outcomeText(agent, outcome));
      return textOutput(results.join("\n\n"), details(name, done));
    },
  });
}

function details(agent: string, started: readonly Pick<StartedTask, "agent">[]): TaskDetails {
  return {
    agent,
    tasks: started.map(({ agent: { id, record } }) => ({
      id,
      description: record.description,
      isolated: record.isIsolated || undefined,
    })),
  };
}

function words(started: readonly StartedTask[], { name }: AgentDefinition): string {
  const rows = started.map(({ agent, isQueued }) => {
    const { id, record } = agent;
    const about = record.description ? `: ${record.description}` : "";
    return `- ${id}${about}${isQueued ? " (queued: others are at work)" : ""}`;
  });
  const many = started.length === 1 ? `1 ${name} agent` : `${started.length} ${name} agents`;
  return [
    `Started ${many}:`,
    ...rows,
    "Each result reaches you by itself; wait for one with job, ask one something with irc.",
  ].join("\n");
}

/** A `ToolError` if there is none of this name, or it must not be started here. */
export async function chooseAgent(
  name: string,
  place: Pick<TaskPlace, "search" | "spawns" | "disabled">,
): Promise<AgentDefinition> {
  const { agents, broken } = await findAgents(place.search);
  const usable = agents.filter((one) => isUsable(one.name, place));
  const names = usable.map((one) => one.name).join(", ");
  const found = agents.find((one) => one.name === name);
  if (!found) {
    const why = broken.get(name);
    if (why !== undefined) throw new ToolError(`The agent ${name} cannot be used: ${why}.`);
    const near = suggest(name, names.split(", "));
    const hint = near ? ` Did you mean ${near}?` : "";
    throw new ToolError(`There is no agent "${name}".${hint} There are ${names || "none"}.`);
  }
  if (place.disabled.includes(name)) {
    throw new ToolError(`The agent ${name} is switched off in the settings. There are ${names}.`);
  }
  if (!isUsable(name, place)) {
    throw new ToolError(`You cannot start ${name}. You may start ${names || "none"}.`);
  }
  return found;
}

function isUsable(
  name: string,
  { spawns, disabled }: Pick<TaskPlace, "spawns" | "disabled">,
): boolean {
  return !disabled.includes(name) && (spawns === "*" || spawns.includes(name));
}

function checkTasks(orders: readonly TaskOrder[]): void {
  const seen = new Set<string>();
  for (const [at, { id, assignment }] of orders.entries()) {
    if (assignment.trim() === "") throw new ToolError(`Task ${at + 1} has no assignment.`);
    if (id === undefined) continue;
    const key = id.toLowerCase();
    if (seen.has(key)) throw new ToolError(`Two tasks are called ${id}; give each its own id.`);
    seen.add(key);
  }
}

function wordsFor(place: TaskPlace): string {
  const rows = place.known
    .filter(({ name }) => isUsable(name, place))
    .map(({ name, description: about }) => `- ${name}: ${about}`);
  return prompt
    .trim()
    .replace("{isolated}", place.canIsolate ? ", or set `isolated`" : "")
    .replace("{agents}", rows.join("\n"));
}
