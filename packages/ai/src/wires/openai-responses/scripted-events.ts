// Events of this wire, as short as a test wants to write them.

import type { StreamEvent } from "../../event.ts";
import type { AssistantMessage } from "../../message.ts";
import { encodeSse } from "../../sse.ts";
import type { Json } from "../json.ts";
import { decodePieces, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { ORIGIN } from "./own-replies.ts";

export type Event = Json & { type: string };

export function eventsOf(...events: Event[]): StreamEvent[] {
  const text = events.map((event) => encodeSse(JSON.stringify(event), event.type)).join("");
  return decodePieces(client, [new TextEncoder().encode(text)], ORIGIN);
}

export const read = (...events: Event[]): AssistantMessage => messageOf(eventsOf(...events));
export const added = (output_index: number, item: Json): Event => ({
  type: "response.output_item.added",
  output_index,
  item,
});
export const done = (output_index: number, item: Json): Event => ({
  type: "response.output_item.done",
  output_index,
  item,
});
export const about = (type: string, output_index: number, fields: Json): Event => ({
  type: `response.${type}`,
  output_index,
  ...fields,
});
export const completed = (response: Json = {}): Event => ({
  type: "response.completed",
  response: { id: "resp_1", status: "completed", ...response },
});
export const incomplete = (reason: string): Event => ({
  type: "response.incomplete",
  response: { status: "incomplete", incomplete_details: { reason } },
});
export const call = (n: number, fields: Json = {}): Json => ({
  type: "function_call",
  id: `fc_${n}`,
  call_id: `call_${n}`,
  name: "read",
  arguments: "",
  ...fields,
});
export const message = (text: string, fields: Json = {}): Json => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
  ...fields,
});
export const opaque = (data: unknown) => ({
  wire: ORIGIN.wire,
  model: ORIGIN.model,
  data: JSON.stringify(data),
});
