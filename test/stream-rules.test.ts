// Rules that watch the stream, in whole runs: a reply that breaks one is cut, the model is asked again
// with the rule in hand, and the rule has had its say.

import { existsSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { createScratchRepository, isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { embed, saidIn } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

const RULE = "---\ncondition: FORBID+EN\ndescription: About a word\n---\nSay ALLOWED instead.\n";
const FILE = ".tau/agent/rules/word.md";
/** Cut in the middle of the word; much more would come. */
const BAD: ScriptedTurn = {
  text: `It is FORBIDDEN ${"and so on ".repeat(200)}THE END`,
  deltaChars: 7,
  delivery: { chunkBytes: 300, delayMs: 1 },
};
const GOOD: ScriptedTurn = { text: "It is ALLOWED." };

async function settings(home: IsolatedHome, text: string): Promise<void> {
  await home.write(".tau/agent/config.yml", text);
}

test("the reply is cut, the model asked again, the rule told once", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, RULE);
  await using server = await ModelServer.start((_request, turn) => (turn === 2 ? GOOD : BAD));
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const run = (...args: string[]) =>
    runTau(["-p", "-m", "ollama/x", ...args], { cwd: home.root, home, env });
  const first = await run("say it");
  expect(first).toMatchObject({ exitCode: 0, stdout: "It is ALLOWED.\n" });
  expect(server.requests).toHaveLength(2);
  const again = saidIn(server, 1);
  expect(again).toHaveLength(2);
  expect(again[1]).toContain('<system-interrupt reason="rule_violation" rule="word"');
  expect(again[1]).toContain("Say ALLOWED instead.");
  expect(again.join("\n")).not.toContain("FORBIDDEN");
  // The rule is in no prompt, neither whole nor by its name.
  expect(server.requests[0]!.decoded.system.join("\n")).not.toContain("word");
  // A later process knows that it was told, and lets the same words pass.
  const later = await run("-c", "again");
  expect(later.stdout).toContain("FORBIDDEN");
  expect(later.stdout).toContain("THE END");
  expect(server.requests).toHaveLength(3);
});

test("what was begun can stay, and is then followed by the rule", async () => {
  await using embedding = await embed([BAD, GOOD]);
  await embedding.home.write(FILE, RULE);
  await settings(embedding.home, "ttsr:\n  contextMode: keep\n");
  const session = await embedding.start();
  await session.prompt(userText("say it"));
  await session[Symbol.asyncDispose]();
  const said = saidIn(embedding.server, 1);
  expect(said[1]).toStartWith("assistant: It is FORBIDDEN");
  expect(said[1]).not.toContain("THE END");
  expect(said[2]).toContain("<system-interrupt");
});

test("a forbidden file is never written", async () => {
  const call = (content: string): ScriptedTurn => ({
    toolCalls: [{ name: "write", arguments: { path: "a.ts", content } }],
    deltaChars: 5,
  });
  await using embedding = await embed([call("FORBIDDEN\n"), call("fine\n"), { text: "done" }]);
  await embedding.home.write(FILE, RULE.replace("---\n", '---\nglobs: "*.ts"\n'));
  await embedding.home.write("work/keep", "");
  const session = await embedding.start({ cwd: embedding.home.path("work") });
  const written: string[] = [];
  session.subscribe((event) => {
    if (event.type === "tool_execution_start") written.push(JSON.stringify(event.call.arguments));
  });
  const told: string[] = [];
  session.subscribe((event) => {
    if (event.type === "ttsr_triggered") told.push(...event.rules.map(({ name }) => name));
  });
  await session.prompt(userText("write it"));
  await session[Symbol.asyncDispose]();
  expect(written).toHaveLength(1);
  expect(written[0]).toContain("fine");
  expect(told).toEqual(["word"]);
  expect(await embedding.home.read("work/a.ts")).toBe("fine\n");
});

describe("a rule that does not interrupt", () => {
  const quiet = RULE.replace("---\n", "---\ninterruptMode: never\n");

  test("comes with the result of the call", async () => {
    const call = { name: "write", arguments: { path: "a.ts", content: "FORBIDDEN\n" } };
    const other = { name: "write", arguments: { path: "b.ts", content: "FORBIDDEN\n" } };
    await using embedding = await embed([{ toolCalls: [call, other] }, { text: "mended" }]);
    await embedding.home.write(FILE, quiet);
    const session = await embedding.start();
    await session.prompt(userText("write it"));
    await session[Symbol.asyncDispose]();
    expect(embedding.server.requests).toHaveLength(2);
    const { messages } = embedding.server.requests[1]!.decoded;
    const results = messages.filter(({ role }) => role === "toolResult").map(textOf);
    expect(results[0]).toStartWith('<system-reminder reason="rule_violation" rule="word"');
    expect(results[0]).toContain("Wrote 10 bytes");
    expect(results[1]).not.toContain("system-reminder");
    expect(existsSync(embedding.home.path("a.ts"))).toBe(true);
  });

  test("comes behind the reply", async () => {
    await using embedding = await embed([BAD, GOOD]);
    await embedding.home.write(FILE, quiet);
    const session = await embedding.start();
    await session.prompt(userText("say it"));
    await session[Symbol.asyncDispose]();
    const said = saidIn(embedding.server, 1);
    expect(said[1]).toEndWith("THE END");
    expect(said[2]).toContain("<system-reminder");
  });
});

