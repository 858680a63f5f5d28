// An engine is there whole or not at all, whoever extracts it, however often and whatever is in
// the way; and what others could have put there is not used.

import { chmod, lstat, mkdir, readdir, symlink, truncate, utimes } from "node:fs/promises";
import { describe, expect, test } from "bun:test";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { createDiskStorage } from "../storage.ts";
import type { EmbeddedEngine, EmbeddedEngines } from "./embedded-engines.ts";
import { engineCacheDirectory } from "./engine-place.ts";
import { EngineStore, type EnginePlace } from "./engine-store.ts";
import { locateEngine } from "./locate-engine.ts";

const CONTENT = Buffer.from("#!/bin/sh\necho found\n".padEnd(100_000, "# padding\n"));

function engine(name: string, over: Partial<EmbeddedEngine> = {}): EmbeddedEngine {
  return {
    name,
    asset: `${name}.zst`,
    bytes: CONTENT.length,
    sha256: new Bun.CryptoHasher("sha256").update(CONTENT).digest("hex"),
    isProgram: name === "program",
    ...over,
  };
}

function embedding(engines = [engine("program"), engine("library")], reads: string[] = []) {
  const embedded: EmbeddedEngines = {
    manifest: { id: "test", engines },
    async read({ name }) {
      reads.push(name);
      return Bun.zstdCompressSync(CONTENT);
    },
  };
  return embedded;
}

const openIn = (scratch: ScratchDirectory, embedded = embedding()) =>
  new EngineStore({ embedded, cache: scratch.path("cache") });

async function pathOf(place: EnginePlace | Promise<EnginePlace>): Promise<string> {
  const found = await place;
  if (found.kind !== "found") throw new Error(JSON.stringify(found));
  return found.path;
}

const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777;

test("extracts once, closed to others, and programs can be run", async () => {
  await using scratch = await createScratchDirectory();
  const reads: string[] = [];
  const program = await pathOf(openIn(scratch, embedding(undefined, reads)).locate("program"));
  const library = await pathOf(openIn(scratch, embedding(undefined, reads)).locate("library"));
  expect(program).toBe(scratch.path("cache/engines-test/program"));
  expect(Bun.spawnSync([program]).stdout.toString()).toBe("found\n");
  expect(await Bun.file(library).bytes()).toEqual(new Uint8Array(CONTENT));
  if (process.getuid) {
    expect(await modeOf(program)).toBe(0o700);
    expect(await modeOf(library)).toBe(0o600);
    expect(await modeOf(scratch.path("cache/engines-test"))).toBe(0o700);
  }
  const again = openIn(scratch, embedding(undefined, reads));
  expect([await pathOf(again.locate("program")), await pathOf(again.locate("library"))]).toEqual([
    program,
    library,
  ]);
  expect(reads).toEqual(["program", "library"]);
  expect(await again.locate("other")).toEqual({ kind: "absent" });
});

test("what is there and is not the engine is replaced, and links are not written through", async () => {
  await using scratch = await createScratchDirectory();
  const path = await pathOf(openIn(scratch).locate("library"));
  const isWhole = async (): Promise<void> => {
    expect(await pathOf(openIn(scratch).locate("library"))).toBe(path);
    expect(await Bun.file(path).bytes()).toEqual(new Uint8Array(CONTENT));
    expect((await lstat(path)).isFile()).toBe(true);
  };
  await truncate(path, 1000);
  await isWhole();
  const elsewhere = await scratch.write("elsewhere", CONTENT);
  await Bun.file(path).delete();
  await symlink(elsewhere, path);
  await isWhole();
  if (process.getuid) {
    await chmod(path, 0o666);
    await chmod(scratch.path("cache/engines-test"), 0o777);
    await isWhole();
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(scratch.path("cache/engines-test"))).toBe(0o700);
  }
});

