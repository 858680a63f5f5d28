// One question to a model, in the family's words. It goes over the line of the session whose extension asks,
// which is counted, retried and paid for like everything else; a key that comes along is not looked at.

import { emptyUsage } from "@tau/ai/usage";
import type { Message } from "@tau/ai/message";
import type { ThinkingLevel } from "@tau/ai/model";
import type { JsonSchema } from "@tau/ai/request";
import { UserError } from "../../user-error.ts";
import { currentFamilyHost } from "../family/current-host.ts";
import { fromFamilyMessages, toFamilyMessage } from "../family/family-messages.ts";
import { selectorOf } from "../family/family-model.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";

interface Asked {
  systemPrompt?: string | readonly string[];
  messages?: readonly unknown[];
  tools?: readonly { name: string; description?: string; parameters?: unknown }[];
}

interface AskedHow {
  signal?: AbortSignal;
  maxTokens?: number;
  temperature?: number;
  reasoning?: string;
}

/** As there, what goes wrong is told in the reply: nobody has to catch anything. */
export async function complete(
  model: unknown,
  context: Asked,
  how: AskedHow = {},
): Promise<unknown> {
  const { host, extension, signal: running } = currentFamilyHost();
  const selector = selectorOf(model);
  const { provider, id } = host.session.model;
  const { systemPrompt, messages = [], tools = [] } = context;
  try {
    const reply = await host.line.ask(
      {
        system: systemPrompt === undefined ? [] : [systemPrompt].flat(),
        messages: fromFamilyMessages(messages, new Map()),
        tools: tools.map(({ name, description = name, parameters = { type: "object" } }) => ({
          name,
          description,
          parameters: JSON.parse(JSON.stringify(parameters)) as JsonSchema,
        })),
        maxOutput: how.maxTokens,
        temperature: how.temperature,
        thinking: how.reasoning as ThinkingLevel | undefined,
      },
      {
        purpose: extension,
        model: selector === `${provider}/${id}` ? undefined : selector,
        signal: how.signal ?? running ?? new AbortController().signal,
      },
    );
    return toFamilyMessage(reply, { cost: host.session.model.cost });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return toFamilyMessage(unasked(error.message));
  }
}

function unasked(message: string): Message {
  return {
    role: "assistant",
    content: [],
    provider: "",
    model: "",
    wire: "in-process",
    usage: emptyUsage(),
    stopReason: "error",
    error: { kind: "invalid_request", message, retryable: false },
    timestamp: Date.now(),
  } as unknown as Message;
}

export const completeSimple = complete;

export function stream(
  model: unknown,
  context: Asked,
  how?: AskedHow,
): AssistantMessageEventStream {
  const events = new AssistantMessageEventStream();
  void complete(model, context, how).then(
    (message) => {
      const { stopReason } = message as { stopReason: string };
      const isFailure = stopReason === "error" || stopReason === "aborted";
      if (isFailure) events.push({ type: "error", reason: stopReason, error: message });
      else events.push({ type: "done", reason: stopReason, message });
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      events.push({ type: "error", reason: "error", error: toFamilyMessage(unasked(message)) });
    },
  );
  return events;
}

export const streamSimple = stream;
