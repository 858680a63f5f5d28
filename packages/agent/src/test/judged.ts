// A run of two calls, `echo a` and `echo b`, that extensions judge.

import { textOf } from "@tau/ai/message";
import { Hooks, type HookHandlers } from "../hooks.ts";
import type { LoopOptions } from "../loop.ts";
import { ToolTable } from "../tool-table.ts";
import { echo, run, wordTool } from "./scripted-run.ts";

export type Judge = Exclude<NonNullable<HookHandlers["tool_call"]>, { order: number }>;

export async function judged(judges: Record<string, Judge>, options: Partial<LoopOptions> = {}) {
  const hooks = new Hooks();
  for (const [name, judge] of Object.entries(judges)) {
    hooks.register({ kind: "extension", name }, { tool_call: judge });
  }
  const ran: string[] = [];
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      ran.push(word);
      return `<${word}>`;
    }),
  ]);
  const outcome = await run([{ toolCalls: [echo("a"), echo("b")] }, {}], {
    tools,
    hooks,
    ...options,
  });
  return { ...outcome, ran, answers: outcome.added.slice(1, 3).map(textOf) };
}
