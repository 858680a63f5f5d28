// generateContent request → neutral request. The model and the wish to stream are in the
// URL, everything else in the body.

import {
  toolCallsOf,
  type AssistantBlock,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type Opaque,
  type TextBlock,
  type ToolResultMessage,
} from "../../message.ts";
import type { ToolChoice, ToolSpec } from "../../request.ts";
import { emptyUsage } from "../../usage.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { opaqueOf } from "../foreign-opaque.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../json.ts";
import { levelOfBudget } from "../thinking-budget.ts";
import { levelOfEffort } from "../thinking-effort.ts";
import { mintCallId } from "./call-ids.ts";
import { UNSIGNED_CALL } from "./encode-contents.ts";

/** `models/…` and `tunedModels/…`; the method stands behind the last colon. */
const PATH = /\/(models|tunedModels)\/(.+):(generateContent|streamGenerateContent)$/;

export function matches(method: string, url: URL): boolean {
  return method === "POST" && PATH.test(url.pathname);
}

export function decodeRequest(url: URL, _headers: Headers, raw: unknown): DecodedRequest {
  const path = PATH.exec(url.pathname);
  if (!path) throw new WireRequestError(`${url.pathname} names no model and method`);
  const stream = path[3] === "streamGenerateContent";
  if (stream && url.searchParams.get("alt") !== "sse") {
    throw new WireRequestError("streaming is served as server-sent events only: add alt=sse");
  }
  const body = asObject(raw);
  if (!body || !Array.isArray(body.contents)) {
    throw new WireRequestError("contents is not specified");
  }
  const name = decodeName(path[2]!);
  const modelId = path[1] === "models" ? name : `tunedModels/${name}`;
  const request: DecodedRequest = {
    modelId,
    system: partsOf(body.systemInstruction ?? body.system_instruction).map(
      (part) => asString(part.text) ?? "",
    ),
    messages: decodeContents(body.contents, modelId),
    tools: decodeTools(body.tools),
    stream,
  };
  const toolChoice = decodeToolChoice(body);
  if (toolChoice !== undefined) request.toolChoice = toolChoice;
  decodeGeneration(asObject(body.generationConfig) ?? {}, request);
  return request;
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) throw new WireRequestError(`"${encoded}" names no model`);
    throw error;
  }
}

function partsOf(content: unknown): Json[] {
  return asArray(asObject(content)?.parts).map((part) => asObject(part) ?? {});
}

function decodeContents(contents: unknown[], modelId: string): Message[] {
  const messages: Message[] = [];
  // Calls that wait for their response, for responses that name no id.
  let calls: { id: string; name: string }[] = [];
  for (const item of contents) {
    const role = asString(asObject(item)?.role) ?? "user";
    const parts = partsOf(item);
    if (role === "model") {
      const content = decodeReply(parts, modelId);
      const last = messages.at(-1);
      if (last?.role === "assistant") addPieces(last.content, content);
      else messages.push(assistant(content, modelId));
      const reply = messages.at(-1) as AssistantMessage;
      calls = toolCallsOf(reply).map(({ id, name }) => ({ id, name }));
      if (calls.length > 0) reply.stopReason = "toolUse";
    } else if (role === "user" || role === "function") decodeUser(parts, calls, messages);
    else throw new WireRequestError("Please use a valid role: user, model.");
  }
  return messages;
}

function assistant(content: AssistantBlock[], modelId: string): AssistantMessage {
  return {
    role: "assistant",
    content,
    provider: "",
    model: modelId,
    wire: "google-generative-ai",
    stopReason: "stop",
    usage: emptyUsage(),
    timestamp: 0,
  };
}

/** The vendor's SDK keeps a streamed reply as the chunks it came in: they are one reply. */
function addPieces(content: AssistantBlock[], pieces: readonly AssistantBlock[]): void {
  for (const piece of pieces) {
    const last = content.at(-1);
    if (piece.type === "toolCall" || last?.type !== piece.type || last.opaque) {
      if (piece.type === "toolCall" || piece.text !== "" || piece.opaque) content.push(piece);
      continue;
    }
    last.text += piece.text;
    if (piece.opaque) last.opaque = piece.opaque;
  }
}

function decodeReply(parts: readonly Json[], modelId: string): AssistantBlock[] {
  const blocks: AssistantBlock[] = [];
  for (const part of parts) {
    const data = asString(part.thoughtSignature);
    const opaque: { opaque?: Opaque } =
      data && data !== UNSIGNED_CALL
        ? { opaque: opaqueOf(data, { wire: "google-generative-ai", model: modelId }) }
        : {};
    const call = asObject(part.functionCall);
    const text = asString(part.text);
    if (call) {
      const id = asString(call.id) || mintCallId();
      const name = asString(call.name) ?? "";
      blocks.push({ type: "toolCall", id, name, arguments: asObject(call.args) ?? {}, ...opaque });
    } else if (text !== undefined) {
      blocks.push({ type: part.thought === true ? "thinking" : "text", text, ...opaque });
    }
  }
  return blocks;
}

