import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { join } from "node:path";
import { isZombie } from "../process/process-tree.ts";
import { LANGUAGES } from "./language-table.ts";
import { sourceCommand, SyntaxProcess } from "./syntax-process.ts";
import { flatten, resolveBlock } from "./syntax.ts";

/** Long enough for a loaded machine to answer a small question. */
const PATIENT_MS = 20_000;

function start(answerLimitMs = PATIENT_MS): SyntaxProcess {
  return new SyntaxProcess({ command: sourceCommand(), answerLimitMs });
}

/** Each nested quote is a byte of state, and the parser has room for a thousand. */
const CRASHING = { text: "> ".repeat(3000), language: "markdown" };
/** Each unfinished here-document is looked at again for each later one. */
const ENDLESS = { text: "<<EOF\n".repeat(100_000), language: "bash" };

test("answers all questions from another process, exactly", async () => {
  await using syntax = start();
  const text = "function f() {\n  foo('😀\ud800');\n}\n";
  expect(await resolveBlock(syntax, text, "ts", 1)).toMatchObject({
    ok: true,
    value: { start: 1, end: 3 },
  });
  const search = { text, language: "ts", query: { pattern: "foo($A)" } };
  expect(flatten(await syntax.ask("search", search))).toMatchObject({
    ok: true,
    value: { matches: [{ captures: { A: { text: "'😀\ud800'" } } }] },
  });
  const operations = [{ pat: "foo($A)", out: "bar($A)" }];
  expect(flatten(await syntax.ask("rewrite", { text, language: "ts", operations }))).toMatchObject({
    ok: true,
    value: { after: text.replace("foo", "bar") },
  });
  expect(flatten(await syntax.ask("summary", { text, language: "ts" }))).toMatchObject({
    ok: true,
    value: { worthwhile: false },
  });
  const languages = await syntax.ask("languages", {});
  expect(languages).toMatchObject({ ok: true, value: { length: LANGUAGES.length } });
});

test("a text that breaks its parser costs one answer", async () => {
  await using syntax = start();
  const broken = await syntax.ask("summary", CRASHING);
  expect(broken).toMatchObject({ ok: false, failure: { code: "parser_crashed" } });
  expect(await resolveBlock(syntax, "# a\n\nb\n", "markdown", 1)).toMatchObject({ ok: true });
});

test("a text that takes too long costs its time limit", async () => {
  await using syntax = start(1500);
  const slow = await syntax.ask("summary", ENDLESS);
  expect(slow).toMatchObject({ ok: false, failure: { code: "too_slow" } });
});

test.each([0, 500])("an abort after %d ms ends one question and not the next", async (delayMs) => {
  await using syntax = start(120_000);
  const busy = new AbortController();
  const waiting = new AbortController();
  const first = syntax.ask("summary", ENDLESS, busy.signal);
  const second = syntax.ask("summary", ENDLESS, waiting.signal);
  const third = resolveBlock(syntax, "a();\n", "js", 1);
  waiting.abort();
  expect(await second).toMatchObject({ ok: false, failure: { code: "aborted" } });
  // Wherever it is by then, starting or parsing.
  await Bun.sleep(delayMs);
  busy.abort();
  expect(await first).toMatchObject({ ok: false, failure: { code: "aborted" } });
  expect(await third).toMatchObject({ ok: true });
  const late = await syntax.ask("summary", ENDLESS, AbortSignal.abort());
  expect(late).toMatchObject({ ok: false, failure: { code: "aborted" } });
});

test("many questions at once are all answered, each with its own answer", async () => {
  await using syntax = start();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      resolveBlock(syntax, `f(\n${"1,\n".repeat(at)});\n`, "js", 1),
    ),
  );
  expect(answers.map((answer) => (answer.ok ? answer.value.end : 0))).toEqual(
    Array.from({ length: 30 }, (_, at) => at + 2),
  );
});

test("a process that was ended for being idle is started again", async () => {
  await using syntax = new SyntaxProcess({ command: sourceCommand(), idleMs: 1 });
  expect(await resolveBlock(syntax, "a();\n", "js", 1)).toMatchObject({ ok: true });
  await Bun.sleep(50);
  expect(await resolveBlock(syntax, "a();\n", "js", 1)).toMatchObject({ ok: true });
});

test.each([
  ["is not there", ["/no/such/program"]],
  ["ends at once", [process.execPath, "-e", "0"]],
])("a program that %s is a failure and no exception", async (_, command) => {
  await using syntax = new SyntaxProcess({ command });
  expect(await resolveBlock(syntax, "a();\n", "js", 1)).toMatchObject({
    ok: false,
    failure: { code: "engine_unavailable" },
  });
});

test("whoever asked can end without saying goodbye, and takes the other process along", async () => {
  await using scratch = await createScratchDirectory();
  const here = (name: string) => JSON.stringify(join(import.meta.dir, name));
  const script = await scratch.write(
    "ask.ts",
    `import { SyntaxProcess, sourceCommand } from ${here("syntax-process.ts")};
    import { resolveBlock } from ${here("syntax.ts")};
    const spawn = Bun.spawn;
    let child;
    Bun.spawn = (...args) => (child = spawn(...args));
    const syntax = new SyntaxProcess({ command: sourceCommand() });
    const { ok } = await resolveBlock(syntax, "a();", "js", 1);
    console.log(JSON.stringify({ ok, pid: child.pid }));`,
  );
  const asking = Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "inherit" });
  const { ok, pid } = JSON.parse(await new Response(asking.stdout).text());
  expect(await asking.exited).toBe(0);
  expect(ok).toBe(true);
  for (let tries = 0; isAlive(pid) && tries < 200; tries++) await Bun.sleep(50);
  expect(isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    // Adopted by this very process, it may wait for a look at how it ended.
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    if ((error as { code?: string }).code === "ESRCH") return false;
    throw error;
  }
}

const binary = Array.from({ length: 3000 }, (_, at) => String.fromCharCode((at * 7919) % 256)).join(
  "",
);
const HOSTILE = {
  binary,
  surrogates: "\ud800\udfff\udc00".repeat(500),
  unclosed: "([{<\"'`${".repeat(300),
  nested: "{\n".repeat(2000),
  indented: Array.from({ length: 300 }, (_, at) => `${" ".repeat(at)}a:`).join("\n"),
  listed: Array.from({ length: 300 }, (_, at) => `${" ".repeat(at)}- a`).join("\n"),
  tags: "<a><!--<![CDATA[".repeat(200),
  spaces: `${" ".repeat(5000)}\t\r\v\f\u2028\0`,
};
const EXPECTED = new Set(["parser_crashed", "too_slow", "language_unavailable"]);

test.each(LANGUAGES.map(({ name }) => name))(
  "%s: nothing in a text gets out",
  async (language) => {
    await using syntax = start(2000);
    for (const text of Object.values(HOSTILE)) {
      const operations = [{ pat: "a", out: "b" }];
      const answers = [
        await syntax.ask("blocks", { text, language, lines: [1, 2, 300] }),
        await syntax.ask("summary", { text, language, options: { minLines: 0 } }),
        await syntax.ask("search", { text, language, query: { pattern: "$A" }, maxMatches: 5 }),
        await syntax.ask("rewrite", { text, language, operations }),
      ];
      for (const answer of answers) {
        if (!answer.ok) expect([...EXPECTED]).toContain(answer.failure.code);
      }
    }
    const long = await syntax.ask("summary", { text: "a".repeat(5_000_000), language });
    expect(long).toMatchObject({ ok: true, value: { ok: false, failure: { code: "too_large" } } });
  },
  120_000,
);
