// Changes of the lockfile: one after the other, all or nothing.

import { expect, test } from "bun:test";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import type { LockedPlugin } from "../../discovery/plugins/plugin-lock.ts";
import { UserError } from "../../user-error.ts";
import { PluginStore } from "./plugin-store.ts";

const plugin = (name: string): LockedPlugin => ({
  name,
  source: `npm:${name}`,
  installedAt: "",
  isEnabled: true,
  features: [],
  settings: {},
});

async function staged(store: PluginStore): Promise<string> {
  const { path } = await store.stage();
  await mkdir(join(path, "plugin"));
  await writeFile(join(path, "plugin", "file"), "x");
  return join(path, "plugin");
}

test("two changes at once: neither is lost", async () => {
  await using scratch = await createScratchDirectory();
  const store = new PluginStore({ level: "user", directory: scratch.path("plugins") });
  const names = ["a", "b", "c", "d", "e"];
  const roots = await Promise.all(names.map(() => staged(store)));
  const slowly = names.map((name, at) =>
    store.change(
      (before) => [...before, { ...plugin(name), directory: `${name}@${"0".repeat(16)}` }],
      () => Bun.sleep((names.length - at) * 10),
    ),
  );
  await Promise.all(slowly);
  expect((await store.plugins()).map(({ name }) => name)).toEqual(names);
  await Promise.all(names.map((name, at) => store.put(plugin(name), roots[at])));
  const directories = (await store.plugins()).map(({ directory }) => directory);
  const there = (await readdir(store.place.directory)).filter((name) => name.includes("@"));
  expect(there.toSorted()).toEqual(directories.toSorted() as string[]);
});

test("a change that fails changes nothing", async () => {
  await using scratch = await createScratchDirectory();
  const store = new PluginStore({ level: "user", directory: scratch.path("plugins") });
  await store.put(plugin("a"), await staged(store));
  const before = await store.plugins();
  const failing = store.change(
    () => [],
    async () => {
      throw new UserError("no");
    },
  );
  expect(await failing.catch((error: unknown) => error)).toBeInstanceOf(UserError);
  expect(await store.plugins()).toEqual(before);
});

test("a lockfile that cannot be understood is not overwritten", async () => {
  await using scratch = await createScratchDirectory();
  const store = new PluginStore({ level: "user", directory: scratch.path("plugins") });
  await scratch.write("plugins/plugins.json", "{ broken");
  const failure = await store.change(() => []).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UserError);
  expect(await scratch.read("plugins/plugins.json")).toBe("{ broken");
});
