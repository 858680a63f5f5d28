import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findHistory, historyPath, openHistory } from "./open-history.ts";
import { MAX_PROMPT_CHARACTERS, PromptHistory, type HistoryOptions } from "./prompt-history.ts";

const PROCESSES = 5;
const PROMPTS_EACH = 60;

function open(dir: ScratchDirectory, options: Partial<HistoryOptions> = {}): PromptHistory {
  return new PromptHistory({ path: dir.path("history.db"), ...options });
}

function asked(history: PromptHistory, ...prompts: string[]): void {
  for (const prompt of prompts) history.add({ prompt, cwd: "/a", sessionId: "s1" });
}

const texts = (items: readonly { prompt: string }[]): string[] => items.map(({ prompt }) => prompt);

describe("remembering", () => {
  test("is private, survives, and is newest first", async () => {
    await using dir = await createScratchDirectory();
    {
      using history = open(dir);
      asked(history, "one", "two", "two", " ", "three");
    }
    using again = open(dir);
    expect(texts(again.recent())).toEqual(["three", "two", "one"]);
    expect(again.recent({ limit: 1 })[0]).toMatchObject({ cwd: "/a", sessionId: "s1" });
    for (const name of await readdir(dir.root)) {
      expect((await stat(dir.path(name))).mode & 0o777).toBe(0o600);
    }
  });

  test("the same again at once is kept once; elsewhere and later it counts", async () => {
    await using dir = await createScratchDirectory();
    using history = open(dir);
    history.add({ prompt: "go on", cwd: "/a", sessionId: "s1", at: 1 });
    history.add({ prompt: "go on", cwd: "/a", sessionId: "s1", at: 2 });
    history.add({ prompt: "go on", cwd: "/a", sessionId: "s2", at: 3 });
    history.add({ prompt: "go on", cwd: "/b", sessionId: "s3", at: 4 });
    history.flush();
    using database = new Database(dir.path("history.db"), { readonly: true });
    const rows = database.query<{ created_at: number }, []>("SELECT created_at FROM history").all();
    expect(rows.map((row) => row.created_at)).toEqual([1, 3, 4]);
    // To recall it, once is enough, as it was asked here.
    expect(history.recent({ cwd: "/a" })).toEqual([
      { prompt: "go on", cwd: "/a", sessionId: "s2", at: 3 },
    ]);
    expect(history.sessionsMatching("go")).toEqual(["s3", "s2", "s1"]);
  });

  test("this directory's come first", async () => {
    await using dir = await createScratchDirectory();
    using history = open(dir);
    history.add({ prompt: "here, early", cwd: "/a", sessionId: "s" });
    history.add({ prompt: "there", cwd: "/b", sessionId: "s" });
    history.add({ prompt: "here, late", cwd: "/a", sessionId: "s" });
    history.add({ prompt: "there, last", cwd: "/b", sessionId: "s" });
    expect(texts(history.recent({ cwd: "/a" }))).toEqual([
      "here, late",
      "here, early",
      "there, last",
      "there",
    ]);
    expect(texts(history.recent({ cwd: "/a", onlyCwd: true }))).toEqual([
      "here, late",
      "here, early",
    ]);
    expect(texts(history.search("last there"))).toEqual(["there, last"]);
  });

  test("is bounded: the oldest go, from the index too, and a pasted file is not kept", async () => {
    await using dir = await createScratchDirectory();
    using history = open(dir, { maxPrompts: 10 });
    asked(history, ...Array.from({ length: 25 }, (_, at) => `prompt number${at}`));
    asked(history, "x".repeat(MAX_PROMPT_CHARACTERS + 1));
    expect(texts(history.recent())).toEqual(
      Array.from({ length: 10 }, (_, at) => `prompt number${24 - at}`),
    );
    expect(history.search("number3")).toEqual([]);
    expect(texts(history.search("number20"))).toEqual(["prompt number20"]);
  });

  test("is written a moment later by itself", async () => {
    await using dir = await createScratchDirectory();
    using history = open(dir);
    asked(history, "later");
    using other = open(dir);
    const deadline = Date.now() + 20_000;
    while (other.recent().length === 0 && Date.now() < deadline) await Bun.sleep(20);
    expect(texts(other.recent())).toEqual(["later"]);
  }, 30_000);
});

describe("searching", () => {
  test("by beginnings of words, in any order, without case or accents", async () => {
    await using dir = await createScratchDirectory();
    using history = open(dir);
    asked(
      history,
      "Fix the flaky login test",
      "rename Dial to Sundial",
      "où est le café?",
      "修复登录",
    );
    expect(texts(history.search("log fla"))).toEqual(["Fix the flaky login test"]);
    expect(texts(history.search("ou cafe"))).toEqual(["où est le café?"]);
    expect(texts(history.search("登录"))).toEqual(["修复登录"]);
    expect(texts(history.search("?"))).toEqual(["où est le café?"]);
    expect(history.search("login nothing")).toEqual([]);
  });

  test("what is typed is never syntax", async () => {
    await using dir = await createScratchDirectory();
    const warnings: string[] = [];
    using history = open(dir, { onWarning: (message) => warnings.push(message) });
    asked(history, 'a "quoted" AND (odd) prompt: x* -y NEAR/2 100%', "plain words");
    for (const query of [
      '"',
      "AND",
      "NOT",
      "(",
      "a* OR b",
      "prompt:x",
      "-y",
      '""*',
      "NEAR(a b)",
      "\0",
      "%",
    ]) {
      expect(Array.isArray(history.search(query))).toBe(true);
    }
    expect(texts(history.search("AND odd"))).toHaveLength(1);
    expect(texts(history.search("%"))).toHaveLength(1);
    expect(history.search("plain OR quoted")).toEqual([]);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (query) => {
        expect(Array.isArray(history.search(query))).toBe(true);
        expect(Array.isArray(history.sessionsMatching(query))).toBe(true);
      }),
    );
    expect(warnings).toEqual([]);
  });

  test("every prompt is found by its own words", async () => {
    await using dir = await createScratchDirectory();
    using history = open(dir);
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const prompt = words.join(" ");
        asked(history, prompt);
        const beginning = words
          .map((one) => one.slice(0, 6))
          .toReversed()
          .join(" ");
        expect(texts(history.search(beginning, { limit: 10_000 }))).toContain(prompt);
      }),
    );
  });
});

