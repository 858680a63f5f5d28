// Before the first request of a run: the family's handlers may change the system prompt, one after the
// other, and put messages of their own into the conversation.

import type { Answer, Told } from "@tau/agent/hook-points";
import type { SaidMessage } from "@tau/agent/mail";
import { textOf } from "@tau/ai/message";
import type { EventPlace } from "./event-place.ts";
import { sayCustom } from "./custom-message.ts";
import { systemPromptOptions } from "./system-prompt-options.ts";

export async function beforeRun(
  place: EventPlace,
  { messages, request }: Told<"run_start">,
): Promise<Answer<"run_start">> {
  const { host, registrations, hasPromptParts, extension } = place;
  const prompt = messages.findLast(({ role }) => role === "user");
  let parts = [...(request.system ?? [])];
  let isChanged = false;
  const added: SaidMessage[] = [];
  const options = systemPromptOptions(host);
  for (const handler of registrations.of("before_agent_start")) {
    const answer = await place.attempt(handler, {
      type: "before_agent_start",
      messageType: "user",
      prompt: prompt ? textOf(prompt) : "",
      images: prompt?.content.filter(({ type }) => type === "image") ?? [],
      systemPrompt: hasPromptParts ? [...parts] : parts.join("\n\n"),
      systemPromptOptions: options,
    });
    const { systemPrompt, systemPromptAppend, message } = answer ?? {};
    if (typeof systemPrompt === "string") parts = [systemPrompt];
    else if (Array.isArray(systemPrompt)) parts = systemPrompt.map(String);
    if (typeof systemPromptAppend === "string") parts = [...parts, systemPromptAppend];
    isChanged ||= systemPrompt !== undefined || systemPromptAppend !== undefined;
    if (message) added.push(sayCustom(host.session, message, extension));
  }
  return { messages: added, request: isChanged ? { system: parts } : undefined };
}
