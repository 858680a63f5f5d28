// Every login from beginning to end, against a local server that is as strict as vendors
// are. What a vendor's page is asked for is compared too: those are the facts of a row.

import { describe, expect, test } from "bun:test";
import { OAuthServer, unsignedToken, type OAuthServerOptions } from "@tau/testkit/oauth-server";
import { logIn, renewTwice, tokensOf } from "@tau/testkit/oauth-server-login";
import { TestUser } from "@tau/testkit/oauth-server-user";
import { PROVIDERS } from "../providers.ts";
import { loadLogin, LOGINS } from "./logins.ts";
import { OAuthError } from "./oauth.ts";

const CODE_FLOW = { authorize: "/authorize", token: "/token" };
const DEVICE_FLOW = { device: "/device", token: "/token" };
const vendor = (options: OAuthServerOptions = {}) => new OAuthServer(options);

test("anthropic: loopback 54545, JSON with the state, the account's address", async () => {
  await using server = vendor({ reply: { account: { email_address: "ada@example.test" } } });
  const attempt = await logIn("anthropic", server, CODE_FLOW);
  expect(attempt.user.listened[0]).toMatchObject({ port: 54545, path: "/callback" });
  expect(attempt.tokens).toMatchObject({ account: "ada@example.test" });
  const exchange = server.callsTo("/token")[0]!;
  expect(exchange.headers.get("content-type")).toBe("application/json");
  expect(exchange.parameters.state).toBe(attempt.user.listened[0]!.state!);
  const asked = new URL(attempt.user.opened[0]!).searchParams;
  expect(asked.get("code")).toBe("true");
  expect(asked.get("scope")).toContain("user:inference");
  await renewTwice(attempt);
});

test("openai-codex: loopback 1455 or 1457, the account's id as a header", async () => {
  await using server = vendor({
    claims: {
      email: "ada@example.test",
      "https://api.openai.com/auth": { chatgpt_account_id: "acc-1" },
    },
  });
  const attempt = await logIn("openai-codex", server, CODE_FLOW);
  expect(attempt.user.listened[0]).toMatchObject({ port: 1455, path: "/auth/callback" });
  expect(attempt.tokens).toMatchObject({
    account: "ada@example.test",
    headers: { "chatgpt-account-id": "acc-1" },
  });
  expect(await renewTwice(attempt)).toMatchObject({ headers: { "chatgpt-account-id": "acc-1" } });
});

test("openai-codex-device: the vendor's own device flow, stored as openai-codex", async () => {
  let polls = 0;
  await using server = vendor({
    reply: {
      access_token: unsignedToken({
        exp: 4_000_000_000,
        "https://api.openai.com/auth": { chatgpt_account_id: "acc-2" },
      }),
    },
    routes: {
      "POST /usercode": () =>
        Response.json({ device_auth_id: "d1", usercode: "ABCD-1234", interval: "7" }),
      "POST /poll": ({ parameters }) => {
        expect(parameters).toEqual({ device_auth_id: "d1", user_code: "ABCD-1234" });
        if (++polls < 3) return new Response("{}", { status: polls === 1 ? 403 : 404 });
        const authorization_code = server.issueCode({ redirectUri: server.url("/back") });
        return Response.json({ authorization_code, code_verifier: "v", code_challenge: "c" });
      },
    },
  });
  const attempt = await logIn("openai-codex-device", server, {
    token: "/token",
    userCode: "/usercode",
    poll: "/poll",
    page: "/page",
    redirect: "/back",
  });
  expect(attempt.row.provider).toBe("openai-codex");
  expect(attempt.user.codes).toEqual([{ code: "ABCD-1234", url: server.url("/page") }]);
  expect(attempt.user.waits).toEqual([7000, 7000, 7000]);
  expect(attempt.tokens.headers).toEqual({ "chatgpt-account-id": "acc-2" });
});

describe("github-copilot", () => {
  const routes = (more: Record<string, unknown> = {}): OAuthServerOptions["routes"] => ({
    "GET /user": () => Response.json({ login: "octo" }),
    "GET /exchange": ({ headers }) => {
      expect(headers.get("authorization")).toMatch(/^Bearer access-/);
      return Response.json({
        token: `tid=1;exp=2;proxy-ep=proxy.individual.githubcopilot.com;n=${Math.random()}`,
        expires_at: 4_000_000_000,
        ...more,
      });
    },
  });
  const paths = { ...DEVICE_FLOW, exchange: "/exchange", user: "/user" };

  test("the exchanged token, its endpoint and its end; renewed with GitHub's token", async () => {
    await using server = vendor({ routes: routes() });
    const attempt = await logIn("github-copilot", server, paths, { answers: [""] });
    expect(attempt.tokens).toMatchObject({
      account: "octo",
      expiresAt: 4_000_000_000_000,
      baseUrl: "https://api.individual.githubcopilot.com",
      extra: { domain: "github.com" },
    });
    await renewTwice(attempt);
    expect(server.callsTo("/token")).toHaveLength(2);
  });

  test("a company's domain; the endpoint that the reply names wins", async () => {
    const endpoints = { api: "https://copilot.company.test/" };
    await using server = vendor({ routes: routes({ endpoints }) });
    const { tokens, user } = await logIn("github-copilot", server, paths, {
      answers: ["nonsense", "https://Company.ghe.com/login"],
    });
    expect(tokens.baseUrl).toBe("https://copilot.company.test");
    expect(tokens.extra).toEqual({ domain: "company.ghe.com" });
    expect(user.questions).toHaveLength(2);
  });

  test("without a plan: refused, in GitHub's words, without GitHub's token", async () => {
    await using server = vendor({
      routes: {
        "GET /exchange": ({ headers }) =>
          Response.json(
            { message: `No access for ${headers.get("authorization")?.slice(7)}` },
            { status: 403 },
          ),
      },
    });
    const error = (await logIn("github-copilot", server, paths).catch(
      (caught: unknown) => caught,
    )) as OAuthError;
    expect(error.message).toBe("GitHub did not grant access to Copilot: No access for …");
  });
});

