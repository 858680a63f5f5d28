// No text that a server sends about a failure gives away what it was sent as a credential.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callModel } from "./call.ts";
import { call, chunk, failureOf, host, SSE_HEADERS } from "./scripted-host.ts";
import { SentSecrets } from "./sent-secrets.ts";
import { encodeSse } from "./sse.ts";
import { testModel, testRequest } from "./wires/openai-testing.ts";

const KEY = "sk-proj-Aa1/Bb2+Cc3=Dd4";
const HIDDEN = "[credential hidden]";

describe("a server that repeats the key", () => {
  const refusal = (text: string) => () =>
    Response.json({ error: { message: text, code: text } }, { status: 401 });

  test("in the text and the code of its refusal", async () => {
    const text = `Incorrect API key provided: ${KEY}. Find yours at example.com.`;
    await using server = host(refusal(text));
    const { error } = await failureOf(server.baseUrl, { credential: KEY });
    expect(error).toMatchObject({
      kind: "auth",
      message: `Incorrect API key provided: ${HIDDEN}. Find yours at example.com.`,
    });
    expect(JSON.stringify(error)).not.toContain("sk-proj");
  });

  test("URL-encoded, and as the whole header", async () => {
    const text = `GET /v1?key=${encodeURIComponent(KEY)} with "Bearer ${KEY}"`;
    await using server = host(refusal(text));
    const { error } = await failureOf(server.baseUrl, { credential: KEY });
    expect(error!.message).toBe(`GET /v1?key=${HIDDEN} with "${HIDDEN}"`);
  });

  test("where a long text is cut in the middle of it", async () => {
    await using server = host(() => new Response("x".repeat(490) + KEY, { status: 401 }));
    const { error } = await failureOf(server.baseUrl, { credential: KEY });
    expect(error!.message).not.toContain("sk-");
  });

  test("in the id of the request, and in a header of the user's own", async () => {
    const secret = "another-secret-1";
    await using server = host(
      () => new Response(`bad ${secret}`, { status: 403, headers: { "x-request-id": KEY } }),
    );
    const headers = { "X-Proxy-Token": secret };
    const { error } = await call(server.baseUrl, { credential: KEY }, { headers }).result();
    expect(error).toMatchObject({ message: `bad ${HIDDEN}`, requestId: HIDDEN });
  });

  test("in the middle of a stream", async () => {
    const event = encodeSse(JSON.stringify({ error: { message: `revoked: ${KEY}`, code: 401 } }));
    await using server = host(
      () => new Response(chunk({ content: "Hel" }) + event, { headers: SSE_HEADERS }),
    );
    const { error } = await failureOf(server.baseUrl, { credential: KEY });
    expect(error!.message).toBe(`revoked: ${HIDDEN}`);
  });

  test("with a wire that signs its requests itself", async () => {
    const model = testModel("google-vertex");
    const { error } = await callModel(testRequest(model), {
      credential: KEY,
      env: { GOOGLE_CLOUD_PROJECT: "p", GOOGLE_CLOUD_LOCATION: "global" },
      fetch: async (url, init) =>
        new Response(`refused ${url} ${JSON.stringify(init.headers)} ${KEY}`, { status: 401 }),
    }).result();
    expect(error!.message).toContain(HIDDEN);
    expect(error!.message).not.toMatch(/sk-proj/);
  });

  test("but a placeholder and the provider's own name are ordinary words", async () => {
    await using server = host(() => new Response("no key for a lm-studio model", { status: 401 }));
    for (const credential of ["model", "lm-studio"]) {
      const over = { provider: "lm-studio" };
      const { error } = await call(server.baseUrl, { credential }, over).result();
      expect(error!.message).toBe("no key for a lm-studio model");
    }
  });
});

test("law: nothing of what was sent is in what is told, wherever it stands", () => {
  const secret = fc.string({ minLength: 8, maxLength: 60, unit: "binary-ascii" });
  const visible = secret.filter((text) => text.trim().length >= 8 && !HIDDEN.includes(text.trim()));
  fc.assert(
    fc.property(visible, fc.string(), fc.string(), (key, before, after) => {
      const secrets = new SentSecrets();
      secrets.addHeaders({ authorization: `Bearer ${key}` });
      const sent = key.trim();
      for (const form of [sent, encodeURIComponent(sent), JSON.stringify(sent)]) {
        expect(secrets.hide(`${before}${form}${after}`)).toContain(HIDDEN);
        expect(secrets.hide(form)).not.toContain(sent);
      }
    }),
  );
});
