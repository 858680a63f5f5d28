import { describe, expect, test } from "bun:test";
import { ModelError } from "@tau/ai/error";
import { OAuthError, type LoginRow, type OAuthTokens } from "@tau/ai/oauth/oauth";
import type { ProviderRow } from "@tau/ai/provider-row";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { CredentialStore } from "./credential-store.ts";
import { Credentials, type CredentialsOptions } from "./credentials.ts";

const ROW: ProviderRow = {
  id: "acme",
  name: "Acme",
  wire: "openai-completions",
  baseUrl: "http://x",
  auth: "bearer",
  keyEnv: ["ACME_TOKEN", "ACME_KEY"],
  login: "acme",
};

const NOW = 1_000_000_000;

function loginThat(refresh: LoginRow["refresh"]): LoginRow {
  return {
    id: "acme",
    name: "Acme",
    provider: "acme",
    login: () => Promise.reject(new Error("not asked for")),
    ...(refresh ? { refresh } : {}),
  };
}

function setUp(options: Partial<CredentialsOptions> & { refresh?: LoginRow["refresh"] } = {}) {
  const store = new CredentialStore(":memory:");
  const { refresh, ...rest } = options;
  const credentials = new Credentials({
    env: {},
    row: (provider) => (provider === "acme" ? ROW : undefined),
    store: () => store,
    login: async () => loginThat(refresh),
    oauth: { fetch, env: {}, now: () => NOW },
    configured: async () => undefined,
    hasConfigured: () => false,
    ...rest,
  });
  return { store, credentials };
}

const key = (text: string) => ({ kind: "api_key" as const, key: text });
const login = (access: string, more: Partial<OAuthTokens> = {}) => ({
  kind: "oauth" as const,
  tokens: { access, refresh: `refresh-${access}`, expiresAt: NOW + 3_600_000, ...more },
});

test("each source beats the next", async () => {
  const sources: Partial<CredentialsOptions>[] = [
    { flag: { provider: "acme", key: "flag" } },
    { configured: async () => "config", hasConfigured: () => true },
  ];
  const env = { ACME_KEY: "env-key", ACME_TOKEN: "env-token" };
  const first = setUp({ ...sources[0], ...sources[1], env });
  first.store.save("acme", "k", key("stored-key"));
  expect(await first.credentials.get("acme")).toMatchObject({ origin: "flag", token: "flag" });

  const second = setUp({ ...sources[1], env });
  second.store.save("acme", "k", key("stored-key"));
  expect(await second.credentials.get("acme")).toMatchObject({ origin: "models.yml" });

  const third = setUp({ env });
  third.store.save("acme", "a@b", login("oauth"));
  third.store.save("acme", "k", key("stored-key"));
  expect(await third.credentials.get("acme")).toMatchObject({ origin: "stored key" });

  const fourth = setUp({ env });
  fourth.store.save("acme", "a@b", login("oauth", { headers: { "x-account": "1" } }));
  expect(await fourth.credentials.get("acme")).toMatchObject({
    origin: "stored login",
    token: "oauth",
    label: "a@b",
    headers: { "x-account": "1" },
  });

  const fifth = setUp({ env });
  expect(await fifth.credentials.get("acme")).toEqual({
    origin: "environment",
    token: "env-token",
    label: "ACME_TOKEN",
  });
  expect(await setUp().credentials.get("acme")).toBeUndefined();
});

test("a key for one provider is no key for another", async () => {
  const { credentials } = setUp({ flag: { provider: "other", key: "x" } });
  expect(await credentials.get("acme")).toBeUndefined();
  expect(credentials.has("acme")).toBe(false);
  expect(credentials.has("other")).toBe(true);
});

test("a login is sent as logins are, a key as keys are", async () => {
  const row = { ...ROW, loginAuth: { auth: "bearer" as const, quirks: { betas: ["login"] } } };
  const { store, credentials } = setUp({ row: () => row });
  store.save("acme", "a@b", login("oauth"));
  expect(await credentials.get("acme")).toMatchObject({
    auth: "bearer",
    quirks: { betas: ["login"] },
  });
  store.save("acme", "k", key("stored-key"));
  expect(await credentials.get("acme")).not.toHaveProperty("auth");
});

