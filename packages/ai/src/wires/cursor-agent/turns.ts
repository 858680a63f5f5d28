// The conversation so far as the service's account of it: a turn is what the user said and the steps
// that followed, calls together with their results.

import {
  TOOL_SERVER_ID,
  type PromptCall,
  type PromptMessage,
  type PromptResult,
} from "./agent-body.ts";
import type { Blobs } from "./blobs.ts";
import { encodeJson } from "./json-value.ts";
import { STEP, TURN, USER_MESSAGE, type TOOL_RESULT } from "./messages.ts";
import { encode, type Value } from "./protobuf.ts";
import { userMessage } from "./user-message.ts";

export function turnsOf(messages: readonly PromptMessage[], blobs: Blobs): Uint8Array[] {
  const results = new Map<string, PromptResult>();
  for (const message of messages) {
    if (message.role === "tool") results.set(message.id, message.content[0]);
  }
  const turns: { user: Uint8Array; steps: Uint8Array[] }[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "user") {
      turns.push({ user: blobs.add(encode(USER_MESSAGE, userMessage(message, at))), steps: [] });
    } else if (message.role === "assistant") {
      for (const part of message.content) {
        const step = part.type === "text" ? { said: { text: part.text } } : callOf(part, results);
        // A conversation that was cut may begin with a reply: it belongs to no turn.
        turns.at(-1)?.steps.push(blobs.add(encode(STEP, step)));
      }
    }
  }
  return turns.map((agent) => blobs.add(encode(TURN, { agent })));
}

function callOf(call: PromptCall, results: ReadonlyMap<string, PromptResult>): Value<typeof STEP> {
  const { toolCallId: callId, toolName, args } = call;
  const result = results.get(callId);
  return {
    call: {
      tool: {
        arguments: {
          name: toolName,
          arguments: Object.entries(args).map(([key, value]) => ({
            key,
            value: encodeJson(value),
          })),
          callId,
          provider: TOOL_SERVER_ID,
          toolName,
        },
        result: result && toolResult(result),
      },
      callId,
    },
  };
}

function toolResult({ result, isError }: PromptResult): Value<typeof TOOL_RESULT> {
  if (isError) return { error: { error: result } };
  return { success: { content: [{ text: { text: result } }] } };
}
