import { expect, test } from "bun:test";
import { OAuthServer } from "@tau/testkit/oauth-server";
import { logIn, renewTwice } from "@tau/testkit/oauth-server-login";
import { CLOUD_PROJECT_HEADER } from "../cloud-project-header.ts";

const env = { GEMINI_CLI_OAUTH_CLIENT_SECRET: "s1", ANTIGRAVITY_OAUTH_CLIENT_SECRET: "s2" };
const paths = {
  authorize: "/authorize",
  token: "/token",
  user: "/user",
  codeAssist: "/v1internal",
};
const user = { "GET /user": () => Response.json({ email: "ada@example.test" }) };
const withTier = (more: Record<string, unknown>) => ({
  ...user,
  "POST /v1internal:loadCodeAssist": () =>
    Response.json({ currentTier: { id: "free-tier" }, ...more }),
});

test("gemini-cli: loopback 8085, the account's project, renewed with the secret", async () => {
  await using server = new OAuthServer({
    clientSecret: "s1",
    routes: withTier({ cloudaicompanionProject: "proj-1" }),
  });
  const attempt = await logIn("google-gemini-cli", server, paths, { env });
  expect(attempt.user.listened[0]).toMatchObject({ port: 8085, path: "/oauth2callback" });
  expect(attempt.tokens).toMatchObject({
    account: "ada@example.test",
    headers: { [CLOUD_PROJECT_HEADER]: "proj-1" },
  });
  const asked = new URL(attempt.user.opened[0]!).searchParams;
  expect([asked.get("access_type"), asked.get("prompt")]).toEqual(["offline", "consent"]);
  await renewTwice(attempt);
});

test("antigravity: loopback 51121 and more scopes", async () => {
  await using server = new OAuthServer({
    clientSecret: "s2",
    routes: withTier({ cloudaicompanionProject: "proj-2" }),
  });
  const { user } = await logIn("google-antigravity", server, paths, { env });
  expect(user.listened[0]).toMatchObject({ port: 51121, path: "/oauth-callback" });
  const asked = new URL(user.opened[0]!).searchParams;
  expect(asked.get("scope")).toContain("https://www.googleapis.com/auth/cclog");
});

test("a new account is signed up, and its project waited for", async () => {
  let polls = 0;
  await using server = new OAuthServer({
    routes: {
      ...user,
      "POST /v1internal:loadCodeAssist": () =>
        Response.json({ allowedTiers: [{ id: "x" }, { id: "free-tier", isDefault: true }] }),
      "POST /v1internal:onboardUser": ({ parameters }) => {
        expect(parameters.tierId).toBe("free-tier");
        expect(parameters.cloudaicompanionProject).toBeUndefined();
        return Response.json({ name: "operations/1" });
      },
      "GET /v1internal/operations/1": () =>
        Response.json(
          ++polls < 3
            ? { name: "operations/1" }
            : { done: true, response: { cloudaicompanionProject: { id: "made" } } },
        ),
    },
  });
  const { tokens, user: person } = await logIn("google-gemini-cli", server, paths, {
    env: { ...env, GOOGLE_CLOUD_PROJECT_ID: "mine" },
  });
  expect(tokens.extra?.project).toBe("made");
  expect(person.waits).toEqual([5000, 5000, 5000]);
});

test("a project that the user names; without any, a sentence that says so", async () => {
  await using server = new OAuthServer({ routes: withTier({}) });
  const named = { ...env, GOOGLE_CLOUD_PROJECT_ID: "mine" };
  const { tokens } = await logIn("google-gemini-cli", server, paths, { env: named });
  expect(tokens.extra?.project).toBe("mine");
  const none = await logIn("google-gemini-cli", server, paths, { env }).catch(
    (error: unknown) => error,
  );
  expect((none as Error).message).toBe(
    "this account needs a cloud project: set GOOGLE_CLOUD_PROJECT_ID to its id",
  );
});

test("the client secret is asked for, unseen, and kept for renewals", async () => {
  await using server = new OAuthServer({
    clientSecret: "s1",
    routes: withTier({ cloudaicompanionProject: "proj-1" }),
  });
  const attempt = await logIn("google-gemini-cli", server, paths, { answers: [" s1\n"] });
  const [asked] = attempt.user.questions;
  expect(asked).toEqual({ question: expect.stringContaining("oauth2.ts"), secret: true });
  expect(attempt.tokens.extra?.clientSecret).toBe("s1");
  await renewTwice(attempt);
});

test("without the client secret nothing is opened", async () => {
  await using server = new OAuthServer();
  const error = await logIn("google-antigravity", server, paths).catch((caught: unknown) => caught);
  expect((error as Error).message).toContain("set ANTIGRAVITY_OAUTH_CLIENT_SECRET");
  expect((error as Error).message).toContain("GEMINI_API_KEY");
  expect(server.calls).toEqual([]);
});
