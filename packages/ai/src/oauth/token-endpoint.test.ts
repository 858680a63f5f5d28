import { describe, expect, test } from "bun:test";
import { OAuthServer, unsignedToken, type Failure } from "@tau/testkit/oauth-server";
import { TestUser } from "@tau/testkit/oauth-server-user";
import { OAuthError, type OAuthContext } from "./oauth.ts";
import { requestRefresh, tokensFrom } from "./token-endpoint.ts";

async function refusal(failure: Failure): Promise<OAuthError> {
  await using server = new OAuthServer();
  server.failNext("/token", failure);
  const tokens = { access: "a", refresh: "the-refresh-token" };
  const client = { url: server.url("/token"), clientId: "app" };
  const error = await requestRefresh(client, tokens, new TestUser().context).catch(
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(OAuthError);
  return error as OAuthError;
}

describe("a refusal is definitive where the vendor has decided", () => {
  const cases: [string, Failure, boolean, string?][] = [
    ["invalid_grant", { status: 400, body: { error: "invalid_grant" } }, true, "invalid_grant"],
    ["invalid_token", { status: 400, body: { error: "invalid_token" } }, true, "invalid_token"],
    ["revoked", { status: 400, body: { error: "revoked" } }, true, "revoked"],
    [
      "nested code",
      { status: 400, body: { error: { code: "refresh_token_reused", message: "used" } } },
      true,
      "refresh_token_reused",
    ],
    ["401", { status: 401, body: {} }, true],
    ["403", { status: 403, text: "" }, true],
    ["a proxy's page", { status: 403, text: "<html>no</html>", contentType: "text/html" }, false],
    ["429", { status: 429, body: { error: "rate_limited" } }, false, "rate_limited"],
    ["500", { status: 500, text: "oops" }, false],
    ["503 with a code", { status: 503, body: { error: "invalid_grant" } }, false, "invalid_grant"],
    ["our own mistake", { status: 400, body: { error: "invalid_request" } }, false],
    ["a redirect", { status: 302, text: "" }, false],
    ["200 without a token", { status: 200, body: { ok: true } }, false],
    ["200 with an error", { status: 200, body: { error: "invalid_grant" } }, true],
    ["no JSON", { status: 200, text: "hello" }, false],
    ["too long", { status: 200, text: "x".repeat(300 * 1024) }, false],
  ];
  for (const [name, failure, definitive, code] of cases) {
    test(name, async () => {
      const error = await refusal(failure);
      expect(error.definitive).toBe(definitive);
      if (code) expect(error.code).toBe(code);
    });
  }
});

test("a vendor's words are shown, but never what was sent, nor control characters", async () => {
  const body = {
    error: "invalid_grant",
    error_description: `\x1b[31mToken the-refresh-token is revoked${"!".repeat(500)}`,
  };
  const { message } = await refusal({ status: 400, body });
  expect(message).toContain("Token … is revoked");
  expect(message).not.toContain("the-refresh-token");
  expect(message).not.toContain("\x1b");
  expect(message.length).toBeLessThan(300);
  const code = await refusal({ status: 400, body: { error: "\x1b]0;bad\x07" } });
  expect(code.message).toBe("the vendor returned no token: ]0;bad");
});

test("no network may pass; an abort is an abort", async () => {
  const { context } = new TestUser();
  const closed = { url: "http://127.0.0.1:1/token", clientId: "app" };
  const tokens = { access: "a", refresh: "r" };
  const error = (await requestRefresh(closed, tokens, context).catch(
    (caught: unknown) => caught,
  )) as OAuthError;
  expect([error.name, error.definitive]).toEqual(["OAuthError", false]);
  expect(error.message).toBe("127.0.0.1:1 cannot be reached");

  await using server = new OAuthServer();
  server.failNext("/token", { delayMs: 2000 });
  const stopped: OAuthContext = { ...context, signal: AbortSignal.timeout(20) };
  const open = { url: server.url("/token"), clientId: "app" };
  const aborted = requestRefresh(open, tokens, stopped);
  expect(await aborted.catch((caught: unknown) => (caught as Error).name)).toBe("TimeoutError");
});

test("expiry: in seconds, as text, or as the token itself says", async () => {
  const context = { ...new TestUser().context, now: () => 1000 };
  const of = async (reply: Record<string, unknown>) => {
    await using server = new OAuthServer({ reply });
    const tokens = { access: "a", refresh: server.issueRefreshToken() };
    const client = { url: server.url("/token"), clientId: "app" };
    return tokensFrom(await requestRefresh(client, tokens, context), context).expiresAt;
  };
  expect(await of({ expires_in: 60 })).toBe(61_000);
  expect(await of({ expires_in: "60" })).toBe(61_000);
  for (const expires_in of [null, "soon", -1, undefined]) {
    expect(await of({ access_token: unsignedToken({ exp: 9 }), expires_in })).toBe(9000);
    expect(await of({ access_token: "opaque.with.dots", expires_in })).toBeUndefined();
  }
  expect(() => tokensFrom({}, context)).toThrow(OAuthError);
});

test("what vendors leave out, leave empty or spell in their own way is no failure", async () => {
  const { context } = new TestUser();
  await using server = new OAuthServer({
    reply: { token_type: undefined, refresh_token: "", scope: ["a", "b"], id_token: "opaque" },
  });
  const tokens = { access: "a", refresh: server.issueRefreshToken() };
  const client = { url: server.url("/token"), clientId: "app" };
  const reply = await requestRefresh(client, tokens, context);
  expect(reply).toMatchObject({ token_type: "bearer", id_token: "opaque" });
  expect(tokensFrom(reply, context).refresh).toBeUndefined();
});

test("a token of a kind that nobody here can use is refused", async () => {
  const { context } = new TestUser();
  await using server = new OAuthServer({ reply: { token_type: "mac" } });
  const tokens = { access: "a", refresh: server.issueRefreshToken() };
  const client = { url: server.url("/token"), clientId: "app" };
  const error = await requestRefresh(client, tokens, context).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: "OAuthError", definitive: false });
});

test("rotating refresh tokens: the new one works, the old one is refused for good", async () => {
  await using server = new OAuthServer();
  const { context } = new TestUser();
  const client = { url: server.url("/token"), clientId: "app" };
  const first = { access: "a", refresh: server.issueRefreshToken() };
  const second = tokensFrom(await requestRefresh(client, first, context), context);
  expect(second.refresh).not.toBe(first.refresh);
  await requestRefresh(client, second, context);
  const again = await requestRefresh(client, first, context).catch((caught: unknown) => caught);
  expect(again).toMatchObject({ code: "invalid_grant", definitive: true });
  const never = requestRefresh(client, { access: "a" }, context);
  expect(await never.catch((caught: unknown) => caught)).toMatchObject({ definitive: true });
});
