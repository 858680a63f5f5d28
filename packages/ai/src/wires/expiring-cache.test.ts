import { expect, test } from "bun:test";
import { ExpiringCache } from "./expiring-cache.ts";

const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

test("calls at the same time share one asking, later ones its answer", async () => {
  let now = 0;
  let asked = 0;
  const cache = new ExpiringCache<number>(() => now);
  const load = async () => ({ value: ++asked, expiresAt: now + HOUR_MS });
  expect(await Promise.all([1, 2, 3].map(() => cache.get("k", never, load)))).toEqual([1, 1, 1]);
  now = HOUR_MS / 2;
  expect(await cache.get("k", never, load)).toBe(1);
  expect(await cache.get("other", never, load)).toBe(2);
  // Shortly before its end it is renewed, again once for all.
  now = HOUR_MS - 60_000;
  expect(await Promise.all([1, 2, 3].map(() => cache.get("k", never, load)))).toEqual([3, 3, 3]);
});

test("who gives up does not take it from the others", async () => {
  const cache = new ExpiringCache<string>();
  const answer = Promise.withResolvers<string>();
  const load = async () => ({ value: await answer.promise, expiresAt: Date.now() + HOUR_MS });
  const impatient = new AbortController();
  const first = cache.get("k", impatient.signal, load).catch((error: unknown) => error);
  const second = cache.get("k", never, load);
  impatient.abort(new Error("enough"));
  expect(await first).toMatchObject({ message: "enough" });
  answer.resolve("token");
  expect(await second).toBe("token");
});

test("a failure is told to those who waited and then forgotten", async () => {
  const cache = new ExpiringCache<string>();
  const fail = async (): Promise<never> => {
    throw new Error("no");
  };
  const both = await Promise.allSettled([cache.get("k", never, fail), cache.get("k", never, fail)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const load = async () => ({ value: "yes", expiresAt: Date.now() + HOUR_MS });
  expect(await cache.get("k", never, load)).toBe("yes");
});

test("it does not grow with the number of identities", async () => {
  let asked = 0;
  const cache = new ExpiringCache<number>();
  const load = async () => ({ value: ++asked, expiresAt: Date.now() + HOUR_MS });
  for (let n = 0; n < 100; n++) await cache.get(`k${n}`, never, load);
  await cache.get("k99", never, load);
  expect(asked).toBe(100);
  await cache.get("k0", never, load);
  expect(asked).toBe(101);
});
