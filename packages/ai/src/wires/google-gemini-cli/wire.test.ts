import { expect, test } from "bun:test";
import { callModel } from "../../call.ts";
import { textOf, userText } from "../../message.ts";
import { FREE, type Model } from "../../model.ts";
import { CLOUD_PROJECT_HEADER } from "../../oauth/cloud-project-header.ts";
import { ModelServer } from "@tau/testkit/model-server";

function modelAt(server: ModelServer, id: string): Model {
  return {
    provider: "google-gemini-cli",
    id,
    name: id,
    wire: "google-gemini-cli",
    baseUrl: server.baseUrl("google-gemini-cli"),
    auth: "bearer",
    contextWindow: 1000,
    maxOutput: 100,
    input: ["text"],
    cost: FREE,
  };
}

async function ask(id: string, stream: boolean) {
  await using server = await ModelServer.start([{ text: "hello", toolCalls: [{ name: "look" }] }]);
  const parameters = {
    type: "object",
    properties: { at: { anyOf: [{ type: "string" }, { type: "null" }] } },
  };
  const reply = await callModel(
    {
      model: modelAt(server, id),
      system: ["brief"],
      messages: [userText("hi", 0)],
      tools: [{ name: "look", description: "Looks.", parameters }],
      cacheKey: "session-1",
      stream,
    },
    {
      credential: async () => ({
        origin: "stored login",
        token: "t",
        label: "a",
        headers: { [CLOUD_PROJECT_HEADER]: "my-project" },
      }),
    },
  ).result();
  return { reply, request: server.requests[0]! };
}

for (const stream of [true, false]) {
  test(`the envelope names model and project (${stream ? "streamed" : "whole"})`, async () => {
    const { reply, request } = await ask("gemini-2.5-pro", stream);
    expect(reply.error).toBeUndefined();
    expect(textOf(reply)).toBe("hello");
    expect(reply.stopReason).toBe("toolUse");
    expect(request.body).toMatchObject({ model: "gemini-2.5-pro", project: "my-project" });
    expect(request.headers.get(CLOUD_PROJECT_HEADER)).toBeNull();
    expect(request.headers.get("authorization")).toBe("Bearer t");
    expect(request.decoded).toMatchObject({
      modelId: "gemini-2.5-pro",
      cacheKey: "session-1",
      stream,
    });
  });
}

test("Claude's tools have no unions here", async () => {
  const { request } = await ask("claude-sonnet-4-5", true);
  const [tool] = request.decoded.tools;
  expect(tool!.parameters).toEqual({ type: "object", properties: { at: { type: "string" } } });
});
