// The user's history of prompts, opened when it is first needed: SQLite is not loaded for a
// start that asks for nothing.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PromptHistory } from "./prompt-history.ts";

const FILE_NAME = "history.db";

export interface OpenHistoryOptions {
  agentDirectory: string;
  /** Hears a sentence where something is wrong with the file. */
  onWarning?: (message: string) => void;
}

export function historyPath(agentDirectory: string): string {
  return join(agentDirectory, FILE_NAME);
}

/** For whoever has a prompt to remember. */
export async function openHistory(options: OpenHistoryOptions): Promise<PromptHistory> {
  const { PromptHistory } = await import("./prompt-history.ts");
  const { agentDirectory, onWarning } = options;
  const path = historyPath(agentDirectory);
  return new PromptHistory(onWarning ? { path, onWarning } : { path });
}

/** For whoever only looks: undefined where nothing was ever remembered. */
export async function findHistory(options: OpenHistoryOptions): Promise<PromptHistory | undefined> {
  return existsSync(historyPath(options.agentDirectory)) ? openHistory(options) : undefined;
}
