// What the tests of conversations share: a request to a service that a script plays.

import { callModel, type CallOptions } from "../../call.ts";
import { toolCallsOf, type AssistantMessage, type Message } from "../../message.ts";
import type { ModelRequest } from "../../request.ts";
import { resultOf, testModel, testRequest } from "../openai-testing.ts";

/** Where it is. */
interface Service {
  origin: string;
}

export const TOOLS = ["read", "list"].map((name) => ({
  name,
  description: `Use ${name}.`,
  parameters: { type: "object", properties: { path: { type: "string" } } },
}));

function requestTo(server: Service, messages: Message[], over: Partial<ModelRequest> = {}) {
  const model = testModel("cursor-agent", { baseUrl: server.origin, id: "composer-9" });
  return testRequest(model, { messages, tools: TOOLS, system: ["Be brief."], ...over });
}

export function ask(
  server: Service,
  messages: Message[],
  options: CallOptions = {},
  over: Partial<ModelRequest> = {},
): Promise<AssistantMessage> {
  return callModel(requestTo(server, messages, over), { credential: "token", ...options }).result();
}

export const results = (reply: AssistantMessage, text = "done"): Message[] =>
  toolCallsOf(reply).map((call) => ({ ...resultOf(call.id, text), toolName: call.name }));