/** One content of the vendor's may be several of our messages: results, then what was said. */
function decodeUser(
  parts: readonly Json[],
  calls: { id: string; name: string }[],
  out: Message[],
): void {
  const said: (TextBlock | ImageBlock)[] = [];
  for (const part of parts) {
    const response = asObject(part.functionResponse);
    if (response) {
      out.push(decodeResult(response, calls));
      continue;
    }
    const text = asString(part.text);
    const blob = asObject(part.inlineData) ?? asObject(part.inline_data);
    if (text !== undefined) said.push({ type: "text", text });
    else if (blob) {
      const mimeType = asString(blob.mimeType) ?? asString(blob.mime_type) ?? "";
      if (!mimeType.startsWith("image/")) {
        throw new WireRequestError(`Unsupported MIME type: ${mimeType}`);
      }
      said.push({ type: "image", mimeType, data: asString(blob.data) ?? "" });
    } else throw new WireRequestError("a part needs text, inlineData or functionResponse here");
  }
  if (said.length > 0) out.push({ role: "user", content: said, timestamp: 0 });
}

function decodeResult(response: Json, calls: { id: string; name: string }[]): ToolResultMessage {
  const id = asString(response.id);
  const name = asString(response.name) ?? "";
  const at = calls.findIndex((call) => (id ? call.id === id : call.name === name));
  const call = at < 0 ? undefined : calls.splice(at, 1)[0];
  const value = asObject(response.response) ?? {};
  const isError = value.error !== undefined;
  // A response without either key is the output itself.
  const told = isError ? value.error : (value.output ?? value);
  const text = typeof told === "string" ? told : JSON.stringify(told);
  return {
    role: "toolResult",
    toolCallId: call?.id ?? id ?? "",
    toolName: name,
    content: [{ type: "text", text }],
    isError,
    timestamp: 0,
  };
}

/** The vendor's own tools (search, code) cannot be offered elsewhere. */
function decodeTools(raw: unknown): ToolSpec[] {
  return asArray(raw)
    .flatMap((tool) => asArray(asObject(tool)?.functionDeclarations))
    .map((item) => {
      const declaration = asObject(item) ?? {};
      const name = asString(declaration.name);
      if (!name) throw new WireRequestError("each function declaration needs a name");
      const json = asObject(declaration.parametersJsonSchema);
      const parameters = json ?? lowerTypes(declaration.parameters) ?? { type: "object" };
      return { name, description: asString(declaration.description) ?? "", parameters };
    });
}

/** `parameters` is OpenAPI in the vendor's spelling: JSON Schema but for its upper-case types. */
function lowerTypes(schema: unknown): Json | undefined {
  const object = asObject(schema);
  if (!object) return undefined;
  const out: Json = {};
  for (const [key, value] of Object.entries(object)) {
    if (key === "type" && typeof value === "string") out.type = value.toLowerCase();
    else if (key === "items") out.items = lowerTypes(value) ?? value;
    else if (key === "anyOf") out.anyOf = asArray(value).map((one) => lowerTypes(one) ?? one);
    else if (key === "properties") {
      const entries = Object.entries(asObject(value) ?? {});
      out.properties = Object.fromEntries(entries.map(([k, v]) => [k, lowerTypes(v) ?? v]));
    } else out[key] = value;
  }
  return out;
}

function decodeToolChoice(body: Json): ToolChoice | undefined {
  const config = asObject(asObject(body.toolConfig)?.functionCallingConfig);
  if (config?.mode === "AUTO" || config?.mode === "VALIDATED") return "auto";
  if (config?.mode === "NONE") return "none";
  if (config?.mode !== "ANY") return undefined;
  const allowed = asArray(config.allowedFunctionNames).map(asString);
  return allowed.length === 1 && allowed[0] ? { name: allowed[0] } : "required";
}

function decodeGeneration(config: Json, request: DecodedRequest): void {
  const maxOutput = asNumber(config.maxOutputTokens);
  if (maxOutput !== undefined) request.maxOutput = maxOutput;
  const temperature = asNumber(config.temperature);
  if (temperature !== undefined) request.temperature = temperature;
  const topP = asNumber(config.topP);
  if (topP !== undefined) request.topP = topP;
  const thinking = asObject(config.thinkingConfig);
  const budget = asNumber(thinking?.thinkingBudget);
  const word = levelOfEffort(asString(thinking?.thinkingLevel)?.toLowerCase());
  if (word) request.thinking = word;
  // Below zero the model decides for itself, as it does where nothing is said.
  else if (budget !== undefined && budget >= 0) request.thinking = levelOfBudget(budget);
}
