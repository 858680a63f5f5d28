// What the server half reads, refuses and passes on.

import { expect, test } from "bun:test";
import { WireRequestError } from "../../wire.ts";
import { server } from "./server.ts";

const URL_OF_WIRE = new URL("http://h/v1/chat/completions");
const decode = (body: unknown) => server.decodeRequest(URL_OF_WIRE, new Headers(), body);
const USER = { role: "user", content: "hi" };

test("a request line belongs to this wire by method and path", () => {
  expect(server.matches("POST", URL_OF_WIRE)).toBe(true);
  expect(server.matches("GET", URL_OF_WIRE)).toBe(false);
  expect(server.matches("POST", new URL("http://h/v1/responses"))).toBe(false);
});

test("an effort is a level, under any host's name for it, or nothing", () => {
  const levelOf = (fields: object) => decode({ model: "m", messages: [USER], ...fields }).thinking;
  expect(levelOf({ reasoning_effort: "high" })).toBe("high");
  expect(levelOf({ reasoning_effort: "none" })).toBe("off");
  expect(levelOf({ reasoning_effort: "max" })).toBe("xhigh");
  expect(levelOf({ reasoning: { effort: "low" } })).toBe("low");
  expect(levelOf({ reasoning_effort: "constructor" })).toBeUndefined();
});

test("reasoning comes back under any of its names; broken arguments stay broken", () => {
  for (const field of ["reasoning_content", "reasoning", "reasoning_text"]) {
    const call = { id: "a", type: "function", function: { name: "t", arguments: '{"x' } };
    const assistant = { role: "assistant", content: null, [field]: "hm", tool_calls: [call] };
    expect(decode({ model: "m", messages: [USER, assistant] }).messages[1]).toMatchObject({
      content: [
        { type: "thinking", text: "hm" },
        { type: "toolCall", arguments: {}, malformed: '{"x' },
      ],
    });
  }
});

test("what makes no sense is refused by name", () => {
  const image = { type: "image_url", image_url: { url: "http://h/x.png" } };
  const refused: [unknown, string][] = [
    [null, "model"],
    [{ messages: [] }, "model"],
    [{ model: "m" }, "messages"],
    [{ model: "m", messages: [{ role: "robot" }] }, "robot"],
    [{ model: "m", messages: ["x"] }, "role"],
    [{ model: "m", messages: [{ role: "user", content: [image] }] }, "data URLs"],
    [{ model: "m", messages: [USER], tools: [{ type: "function" }] }, "function.name"],
  ];
  for (const [body, word] of refused) {
    expect(() => decode(body)).toThrow(WireRequestError);
    expect(() => decode(body)).toThrow(word);
  }
});

test("a broken call is passed on broken: an empty object in its place could be run", () => {
  const reply = server.encodeReply(
    {
      role: "assistant",
      content: [{ type: "toolCall", id: "a", name: "t", arguments: {}, malformed: '{"x' }],
      provider: "p",
      model: "m",
      wire: "openai-completions",
      stopReason: "length",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      timestamp: 0,
    },
    { id: "r", modelId: "m", createdAt: 0 },
  );
  expect(reply).toMatchObject({
    choices: [
      { finish_reason: "length", message: { tool_calls: [{ function: { arguments: '{"x' } }] } },
    ],
  });
});
