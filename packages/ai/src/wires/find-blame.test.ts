import { describe, expect, test } from "bun:test";
import { modelFailure } from "../error.ts";
import { FREE, type Model } from "../model.ts";
import type { ModelRequest } from "../request.ts";
import { withBlame } from "./find-blame.ts";

const MODEL: Model = {
  provider: "p",
  id: "m",
  name: "m",
  wire: "openai-completions",
  baseUrl: "http://127.0.0.1",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text", "image"],
  cost: FREE,
};
const image = (data: string) => ({ type: "image" as const, mimeType: "image/png", data });
const tool = (name: string) => ({ name, description: "", parameters: {} });
const REQUEST: ModelRequest = {
  model: MODEL,
  system: [],
  messages: [
    { role: "user", content: [image("Zmlyc3Q="), image("c2Vjb25k")], timestamp: 0 },
    { role: "user", content: [image("dGhpcmQ=")], timestamp: 0 },
  ],
  tools: [tool("read"), tool("update-event"), tool("list_pages")],
  stream: true,
};
/** As two wires write it. */
const SENT = {
  messages: [
    { role: "user", content: [{ source: { data: "Zmlyc3Q=" } }, { source: { data: "c2Vjb25k" } }] },
    { role: "user", content: [{ image_url: { url: "data:image/png;base64,dGhpcmQ=" } }] },
  ],
  tools: [{ function: { name: "list_pages", parameters: { properties: { a: { nope: 1 } } } } }],
};

function blamesOf(body: unknown, { status = 400, request = REQUEST } = {}) {
  const answer = typeof body === "string" ? body : JSON.stringify(body);
  const failure = modelFailure(status === 500 ? "overloaded" : "invalid_request", "refused");
  return withBlame(failure, answer, request, JSON.stringify(SENT)).blames;
}
const message = (text: string, more: object = {}) => ({ error: { message: text, ...more } });

/** Bodies that people reported. */
const TOOLS: [string, unknown, string[]][] = [
  [
    "Anthropic, top level",
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level",
      },
    },
    ["update-event"],
  ],
  [
    "Anthropic, names",
    message(
      "tools.0.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    ),
    ["read"],
  ],
  [
    "OpenAI",
    message(
      "Invalid schema for function 'update-event': schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
      { param: "tools[1].function.parameters", code: "invalid_function_parameters" },
    ),
    ["update-event"],
  ],
  [
    "OpenAI without a place",
    message("Invalid schema for function 'list_pages': In context=(), array schema missing items"),
    ["list_pages"],
  ],
  [
    "Gemini, several at once",
    message(
      "* GenerateContentRequest.tools[0].function_declarations[2].parameters.properties[a].enum: only allowed for STRING type\n* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[b].items: missing field.\n",
      { code: 400, status: "INVALID_ARGUMENT" },
    ),
    ["list_pages", "update-event"],
  ],
  [
    "Vertex",
    message(
      "Unable to submit request because `update-event` functionDeclaration `parameters.x` schema specified other fields alongside any_of. When using any_of, it must be the only field set.",
    ),
    ["update-event"],
  ],
  [
    "Bedrock",
    {
      message:
        "The value at toolConfig.tools.2.toolSpec.inputSchema.json.type must be one of the following: object.",
    },
    ["list_pages"],
  ],
  [
    "a gateway that passes on",
    message("Provider returned error", {
      metadata: {
        raw: JSON.stringify(message("tools.2.custom.input_schema: JSON schema is invalid.")),
      },
    }),
    ["list_pages"],
  ],
  [
    "llama.cpp quotes the schema",
    message('JSON schema conversion failed:\nUnrecognized schema: {"nope":1}', { code: 400 }),
    ["list_pages"],
  ],
];

describe("a refusal that names a tool", () => {
  test.each(TOOLS)("%s", (_vendor, body, names) => {
    expect(blamesOf(body)).toEqual(names.map((name) => ({ part: "tool", name })));
  });
});

