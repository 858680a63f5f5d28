// Whole calls: from a service account's file to a reply, and the vendor's own SDK against
// our server half.

import { expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import { callModel } from "../../call.ts";
import { modelFailure } from "../../error.ts";
import { textOf } from "../../message.ts";
import { said, testModel, testRequest } from "../openai-testing.ts";
import { serveWire } from "../wire-test-support.ts";
import { filesOf, PLACE, serviceAccount, tokenService } from "./google-testing.ts";
import { server } from "./server.ts";

for (const id of ["gemini-test", "claude-test@20260101"]) {
  test(`${id} answers a machine with a service account`, async () => {
    await using google = tokenService();
    const model = testModel("google-vertex", { id, auth: "x-goog-api-key" });
    const told = said(model, [
      { type: "text", text: "Hello." },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "a" } },
    ]);
    await using http = serveWire(server, () => told);
    const shown: (string | null)[] = [];
    for (const stream of [true, false]) {
      const reply = await callModel(
        testRequest({ ...model, baseUrl: http.url }, { stream, system: ["Be brief."] }),
        {
          env: { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/sa" },
          readFile: filesOf({ "/sa": serviceAccount(google.uri) }),
          fetch: (url, init) => {
            if (!url.startsWith(google.uri)) {
              shown.push(new Headers(init.headers).get("authorization"));
            }
            return fetch(url, init);
          },
        },
      ).result();
      expect(reply.error).toBeUndefined();
      expect(reply).toMatchObject({ stopReason: "toolUse", content: told.content });
    }
    expect(google.faults).toEqual([]);
    expect(shown).toEqual(["Bearer token-1", "Bearer token-2"]);
    expect(http.requests.map(({ modelId, stream }) => [modelId, stream])).toEqual([
      [id, true],
      [id, false],
    ]);
  });
}

test("a failure before anything is sent is the reply's failure", async () => {
  const model = testModel("google-vertex", { auth: "x-goog-api-key", baseUrl: "" });
  const env = { ...PLACE, GOOGLE_APPLICATION_CREDENTIALS: "/gone" };
  const reply = await callModel(testRequest(model), { env, readFile: filesOf({}) }).result();
  expect(reply.error).toMatchObject({ kind: "auth", retryable: false });
});

test("errors of both publishers are read", async () => {
  const model = testModel("google-vertex", { auth: "x-goog-api-key" });
  const cases = [
    modelFailure("rate_limit", "slow down", { retryAfterMs: 2000 }),
    modelFailure("context_overflow", "too long"),
    modelFailure("auth", "no"),
  ];
  for (const failure of cases) {
    await using http = serveWire(server, () => failure);
    const request = testRequest({ ...model, baseUrl: `${http.url}/v1` });
    const reply = await callModel(request, { credential: "k" }).result();
    expect(reply.error).toMatchObject({ kind: failure.kind });
  }
  const { client } = await import("./client.ts");
  const guest = {
    type: "error",
    error: { type: "invalid_request_error", message: "prompt is too long: 9" },
  };
  expect(client.decodeError(400, new Headers(), JSON.stringify(guest))).toMatchObject({
    kind: "context_overflow",
  });
});

test("the official client reads our replies", async () => {
  const model = testModel("google-vertex", { id: "gemini-test" });
  await using http = serveWire(server, () => said(model, [{ type: "text", text: "Hello." }]));
  const httpOptions = { baseUrl: http.url };
  const google = new GoogleGenAI({ vertexai: true, apiKey: "k", httpOptions });
  const ask = { model: "gemini-test", contents: "hi" };
  expect((await google.models.generateContent(ask)).text).toBe("Hello.");
  let text = "";
  for await (const chunk of await google.models.generateContentStream(ask)) text += chunk.text;
  expect(text).toBe("Hello.");
  expect(http.requests.map(({ modelId }) => modelId)).toEqual(["gemini-test", "gemini-test"]);
  expect(textOf(http.requests[0]!.messages[0]!)).toBe("hi");
});
