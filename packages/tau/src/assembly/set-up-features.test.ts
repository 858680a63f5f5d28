import { expect, test } from "bun:test";
import type { Feature, FeatureHost } from "../feature-api/feature.ts";
import { NOBODY } from "../feature-api/user-interface.ts";
import { FeatureFailures } from "./feature-failures.ts";
import { setUpAll } from "./set-up-features.ts";

test("a setup that hangs is left out and told, and what it brings too late leaves again", async () => {
  const told: string[] = [];
  const failures = new FeatureFailures((notice) => told.push(notice));
  const late = Promise.withResolvers<{ dispose(): void }>();
  let disposed = 0;
  const hanging: Feature = { name: "hanging", setup: () => late.promise };
  const fine: Feature = { name: "fine", setup: () => ({}) };
  const host = { hooks: {}, ui: NOBODY, session: { join: () => {} } } as unknown as FeatureHost;
  const parts = await setUpAll([hanging, fine], host, { failures, limitMs: 20 });
  expect([...parts.keys()]).toEqual([fine]);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("the feature hanging is left out: it failed at setup");
  late.resolve({ dispose: () => void disposed++ });
  await Bun.sleep(0);
  expect(disposed).toBe(1);
});
