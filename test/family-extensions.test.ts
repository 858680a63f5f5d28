// Extensions of the family, as their authors wrote them, in the running program: what they block, change,
// say and remember.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { extended } from "./support/extended.ts";

const SAFETY = `
export default function (pi) {
  pi.on("tool_call", async (event) => {
    if (event.toolName === "bash" && /rm -rf/.test(String(event.input.command))) {
      return { block: true, reason: "Refusing to delete everything" };
    }
  });
}`;

test("a handler that blocks: the model reads the reason, and nothing was run", async () => {
  await using program = await extended({ "safety.ts": SAFETY }, [
    { toolCalls: [{ name: "bash", arguments: { command: "touch made; rm -rf kept" } }] },
    { text: "I see." },
  ]);
  await program.home.write("work/kept/file.txt", "here");
  const { stdout, exitCode } = await program.run("-p", "go", "--yolo");
  expect({ stdout, exitCode }).toEqual({ stdout: "I see.\n", exitCode: 0 });
  expect(program.requests()[1]!.at(-1)).toBe("toolResult: Refusing to delete everything");
  expect(await readdir(program.cwd)).toEqual(["kept"]);
});

test("a handler that throws at a call blocks it; one that throws at the end of a turn is only told of", async () => {
  await using program = await extended(
    {
      "broken.ts": `export default (pi) => { pi.on("tool_call", () => { throw new Error("cannot judge"); }); };`,
      "late.ts": `export default (pi) => { pi.on("turn_end", () => { throw new Error("too late"); }); };`,
    },
    [{ toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] }, { text: "Blocked." }],
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "go");
  expect({ stdout, exitCode }).toEqual({ stdout: "Blocked.\n", exitCode: 0 });
  expect(await readdir(program.cwd)).toEqual([]);
  expect(program.requests()[1]!.at(-1)).toContain("broken");
  expect(stderr).toContain("late");
  expect(stderr).toContain("too late");
});

test("two redactors chain, also on results of calls that failed", async () => {
  const redactor = (from: string, to: string): string => `
export default (pi) => pi.on("tool_result", (event) => ({
  content: event.content.map((one) => one.type === "text" ? { ...one, text: one.text.replaceAll("${from}", "${to}") } : one),
}));`;
  await using program = await extended(
    { "a.ts": redactor("alpha", "beta"), "b.ts": redactor("beta", "gamma") },
    [
      { toolCalls: [{ name: "bash", arguments: { command: "echo alpha" } }] },
      { toolCalls: [{ name: "bash", arguments: { command: "echo alpha; false" } }] },
      { text: "Done." },
    ],
  );
  await program.run("-p", "go");
  const [, second, third] = program.requests();
  expect(second!.at(-1)).toContain("gamma");
  expect(third!.at(-1)).toContain("gamma");
  expect(`${second!.at(-1)}${third!.at(-1)}`).not.toContain("alpha");
});

test("what acts while it is loaded is told of by name, and the others are there", async () => {
  await using program = await extended(
    {
      "early.ts": `export default (pi) => { pi.sendMessage({ customType: "x", content: "hi", display: true }); };`,
      "good.ts": `export default (pi) => { pi.registerCommand("hello", { handler: async (_args, ctx) => { pi.sendUserMessage("Say hello"); await ctx.waitForIdle(); } }); };`,
    },
    [{ text: "Hello." }],
  );
  const { stderr } = await program.run("-p", "/hello");
  expect(stderr).toContain("the extension early is not loaded");
  expect(stderr).toContain("pi.sendMessage while it is being loaded");
  expect(program.requests()[0]!.at(-1)).toBe("user: Say hello");
});

test("messages arrive as steering, as follow-ups, or with the next prompt", async () => {
  await using program = await extended(
    {
      "mail.ts": `
export default (pi) => {
  let isSent = false;
  pi.on("tool_call", () => {
    if (isSent) return;
    isSent = true;
    for (const deliverAs of ["nextTurn", "followUp", "steer"]) {
      pi.sendMessage({ customType: "mail", content: deliverAs, display: true }, { deliverAs, triggerTurn: true });
    }
  });
};`,
    },
    [
      { toolCalls: [{ name: "bash", arguments: { command: "echo one" } }] },
      { text: "First." },
      { text: "Second." },
      { text: "Third." },
    ],
  );
  await program.run("-p", "go");
  await program.run("-p", "-c", "again");
  const said = program
    .requests()
    .map((lines) => lines.filter((line) => line.startsWith("user: ")).slice(1));
  const last = said.at(-1)!.map((line) => line.slice("user: ".length));
  expect(last.filter((line) => ["steer", "followUp", "nextTurn", "again"].includes(line))).toEqual([
    "steer",
    "followUp",
    "nextTurn",
    "again",
  ]);
  expect(said[1]).toContain("user: steer");
  expect(said[1]).not.toContain("user: followUp");
  expect(said[2]).toContain("user: followUp");
});

