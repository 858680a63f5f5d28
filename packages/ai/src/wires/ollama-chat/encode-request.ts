// Neutral request → Ollama body. The size of the context is the server's business: asking
// for another one would make it load the model anew.

import { fitSchema, OPENAI } from "../../schema/tool-schema.ts";
import { wireNameOf, type Model, type ThinkingLevel } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import { addExtraBody } from "../extra-body.ts";
import type { Json } from "../json.ts";
import { isSampling, thinkingLevel } from "../thinking-effort.ts";
import { encodeMessages } from "./encode-messages.ts";
import { quirksOf } from "./quirks.ts";

const THINK_LEVEL: Record<Exclude<ThinkingLevel, "off">, string> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
};

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const body: Json = {
    model: wireNameOf(model),
    messages: encodeMessages(request),
    stream: request.stream,
  };
  const tools = offered(request);
  if (tools.length > 0) body.tools = tools;
  const level = thinkingLevel(request);
  if (level !== undefined) {
    body.think = level !== "off" && (quirks.thinkStyle === "switch" || THINK_LEVEL[level]);
  }
  const options: Json = {};
  if (request.maxOutput !== undefined) options.num_predict = request.maxOutput;
  if (isSampling(request.temperature)) options.temperature = request.temperature;
  if (isSampling(request.topP)) options.top_p = request.topP;
  if (Object.keys(options).length > 0) body.options = options;
  addExtraBody(body, quirks.extraBody);
  return { path: pathFor(model), headers: {}, body };
}

/** Base URLs are given with and without the last part. */
function pathFor(model: Model): string {
  return /\/api\/*$/.test(model.baseUrl) ? "/chat" : "/api/chat";
}

/** There is no choice of tools here, only which ones the model gets to see. */
function offered({ tools, toolChoice }: ModelRequest): Json[] {
  if (toolChoice === "none") return [];
  const name = typeof toolChoice === "object" ? toolChoice.name : undefined;
  const chosen = tools.some((tool) => tool.name === name)
    ? tools.filter((tool) => tool.name === name)
    : tools;
  return chosen.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters: fitSchema(parameters, OPENAI).schema },
  }));
}
