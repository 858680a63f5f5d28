// The same two-tool turn through every dialect, over HTTP: the server knows no structured
// calls and answers in plain text.

import { describe, expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import type { Message } from "../message.ts";
import { textOf, toolCallsOf, userText } from "../message.ts";
import type { ModelRequest } from "../request.ts";
import { callInDialect } from "./call-in-dialect.ts";
import { assistant, call, contentOf, MODEL, NOW, TOOLS } from "./dialect-test-support.ts";
import { DIALECT_IDS, loadDialect } from "./dialect.ts";

const FILE = 'if (a < b && c > "d") {\n\treturn `x`; // naïve, {"a": [1]}\n}\n';

const TRANSCRIPT = [
  { role: "user", content: [{ type: "text", text: "Write it, and how is the weather?" }] },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Both at once." },
      call("write_file", { path: "a.ts", content: FILE, mode: 420, tags: ["x, y"] }),
      call("get-weather", { city: "Köln" }),
    ],
  },
  { role: "toolResult", content: [{ type: "text", text: "result of write_file" }] },
  { role: "toolResult", content: [{ type: "text", text: "result of get-weather" }] },
  { role: "assistant", content: [{ type: "text", text: "All done." }] },
];

describe.each(DIALECT_IDS)("%s", (id) => {
  test("a turn with two tools gives the same transcript as in any other dialect", async () => {
    const dialect = await loadDialect(id);
    const [, replied] = TRANSCRIPT;
    const text = dialect.renderAssistant(
      assistant(replied!.content as Parameters<typeof assistant>[0]),
      NOW,
    );
    await using server = await ModelServer.start([
      { text, deltaChars: 1 },
      { text: "All done.", deltaChars: 3 },
    ]);
    const model = { ...MODEL, baseUrl: server.baseUrl(MODEL.wire) };
    const messages: Message[] = [userText("Write it, and how is the weather?")];
    const request: ModelRequest = { model, system: [], messages, tools: TOOLS, stream: true };
    for (;;) {
      const reply = await callInDialect({ ...request, messages: [...messages] }, id).result();
      messages.push(reply);
      for (const { id: toolCallId, name: toolName } of toolCallsOf(reply)) {
        const content = [{ type: "text" as const, text: `result of ${toolName}` }];
        const base = { toolCallId, toolName, isError: false, timestamp: 0 };
        messages.push({ role: "toolResult", content, ...base });
      }
      if (reply.stopReason !== "toolUse") break;
    }
    const neutral = messages.map((message) => ({
      role: message.role,
      content: message.role === "assistant" ? contentOf(message) : message.content,
    }));
    expect(neutral).toEqual(TRANSCRIPT as typeof neutral);

    const [first, second] = server.requests.map((one) => one.body);
    expect(first).not.toHaveProperty("tools");
    expect(JSON.stringify(second)).not.toContain('tool_calls"');
    const sent = second!.messages as { role: string; content: string }[];
    expect(sent.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    // What the model wrote is what it reads again, so that the server's cache holds.
    expect(sent[2]!.content).toBe(text);
    expect(sent.slice(0, 2)).toEqual(first!.messages as typeof sent);
    expect(sent[3]!.content).toContain("result of get-weather");
  });
});

test("a failure of the server is the failure of the reply", async () => {
  await using server = await ModelServer.start([{ httpError: { status: 500, body: "{}" } }]);
  const model = { ...MODEL, baseUrl: server.baseUrl(MODEL.wire) };
  const messages = [userText("hi")];
  const request: ModelRequest = { model, system: [], messages, tools: TOOLS, stream: true };
  const reply = await callInDialect(request, "glm").result();
  expect(reply).toMatchObject({ stopReason: "error", error: { status: 500 } });
  expect(textOf(reply)).toBe("");
});

test("a reply that breaks off inside a call leaves nothing to run", async () => {
  // Far longer than what is delivered of it.
  const city = "x".repeat(2_000);
  const text = `<tool_call>\n{"name": "get-weather", "arguments": {"city": "${city}"}}\n</tool_call>`;
  await using server = await ModelServer.start([
    { text, deltaChars: 1, delivery: { endAfterBytes: 30_000 } },
  ]);
  const model = { ...MODEL, baseUrl: server.baseUrl(MODEL.wire) };
  const messages = [userText("hi")];
  const request: ModelRequest = { model, system: [], messages, tools: TOOLS, stream: true };
  const reply = await callInDialect(request, "qwen3").result();
  expect(reply.stopReason).toBe("error");
  expect(toolCallsOf(reply)).toMatchObject([
    { name: "get-weather", malformed: expect.stringContaining("xxx") },
  ]);
});