test("what it keeps in entries is there again after a restart, and on the way to the leaf only", async () => {
  await using program = await extended(
    {
      "counter.ts": `
export default (pi) => {
  let count = 0;
  const rebuild = (ctx) => {
    count = 0;
    for (const entry of ctx.sessionManager.getBranch()) {
      if (entry.type === "custom" && entry.customType === "count") count = entry.data.count;
    }
  };
  pi.on("session_start", (_event, ctx) => rebuild(ctx));
  pi.on("session_tree", (_event, ctx) => rebuild(ctx));
  pi.on("agent_end", () => pi.appendEntry("count", { count: ++count }));
  pi.on("before_agent_start", () => ({ message: { customType: "count", content: "count is " + count, display: false } }));
};`,
    },
    () => ({ text: "Yes." }),
  );
  await program.run("-p", "one");
  await program.run("-p", "-c", "two");
  await program.run("-p", "-c", "three");
  const told = program
    .requests()
    .map((lines) => lines.findLast((line) => line.includes("count is")));
  expect(told).toEqual(["user: count is 0", "user: count is 1", "user: count is 2"]);
});

test("a handler of the context changes what is sent, not what is kept", async () => {
  await using program = await extended(
    {
      "forget.ts": `
export default (pi) => pi.on("context", (event) => ({
  messages: event.messages.filter((message) => !JSON.stringify(message.content).includes("secret plan")),
}));`,
    },
    () => ({ text: "Yes." }),
  );
  await program.run("-p", "the secret plan");
  await program.run("-p", "-c", "and now");
  expect(program.requests().at(-1)).toEqual(["assistant: Yes.", "user: and now"]);
  const directory = program.home.path(".tau/agent/sessions");
  const files = (await readdir(directory, { recursive: true })).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const texts = await Promise.all(files.map((name) => Bun.file(join(directory, name)).text()));
  expect(texts.join("")).toContain("the secret plan");
});

test("nobody can be asked with -p: a question counts as answered with no", async () => {
  await using program = await extended(
    {
      "asking.ts": `
export default (pi) => pi.on("tool_call", async (_event, ctx) => {
  const yes = await ctx.ui.confirm("Really?", "It runs.");
  if (!yes) return { block: true, reason: "hasUI " + ctx.hasUI + ", confirmed " + yes };
});`,
    },
    [{ toolCalls: [{ name: "bash", arguments: { command: "true" } }] }, { text: "No." }],
  );
  await program.run("-p", "go");
  expect(program.requests()[1]!.at(-1)).toBe("toolResult: hasUI false, confirmed false");
});

test("a tool, with a schema of typebox, and in a file of its own with the older order of arguments", async () => {
  await using program = await extended(
    {
      "tool.ts": `
import { Type } from "typebox";
export default (pi) => pi.registerTool({
  name: "shout", label: "Shout", description: "Makes words loud.",
  parameters: Type.Object({ words: Type.String() }),
  async execute(id, params, signal, onUpdate, ctx) {
    onUpdate?.({ content: [{ type: "text", text: "working" }] });
    return { content: [{ type: "text", text: params.words.toUpperCase() + " in " + (ctx.cwd.split("/").pop()) }], details: {} };
  },
});`,
      "../tools/whisper.ts": `
export default (pi) => ({
  name: "whisper", label: "Whisper", description: "Makes words quiet.",
  parameters: pi.zod.object({ words: pi.zod.string() }),
  async execute(id, params, onUpdate, ctx, signal) {
    const { stdout } = await pi.exec("echo", [params.words.toLowerCase()]);
    return { content: [{ type: "text", text: stdout.trim() + (signal instanceof AbortSignal) }] };
  },
});`,
    },
    [
      { toolCalls: [{ name: "shout", arguments: { words: "hello" } }] },
      { toolCalls: [{ name: "whisper", arguments: { words: "HELLO" } }] },
      { toolCalls: [{ name: "whisper", arguments: { words: 5 } }] },
      { text: "Done." },
    ],
  );
  const { stderr } = await program.run("-p", "go", "--yolo");
  expect(stderr).not.toContain("not loaded");
  const results = program
    .requests()
    .slice(1)
    .map((lines) => lines.at(-1));
  expect(results.slice(0, 2)).toEqual(["toolResult: HELLO in work", "toolResult: hellotrue"]);
  expect(results[2]).toContain("words");
  const tools = program.server.requests[0]!.decoded.tools.map(({ name }) => name);
  expect(tools).toContain("shout");
  expect(tools).toContain("whisper");
});

