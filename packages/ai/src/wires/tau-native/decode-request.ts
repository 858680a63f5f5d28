// Body → neutral request. Everything that was sent is taken over as it is; only its shape
// is checked, because what reaches a server was not necessarily written by us.

import { THINKING_LEVELS } from "../../model.ts";
import type { ModelRequest, ToolChoice } from "../../request.ts";
import { WireRequestError, type DecodedRequest } from "../../wire.ts";
import { asNumber, asObject, asString, type Json } from "../json.ts";
import { checkMessage } from "./check-message.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";

const RETENTIONS = ["none", "short", "long"] as const;
const CHOICES = ["auto", "none", "required"] as const;

export function decodeRequest(_url: URL, _headers: Headers, raw: unknown): DecodedRequest {
  const body = asObject(raw);
  if (body?.version !== PROTOCOL_VERSION) {
    throw new WireRequestError(`this server speaks version ${PROTOCOL_VERSION} of the protocol`);
  }
  const modelId = asString(body.model);
  if (!modelId) throw new WireRequestError("`model` is missing");
  const request: DecodedRequest = {
    modelId,
    system: listOf(body, "system", (text) => typeof text === "string"),
    messages: listOf(body, "messages", checkMessage),
    tools: listOf(body, "tools", isTool),
    stream: body.stream === true,
  };
  return Object.assign(request, decodeOptions(body));
}

function listOf<T>(body: Json, field: string, isItem: (item: unknown) => boolean): T[] {
  const list = body[field];
  if (!Array.isArray(list)) throw new WireRequestError(`\`${field}\` must be an array`);
  const at = list.findIndex((item) => !isItem(item));
  if (at >= 0) throw new WireRequestError(`\`${field}[${at}]\` is not what it should be`);
  return list as T[];
}

function isTool(item: unknown): boolean {
  const tool = asObject(item);
  return (
    asString(tool?.name) !== undefined &&
    asString(tool?.description) !== undefined &&
    asObject(tool?.parameters) !== undefined
  );
}

type Options = Omit<ModelRequest, "model" | "system" | "messages" | "tools" | "stream">;

function decodeOptions(body: Json): Options {
  const options: Options = {};
  for (const field of ["maxOutput", "temperature", "topP"] as const) {
    const value = asNumber(body[field]);
    if (value !== undefined) options[field] = value;
  }
  const cacheKey = asString(body.cacheKey);
  if (cacheKey !== undefined) options.cacheKey = cacheKey;
  const thinking = THINKING_LEVELS.find((level) => level === body.thinking);
  if (thinking !== undefined) options.thinking = thinking;
  const retention = RETENTIONS.find((word) => word === body.cacheRetention);
  if (retention !== undefined) options.cacheRetention = retention;
  const choice = decodeChoice(body.toolChoice);
  if (choice !== undefined) options.toolChoice = choice;
  return options;
}

function decodeChoice(value: unknown): ToolChoice | undefined {
  const name = asString(asObject(value)?.name);
  return name === undefined ? CHOICES.find((word) => word === value) : { name };
}
