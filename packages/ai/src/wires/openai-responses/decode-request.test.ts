// What the server half reads and refuses.

import { expect, test } from "bun:test";
import { WireRequestError } from "../../wire.ts";
import { URL_OF_WIRE } from "./own-replies.ts";
import { server } from "./server.ts";

const decode = (body: unknown) => server.decodeRequest(URL_OF_WIRE, new Headers(), body);

test("a request line belongs to this wire by method and path", () => {
  expect(server.matches("POST", URL_OF_WIRE)).toBe(true);
  expect(server.matches("GET", URL_OF_WIRE)).toBe(false);
  expect(server.matches("POST", new URL("http://h/v1/chat/completions"))).toBe(false);
});

test("plain input is the user's; instructions and leading system items are the system's", () => {
  expect(decode({ model: "m", input: "hi", instructions: "One." })).toEqual({
    modelId: "m",
    system: ["One."],
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }], timestamp: 0 }],
    tools: [],
    stream: false,
  });
  const input = [
    { role: "system", content: "Two." },
    { role: "developer", content: [{ type: "input_text", text: "Three." }] },
    { role: "user", content: "hi" },
    { role: "system", content: "Four." },
  ];
  const { system, messages } = decode({ model: "m", input, instructions: "One." });
  expect(system).toEqual(["One.", "Two."]);
  expect(messages.map(({ role }) => role)).toEqual(["developer", "user", "developer"]);
});

test("options have their neutral names", () => {
  const options = decode({
    model: "m",
    input: "hi",
    stream: true,
    max_output_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    reasoning: { effort: "none" },
    prompt_cache_key: "s1",
    prompt_cache_retention: "24h",
    tool_choice: { type: "function", name: "read" },
    tools: [{ type: "function", name: "read" }, { type: "web_search" }],
  });
  expect(options).toMatchObject({
    stream: true,
    maxOutput: 9,
    temperature: 0,
    topP: 0.5,
    thinking: "off",
    cacheKey: "s1",
    cacheRetention: "long",
    toolChoice: { name: "read" },
    tools: [{ name: "read", description: "", parameters: { type: "object" } }],
  });
  expect(decode({ model: "m", input: "", reasoning: { effort: "max" } }).thinking).toBe("xhigh");
  expect(decode({ model: "m", input: "", reasoning: { effort: "?" } }).thinking).toBeUndefined();
});

test("what makes no sense or needs a memory is refused by name", () => {
  const refused: [unknown, string][] = [
    [null, "model"],
    [{ input: "hi" }, "model"],
    [{ model: "m" }, "input"],
    [{ model: "m", input: "hi", previous_response_id: "r" }, "previous_response_id"],
    [{ model: "m", input: [{ type: "item_reference", id: "x" }] }, "item_reference"],
    [{ model: "m", input: [{ role: "robot", content: "x" }] }, "robot"],
    [{ model: "m", input: [{ type: "function_call", name: "x" }] }, "call_id"],
    [{ model: "m", input: [{ type: "function_call_output", call_id: "q", output: "" }] }, '"q"'],
    [{ model: "m", input: [{ role: "user", content: [{ type: "input_file" }] }] }, "input_file"],
    [
      {
        model: "m",
        input: [{ role: "user", content: [{ type: "input_image", image_url: "http://h/x.png" }] }],
      },
      "data URLs",
    ],
    [{ model: "m", input: "hi", tools: [{ type: "function" }] }, "name"],
  ];
  for (const [body, word] of refused) {
    expect(() => decode(body)).toThrow(WireRequestError);
    expect(() => decode(body)).toThrow(word);
  }
});

test("failures have the vendor's envelope", () => {
  const { status, headers, body } = server.encodeError({
    kind: "context_overflow",
    message: "too long",
    retryable: false,
    retryAfterMs: 900,
  });
  expect(status).toBe(400);
  expect(headers).toEqual({ "retry-after-ms": "900", "retry-after": "1" });
  expect(body).toEqual({
    error: {
      message: "too long",
      type: "invalid_request_error",
      param: null,
      code: "context_length_exceeded",
    },
  });
});

test("a failure never goes out under a status of success", () => {
  const failure = { kind: "protocol" as const, message: "a web page", retryable: false };
  expect(server.encodeError({ ...failure, status: 200 }).status).toBe(502);
  expect(server.encodeError({ ...failure, status: 418 }).status).toBe(418);
});
