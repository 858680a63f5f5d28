// Any history comes out fit to be sent, and the log itself is never touched.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage, Message, ToolResultMessage } from "./message.ts";
import { userText } from "./message.ts";
import type { Model } from "./model.ts";
import { INTERRUPTED_RESULT, repairConversation } from "./repair.ts";
import { arbitraryMessages, arbitraryModel } from "./wires/arbitrary-conversation.ts";
import { said, testModel } from "./wires/openai-testing.ts";

const SEED = 14;
const MODEL = testModel("openai-completions");
const OTHER = { ...MODEL, id: "other" };

const ask = userText("ask", 0);
const call = (id: string): AssistantBlock => ({ type: "toolCall", id, name: "t", arguments: {} });
const result = (id: string, text = `result of ${id}`): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "t",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 0,
});
const repair = (messages: Message[], model: Model = MODEL) =>
  repairConversation(messages, { model });

describe("calls and results", () => {
  test("results come right behind their calls, in the order of the calls", () => {
    const between = userText("steer", 0);
    const reply = said(MODEL, [call("a"), call("b")]);
    expect(repair([ask, reply, result("b"), between, result("a")])).toEqual([
      ask,
      reply,
      result("a"),
      result("b"),
      between,
    ]);
  });

  test("a call without a result gets one that says so", () => {
    const fixed = repair([ask, said(MODEL, [call("a")]), ask]);
    expect(fixed[2]).toMatchObject({
      role: "toolResult",
      toolCallId: "a",
      isError: true,
      content: [{ text: INTERRUPTED_RESULT }],
    });
    expect(fixed[3]).toEqual(ask);
  });

  test("a result without a call, and a second result, are left out", () => {
    const reply = said(MODEL, [call("a")]);
    const fixed = repair([result("z"), reply, result("a", "first"), result("a", "second")]);
    expect(fixed).toEqual([reply, result("a", "first")]);
  });

  test("two calls of one id take one result each, in order", () => {
    const reply = said(MODEL, [call("a"), call("a")]);
    const fixed = repair([reply, result("a", "1"), result("a", "2")]);
    expect(fixed.slice(1)).toEqual([result("a", "1"), result("a", "2")]);
  });

  test("a call that broke off with its reply is forgotten, with its result", () => {
    const broken: AssistantBlock = {
      type: "toolCall",
      id: "a",
      name: "t",
      arguments: {},
      malformed: '{"x',
    };
    const reply = said(MODEL, [{ type: "text", text: "so" }, broken], { stopReason: "aborted" });
    expect(repair([ask, reply, result("a")])).toEqual([
      ask,
      { ...reply, content: [{ type: "text", text: "so" }] },
    ]);
    const cut = { ...reply, stopReason: "length" as const };
    expect(repair([cut])).toHaveLength(2);
  });

  test("ids are mapped once per call and alike on both sides", () => {
    const seen: string[] = [];
    const toolCallId = (id: string): string => {
      seen.push(id);
      return `n${seen.length}`;
    };
    const fixed = repairConversation([said(MODEL, [call("a"), call("b")]), result("a")], {
      model: MODEL,
      toolCallId,
    });
    expect(seen).toEqual(["a", "b"]);
    expect((fixed[0] as AssistantMessage).content).toMatchObject([{ id: "n1" }, { id: "n2" }]);
    expect(fixed.slice(1)).toMatchObject([{ toolCallId: "n1" }, { toolCallId: "n2" }]);
  });
});