test("several processes at once all find it", async () => {
  await using scratch = await createScratchDirectory();
  const script = await scratch.write(
    "extract.ts",
    `import { EngineStore } from ${JSON.stringify(`${import.meta.dir}/engine-store.ts`)};
    const content = Buffer.alloc(5_000_000, "engine");
    const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const engines = [{ name: "x", asset: "x.zst", bytes: content.length, sha256, isProgram: false }];
    const embedded = { manifest: { id: "i", engines }, read: async () => Bun.zstdCompressSync(content) };
    const store = new EngineStore({ embedded, cache: ${JSON.stringify(scratch.path("cache"))} });
    const { path } = await store.locate("x");
    const found = await Bun.file(path).bytes();
    console.log(new Bun.CryptoHasher("sha256").update(found).digest("hex") === sha256);`,
  );
  const runs = Array.from({ length: 6 }, () => Bun.spawn([process.execPath, script]));
  const said = await Promise.all(runs.map(({ stdout }) => stdout.text()));
  expect(said).toEqual(Array.from({ length: 6 }, () => "true\n"));
  expect(await readdir(scratch.path("cache/engines-i"))).toEqual(["x"]);
});

describe("what cannot be had says why, and is tried again", () => {
  test("an executable that is damaged", async () => {
    await using scratch = await createScratchDirectory();
    const wrong = embedding([engine("library", { sha256: "0" })]);
    expect(await openIn(scratch, wrong).locate("library")).toEqual({
      kind: "failed",
      why: "this executable is damaged (library): install it again",
    });
    expect(await readdir(scratch.path("cache/engines-test"))).toEqual([]);
  });

  test("a place that is not a directory", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("cache", "");
    const place = await openIn(scratch).locate("library");
    expect(place).toMatchObject({ kind: "failed", why: expect.stringContaining("cannot be extr") });
    await Bun.file(scratch.path("cache")).delete();
    await mkdir(scratch.path("cache"));
    await symlink(scratch.root, scratch.path("cache/engines-test"));
    expect(await openIn(scratch).locate("library")).toMatchObject({
      kind: "failed",
      why: expect.stringContaining("is not a directory"),
    });
  });

  test.each(["engine.directory", "engine.extract", "engine.publish"])(
    "a disk that fails at %s",
    async (point) => {
      await using scratch = await createScratchDirectory();
      const storage = createFaultyStorage(createDiskStorage(), [
        { at: 1, point, fault: { kind: "fail", code: "EROFS" } },
      ]);
      const cache = scratch.path("cache");
      const store = new EngineStore({ embedded: embedding(), cache, storage });
      expect(await store.locate("library")).toEqual({
        kind: "failed",
        why: `it cannot be extracted to ${cache}/engines-test (EROFS)`,
      });
      expect(await Bun.file(await pathOf(store.locate("library"))).bytes()).toHaveLength(
        CONTENT.length,
      );
    },
  );
});

test("what other builds left long ago is cleared away, what is in use is not", async () => {
  await using scratch = await createScratchDirectory();
  const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  await scratch.write("cache/engines-old/rg", "x");
  await scratch.write("cache/engines-recent/rg", "x");
  await scratch.write("cache/other/file", "x");
  await scratch.write("cache/engines-test/.library.0.tau-tmp", "torn");
  for (const path of ["engines-old", "other", "engines-test/.library.0.tau-tmp"]) {
    await utimes(scratch.path("cache", path), old, old);
  }
  await pathOf(openIn(scratch).locate("library"));
  expect((await readdir(scratch.path("cache"))).toSorted()).toEqual([
    "engines-recent",
    "engines-test",
    "other",
  ]);
  expect(await readdir(scratch.path("cache/engines-test"))).toEqual(["library"]);
});

test("the place depends on the user alone, never on the directory Tau works in", () => {
  expect(engineCacheDirectory({ HOME: "/home/ada" })).toBe("/home/ada/.tau/cache");
  expect(engineCacheDirectory({ HOME: "/h", TAU_AGENT_DIR: "/data/tau" })).toBe("/data/tau/cache");
  expect(engineCacheDirectory({ HOME: "/h", TAU_ENGINE_CACHE: "/c" })).toBe("/c");
  for (const name of ["TAU_AGENT_DIR", "TAU_ENGINE_CACHE"]) {
    expect(engineCacheDirectory({ HOME: "/h", [name]: "./here" })).toBe("/h/.tau/cache");
  }
});

test("run from source there is nothing embedded", async () => {
  expect(await locateEngine("ripgrep")).toEqual({ kind: "absent" });
});
