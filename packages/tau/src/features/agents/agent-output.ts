// What an agent has handed in, for whoever reads it later: `agent://ID`. Beside its log, or in memory for
// a conversation that keeps nothing.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { systemCode } from "@tau/host/storage-error";
import type { Agent, AgentOutcome } from "./agent.ts";
import { agentFiles } from "./agent-files.ts";
import { resultText } from "./outcome-text.ts";
import type { AgentRegistry } from "./registry.ts";

export async function keepOutput(
  registry: AgentRegistry,
  agent: Agent,
  { result, end }: Pick<AgentOutcome, "result" | "end">,
): Promise<void> {
  if (end === "interrupted") return;
  const text = registry.main.hide(resultText(result));
  agent.output = text;
  const files = agentFiles(registry.main.log);
  if (!files) return;
  await mkdir(files.directory, { recursive: true });
  await writeFile(files.output(agent.id), text);
}

/** Undefined if it has not handed in anything. */
export async function readOutput(
  registry: AgentRegistry,
  agent: Agent,
): Promise<string | undefined> {
  if (agent.output !== undefined) return agent.output;
  const files = agentFiles(registry.main.log);
  if (!files) return undefined;
  try {
    return await readFile(files.output(agent.id), "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
