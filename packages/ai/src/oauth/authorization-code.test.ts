import { describe, expect, test } from "bun:test";
import { OAuthServer, type OAuthServerOptions } from "@tau/testkit/oauth-server";
import { TestUser, type UserOptions } from "@tau/testkit/oauth-server-user";
import fc from "fast-check";
import { authorizeWithCode, type AuthorizationCodeClient } from "./authorization-code.ts";
import { pastedResponse } from "./authorization-response.ts";
import { CannotAsk, OAuthError } from "./oauth.ts";

function clientOf(server: OAuthServer): AuthorizationCodeClient {
  return {
    authorizeUrl: server.url("/authorize?audience=x"),
    token: { url: server.url("/token") },
    clientId: "app",
    scope: "a b",
    loopback: { host: "localhost", ports: [4001, 4002], path: "/back" },
  };
}

async function logIn(options: UserOptions, more: Partial<AuthorizationCodeClient> = {}) {
  await using server = new OAuthServer({ clientId: "app" });
  return await attempt(server, options, more);
}

async function attempt(
  server: OAuthServer,
  options: UserOptions,
  more: Partial<AuthorizationCodeClient> = {},
) {
  const user = new TestUser(options);
  const outcome = await authorizeWithCode(
    { ...clientOf(server), ...more },
    user,
    user.context,
  ).catch((error: unknown) => error);
  return { user, outcome, server };
}

/** What the address bar shows after the vendor's page. */
async function addressAfter(user: TestUser): Promise<string> {
  const page = await fetch(user.opened[0]!, { redirect: "manual" });
  return page.headers.get("location")!;
}

test("the code comes over loopback, with state and proof, and the port is closed", async () => {
  const { user, outcome, server } = await logIn({});
  expect(outcome).toMatchObject({ token_type: "bearer" });
  expect(user.listened.map(({ port, path, host }) => [port, path, host])).toEqual([
    [4001, "/back", "localhost"],
  ]);
  const asked = new URL(user.opened[0]!).searchParams;
  expect(asked.get("audience")).toBe("x");
  expect(asked.get("scope")).toBe("a b");
  expect(asked.get("state")).toBe(user.listened[0]!.state!);
  expect(server.callsTo("/token")[0]!.parameters).toMatchObject({
    grant_type: "authorization_code",
    redirect_uri: asked.get("redirect_uri")!,
  });
  expect(asked.get("code_challenge")).toMatch(/^[\w-]{43}$/);
  expect(user.openListeners).toBe(0);
});

describe("pasting", () => {
  test("the address the browser ended at, where it could not reach us", async () => {
    const { outcome, user } = await logIn({ browses: false, answers: [addressAfter] });
    expect(outcome).toMatchObject({ token_type: "bearer" });
    expect(user.openListeners).toBe(0);
    expect(user.questions[0]!.question).toStartWith("Waiting for the browser.");
  });

  test("only the code; an empty line is asked again", async () => {
    const codeOnly = async (user: TestUser) =>
      new URL(await addressAfter(user)).searchParams.get("code")!;
    const { outcome, user } = await logIn({ browses: false, answers: ["", "  ", codeOnly] });
    expect(outcome).toMatchObject({ token_type: "bearer" });
    expect(user.questions).toHaveLength(3);
  });

  test("every port taken: the vendor's own page shows the code with its state", async () => {
    const shown = async (user: TestUser) => {
      const { searchParams } = new URL(await addressAfter(user));
      return `${searchParams.get("code")}#${searchParams.get("state")}`;
    };
    const { outcome, user, server } = await logIn(
      { browses: false, hears: false, answers: [shown] },
      { pasteRedirect: "https://vendor.test/shown", sendsState: true },
    );
    expect(outcome).toMatchObject({ token_type: "bearer" });
    expect(user.listened.map(({ port }) => port)).toEqual([4001, 4002]);
    const { parameters } = server.callsTo("/token")[0]!;
    expect(parameters.redirect_uri).toBe("https://vendor.test/shown");
    expect(parameters.state).toBe(new URL(user.opened[0]!).searchParams.get("state")!);
  });

  test("every port taken and no such page: the registered address all the same", async () => {
    const { outcome, server } = await logIn({
      browses: false,
      hears: false,
      answers: [addressAfter],
    });
    expect(outcome).toMatchObject({ token_type: "bearer" });
    expect(server.callsTo("/token")[0]!.parameters.redirect_uri).toBe("http://localhost:4001/back");
  });

  test("a code of another login is not sent anywhere", async () => {
    const { outcome, server } = await logIn({ browses: false, answers: ["code#other-state"] });
    expect(outcome).toMatchObject({ code: "state_mismatch" });
    expect(server.callsTo("/token")).toEqual([]);
  });

  test("nor is an answer of another vendor, one with two codes, or one of another flow", async () => {
    const issuer = "https://vendor.test";
    const outcomeOf = async (more: string) => {
      const answer = async (user: TestUser) => (await addressAfter(user)) + more;
      const { outcome, server } = await logIn({ browses: false, answers: [answer] }, { issuer });
      expect(server.callsTo("/token")).toHaveLength(outcome instanceof OAuthError ? 0 : 1);
      return outcome;
    };
    expect(await outcomeOf("&iss=https%3A%2F%2Fvendor.test")).toMatchObject({
      token_type: "bearer",
    });
    for (const more of ["&iss=https%3A%2F%2Fother.test", "&code=second", "&id_token=x"]) {
      expect(await outcomeOf(more)).toMatchObject({ name: "OAuthError", definitive: true });
    }
  });

  test("nobody to ask and nothing heard", async () => {
    const { outcome } = await logIn({ browses: false, hears: false });
    expect(outcome).toBeInstanceOf(CannotAsk);
  });
});

test("a user who refuses, a vendor who fails, an interrupt: the port is closed", async () => {
  const run = async (options: OAuthServerOptions, act?: (user: TestUser) => void) => {
    await using server = new OAuthServer(options);
    if (options.denies === undefined) server.failNext("/token", { status: 503 });
    const user = new TestUser({ browses: act === undefined });
    const login = authorizeWithCode(clientOf(server), user, user.context);
    if (act) setTimeout(() => act(user), 20);
    const outcome = await login.catch((error: unknown) => error);
    expect(user.openListeners).toBe(0);
    return outcome;
  };
  expect(await run({ denies: true })).toMatchObject({ code: "access_denied" });
  expect(await run({})).toMatchObject({ name: "OAuthError", definitive: false });
  expect(await run({}, (user) => user.interrupt())).toMatchObject({ name: "AbortError" });
});

test("whatever is pasted: the code of this login, or a typed refusal", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        const response = pastedResponse(text, { clientId: "app", state: "the-state" });
        expect(response === undefined).toBe(text.trim() === "");
      } catch (error) {
        expect(error).toBeInstanceOf(OAuthError);
      }
    }),
  );
  const word = fc.stringMatching(/^[\w.~-]{1,40}$/);
  fc.assert(
    fc.property(word, word, (code, state) => {
      const query = `code=${code}&state=${state}`;
      for (const form of [
        code,
        `${code}#${state}`,
        query,
        `http://localhost:1/x?${query}`,
        `  ${code} `,
      ]) {
        expect(pastedResponse(form, { clientId: "app", state })!.get("code")).toBe(code);
      }
    }),
  );
});
