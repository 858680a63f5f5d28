// Neutral request → generateContent body and path.

import { fitSchema } from "../../schema/tool-schema.ts";
import { GOOGLE } from "../../schema/google.ts";
import { wireNameOf, type Model, type ThinkingLevel } from "../../model.ts";
import type { ModelRequest } from "../../request.ts";
import type { EncodedRequest } from "../../wire.ts";
import { addExtraBody } from "../extra-body.ts";
import type { Json } from "../json.ts";
import { fitBudget, THINKING_BUDGET } from "../thinking-budget.ts";
import { isSampling, thinkingLevel } from "../thinking-effort.ts";
import { encodeContents } from "./encode-contents.ts";
import { quirksOf, type GoogleQuirks } from "./quirks.ts";

const LEVEL: Record<Exclude<ThinkingLevel, "off">, string> = {
  minimal: "MINIMAL",
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  xhigh: "HIGH",
};

export function encodeRequest(request: ModelRequest): EncodedRequest {
  const { model } = request;
  const quirks = quirksOf(model);
  const body: Json = {};
  const system = request.system.filter((text) => text.trim() !== "");
  if (system.length > 0) body.systemInstruction = { parts: system.map((text) => ({ text })) };
  if (request.tools.length > 0) {
    const functionDeclarations = request.tools.map(({ name, description, parameters }) => ({
      name,
      description,
      [quirks.schemaField]: fitSchema(parameters, GOOGLE).schema,
    }));
    body.tools = [{ functionDeclarations }];
    const functionCallingConfig = encodeToolChoice(request);
    if (functionCallingConfig) body.toolConfig = { functionCallingConfig };
  }
  const generationConfig = encodeGeneration(request, quirks);
  if (Object.keys(generationConfig).length > 0) body.generationConfig = generationConfig;
  addExtraBody(body, quirks.extraBody);
  body.contents = encodeContents(request.messages, model, quirks);
  return { path: pathFor(model, request.stream), headers: {}, body };
}

/** Base URLs are given with and without the version, model ids with and without `models/`. */
function pathFor(model: Model, stream: boolean): string {
  const version = /\/v\d+(?:(?:alpha|beta)\d*)?\/*$/.test(model.baseUrl) ? "" : "/v1beta";
  const id = wireNameOf(model).split("/").map(encodeURIComponent).join("/");
  const name = /^(?:models|tunedModels|publishers)\//.test(id) ? id : `models/${id}`;
  return `${version}/${name}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}

function encodeToolChoice(request: ModelRequest): Json | undefined {
  const choice = request.toolChoice;
  if (choice === undefined) return undefined;
  if (choice === "auto") return { mode: "AUTO" };
  if (choice === "none") return { mode: "NONE" };
  if (choice === "required") return { mode: "ANY" };
  const known = request.tools.some((tool) => tool.name === choice.name);
  return known ? { mode: "ANY", allowedFunctionNames: [choice.name] } : undefined;
}

function encodeGeneration(request: ModelRequest, quirks: GoogleQuirks): Json {
  const { model, temperature, topP } = request;
  const thinking = thinkingLevel(request);
  const config: Json = {};
  if (request.maxOutput !== undefined) {
    config.maxOutputTokens = Math.max(1, Math.min(request.maxOutput, model.maxOutput));
  }
  if (isSampling(temperature)) config.temperature = temperature;
  if (isSampling(topP)) config.topP = topP;
  if (thinking === undefined) return config;
  if (thinking === "off") {
    if (quirks.thinkingOff) config.thinkingConfig = quirks.thinkingOff;
  } else if (quirks.thinkingStyle === "level") {
    config.thinkingConfig = { includeThoughts: true, thinkingLevel: LEVEL[thinking] };
  } else {
    const wanted = (config.maxOutputTokens as number | undefined) ?? model.maxOutput;
    const asked = Math.min(THINKING_BUDGET[thinking], quirks.maxThinkingBudget);
    const { budget, maxOutput } = fitBudget(asked, wanted, model.maxOutput);
    if (budget === undefined) return config;
    config.thinkingConfig = { includeThoughts: true, thinkingBudget: budget };
    // Thoughts count as output: a limit that was meant for the answer has to hold both.
    if (config.maxOutputTokens !== undefined) config.maxOutputTokens = maxOutput;
  }
  return config;
}
