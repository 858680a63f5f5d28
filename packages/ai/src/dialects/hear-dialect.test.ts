// Replies in a dialect keep the contract of the stream, whatever else they contain and
// wherever they end.

import { expect, test } from "bun:test";
import { modelFailure } from "../error.ts";
import { isTerminal, type StreamEvent } from "../event.ts";
import { ReplyAssembler } from "../reply-assembler.ts";
import { loadDialect } from "./dialect.ts";
import { TOOLS } from "./dialect-test-support.ts";
import { hearDialect } from "./hear-dialect.ts";

const ORIGIN = { provider: "local", model: "model-1", wire: "openai-completions" } as const;

/** Plays a reply on the wire's side and answers with what was heard of it. */
async function play(tell: (wire: ReplyAssembler) => void): Promise<{
  events: StreamEvent[];
  out: ReplyAssembler;
}> {
  const events: StreamEvent[] = [];
  const out = new ReplyAssembler(ORIGIN, (event) => events.push(event), 0);
  let ids = 0;
  const hear = hearDialect(await loadDialect("qwen3"), TOOLS, out, { mintId: () => `t${++ids}` });
  tell(new ReplyAssembler(ORIGIN, hear, 0));
  return { events, out };
}

const CALL = '<tool_call>\n{"name": "get-weather", "arguments": {"city": "Rome"}}\n</tool_call>';

function say(wire: ReplyAssembler, text: string): void {
  const block = wire.openText();
  for (const char of text) block.append(char);
  block.close();
}

test("tells a reply by the rules of the stream", async () => {
  const { events, out } = await play((wire) => {
    wire.responseId("r1");
    wire.usage({ input: 3, output: 4 });
    say(wire, `<think>hm</think>Look: ${CALL}`);
    wire.finish("stop");
  });
  expect(events.map(({ type }) => type).filter((type) => !type.endsWith("delta"))).toEqual([
    "start",
    "thinking_start",
    "thinking_end",
    "text_start",
    "text_end",
    "toolcall_start",
    "toolcall_end",
    "done",
  ]);
  expect(events.at(-1)).toMatchObject({ type: "done", reason: "toolUse" });
  expect(out.message).toMatchObject({
    stopReason: "toolUse",
    responseId: "r1",
    usage: { input: 3, output: 4 },
    content: [
      { type: "thinking", text: "hm" },
      { type: "text", text: "Look:" },
      { type: "toolCall", id: "t1", name: "get-weather", arguments: { city: "Rome" } },
    ],
  });
});

test("arguments arrive while the model writes them", async () => {
  const { events } = await play((wire) => {
    say(wire, CALL);
    wire.finish("stop");
  });
  expect(events.filter(({ type }) => type === "toolcall_delta").length).toBeGreaterThan(5);
});

test("structured blocks pass through, in order, with what they carry", async () => {
  const { out } = await play((wire) => {
    const thinking = wire.openThinking();
    thinking.append("why");
    thinking.keep("signed");
    thinking.close();
    wire.openThinking({ redacted: true }).close();
    say(wire, CALL);
    const call = wire.openToolCall({ id: "own", name: "list" });
    call.append("{}");
    call.close();
    say(wire, "Bye.");
    wire.finish("toolUse");
  });
  expect(out.message.content).toMatchObject([
    { type: "thinking", text: "why", opaque: { data: "signed" } },
    { type: "thinking", redacted: true },
    { type: "toolCall", id: "t1", name: "get-weather" },
    { type: "toolCall", id: "own", name: "list", arguments: {} },
    { type: "text", text: "Bye." },
  ]);
});

test("a call may span texts that follow one another", async () => {
  const { out } = await play((wire) => {
    say(wire, CALL.slice(0, 30));
    say(wire, CALL.slice(30));
    wire.finish("stop");
  });
  expect(out.message.content).toMatchObject([{ type: "toolCall", arguments: { city: "Rome" } }]);
});

test("a limit or a failure anywhere in a call leaves nothing to run", async () => {
  for (let end = CALL.indexOf('"arguments"') + 14; end < CALL.length; end++) {
    const limited = await play((wire) => {
      say(wire, CALL.slice(0, end));
      wire.finish("length");
    });
    expect(limited.events.filter(isTerminal)).toHaveLength(1);
    expect(limited.out.message.stopReason).toBe("length");
    expect(limited.out.message.content).toMatchObject([{ malformed: expect.any(String) }]);
    const failed = await play((wire) => {
      say(wire, CALL.slice(0, end));
      wire.fail(modelFailure("network", "gone"));
    });
    expect(failed.events.filter(isTerminal)).toHaveLength(1);
    expect(failed.out.message).toMatchObject({ stopReason: "error", error: { kind: "network" } });
    expect(failed.out.message.content).toMatchObject([{ malformed: expect.any(String) }]);
  }
});

test("a structured call that was cut off stays malformed, also without any text", async () => {
  for (const text of ["", '{"city": "Ro']) {
    const { out } = await play((wire) => {
      wire.openToolCall({ id: "own", name: "list" }).append(text);
      wire.finish("length");
    });
    expect(out.message.content).toMatchObject([{ id: "own", malformed: text }]);
  }
});

test("a whole object counts without its closer where the model stopped by itself", async () => {
  const { out } = await play((wire) => {
    say(wire, CALL.slice(0, CALL.indexOf("\n</tool_call>")));
    wire.finish("stop");
  });
  expect(out.message.content).toMatchObject([{ arguments: { city: "Rome" } }]);
  expect(out.message.content[0]).not.toHaveProperty("malformed");
});
