// The first message of a conversation: which model, what was said so far, and what is to be done.
// What was said is blobs, twice: as the prompt, which the model is given, and as turns, by which the
// service keeps its account.

import { TOOL_SERVER_ID, type AgentBody, type AgentTool } from "./agent-body.ts";
import type { Blobs } from "./blobs.ts";
import { encodeJson } from "./json-value.ts";
import { CLIENT_MESSAGE, USER_RULE, type REQUEST_CONTEXT, type TOOL } from "./messages.ts";
import { encode, type Value } from "./protobuf.ts";
import { turnsOf } from "./turns.ts";
import { userMessage } from "./user-message.ts";

const encoder = new TextEncoder();

export function runRequest(body: AgentBody, blobs: Blobs): Uint8Array {
  const { model, messages } = body;
  const last = messages.at(-1);
  const asked = last?.role === "user" ? last : undefined;
  const before = asked ? messages.slice(0, -1) : messages;
  const system = body.system.map((content) => ({ role: "system", content }));
  const prompt = [...system, ...before].map((message) =>
    blobs.add(encoder.encode(JSON.stringify(message))),
  );
  return encode(CLIENT_MESSAGE, {
    run: {
      conversation: { prompt, turns: turnsOf(before, blobs) },
      action: asked
        ? { userMessage: { message: userMessage(asked, before.length) } }
        : { resume: {} },
      details: { id: model.id, displayId: model.id, name: model.name, maxMode: model.maxMode },
      tools: { tools: body.tools.map(toolOf) },
      conversationId: body.conversationId ?? crypto.randomUUID(),
      model: { id: model.id, maxMode: model.maxMode, parameters: model.parameters },
    },
  });
}

/** What the service asks for before it asks the model; there, instructions are rules that always hold. */
export function requestContext(body: AgentBody): Value<typeof REQUEST_CONTEXT> {
  return {
    rules: body.system.map((content, at) => ({
      path: `/tau/instructions-${at + 1}.mdc`,
      content,
      kind: { always: {} },
      source: USER_RULE,
    })),
    tools: body.tools.map(toolOf),
  };
}

export function toolOf({ name, description, parameters }: AgentTool): Value<typeof TOOL> {
  const schema = encodeJson(parameters);
  return { name, description, schema, provider: TOOL_SERVER_ID, toolName: name };
}
