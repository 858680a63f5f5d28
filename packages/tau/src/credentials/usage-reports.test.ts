import { expect, test } from "bun:test";
import { OAuthError, type LoginRow, type OAuthTokens } from "@tau/ai/oauth/oauth";
import type { UsageReport } from "@tau/ai/oauth/usage-report";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { CredentialStore } from "./credential-store.ts";
import { UsageCache } from "./usage-cache.ts";
import { UsageReports } from "./usage-reports.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function setUp(scratch: ScratchDirectory, options: { random?: number; login?: LoginRow } = {}) {
  const path = scratch.path("agent.db");
  const store = new CredentialStore(path);
  const cache = new UsageCache(path);
  const clock = { now: 1_000_000_000_000 };
  const asked: OAuthTokens[] = [];
  const vendor = { fails: false, delayMs: 0 };
  const reports = new UsageReports({
    store,
    cache,
    context: { fetch, env: {}, now: () => clock.now, signal: new AbortController().signal },
    login: async () => options.login,
    random: () => options.random ?? 0.5,
    fetchReport: async (_provider, tokens): Promise<UsageReport> => {
      asked.push(tokens);
      await Bun.sleep(vendor.delayMs);
      if (vendor.fails) throw new OAuthError("busy", { definitive: false });
      return { limits: [{ name: "5 hours", usedPercent: asked.length }] };
    },
  });
  const save = (more: Partial<OAuthTokens> = {}) =>
    store.save("anthropic", "ada", { kind: "oauth", tokens: { access: "a", ...more } });
  return { store, cache, clock, asked, vendor, reports, save };
}

const used = (view: { report?: UsageReport } | undefined) => view?.report?.limits[0]?.usedPercent;

test("kept for five minutes, then asked again", async () => {
  await using scratch = await createScratchDirectory();
  const { reports, clock, asked, save } = setUp(scratch);
  const stored = save();
  expect(used(await reports.of(stored))).toBe(1);
  clock.now += 4 * MINUTE;
  expect(used(await reports.of(stored))).toBe(1);
  clock.now += 2 * MINUTE;
  expect(used(await reports.of(stored))).toBe(2);
  expect(asked).toHaveLength(2);
});

test("by chance a quarter sooner or later", async () => {
  for (const [random, minutes] of [
    [0, 3.75],
    [1, 6.25],
  ] as const) {
    await using scratch = await createScratchDirectory();
    const { reports, clock, asked, save } = setUp(scratch, { random });
    const stored = save();
    await reports.of(stored);
    clock.now += minutes * MINUTE - 1;
    await reports.of(stored);
    expect(asked).toHaveLength(1);
    clock.now += 1;
    await reports.of(stored);
    expect(asked).toHaveLength(2);
  }
});

test("a vendor that fails: the last report for a day, with the reason; asked again soon", async () => {
  await using scratch = await createScratchDirectory();
  const { reports, clock, asked, save, vendor } = setUp(scratch);
  const stored = save();
  await reports.of(stored);
  vendor.fails = true;
  clock.now += 6 * MINUTE;
  expect(await reports.of(stored)).toMatchObject({
    report: { limits: [{ usedPercent: 1 }] },
    problem: "busy",
  });
  // Not at once again.
  clock.now += 10_000;
  expect(used(await reports.of(stored))).toBe(1);
  expect(asked).toHaveLength(2);
  clock.now += 24 * HOUR;
  expect(await reports.of(stored)).toEqual({ problem: "busy" });
  vendor.fails = false;
  clock.now += MINUTE;
  expect(used(await reports.of(stored))).toBe(4);
});

test("twenty at once ask once", async () => {
  await using scratch = await createScratchDirectory();
  const { reports, asked, save, vendor } = setUp(scratch);
  vendor.delayMs = 20;
  const stored = save();
  const views = await Promise.all(Array.from({ length: 20 }, () => reports.of(stored)));
  expect(views.map(used)).toEqual(Array.from({ length: 20 }, () => 1));
  expect(asked).toHaveLength(1);
});

test("an expired login is renewed first; one that has ended is not asked for", async () => {
  await using scratch = await createScratchDirectory();
  let renewals = 0;
  const login: LoginRow = {
    id: "anthropic",
    name: "Anthropic",
    provider: "anthropic",
    login: () => Promise.reject(new Error("not asked for")),
    refresh: async () => {
      if (renewals++ > 0) throw new OAuthError("revoked", { definitive: true });
      return { access: "new", refresh: "r2", expiresAt: 1_000_000_060_001 };
    },
  };
  const { reports, clock, asked, save, store } = setUp(scratch, { login });
  const stored = save({ refresh: "r", expiresAt: 1 });
  expect(used(await reports.of(stored))).toBe(1);
  expect(asked[0]!.access).toBe("new");
  clock.now += HOUR;
  const ended = await reports.of(store.get(stored.id)!);
  expect(ended).toMatchObject({ problem: "the login has ended; log in again" });
  expect(store.get(stored.id)!.disabledCause).toBe("revoked");
  clock.now += HOUR;
  await reports.of(store.get(stored.id)!);
  expect([renewals, asked.length]).toEqual([2, 1]);
});

test("keys and vendors that do not tell are left alone; what is gone is forgotten", async () => {
  await using scratch = await createScratchDirectory();
  const { reports, asked, store, cache, save } = setUp(scratch);
  const key = store.save("anthropic", "key", { kind: "api_key", key: "k" });
  const other = store.save("groq", "ada", { kind: "oauth", tokens: { access: "a" } });
  expect([await reports.of(key), await reports.of(other)]).toEqual([undefined, undefined]);
  expect(asked).toEqual([]);
  const stored = save();
  await reports.of(stored);
  store.remove(stored.id);
  cache.prune();
  expect(cache.get(stored.id)).toBeUndefined();
});
