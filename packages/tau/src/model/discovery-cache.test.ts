import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiscoveredModel } from "@tau/ai/discovery/discovered-model";
import { DiscoveryCache } from "./discovery-cache.ts";

const root = await mkdtemp(join(tmpdir(), "tau-models-"));
afterAll(() => rm(root, { recursive: true, force: true }));

let count = 0;
/** A directory that is not there yet. */
const fresh = (): string => join(root, `agent-${count++}`);

const MODELS: DiscoveredModel[] = [
  { id: "qwen3:8b", contextWindow: 40_960, input: ["text"], thinks: true },
  { id: "gemma", wire: "openai-completions" },
];
const FOUND = { models: MODELS, fetchedAt: 1_000, staticHash: "abc" };

test("what is put is there, for the next process too", () => {
  const directory = fresh();
  {
    using cache = new DiscoveryCache(directory);
    expect(cache.get("ollama")).toBeUndefined();
    cache.put("ollama", FOUND);
    cache.put("vllm", { ...FOUND, models: [] });
    expect(cache.get("ollama")).toEqual(FOUND);
    cache.put("ollama", { ...FOUND, fetchedAt: 2_000 });
    cache.forget("vllm");
  }
  using later = new DiscoveryCache(directory);
  expect(later.get("ollama")).toEqual({ ...FOUND, fetchedAt: 2_000 });
  expect(later.get("vllm")).toBeUndefined();
  expect(later.problems).toEqual([]);
});

test("a file of another version is emptied", () => {
  const directory = fresh();
  {
    using cache = new DiscoveryCache(directory);
    cache.put("ollama", FOUND);
  }
  const database = new Database(join(directory, "models.db"));
  database.run("PRAGMA user_version = 99");
  database.close();
  using later = new DiscoveryCache(directory);
  expect(later.get("ollama")).toBeUndefined();
  expect(later.problems).toEqual([]);
  later.put("ollama", FOUND);
  expect(later.get("ollama")).toEqual(FOUND);
});

test("a damaged file is moved aside and reported, and the cache works", async () => {
  const directory = fresh();
  await Bun.write(join(directory, "models.db"), "this is no database, ".repeat(500));
  using cache = new DiscoveryCache(directory);
  cache.put("ollama", FOUND);
  expect(cache.get("ollama")).toEqual(FOUND);
  expect(cache.problems.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(cache.problems[0]!.message).toStartWith("was damaged; it was moved to ");
  const kept = (await readdir(directory)).find((name) => name.includes(".damaged-"));
  expect(await Bun.file(join(directory, kept!)).text()).toStartWith("this is no database");
});

test("damage that shows only on reading is met as well", async () => {
  const directory = fresh();
  {
    using cache = new DiscoveryCache(directory);
    for (let at = 0; at < 200; at++) {
      const models = [{ id: "m".repeat(2_000) }];
      cache.put(`provider-${at}`, { ...FOUND, models });
    }
  }
  const file = join(directory, "models.db");
  const bytes = await Bun.file(file).bytes();
  // Behind the first page, which alone is read on opening.
  bytes.fill(0x5a, 4_096);
  await Bun.write(file, bytes);
  using cache = new DiscoveryCache(directory);
  expect(cache.get("provider-7")).toBeUndefined();
  cache.put("ollama", FOUND);
  expect(cache.get("ollama")).toEqual(FOUND);
  expect(cache.problems).toHaveLength(1);
});

test("a row that is no list is as good as none", () => {
  const directory = fresh();
  using cache = new DiscoveryCache(directory);
  cache.put("ollama", FOUND);
  const database = new Database(join(directory, "models.db"));
  database.run("UPDATE discovered SET models = '{]'");
  database.close();
  expect(cache.get("ollama")).toBeUndefined();
});

test("where nothing can be written, it is kept for this run and said", async () => {
  const blocked = join(root, "a-file");
  await Bun.write(blocked, "not a directory");
  using cache = new DiscoveryCache(join(blocked, "agent"));
  cache.put("ollama", FOUND);
  expect(cache.get("ollama")).toEqual(FOUND);
  expect(cache.problems).toHaveLength(1);
});

test("several processes start and write at once", async () => {
  const directory = fresh();
  const program = `
    import { DiscoveryCache } from ${JSON.stringify(join(import.meta.dir, "discovery-cache.ts"))};
    const [directory, name] = process.argv.slice(-2);
    using cache = new DiscoveryCache(directory);
    for (let at = 0; at < 40; at++) {
      cache.put(name, { models: [{ id: name + at }], fetchedAt: at, staticHash: "h" });
      cache.put("shared", { models: [{ id: name }], fetchedAt: at, staticHash: "h" });
    }
    if (cache.problems.length > 0) throw new Error(JSON.stringify(cache.problems));
  `;
  const script = join(root, "writer.ts");
  await Bun.write(script, program);
  const names = ["a", "b", "c", "d", "e"];
  const writers = names.map((name) =>
    Bun.spawn([process.execPath, script, directory, name], { stderr: "pipe" }),
  );
  for (const writer of writers) {
    const said = await writer.stderr.text();
    expect({ code: await writer.exited, said }).toEqual({ code: 0, said: "" });
  }
  using cache = new DiscoveryCache(directory);
  for (const name of names) expect(cache.get(name)?.models).toEqual([{ id: `${name}39` }]);
  expect(cache.get("shared")?.models).toHaveLength(1);
});