test("a key that is exchanged is exchanged once until it expires", async () => {
  let exchanges = 0;
  let now = NOW;
  const { credentials } = setUp({
    env: { ACME_KEY: "long" },
    row: () => ({ ...ROW, keyExchange: "gitlab-duo" }),
    oauth: {
      env: {},
      now: () => now,
      fetch: async () => Response.json({ token: `short-${++exchanges}` }),
    },
  });
  expect((await credentials.get("acme"))!.token).toBe("short-1");
  expect((await credentials.get("acme"))!.token).toBe("short-1");
  now += 3_600_000;
  expect((await credentials.get("acme"))!.token).toBe("short-2");
});

describe("several accounts", () => {
  test("a session keeps its account; a limit moves it to the next, until it is over", async () => {
    const { store, credentials } = setUp();
    for (const name of ["one", "two", "three"]) store.save("acme", name, login(name));
    const first = (await credentials.get("acme", { sessionId: "s" }))!;
    expect(first.token).toBe("one");
    const second = (await credentials.rotate("acme", first, {
      sessionId: "s",
      until: NOW + 1000,
    }))!;
    expect(second.token).toBe("two");
    expect((await credentials.get("acme", { sessionId: "s" }))!.token).toBe("two");
    // A new session starts with the first that is not limited.
    expect((await credentials.get("acme", { sessionId: "t" }))!.token).toBe("two");
    const third = (await credentials.rotate("acme", second, {
      sessionId: "s",
      until: NOW + 1000,
    }))!;
    expect(third.token).toBe("three");
    expect(
      await credentials.rotate("acme", third, { sessionId: "s", until: NOW + 1 }),
    ).toBeUndefined();
  });

  test("the environment is the last resort, and given keys are never swapped", async () => {
    const { store, credentials } = setUp({ env: { ACME_KEY: "env" } });
    const only = store.save("acme", "one", login("one"));
    const limited = {
      origin: "stored login" as const,
      token: "one",
      label: "one",
      storedId: only.id,
    };
    expect(await credentials.rotate("acme", limited, { until: NOW + 1 })).toMatchObject({
      token: "env",
    });
    for (const origin of ["flag", "models.yml"] as const) {
      const given = { origin, token: "g", label: "g" };
      expect(await credentials.rotate("acme", given, {})).toBeUndefined();
    }
  });
});

describe("an expired login", () => {
  const expired = login("old", { expiresAt: NOW + 10 });

  test("is renewed before it is used, and what came is stored", async () => {
    const seen: OAuthTokens[] = [];
    const { store, credentials } = setUp({
      refresh: async (tokens) => {
        seen.push(tokens);
        return { access: "new", expiresAt: NOW + 3_600_000 };
      },
    });
    const saved = store.save("acme", "a", expired);
    expect((await credentials.get("acme"))!.token).toBe("new");
    expect(seen.map((tokens) => tokens.refresh)).toEqual(["refresh-old"]);
    // The vendor sent no new refresh token: the old one stays.
    expect(store.get(saved.id)!.secret).toMatchObject({
      tokens: { access: "new", refresh: "refresh-old" },
    });
  });

  test("that ten callers notice at once is renewed once", async () => {
    let renewals = 0;
    const { store, credentials } = setUp({
      refresh: async () => {
        renewals++;
        await Bun.sleep(20);
        return { access: "new", expiresAt: NOW + 3_600_000 };
      },
    });
    store.save("acme", "a", expired);
    const got = await Promise.all(Array.from({ length: 10 }, () => credentials.get("acme")));
    expect(new Set(got.map((credential) => credential!.token))).toEqual(new Set(["new"]));
    expect(renewals).toBe(1);
  });

  test("that the vendor revoked is disabled with the cause; the next one is used", async () => {
    const { store, credentials } = setUp({
      refresh: () =>
        Promise.reject(new OAuthError("revoked", { code: "invalid_grant", definitive: true })),
    });
    const bad = store.save("acme", "a", expired);
    store.save("acme", "b", login("good"));
    expect((await credentials.get("acme"))!.token).toBe("good");
    expect(store.get(bad.id)!.disabledCause).toBe("revoked");
  });

  test("that cannot be renewed just now stays, and the failure may be retried", async () => {
    const { store, credentials } = setUp({
      refresh: () => Promise.reject(new OAuthError("no network", { definitive: false })),
    });
    const saved = store.save("acme", "a", expired);
    const error = await credentials.get("acme").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ModelError);
    expect((error as ModelError).failure).toMatchObject({ kind: "network", retryable: true });
    expect(store.get(saved.id)!.disabledCause).toBeUndefined();
  });

  test("after a 401, what somebody else renewed is taken as it is", async () => {
    const { store, credentials } = setUp({ refresh: () => Promise.reject(new Error("asked")) });
    const saved = store.save("acme", "a", login("newer"));
    const refused = {
      origin: "stored login" as const,
      token: "older",
      label: "a",
      storedId: saved.id,
    };
    expect((await credentials.refresh("acme", refused))!.token).toBe("newer");
  });
});

