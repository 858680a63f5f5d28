// What whoever gave a task is told of what came of it.

import type { Agent, AgentOutcome } from "./agent.ts";

/** Enough for a report; the whole is read at its address. */
const MAX_CHARACTERS = 5000;

export function outcomeText(agent: Agent, outcome: AgentOutcome): string {
  const { id, record } = agent;
  const { end, error, warning, durationMs, tree = "" } = outcome;
  const seconds = (durationMs / 1000).toFixed(1);
  const about = record.description ? `: ${record.description}` : "";
  const head = `[agent ${id} (${record.kind}) ${WORDS[end]} after ${seconds} s${about}]`;
  const whole = resultText(outcome.result);
  const shown =
    whole.length > MAX_CHARACTERS
      ? `${whole.slice(0, MAX_CHARACTERS)}\n[cut; all of it: agent://${id}]`
      : whole;
  const rest =
    agent.state === "aborted" || agent.goneBecause !== undefined
      ? `[transcript: history://${id}]`
      : `[it is idle: irc reaches it; transcript: history://${id}]`;
  const problem = error === undefined ? "" : `Failed: ${error}`;
  const odd = warning === undefined ? "" : `[${warning}]`;
  return [head, problem, shown, odd, tree, rest].filter((part) => part !== "").join("\n");
}

const WORDS: Readonly<Record<AgentOutcome["end"], string>> = {
  completed: "finished",
  failed: "failed",
  aborted: "was stopped",
  interrupted: "was interrupted",
};

export function resultText(result: unknown): string {
  if (result === undefined) return "";
  return typeof result === "string" ? result.trim() : JSON.stringify(result, null, 2);
}
