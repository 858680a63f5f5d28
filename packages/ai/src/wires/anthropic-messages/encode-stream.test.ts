// What the round trips cannot show: the order of frames where neutral blocks overlap.

import { expect, test } from "bun:test";
import type { StreamEvent } from "../../event.ts";
import { ReplyAssembler } from "../../reply-assembler.ts";
import { asObject, type Json } from "../json.ts";
import { decodePieces, encodeEvents, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const OPENAI = { provider: "openai", model: "gpt-1", wire: "openai-completions" as const };
const ORIGIN = { provider: "gateway", model: "gpt-1", wire: "anthropic-messages" as const };

function framesOf(bytes: Uint8Array): Json[] {
  const text = new TextDecoder().decode(bytes);
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const [event, data] = frame.split("\n");
      const json = asObject(JSON.parse(data!.slice("data: ".length)))!;
      expect(event).toBe(`event: ${String(json.type)}`);
      return json;
    });
}

test("blocks that overlap are sent one after the other", () => {
  const events: StreamEvent[] = [];
  const out = new ReplyAssembler(OPENAI, (event) => events.push(event), 0);
  out.start();
  const thinking = out.openThinking();
  const first = out.openToolCall({ id: "call_1", name: "read" });
  const second = out.openToolCall({ id: "call_2", name: "read" });
  second.append('{"path":');
  first.append('{"path":"a"}');
  thinking.append("late");
  second.append('"b"}');
  first.close();
  thinking.close();
  const text = out.openText();
  text.append("and more");
  out.finish("stop");
  const bytes = encodeEvents(server, events);
  const order = framesOf(bytes).flatMap(({ type, index }) =>
    typeof index === "number" ? [`${String(type).slice("content_block_".length)} ${index}`] : [],
  );
  expect(order.join(", ")).toBe(
    "start 0, delta 0, stop 0, start 1, delta 1, stop 1, " +
      "start 2, delta 2, delta 2, stop 2, start 3, delta 3, stop 3",
  );
  const got = messageOf(decodePieces(client, [bytes], ORIGIN));
  expect(got.content).toMatchObject(out.message.content);
  expect(got.stopReason).toBe("toolUse");
});