describe("the store", () => {
  test("is readable by its owner only, also where the file was not", async () => {
    await using scratch = await createScratchDirectory();
    const path = scratch.path("agent", "agent.db");
    {
      using store = new CredentialStore(path);
      store.save("acme", "k", key("x"));
    }
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    using again = new CredentialStore(path);
    expect(again.list()).toHaveLength(1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (const side of ["-wal", "-shm"]) {
      expect((await stat(path + side)).mode & 0o777).toBe(0o600);
    }
  });

  test("the same account replaces itself and is enabled again", () => {
    using store = new CredentialStore(":memory:");
    const first = store.save("acme", "a", login("x"));
    store.disable(first.id, "revoked");
    const second = store.save("acme", "a", login("y"));
    expect(second.id).toBe(first.id);
    expect(store.list("acme")).toHaveLength(1);
    expect(store.get(first.id)!.disabledCause).toBeUndefined();
  });

  test("a lease is one process's; a dead one's runs out", () => {
    using store = new CredentialStore(":memory:");
    const row = store.save("acme", "a", login("x"));
    expect(store.leaseRefresh(row, "p1", 60_000)).toBe(true);
    expect(store.leaseRefresh(row, "p2", 60_000)).toBe(false);
    store.releaseRefresh(row.id, "p1");
    expect(store.leaseRefresh(row, "p2", -1)).toBe(true);
    expect(store.leaseRefresh(row, "p3", 60_000)).toBe(true);
    expect(store.finishRefresh(row.id, "p2", { access: "late" })).toBe(false);
    expect(store.finishRefresh(row.id, "p3", { access: "new" })).toBe(true);
    expect(store.leaseRefresh(row, "p4", 60_000)).toBe(false);
  });
});

test("two processes with one expired login: the vendor sees one renewal", async () => {
  await using scratch = await createScratchDirectory();
  const path = scratch.path("agent.db");
  {
    using store = new CredentialStore(path);
    store.save("acme", "a", login("old", { expiresAt: 1 }));
  }
  let renewals = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch() {
      renewals++;
      await Bun.sleep(150);
      return Response.json({
        access: `new-${renewals}`,
        refresh: "r2",
        expiresAt: Date.now() + 1e7,
      });
    },
  });
  const child = join(import.meta.dir, "renewing-process.fixture.ts");
  const run = () =>
    Bun.spawn([process.execPath, child, path, server.url.href], { stdout: "pipe", stderr: "pipe" });
  const children = [run(), run(), run()];
  const outputs = await Promise.all(children.map((process) => process.stdout.text()));
  await server.stop(true);
  expect(outputs).toEqual(["new-1\n", "new-1\n", "new-1\n"]);
  expect(renewals).toBe(1);
});
