// One question to a model, in the family's words. It goes over the line of the session whose extension asks,
// which is counted, retried and paid for like everything else.

import { currentFamilyHost } from "../family/current-host.ts";
import { toContent, toFamilyMessage } from "../family/family-messages.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";

interface Asked {
  systemPrompt?: string;
  messages?: readonly Record<string, unknown>[];
}

export async function complete(
  _model: unknown,
  context: Asked,
  options: { signal?: AbortSignal; maxTokens?: number } = {},
): Promise<unknown> {
  const { host, extension } = currentFamilyHost();
  const messages = (context.messages ?? []).map((message) => ({
    role: "user" as const,
    content: toContent(message.content),
    timestamp: Date.now(),
  }));
  const reply = await host.line.ask(
    { system: context.systemPrompt === undefined ? [] : [context.systemPrompt], messages },
    { purpose: extension, signal: options.signal ?? new AbortController().signal },
  );
  return toFamilyMessage(reply);
}

export const completeSimple = complete;

export function stream(
  model: unknown,
  context: Asked,
  options?: { signal?: AbortSignal },
): AssistantMessageEventStream {
  const events = new AssistantMessageEventStream();
  complete(model, context, options).then(
    (message) => events.push({ type: "done", reason: "stop", message }),
    (error: unknown) =>
      events.push({
        type: "error",
        reason: "error",
        error: { role: "assistant", content: [], errorMessage: String(error) },
      }),
  );
  return events;
}

export const streamSimple = stream;
