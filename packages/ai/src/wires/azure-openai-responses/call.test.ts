// What goes to Azure over the network, and the official client against our server half.

import { expect, test } from "bun:test";
import { AzureOpenAI } from "openai";
import { callModel, type CallOptions } from "../../call.ts";
import { textOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { said, testModel, testRequest } from "../openai-testing.ts";
import { serveWire } from "../wire-test-support.ts";
import { deploymentOf } from "./authorize.ts";
import { server } from "./server.ts";

const MODEL = testModel("azure-openai-responses", { auth: "api-key" });
const REPLY = said(MODEL, [{ type: "text", text: "Hello." }]);

async function sent(over: Partial<Model>, options: CallOptions) {
  await using http = serveWire(server, () => REPLY);
  const seen: { url: URL; headers: Headers }[] = [];
  const send: CallOptions["fetch"] = (url, init) => {
    seen.push({ url: new URL(url), headers: new Headers(init.headers) });
    return fetch(url, init);
  };
  const model = { ...MODEL, baseUrl: `${http.url}/openai/v1`, ...over };
  const reply = await callModel(testRequest(model), { fetch: send, ...options }).result();
  return { reply, ...seen[0], body: http.bodies[0] as { model?: string } | undefined };
}

test("the version is in the address, the key in Azure's own header", async () => {
  const { reply, url, headers, body } = await sent({}, { credential: "k" });
  expect(textOf(reply)).toBe("Hello.");
  expect(reply.error).toBeUndefined();
  expect(url!.pathname + url!.search).toBe("/openai/v1/responses?api-version=v1");
  expect(headers!.get("api-key")).toBe("k");
  expect(headers!.has("authorization")).toBe(false);
  expect(body!.model).toBe("m");
});

test("the environment chooses the version, a model's row over it", async () => {
  const env = { AZURE_OPENAI_API_VERSION: "2025-04-01-preview" };
  expect((await sent({}, { env })).url!.search).toBe("?api-version=2025-04-01-preview");
  const quirks = { azureApiVersion: "preview" };
  expect((await sent({ quirks }, { env })).url!.search).toBe("?api-version=preview");
});

test("Entra tokens are bearer tokens", async () => {
  for (const over of [{ auth: "bearer" as const }, { quirks: { entraToken: true } }]) {
    const { headers } = await sent(over, { credential: "t" });
    expect(headers!.get("authorization")).toBe("Bearer t");
    expect(headers!.has("api-key")).toBe(false);
  }
});

test("a header that the model's row sets or takes away stands", async () => {
  const set = await sent({ headers: { "api-key": "row" } }, { credential: "k" });
  expect(set.headers!.get("api-key")).toBe("row");
  const gone = await sent({ headers: { "api-key": null } }, { credential: "k" });
  expect(gone.headers!.has("api-key")).toBe(false);
});

test("the deployment map alters the wire and nothing else", async () => {
  const env = { AZURE_OPENAI_DEPLOYMENT_NAME_MAP: "x=y, m = my-deployment" };
  const { reply, body } = await sent({}, { env });
  expect(body!.model).toBe("my-deployment");
  expect(reply).toMatchObject({ model: "m", wire: "azure-openai-responses" });
  expect(deploymentOf("m", "m=,x=y")).toBeUndefined();
  expect(deploymentOf("m", "mm=x,m=a=b")).toBe("a=b");
  expect(deploymentOf("m", undefined)).toBeUndefined();
});

test("an unknown address is said before anything is sent", async () => {
  const { reply, url } = await sent({ baseUrl: "" }, { credential: "k" });
  expect(url).toBeUndefined();
  expect(reply.error).toMatchObject({ kind: "invalid_request", retryable: false });
  expect(reply.error!.message).toContain("AZURE_OPENAI_RESOURCE_NAME");
});

test("the official client reads our replies", async () => {
  await using http = serveWire(server, () => REPLY);
  const baseURL = `${http.url}/openai/v1`;
  const azure = new AzureOpenAI({ apiKey: "k", apiVersion: "v1", baseURL, maxRetries: 0 });
  const whole = await azure.responses.create({ model: "dep", input: "hi" });
  expect(whole.output_text).toBe("Hello.");
  const stream = azure.responses.stream({ model: "dep", input: "hi" });
  expect((await stream.finalResponse()).output_text).toBe("Hello.");
  expect(http.requests.map(({ modelId }) => modelId)).toEqual(["dep", "dep"]);
});
