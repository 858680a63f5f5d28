import { expect, test } from "bun:test";
import { userText, type Message } from "./message.ts";
import { FREE, type Model } from "./model.ts";
import { headersOfRequest } from "./request-headers.ts";

function headers(quirks: Record<string, unknown>, last: Message["role"]) {
  const model: Model = {
    provider: "p",
    id: "m",
    name: "m",
    wire: "openai-completions",
    baseUrl: "",
    auth: "bearer",
    contextWindow: 1,
    maxOutput: 1,
    input: ["text"],
    cost: FREE,
    quirks,
  };
  const messages = [{ ...userText("x", 0), role: last } as Message];
  return headersOfRequest({ model, system: [], messages, tools: [], cacheKey: "s1", stream: true });
}

test("only what the row asks for is sent", () => {
  expect(headers({}, "user")).toEqual({});
  expect(headers({ sessionHeader: "x-session" }, "user")).toEqual({ "x-session": "s1" });
  expect(headers({ initiatorHeader: "x-initiator" }, "user")).toEqual({ "x-initiator": "user" });
  expect(headers({ initiatorHeader: "x-initiator" }, "toolResult")).toEqual({
    "x-initiator": "agent",
  });
});
