import { expect, test } from "bun:test";
import { OAuthServer, unsignedToken } from "./oauth-server.ts";

const VERIFIER = "a-verifier-that-is-long-enough-for-the-standard-0123456789";
const CHALLENGE = new Bun.CryptoHasher("sha256").update(VERIFIER).digest("base64url");

async function post(url: string, parameters: Record<string, string>) {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(parameters) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function codeFor(server: OAuthServer, redirect: string): Promise<string> {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "app",
    redirect_uri: redirect,
    state: "s",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  });
  const page = await fetch(server.url(`/authorize?${query}`), { redirect: "manual" });
  const target = new URL(page.headers.get("location")!);
  expect(target.searchParams.get("state")).toBe("s");
  return target.searchParams.get("code")!;
}

test("a code works once, with its proof and its redirect", async () => {
  await using server = new OAuthServer({ clientId: "app" });
  const redirect = "http://127.0.0.1:1/back";
  const exchange = { grant_type: "authorization_code", client_id: "app", redirect_uri: redirect };
  const redeem = async (more: Record<string, string>) =>
    post(server.url("/token"), {
      ...exchange,
      code: await codeFor(server, redirect),
      code_verifier: VERIFIER,
      ...more,
    });
  const first = await redeem({});
  expect(first).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
  const { code } = server.callsTo("/token")[0]!.parameters;
  expect(await redeem({ code: code! })).toMatchObject({ body: { error: "invalid_grant" } });
  expect(await redeem({ code_verifier: "other" })).toMatchObject({ status: 400 });
  expect(await redeem({ redirect_uri: "http://127.0.0.1:1/x" })).toMatchObject({ status: 400 });
  expect(await redeem({ client_id: "someone" })).toMatchObject({ status: 401 });
});

test("a refresh token works once and gives another", async () => {
  await using server = new OAuthServer();
  const refresh = (token: string) =>
    post(server.url("/token"), { grant_type: "refresh_token", refresh_token: token });
  const old = server.issueRefreshToken();
  const renewed = await refresh(old);
  expect(renewed.status).toBe(200);
  expect(await refresh(old)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await refresh(renewed.body.refresh_token!)).toMatchObject({ status: 200 });
});

test("a device code is pending, may ask for slowness, then ends as told", async () => {
  await using server = new OAuthServer();
  server.pendingPolls = 2;
  server.slowDownAt = [2];
  const { body } = await post(server.url("/device"), { client_id: "app" });
  const poll = async () =>
    (
      await post(server.url("/token"), {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: body.device_code!,
      })
    ).body;
  expect((await poll()).error).toBe("authorization_pending");
  expect((await poll()).error).toBe("slow_down");
  expect(await poll()).toHaveProperty("access_token");
});

test("fails as it is told, once each", async () => {
  await using server = new OAuthServer({ claims: { email: "a@b" } });
  server.failNext("/token", { status: 503, text: "<html>", contentType: "text/html" });
  const ask = () =>
    fetch(server.url("/token"), {
      method: "POST",
      body: JSON.stringify({ grant_type: "x" }),
      headers: { "content-type": "application/json" },
    });
  expect((await ask()).status).toBe(503);
  expect((await ask()).status).toBe(400);
  expect(unsignedToken({ a: 1 }).split(".")).toHaveLength(3);
});