describe("a file that is not as it should be", () => {
  test("a damaged one is moved aside, and the prompt is remembered in a new one", async () => {
    await using dir = await createScratchDirectory();
    await writeFile(dir.path("history.db"), "this is no database, whatever it is".repeat(100));
    const warnings: string[] = [];
    using history = open(dir, { onWarning: (message) => warnings.push(message) });
    asked(history, "hello");
    expect(texts(history.recent())).toEqual(["hello"]);
    expect(warnings).toEqual([expect.stringContaining("was damaged; it was moved to ")]);
    const aside = (await readdir(dir.root)).find((name) => name.startsWith("history.db.damaged-"))!;
    expect(await readFile(dir.path(aside), "utf8")).toStartWith("this is no database");
  });

  test("one that is damaged under our hands costs what it held, not the next prompt", async () => {
    await using dir = await createScratchDirectory();
    const warnings: string[] = [];
    {
      using history = open(dir);
      asked(history, ...Array.from({ length: 300 }, (_, at) => `prompt ${at} ${"x".repeat(200)}`));
    }
    const bytes = await readFile(dir.path("history.db"));
    bytes.fill(0x5a, 4096);
    await writeFile(dir.path("history.db"), bytes);
    using history = open(dir, { onWarning: (message) => warnings.push(message) });
    asked(history, "hello");
    history.flush();
    expect(texts(history.recent())).toEqual(["hello"]);
    expect(warnings).toHaveLength(1);
  });

  test("a newer one is left alone", async () => {
    await using dir = await createScratchDirectory();
    {
      using database = new Database(dir.path("history.db"), { create: true });
      database.run("CREATE TABLE future (x)");
      database.run("PRAGMA user_version = 99");
    }
    const before = await readFile(dir.path("history.db"));
    const warnings: string[] = [];
    using history = open(dir, { onWarning: (message) => warnings.push(message) });
    asked(history, "hello");
    expect(history.recent()).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("newer version (99)")]);
    expect(await readFile(dir.path("history.db"))).toEqual(before);
  });

  test("a place that cannot be written is a warning", async () => {
    await using dir = await createScratchDirectory();
    const blocked = await dir.write("blocked", "a file where a directory belongs");
    const warnings: string[] = [];
    using history = new PromptHistory({
      path: join(blocked, "history.db"),
      onWarning: (message) => warnings.push(message),
    });
    asked(history, "hello");
    expect([history.flush(), history.recent(), warnings.length]).toEqual([true, [], 1]);
  });

  test("one that another process holds for good is waited for without blocking, then given up", async () => {
    await using dir = await createScratchDirectory();
    const warnings: string[] = [];
    using history = open(dir, { onWarning: (message) => warnings.push(message) });
    using other = new Database(dir.path("history.db"));
    other.run("BEGIN EXCLUSIVE");
    asked(history, "first");
    expect(history.flush()).toBe(false);
    other.run("ROLLBACK");
    expect(history.flush()).toBe(true);
    expect(texts(history.recent())).toEqual(["first"]);
    expect(warnings).toEqual([]);
  });
});

test("many processes at once: nobody's prompt is lost or doubled", async () => {
  await using dir = await createScratchDirectory();
  const path = dir.path("agent/history.db");
  const script = join(import.meta.dir, "test", "prompting-process.ts");
  const children = Array.from({ length: PROCESSES }, (_, at) =>
    Bun.spawn([process.execPath, script, path, `p${at}`, String(PROMPTS_EACH)], {
      stdout: "ignore",
      stderr: "pipe",
    }),
  );
  const said = await Promise.all(children.map((child) => child.stderr.text()));
  expect(said.join("")).toBe("");
  using history = new PromptHistory({ path });
  for (let at = 0; at < PROCESSES; at += 1) {
    const own = history.recent({ cwd: `/p${at}`, onlyCwd: true, limit: 1000 });
    expect(texts(own).toReversed()).toEqual(
      Array.from({ length: PROMPTS_EACH }, (_, index) => `p${at} prompt ${index}`),
    );
    expect(history.search(`p${at} prompt`, { limit: 1000 })).toHaveLength(PROMPTS_EACH);
  }
}, 60_000);

test("whoever only looks makes no file", async () => {
  await using dir = await createScratchDirectory();
  const agentDirectory = dir.path("agent");
  expect(await findHistory({ agentDirectory })).toBeUndefined();
  expect(existsSync(agentDirectory)).toBe(false);
  {
    using history = await openHistory({ agentDirectory });
    asked(history, "hello");
  }
  using found = await findHistory({ agentDirectory });
  expect(texts(found!.recent())).toEqual(["hello"]);
  expect(historyPath(agentDirectory)).toBe(dir.path("agent/history.db"));
});