test("a tool that takes a built-in one's place is judged as that one is", async () => {
  await using program = await extended(
    {
      "bash.ts": `
import { createBashTool } from "@earendil-works/pi-coding-agent";
export default (pi) => {
  const bash = createBashTool(process.cwd());
  pi.registerTool({ ...bash, async execute(...args) {
    const result = await bash.execute(...args);
    return { ...result, content: [{ type: "text", text: "mine: " + result.content[0].text }] };
  } });
};`,
    },
    [
      { toolCalls: [{ name: "bash", arguments: { command: "echo here" } }] },
      { toolCalls: [{ name: "bash", arguments: { command: "rm ../precious.txt" } }] },
      { text: "Done." },
    ],
  );
  await program.home.write("precious.txt", "mine");
  await program.run("-p", "go");
  const [, first, second] = program.requests();
  expect(first!.at(-1)).toStartWith("toolResult: mine: here");
  expect(second!.at(-1)).toContain("consent");
  expect(await Bun.file(program.home.path("precious.txt")).exists()).toBe(true);
});

test("--no-extensions leaves out what lies around, and loads what is named", async () => {
  const saying = (words: string): string =>
    `export default (pi) => pi.on("before_agent_start", () => ({ message: { customType: "x", content: "${words}", display: false } }));`;
  await using program = await extended({ "around.ts": saying("around") }, () => ({ text: "Yes." }));
  await program.home.write("work/named.ts", saying("named"));
  await program.run("-p", "one");
  await program.run("-p", "two", "--no-extensions", "-e", "./named.ts");
  const [first, second] = program.requests().map((lines) => lines.join("\n"));
  expect(first).toContain("around");
  expect(second).toContain("named");
  expect(second).not.toContain("around");
});

test("what an extension leaves uncaught is told by its name, and ends nothing", async () => {
  await using program = await extended(
    {
      "stray.ts": `
export default (pi) => pi.on("tool_call", async () => {
  void (async () => { await 1; throw new Error("a forgotten promise"); })();
  setTimeout(() => { throw new Error("a timer"); }, 1);
  void Promise.reject("only words");
  await new Promise((resolve) => setTimeout(resolve, 50));
});`,
    },
    [{ toolCalls: [{ name: "bash", arguments: { command: "echo ran" } }] }, { text: "Done." }],
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "go");
  expect({ stdout, exitCode }).toEqual({ stdout: "Done.\n", exitCode: 0 });
  expect(stderr).toContain("stray failed at uncaught: Error: a forgotten promise");
  expect(stderr).toContain("stray failed at uncaught: Error: a timer");
  expect(stderr).toContain("only words");
});

test("errors that nobody catches while it is loaded end nothing, and are told by its name", async () => {
  await using program = await extended(
    {
      "early.ts": `
void fetch("http://127.0.0.1:1/").then((reply) => reply.json());
setTimeout(() => { throw new Error("a timer"); }, 0);
export default async () => { void Promise.reject(new Error("a promise")); await new Promise((done) => setTimeout(done, 30)); };`,
    },
    () => ({ text: "Yes." }),
  );
  for (const _start of [1, 2]) {
    const { stdout, stderr, exitCode } = await program.run("-p", "hello");
    expect({ stdout, exitCode }).toEqual({ stdout: "Yes.\n", exitCode: 0 });
    expect(stderr).toContain("early failed at uncaught: Error: a timer");
    expect(stderr).toContain("early failed at uncaught: Error: a promise");
  }
});