describe("content", () => {
  test("opaque bytes go only to the wire and model they came from", () => {
    const opaque = { wire: MODEL.wire, model: MODEL.id, data: "sig" };
    const reply = said(MODEL, [{ type: "thinking", text: "hm", opaque }]);
    expect(repair([reply])).toEqual([reply]);
    expect(repair([reply], OTHER)).toEqual([
      { ...reply, content: [{ type: "thinking", text: "hm" }] },
    ]);
  });

  test("redacted thinking of elsewhere leaves nothing, nor a reply of nothing else", () => {
    const opaque = { wire: MODEL.wire, model: "elsewhere", data: "sig" };
    const reply = said(MODEL, [{ type: "thinking", text: "", redacted: true, opaque }]);
    expect(repair([ask, reply, ask])).toEqual([ask, ask]);
  });

  test("images become a note for a model that cannot see", () => {
    const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
    const blind = { ...MODEL, input: ["text"] as const };
    const message: Message = { role: "user", content: [image], timestamp: 0 };
    expect(repair([message])).toEqual([message]);
    expect(repair([message], blind)[0]).toMatchObject({ content: [{ type: "text" }] });
  });

  test("blank messages are left out, an empty result is not", () => {
    const fixed = repair([userText(" \n", 0), said(MODEL, [call("a")]), result("a", "")]);
    expect(fixed).toHaveLength(2);
    expect(fixed[1]).toMatchObject({ content: [{ text: "(no output)" }] });
  });

  test("half a surrogate pair is replaced, except in what is signed", () => {
    const half = "cut \ud83d";
    expect(repair([userText(half, 0)])[0]).toMatchObject({ content: [{ text: "cut \ufffd" }] });
    const fixed = repair([said(MODEL, [call("a")]), result("a", half)]);
    expect(fixed[1]).toMatchObject({ content: [{ text: "cut \ufffd" }] });
    const opaque = { wire: MODEL.wire, model: MODEL.id, data: "sig" };
    const signed = said(MODEL, [{ type: "thinking", text: half, opaque }]);
    expect(repair([signed])).toEqual([signed]);
  });

  test("a conversation can be made to begin with a user", () => {
    const reply = said(MODEL, [{ type: "text", text: "hello" }]);
    const fixed = repairConversation([reply], { model: MODEL, userFirst: true });
    expect(fixed.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });
});

describe("any log", () => {
  test("comes out paired, without blanks, and the log itself is left as it was", () => {
    fc.assert(
      fc.property(arbitraryMessages(), arbitraryModel("openai-completions"), (log, model) => {
        const before = structuredClone(log);
        const fixed = repair(log, model);
        expect(log).toEqual(before);
        let waiting: string[] = [];
        for (const message of fixed) {
          expect(message.content.length).toBeGreaterThan(0);
          if (message.role === "toolResult") {
            expect(waiting.shift()).toBe(message.toolCallId);
            continue;
          }
          expect(waiting).toEqual([]);
          if (message.role !== "assistant") continue;
          waiting = message.content.flatMap((b) => (b.type === "toolCall" ? [b.id] : []));
          for (const { opaque } of message.content) {
            if (opaque) expect(opaque).toMatchObject({ wire: model.wire, model: model.id });
          }
        }
        expect(waiting).toEqual([]);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test("needs repair once: the second time changes nothing", () => {
    fc.assert(
      fc.property(arbitraryMessages(), arbitraryModel("openai-completions"), (log, model) => {
        const once = repair(log, model);
        expect(repair(once, model)).toEqual(once);
      }),
      { seed: SEED },
    );
  });
});

test("an image that a vendor would refuse is left out with the reason", () => {
  const image = (mimeType: string, data: string) => ({ type: "image" as const, mimeType, data });
  const content = [
    image("image/png", "AA=="),
    image("image/tiff", "AA=="),
    image("image/png", "A".repeat(7_000_000)),
    image("image/png", ""),
  ];
  const seeing: Model = { ...MODEL, input: ["text", "image"] };
  const [message] = repair([{ role: "user", content, timestamp: 0 }], seeing);
  expect(message!.content).toEqual([
    content[0]!,
    { type: "text", text: "[image left out: image/tiff is not a type that models read]" },
    { type: "text", text: "[image left out: it is too large]" },
    { type: "text", text: "[image left out: it is empty]" },
  ]);
});
