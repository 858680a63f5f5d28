// Which tools there are in plan mode, and which calls of them run: a list of what is known to only read,
// and nothing else. A tool that nobody has thought of here is not there.

import type { CallAnswer } from "@tau/agent/hook-points";
import type { JudgedTool, Tool } from "@tau/agent/tool";

/** How the model hands in a plan. */
export const SUBMIT_PLAN = "submit_plan";

/** All that an agent has that is started meanwhile. */
export const AGENT_TOOLS: readonly string[] = [
  "read",
  "search",
  "find",
  "ast_grep",
  "lsp",
  "web_search",
];

/**
 * What the user's own session has, and agents that were there before. `rewind` is not among them: it
 * could lead back to before plan mode.
 */
const KNOWN: ReadonlySet<string> = new Set([
  ...AGENT_TOOLS,
  "ask",
  "irc",
  "job",
  "task",
  "todo",
  "yield",
  SUBMIT_PLAN,
]);

export interface OfferPlace {
  /** An extension's tool may have the name of one that it replaces. */
  isOwn(tool: Tool): boolean;
  /** By name: the user says that they only read. */
  listed: ReadonlySet<string>;
}

export function isOffered(tool: Tool, { isOwn, listed }: OfferPlace): boolean {
  return listed.has(tool.name) || (KNOWN.has(tool.name) && isOwn(tool));
}

/** Judged as it will run: after everybody who may change it. */
export async function refuseChange(
  tool: JudgedTool,
  params: unknown,
): Promise<Extract<CallAnswer, { type: "block" }> | undefined> {
  const { tier, changes = [] } = (await tool.assess?.(params)) ?? { tier: tool.tier };
  if (tier === "read" && changes.length === 0) return undefined;
  return refusal(tool.name);
}

export function refusal(name: string): Extract<CallAnswer, { type: "block" }> {
  const reason = `Plan mode is on: this call of ${name} could change something, so it was not run. Go on with what only reads, and put the change into the plan.`;
  return { type: "block", reason };
}