describe("kimi-code", () => {
  const routed = (server: () => OAuthServer): OAuthServerOptions["routes"] => {
    const pass = (path: string) => (call: { parameters: Record<string, string> }) =>
      fetch(server().url(path), { method: "POST", body: new URLSearchParams(call.parameters) });
    return {
      "POST /api/oauth/device_authorization": pass("/device"),
      "POST /api/oauth/token": pass("/token"),
    };
  };

  test("the vendor's host, or one of the variables; the device stays the same", async () => {
    await using server: OAuthServer = vendor({ routes: routed(() => server) });
    const row = (await loadLogin("kimi-code", { endpoints: { host: "http://127.0.0.1:1" } }))!;
    const user = new TestUser({
      env: { KIMI_OAUTH_HOST: "http://127.0.0.1:2", KIMI_CODE_OAUTH_HOST: `${server.origin}/` },
    });
    const tokens = tokensOf(await row.login(user, user.context));
    await renewTwice({ user, row, tokens });
    const ids = ["/api/oauth/device_authorization", "/api/oauth/token"].flatMap((path) =>
      server.callsTo(path).map(({ headers }) => headers.get("x-msh-device-id")),
    );
    expect(ids.length).toBeGreaterThan(3);
    expect(new Set(ids)).toEqual(new Set([tokens.extra!.deviceId!]));
  });
});

test("qwen-portal: proof key, and the endpoint that the reply names", async () => {
  await using server = vendor({ reply: { resource_url: "portal.qwen.test" } });
  const attempt = await logIn("qwen-portal", server, DEVICE_FLOW);
  expect(server.callsTo("/device")[0]!.parameters.code_challenge).toMatch(/^[\w-]{43}$/);
  expect(attempt.tokens.baseUrl).toBe("https://portal.qwen.test/v1");
  await renewTwice(attempt);
});

test("xai-oauth: device code, the account's address", async () => {
  await using server = vendor({ claims: { email: "ada@example.test" } });
  const attempt = await logIn("xai-oauth", server, DEVICE_FLOW);
  expect(attempt.tokens.account).toBe("ada@example.test");
  expect(server.callsTo("/device")[0]!.parameters.scope).toContain("offline_access");
  await renewTwice(attempt);
});

test("gitlab-duo: 127.0.0.1:8080, a company's own application", async () => {
  await using server = vendor({
    clientId: "ours",
    routes: { "GET /user": () => Response.json({ username: "ada" }) },
  });
  const attempt = await logIn(
    "gitlab-duo",
    server,
    { ...CODE_FLOW, user: "/user" },
    { env: { GITLAB_OAUTH_CLIENT_ID: "ours" } },
  );
  expect(attempt.user.listened[0]).toMatchObject({ port: 8080, host: "127.0.0.1" });
  expect(attempt.tokens.account).toBe("ada");
  await renewTwice(attempt);
});

describe("the table", () => {
  test("every provider that has a login, or takes a key, is in it", async () => {
    const listed = new Set(LOGINS.map((login) => login.id));
    for (const row of PROVIDERS) {
      if (row.login !== undefined) expect(listed).toContain(row.login);
      if (row.keyEnv.length > 0) expect(listed).toContain(row.id);
    }
    expect(listed.size).toBe(LOGINS.length);
    for (const { id, name, provider } of LOGINS) {
      expect(await loadLogin(id)).toMatchObject({ id, name, provider });
    }
    expect(await loadLogin("nobody")).toBeUndefined();
  });

  test("a key is asked for in secret, and must look like one", async () => {
    const row = (await loadLogin("perplexity"))!;
    const user = new TestUser({ answers: ["  sk-1 \n", "two words", "   "] });
    expect(await row.login(user, user.context)).toEqual({ kind: "api_key", key: "sk-1" });
    expect(user.questions[0]!.secret).toBe(true);
    for (const _ of [1, 2]) {
      const error = await row.login(user, user.context).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(OAuthError);
      expect((error as Error).message).not.toContain("two");
    }
  });
});