test("what modules print is not part of the answer", async () => {
  await using program = await extended(
    {
      "loud.ts": `console.log("at load"); export default (pi) => { pi.on("turn_end", () => console.log("at a turn")); };`,
    },
    () => ({ text: "Yes." }),
  );
  const { stdout, stderr } = await program.run("-p", "hello");
  expect(stdout).toBe("Yes.\n");
  expect(stderr).toBe("at load\nat a turn\n");
  const json = await program.run("-p", "hello", "--mode", "json");
  for (const line of json.stdout.trim().split("\n"))
    expect(JSON.parse(line)).toHaveProperty("type");
});

test("a tool whose name no vendor takes is refused with its extension", async () => {
  await using program = await extended(
    {
      "odd.ts": `export default (pi) => pi.registerTool({ name: "with space", description: "", parameters: {}, execute() {} });`,
    },
    () => ({ text: "Yes." }),
  );
  const { stderr } = await program.run("-p", "hello");
  expect(stderr).toContain('a tool cannot be called "with space"');
});

test("a gate that cannot be loaded is not silently gone: every call is asked about", async () => {
  await using program = await extended(
    { "gate.ts": `export default (pi) => { pi.on("tool_call", () => { return { block: true }; ` },
    [{ toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] }, { text: "No." }],
  );
  const { stderr } = await program.run("-p", "go");
  expect(stderr).toContain(
    "gate may guard calls: while it is missing, every call needs your approval",
  );
  expect(await readdir(program.cwd)).toEqual([]);
});

test("a command that fails is its extension's failure, and a slip in a module has a line", async () => {
  await using program = await extended(
    {
      "boom.ts": `export default (pi) => pi.registerCommand("boom", { handler: async () => { throw new Error("no luck"); } });`,
      "slip.ts": `export default () => {\n  const x = ;\n};`,
    },
    () => ({ text: "Yes." }),
  );
  const { stderr, exitCode } = await program.run("-p", "/boom");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("/boom of boom failed: no luck");
  expect(stderr).not.toContain("bug in Tau");
  expect(stderr).toContain("line 2: Unexpected");
});

test("with -p it is said who keeps everybody waiting", async () => {
  await using program = await extended(
    {
      "sloth.ts": `export default (pi) => pi.on("context", () => new Promise((done) => setTimeout(done, 2300)));`,
    },
    () => ({ text: "Yes." }),
  );
  const { stderr } = await program.run("-p", "hello");
  expect(stderr).toBe("tau: waiting for the extension sloth (context)\n");
});

test("of several handlers of an event the others run if one throws, and its line is named", async () => {
  const EVENTS = [
    "session_start",
    "before_agent_start",
    "context",
    "input",
    "turn_start",
    "turn_end",
    "agent_end",
  ];
  await using program = await extended(
    {
      "two.ts": `export default (pi) => {
  for (const name of ${JSON.stringify(EVENTS)}) {
    pi.on(name, () => {
      throw new Error("oops");
    });
    pi.on(name, () => pi.appendEntry("ran", name));
  }
};`,
    },
    [{ text: "Done." }],
  );
  const { stderr } = await program.run("-p", "go");
  for (const name of EVENTS)
    expect(stderr).toContain(`two failed at ${name}: Error: oops (two.ts:4)`);
  const files = await readdir(program.home.path(".tau/agent/sessions"), { recursive: true });
  const file = files.find((name) => name.endsWith(".jsonl"))!;
  const log = await Bun.file(program.home.path(`.tau/agent/sessions/${file}`)).text();
  const ran = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const told = ran.filter(({ customType }) => customType === "ran").map(({ data }) => data);
  expect(told.toSorted()).toEqual(EVENTS.toSorted());
});

test("the text blocks of a result are lines of their own", async () => {
  const tool = `
export default (pi) => pi.registerTool({
  name: "pieces",
  description: "Gives pieces",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: ["one", "two\\n", "three"].map((text) => ({ type: "text", text })) }),
});`;
  await using program = await extended({ "pieces.ts": tool }, [
    { toolCalls: [{ name: "pieces", arguments: {} }] },
    { text: "Done." },
  ]);
  await program.run("-p", "go", "--yolo");
  const sent = program.server.requests[1]!.decoded.messages.at(-1)!;
  expect(sent.content).toEqual([{ type: "text", text: "one\ntwo\nthree" }]);
});
