// What extensions import of the family's main package.

import { homedir } from "node:os";
import { join } from "node:path";

export function getAgentDir(): string {
  return process.env.TAU_AGENT_DIR ?? join(homedir(), ".tau", "agent");
}

export const CONFIG_DIR_NAME = ".tau";

export function defineTool<T>(tool: T): T {
  return tool;
}

export function isToolCallEventType(name: string, event: { toolName?: string }): boolean {
  return event.toolName === name;
}
