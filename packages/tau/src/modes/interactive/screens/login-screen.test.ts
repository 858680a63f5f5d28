import { expect, test } from "bun:test";
import { loadLogin } from "@tau/ai/oauth/logins";
import { OAuthServer } from "@tau/testkit/oauth-server";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { openStore } from "../../../credentials/open-store.ts";
import { openLoginScreen, type LoginScreenDeps } from "./login-screen.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful } from "./test/laws.ts";

async function fixture(more: Partial<LoginScreenDeps> = {}) {
  const scratch = await createScratchDirectory();
  const server = new OAuthServer({ reply: { account: { email_address: "ada@x.test" } } });
  const opened: string[] = [];
  const env = { HOME: scratch.root, TAU_AGENT_DIR: scratch.path("agent") };
  const endpoints = { authorize: server.url("/authorize"), token: server.url("/token") };
  const deps: LoginScreenDeps = {
    env,
    loadLogin: (id) => loadLogin(id, { endpoints, ports: [0] }),
    openBrowser: (url) => {
      opened.push(url);
      return true;
    },
    ...more,
  };
  const stored = async () => {
    using store = await openStore(env);
    return (store?.list() ?? []).map(({ provider, label, secret }) => ({
      provider,
      label,
      kind: secret.kind,
    }));
  };
  return {
    deps,
    env,
    opened,
    server,
    stored,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

async function until(isThere: () => boolean): Promise<void> {
  for (let turn = 0; turn < 600 && !isThere(); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(isThere()).toBe(true);
}

/** To the flow of the vendor's page; Anthropic takes keys, too. */
async function startLogin(stage: FakeStage, opened: readonly string[]): Promise<void> {
  stage.type("anthropic");
  stage.press("Enter");
  await settled();
  stage.press("Enter");
  await until(() => opened.length > 0 && stage.picture().includes("Waiting for the browser"));
}

test("logins stand before keys, and where one is signed in is marked", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  const env = { ...given.env, GROQ_API_KEY: "x" };
  const answer = openLoginScreen(stage, { ...given.deps, env });
  await settled();
  expect(stage.picture()).toMatch(/With your account[^]*anthropic[^]*With a key that you paste/);
  expectLawful(stage);
  stage.type("google");
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Ctrl+U");
  stage.type("groq");
  expect(stage.picture()).toContain("GROQ_API_KEY is set in the environment.");
  stage.press("Ctrl+C");
  expect(await answer).toBeUndefined();
});

test("a login at the vendor's page: the browser comes back, and it is stored", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  const answer = openLoginScreen(stage, given.deps);
  await startLogin(stage, given.opened);
  expectLawful(stage);
  expect((await fetch(given.opened[0]!)).status).toBe(200);
  expect(await answer).toEqual({ kind: "login", provider: "anthropic" });
  expect(stage.notes).toEqual([
    { text: "Logged in for anthropic as ada@x.test.", tone: "success" },
  ]);
  expect(await given.stored()).toEqual([
    { provider: "anthropic", label: "ada@x.test", kind: "oauth" },
  ]);
});

test("where the browser is elsewhere, the address it ended at is pasted", async () => {
  await using given = await fixture({ openBrowser: undefined });
  const urls: string[] = [];
  const stage = new FakeStage();
  const deps = {
    ...given.deps,
    copy: (text: string) => void urls.push(text),
    openBrowser: () => false,
  };
  const answer = openLoginScreen(stage, deps);
  stage.type("anthropic");
  stage.press("Enter");
  await settled();
  stage.press("Enter");
  await until(() => stage.picture().includes("Open it in a browser."));
  stage.press("Ctrl+Y");
  expect(stage.picture()).toContain("The URL is on the clipboard.");
  const shown = stage
    .rows()
    .join("")
    .replace(/\x1b\]8;;[^\x1b]*\x1b\\/g, "");
  expect(shown).toContain(urls[0]!);
  const page = await fetch(urls[0]!, { redirect: "manual" });
  stage.paste(`${page.headers.get("location")!}\n`);
  stage.press("Enter");
  expect(await answer).toEqual({ kind: "login", provider: "anthropic" });
});

test("Esc ends a login at once, frees its port and leads back to the list", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  const answer = openLoginScreen(stage, given.deps);
  await startLogin(stage, given.opened);
  const redirect = new URL(given.opened[0]!).searchParams.get("redirect_uri")!;
  expect((await fetch(redirect)).status).toBe(400);
  stage.press("Escape");
  expect(stage.depth).toBe(1);
  expect(stage.picture()).toContain("─ Log in ─");
  await settled();
  expect(
    await fetch(redirect).then(
      () => "there",
      () => "gone",
    ),
  ).toBe("gone");
  stage.press("Ctrl+C");
  expect(await answer).toBeUndefined();
  expect(await given.stored()).toEqual([]);
});

test("a vendor that refuses is heard, and the login can be tried again", async () => {
  await using given = await fixture();
  given.server.failNext("/token", { status: 400, body: { error: "invalid_grant" } });
  const stage = new FakeStage();
  const answer = openLoginScreen(stage, given.deps);
  await startLogin(stage, given.opened);
  await fetch(given.opened[0]!);
  await until(() => stage.picture().includes("The login failed"));
  expectLawful(stage);
  stage.press("Enter");
  await until(() => given.opened.length === 2);
  await fetch(given.opened[1]!);
  expect(await answer).toEqual({ kind: "login", provider: "anthropic" });
});

test("a key is not shown, and what is no key is refused", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  const answer = openLoginScreen(stage, { ...given.deps, provider: "groq" });
  await settled();
  stage.type("two words");
  expect(stage.picture()).not.toContain("two words");
  expect(stage.picture()).toContain("*********");
  stage.press("Enter");
  await until(() => stage.picture().includes("that is not a key"));
  stage.press("Enter");
  await settled();
  stage.paste("sk-secret-1\n");
  expect(stage.picture()).toMatchSnapshot();
  expect(stage.caret).toBeDefined();
  stage.press("Enter");
  expect(await answer).toEqual({ kind: "login", provider: "groq" });
  expect(await given.stored()).toEqual([{ provider: "groq", label: "key", kind: "api_key" }]);
});

test("logging out asks first, and removes what is stored", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  const first = openLoginScreen(stage, { ...given.deps, provider: "groq" });
  await settled();
  stage.type("sk-secret-1");
  stage.press("Enter");
  await first;
  const answer = openLoginScreen(stage, given.deps);
  await until(() => stage.picture().includes("1 of"));
  stage.type("groq");
  await until(() => stage.picture().includes("● groq"));
  stage.press("Ctrl+D");
  stage.rest();
  stage.press("Enter");
  await settled();
  expect(await given.stored()).toHaveLength(1);
  stage.press("Ctrl+D");
  stage.rest();
  stage.press("y", "Enter");
  expect(await answer).toEqual({ kind: "logout", provider: "groq" });
  expect(await given.stored()).toEqual([]);
});
