// Which tools an agent gets: those that its file names, of those that its parent has. What belongs to the
// user's own conversation stays there.

import type { AgentDefinition } from "./agent-definition.ts";

/** The list, the questions and the marks of a conversation are the user's. */
const FOR_MAIN_ONLY = new Set(["todo", "ask", "checkpoint", "rewind", "goal"]);
/** How an agent hands in what came of its task. */
export const YIELD = "yield";

export interface ToolPlace {
  parentTools: readonly string[];
  definition: Pick<AgentDefinition, "tools" | "spawns">;
  /** Whether agents may still be started at its depth. */
  maySpawn: boolean;
  /** All that it may have, if its parent only looks. */
  only?: readonly string[];
}

export function toolsFor({ parentTools, definition, maySpawn, only }: ToolPlace): string[] {
  const has = new Set(parentTools);
  const canSpawn = maySpawn && !only && definition.spawns.length > 0 && has.has("task");
  const wanted = new Set([...(definition.tools ?? parentTools), ...(canSpawn ? ["task"] : [])]);
  // Whoever makes previews must be able to settle them.
  if (wanted.has("ast_edit")) wanted.add("resolve");
  const names = parentTools.filter((name) => wanted.has(name) && !FOR_MAIN_ONLY.has(name));
  const allowed = names.filter((name) => {
    if (name === "irc" || name === YIELD) return false;
    if (name === "task") return canSpawn;
    return !only || only.includes(name);
  });
  return [...allowed, "irc", YIELD];
}