test("a rule on code looks at what the call adds, by structure, before it runs", async () => {
  const rule =
    "---\nastCondition: if ($X) clearTimeout($X)\n---\nclearTimeout takes undefined; drop the if.\n";
  const edit = (content: string): ScriptedTurn => ({
    toolCalls: [{ name: "write", arguments: { path: "a.ts", content } }],
  });
  const bad = "function stop(timer) {\n  if (timer) clearTimeout(timer);\n}\n";
  const other = bad.replace("clearTimeout(timer)", "clearTimeout(other)");
  const replace: ScriptedTurn = {
    toolCalls: [
      {
        name: "edit",
        arguments: { path: "old.ts", edits: [{ oldText: "// here", newText: "// x" }] },
      },
      { name: "edit", arguments: { path: "old.ts", edits: [{ oldText: "// x", newText: bad }] } },
    ],
  };
  await using embedding = await embed([edit(other), replace, { text: "done" }]);
  const { home, server } = embedding;
  await home.write(".tau/agent/rules/timer.md", rule);
  await home.write(".tau/agent/config.yml", "edit:\n  mode: replace\n");
  await home.write("work/old.ts", `${bad}// here\n`);
  const session = await embedding.start({ cwd: home.path("work") });
  await session.prompt(userText("write it"));
  expect(session.state.injectedRules).toEqual(["timer"]);
  await session[Symbol.asyncDispose]();
  const results = server.requests
    .at(-1)!
    .decoded.messages.filter(({ role }) => role === "toolResult")
    .map(textOf);
  // Other names are no match; what was there already is not this call's doing; the last one is.
  expect(await home.read("work/a.ts")).toBe(other);
  expect(results[1]).not.toContain("system-interrupt");
  expect(results[2]).toContain('<system-interrupt reason="rule_violation" rule="timer"');
  expect(results[2]).toContain("was not run");
  expect(await home.read("work/old.ts")).toBe(`${bad}// x\n`);
});

test("after a gap it speaks again; going back makes it new", async () => {
  await using embedding = await embed((request) => {
    const last = textOf(request.decoded.messages.at(-1)!);
    if (last === "bad") return BAD;
    return { text: last.includes("system-interrupt") ? "sorry" : "fine" };
  });
  await embedding.home.write(FILE, RULE);
  await settings(embedding.home, "ttsr:\n  repeatMode: after-gap\n  repeatGap: 3\n");
  const session = await embedding.start();
  const last = async (words: string): Promise<string> => {
    await session.prompt(userText(words));
    return textOf(session.messages.at(-1)!);
  };
  expect(await last("hello")).toBe("fine");
  const start = session.log.leafId!;
  expect(await last("bad")).toBe("sorry");
  expect(await last("bad")).toContain("THE END");
  expect(await last("good")).toBe("fine");
  expect(await last("bad")).toBe("sorry");
  await session.navigate(start);
  expect(await last("bad")).toBe("sorry");
  await session[Symbol.asyncDispose]();
});

test("Esc while a reply is being cut ends the run, and the rule may speak again", async () => {
  await using embedding = await embed(() => BAD);
  await embedding.home.write(FILE, RULE);
  const session = await embedding.start();
  const controller = new AbortController();
  session.subscribe((event) => {
    if (event.type === "ttsr_triggered") controller.abort();
  });
  const end = await session.prompt(userText("say it"), { signal: controller.signal });
  expect(end).toEqual({ reason: "aborted" });
  expect(session.state.injectedRules).toEqual([]);
  expect(embedding.server.requests).toHaveLength(1);
  await session[Symbol.asyncDispose]();
});

test("a project's rules stop nothing until it is trusted; broken ones are named", async () => {
  await using home = await isolatedHome();
  await using repository = await createScratchRepository({
    files: {
      ".tau/rules/word.md": RULE,
      ".tau/rules/broken.md": "---\ncondition: '('\nalwaysApply: true\n---\nStill a rule.\n",
    },
  });
  await using server = await ModelServer.start((request) =>
    textOf(request.decoded.messages.at(-1)!).includes("<system-interrupt") ? GOOD : BAD,
  );
  const cwd = repository.root;
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const ask = () => runTau(["-p", "-m", "ollama/x", "say it"], { cwd, home, env });
  const before = await ask();
  expect(before.stdout).toContain("FORBIDDEN");
  expect(before.stderr).toContain("its stream rules are ignored (broken, word)");
  const shown = await runTau(["trust"], { cwd, home });
  expect(shown.stdout).toContain("stops replies that match: FORBID+EN");
  await runTau(["trust", "allow"], { cwd, home });
  const after = await ask();
  expect(after.stdout).toBe("It is ALLOWED.\n");
  expect(after.stderr).toContain(
    ".tau/rules/broken.md: the condition ( is not a regular expression",
  );
  expect(server.requests.at(-1)!.decoded.system.join("\n")).toContain("Still a rule.");
  await settings(home, "ttsr:\n  disabledRules: [word]\n");
  expect((await ask()).stdout).toContain("FORBIDDEN");
  await settings(home, "ttsr:\n  enabled: false\n");
  expect((await ask()).stdout).toContain("FORBIDDEN");
});