describe("a refusal that names an image", () => {
  test("by its place", () => {
    const text =
      "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels";
    expect(blamesOf(message(text))).toEqual([{ part: "image", index: 1 }]);
    const param = "messages[1].content[0].image_url.url";
    const body = message("Invalid base64 image_url.", { param, code: "invalid_image_url" });
    expect(blamesOf(body)).toEqual([{ part: "image", index: 2 }]);
  });

  test.each([
    "Could not process image",
    "Unable to process input image. Please retry or report in https://developers.generativeai.google/",
    "Failed to load image: cannot identify image file",
  ])("without a place: %s", (text) => {
    expect(blamesOf(message(text))).toEqual([{ part: "image" }]);
  });
});

describe("a model that does not see", () => {
  test.each([
    [
      "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
      500,
    ],
    ["image input is not supported by this server", 500],
    ["this model does not support image input (ref: b8bd630e)", 400],
    ["No endpoints found that support image input", 404],
    ["Unsupported content part type for text-only server: image_url", 400],
    ["Invalid content type. image_url is only supported by certain models.", 400],
    [
      "Failed to deserialize the JSON body: messages[0]: unknown variant `image_url`, expected `text`",
      400,
    ],
    ["Qwen/Qwen3-8B is not a multimodal model", 400],
    ["Model does not support images. Please use a model that does.", 400],
  ])("%s", (text, status) => {
    expect(blamesOf(message(text), { status })).toEqual([{ part: "sight" }]);
  });
});

describe("reasoning that is not taken back", () => {
  test.each([
    "messages.3.content.0: Invalid `signature` in `thinking` block",
    "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.",
    "The encrypted content gAAA could not be verified. Reason: invalid_encrypted_content",
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
    "Thought signature is not valid",
  ])("%s", (text) => {
    const request = { ...REQUEST, messages: [] };
    expect(blamesOf(message(text), { request })).toEqual([{ part: "reasoning" }]);
  });
});

describe("tools at all", () => {
  test.each([
    ["llama3 does not support tools", 400],
    ["registry.ollama.ai/library/gemma3:4b does not support tools", 400],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    [
      'No endpoints found that support tool use. Try disabling "read". To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
      404,
    ],
    ["tools param requires --jinja flag", 500],
    ["Function calling is not enabled for this model", 400],
  ])("%s", (text, status) => {
    expect(blamesOf(message(text), { status })).toEqual([{ part: "tools" }]);
    expect(blamesOf(message(text), { status, request: { ...REQUEST, tools: [] } })).toBeUndefined();
  });

  test.each([
    [
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 217 instead.",
      128,
    ],
    ["'tools' : maximum number of items is 128", 128],
  ])("so many: %s", (text, most) => {
    expect(blamesOf(message(text))).toEqual([{ part: "tools", most }]);
  });
});

describe("a schema of a tool that is not named", () => {
  test.each([
    "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.source': type is not defined>",
    "Failed to initialize samplers: failed to parse grammar",
    "JSON schema conversion failed:\nUnrecognized schema: {}",
  ])("%s", (text) => {
    expect(blamesOf(message(text))).toEqual([{ part: "schemas" }]);
  });
});

test("a tool by its place in a list of places", () => {
  const body = { detail: [{ loc: ["body", "tools", 2, "function", "parameters"], msg: "bad" }] };
  expect(blamesOf(body)).toEqual([{ part: "tool", name: "list_pages" }]);
});

describe("nothing is blamed", () => {
  const blind: ModelRequest = { ...REQUEST, messages: [] };
  test.each([
    ["no such field: stream_option", REQUEST],
    ["tools.17.custom.input_schema: out of range", REQUEST],
    ["No tool output found for function call 'read'.", REQUEST],
    ["image input is not supported", blind],
    ["<html>Bad gateway</html>", REQUEST],
  ])("%s", (text, request) => {
    expect(blamesOf(message(text), { request })).toBeUndefined();
  });

  test("for the account, the load or the length", () => {
    const failure = modelFailure("rate_limit", "slow down");
    const body = JSON.stringify(message("tools.0.custom: too many"));
    expect(withBlame(failure, body, REQUEST, "{}")).toBe(failure);
  });
});
