// A whole signed call over a real socket. The receiver computes the signature anew, with
// another library and from nothing but what it received.

import { expect, test } from "bun:test";
import { createHash, createHmac } from "node:crypto";
import { callModel } from "../../call.ts";
import type { AssistantMessage } from "../../message.ts";
import { READ_TOOL, said, testModel, testRequest } from "../openai-testing.ts";
import { encodeEvents, eventsOf, META } from "../wire-test-support.ts";
import { server } from "./server.ts";

const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const ENV = {
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: SECRET,
  AWS_SESSION_TOKEN: "session/token+==",
  AWS_REGION: "eu-central-1",
};
const MODEL = testModel("bedrock-converse-stream", {
  id: "eu.anthropic.claude-sonnet-4-6-v1:0",
  auth: "bearer",
});

/** As the vendor describes it; the path is taken from the request line, never decoded. */
function expectedSignature(request: Request, rawPath: string, body: string): string {
  const authorization = request.headers.get("authorization")!;
  const scope = /Credential=[^/]+\/([^,]+),/.exec(authorization)![1]!;
  const names = /SignedHeaders=([^,]+),/.exec(authorization)![1]!;
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const hmac = (key: string | Buffer, text: string) =>
    createHmac("sha256", key).update(text).digest();
  const canonical = [
    request.method,
    rawPath.replaceAll("%", "%25").replaceAll(":", "%3A"),
    "",
    ...names.split(";").map((name) => `${name}:${request.headers.get(name)!.trim()}`),
    "",
    names,
    sha256(body),
  ].join("\n");
  const date = request.headers.get("x-amz-date")!;
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  let key: string | Buffer = `AWS4${SECRET}`;
  for (const part of scope.split("/")) key = hmac(key, part);
  return hmac(key, toSign).toString("hex");
}

function strictServer(reply: AssistantMessage) {
  const seen: { path: string; signed: boolean; token: string | null; scope: string }[] = [];
  const http = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const url = new URL(request.url);
      const body = await request.text();
      const authorization = request.headers.get("authorization") ?? "";
      const given = authorization.split("Signature=")[1];
      const signed = given === expectedSignature(request, url.pathname, body);
      seen.push({
        path: url.pathname,
        signed,
        token: request.headers.get("x-amz-security-token"),
        scope: authorization.split("/").slice(2, 5).join("/").split(",")[0]!,
      });
      if (!signed) {
        const headers = { "x-amzn-errortype": "InvalidSignatureException" };
        return Response.json({ message: "does not match" }, { status: 403, headers });
      }
      const decoded = server.decodeRequest(url, request.headers, JSON.parse(body));
      if (!decoded.stream) return Response.json(server.encodeReply(reply, META));
      const bytes = encodeEvents(server, eventsOf(reply));
      return new Response(bytes, { headers: { "content-type": server.streamType! } });
    },
  });
  const baseUrl = `http://127.0.0.1:${http.port}`;
  return { baseUrl, seen, [Symbol.asyncDispose]: () => http.stop(true) };
}

test("a signed call is accepted, streamed and whole", async () => {
  const reply = said(MODEL, [
    { type: "thinking", text: "hm", opaque: { wire: MODEL.wire, model: MODEL.id, data: "c2ln" } },
    { type: "text", text: "Reading — 読みます 👋" },
    { type: "toolCall", id: "t1", name: "read", arguments: { path: "ä" } },
  ]);
  await using http = strictServer(reply);
  for (const stream of [true, false]) {
    const request = testRequest(
      { ...MODEL, baseUrl: http.baseUrl },
      { stream, tools: [READ_TOOL], system: ["Ünïcode"] },
    );
    const got = await callModel(request, { env: ENV }).result();
    expect(got.error).toBeUndefined();
    expect(got).toMatchObject({ stopReason: "toolUse", content: reply.content });
  }
  expect(http.seen).toMatchObject([
    { signed: true, token: ENV.AWS_SESSION_TOKEN, scope: "eu-central-1/bedrock/aws4_request" },
    { signed: true },
  ]);
  expect(http.seen[0]!.path).toBe("/model/eu.anthropic.claude-sonnet-4-6-v1%3A0/converse-stream");
});

test("a wrong secret is an auth failure", async () => {
  await using http = strictServer(said(MODEL, []));
  const env = { ...ENV, AWS_SECRET_ACCESS_KEY: "wrong" };
  const request = testRequest({ ...MODEL, baseUrl: http.baseUrl });
  expect((await callModel(request, { env }).result()).error).toMatchObject({
    kind: "auth",
    code: "InvalidSignatureException",
    status: 403,
  });
});

test("no credentials: nothing is sent", async () => {
  await using http = strictServer(said(MODEL, []));
  const request = testRequest({ ...MODEL, baseUrl: http.baseUrl });
  const { error } = await callModel(request).result();
  expect(error).toMatchObject({ kind: "auth", retryable: false, provider: "test" });
  expect(http.seen).toEqual([]);
});

test("a damaged body is a protocol failure, not a hang", async () => {
  const bytes = encodeEvents(server, eventsOf(said(MODEL, [{ type: "text", text: "Hello" }])));
  bytes[20] = bytes[20]! ^ 1;
  await using http = {
    server: Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(bytes, { headers: { "content-type": server.streamType! } }),
    }),
    async [Symbol.asyncDispose]() {
      await this.server.stop(true);
    },
  };
  const baseUrl = `http://127.0.0.1:${http.server.port}`;
  const { error } = await callModel(testRequest({ ...MODEL, baseUrl }), { env: ENV }).result();
  expect(error).toMatchObject({ kind: "protocol", retryable: true });
});
