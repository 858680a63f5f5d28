// Hooks on what the user says: they reject a prompt, or send something along with it.

import type { InputAnswer, Told } from "@tau/agent/hook-points";
import { textOf } from "@tau/ai/message";
import { nameOf } from "./command-hook.ts";
import { asContext } from "./hook-context.ts";
import type { HookRunner } from "./hook-runner.ts";

export interface PromptHookParts {
  runner: HookRunner;
  /** Tells the user that their words were not taken, and why. */
  reject: (reason: string) => void;
}

export async function hearPrompt(
  { runner, reject }: PromptHookParts,
  { message }: Told<"input">,
  signal: AbortSignal,
): Promise<InputAnswer | undefined> {
  const event = "UserPromptSubmit";
  const said = await runner.run({ event, input: { prompt: textOf(message) } }, signal);
  const objection = said.find(({ block, stops }) => (block ?? stops) !== undefined);
  if (objection) {
    reject(`${objection.block ?? objection.stops} (${nameOf(objection.hook)})`);
    return { type: "consume" };
  }
  const words = said.flatMap(({ context }) => (context === undefined ? [] : [context]));
  if (words.length === 0) return undefined;
  const text = asContext(event, words);
  // What people see of the message stays what they typed.
  return {
    type: "transform",
    message: {
      ...message,
      content: [...message.content, { type: "text", text }],
    } as typeof message,
  };
}
