// The family's API on Tau's session, one promise of it at a time: what packages that others wrote count on.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@tau/ai/message";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { connect } from "./support/rpc-connection.ts";
import { extended, type Extended } from "./support/extended.ts";

/** Every entry of the one session there is. */
async function entries(program: Extended): Promise<Record<string, unknown>[]> {
  const directory = program.home.path(".tau/agent/sessions");
  const names = await readdir(directory, { recursive: true });
  const file = names.find((name) => name.endsWith(".jsonl"));
  const text = await Bun.file(join(directory, file!)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("messages keep their kind and details, however they are delivered, and after a restart", async () => {
  await using program = await extended(
    {
      "mail.ts": `
export default (pi) => {
  const kinds = (messages) => messages.filter((one) => one.role === "custom").map((one) => one.customType + ":" + one.details?.n).join(" ");
  pi.on("tool_call", () => {
    for (const [n, deliverAs] of ["steer", "followUp", "nextTurn"].entries()) {
      pi.sendMessage({ customType: "note", content: deliverAs, display: n === 0, details: { n } }, { deliverAs });
    }
  });
  pi.on("before_agent_start", () => ({ message: { customType: "before", content: "before", display: false, details: { n: 9 } } }));
  pi.on("context", (event) => { pi.appendEntry("seen", kinds(event.messages)); });
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
  const all = await entries(program);
  const kept = all.filter(({ type }) => type === "custom_message");
  expect(kept.map(({ customType, display, details }) => [customType, display, details])).toEqual([
    ["before", false, { n: 9 }],
    ["note", true, { n: 0 }],
    ["note", false, { n: 1 }],
    ["note", false, { n: 2 }],
    ["before", false, { n: 9 }],
  ]);
  const seen = all.filter(({ customType }) => customType === "seen").map(({ data }) => data);
  expect(seen).toEqual([
    "before:9",
    "before:9 note:0",
    "before:9 note:0 note:1",
    "before:9 note:0 note:1 note:2 before:9",
  ]);
  // The model reads them as it would read its user.
  expect(program.requests().at(-1)).toContain("user: followUp");
});

test("the registry has every model; the one that is named is asked, and no key is handed out", async () => {
  await using program = await extended(
    {
      "ask.ts": `
import { complete } from "@earendil-works/pi-ai";
export default (pi) => pi.registerCommand("ask", { handler: async (_args, ctx) => {
  const { modelRegistry: registry } = ctx;
  const other = { ...ctx.model, id: "other" };
  const auth = await registry.getApiKeyAndHeaders(other);
  const reply = await complete(other, { systemPrompt: "Be brief.", messages: [
    { role: "user", content: "hi", timestamp: 1 },
    { role: "assistant", content: [{ type: "text", text: "hello" }] },
    { role: "user", content: [{ type: "text", text: "who are you?" }] },
  ] }, { apiKey: auth.apiKey });
  const missing = await complete(registry.find("anthropic", "claude-opus-4-5"), { messages: [] });
  ctx.ui.notify(JSON.stringify({
    all: registry.getAll().length > 1000,
    available: registry.getAvailable().every((one) => one.provider !== "anthropic"),
    key: auth.apiKey, none: await registry.getApiKeyForProvider("anthropic"),
    said: reply.content[0].text, model: reply.model, error: missing.errorMessage, stop: missing.stopReason,
  }));
} });`,
    },
    [{ text: "A model." }],
  );
  const { stderr } = await program.run("-p", "/ask");
  const told = JSON.parse(stderr.slice(stderr.indexOf("{"))) as Record<string, unknown>;
  expect(told).toMatchObject({
    all: true,
    available: true,
    key: "kept-by-tau",
    said: "A model.",
    model: "other",
    stop: "error",
  });
  expect(told.none).toBeUndefined();
  expect(told.error).toContain("no API key for Anthropic");
  const [request] = program.server.requests;
  expect(request!.body.model).toBe("other");
  expect(request!.decoded.messages.map((one) => `${one.role}: ${textOf(one)}`)).toEqual([
    "user: hi",
    "assistant: hello",
    "user: who are you?",
  ]);
});

test("replies are told as they arrive, and the model that was there before a change", async () => {
  await using program = await extended(
    {
      "watch.ts": `
export default (pi) => {
  const seen = [];
  pi.on("message_start", (event) => seen.push("start " + event.message.role));
  pi.on("message_update", (event) => seen.push("update " + (event.message.content[0]?.text ?? "")));
  pi.on("message_end", (event) => seen.push("end " + event.message.role));
  pi.on("model_select", (event) => seen.push(event.previousModel.id + " to " + event.model.id));
  pi.on("agent_settled", (event) => seen.push("settled " + event.aborted));
  pi.on("session_shutdown", () => pi.logger.info(seen.join("\\n")));
  pi.registerCommand("other", { handler: (_args, ctx) => pi.setModel({ provider: "ollama", id: "y" }) });
};`,
    },
    [{ text: "Hello." }],
  );
  await program.run("-p", "go");
  await program.run("-p", "-c", "/other");
  const log = await program.home.read(".tau/agent/logs/extensions.log");
  expect(log).toMatch(
    /info watch: start user\\nend user\\nstart assistant\\nupdate .*update Hello\.\\nend assistant\\nsettled false/,
  );
  expect(log).toContain("x to y");
});

test("an edit in the language of patches is shown to guards with each file that it changes", async () => {
  await using program = await extended(
    {
      "guard.ts": `
export default (pi) => pi.on("tool_call", (event) => {
  if (event.toolName === "edit" && String(event.input.path).endsWith("secret.txt")) return { block: true, reason: "not that one" };
});`,
    },
    (request) => {
      const read = JSON.stringify(request.decoded.messages.at(-1));
      if (read.includes("go")) {
        return { toolCalls: [{ name: "read", arguments: { path: "open.txt" } }] };
      }
      const [, tag] = /¶open\.txt#(\w+)/.exec(read) ?? [];
      if (tag === undefined) return { text: "Done." };
      const input = `¶open.txt#${tag}\nreplace 1..1:\n+changed\n¶secret.txt#${tag}\nreplace 1..1:\n+changed\n`;
      return { toolCalls: [{ name: "edit", arguments: { input } }] };
    },
  );
  await program.home.write("work/open.txt", "one\n");
  await program.home.write("work/secret.txt", "two\n");
  await program.run("-p", "go", "--yolo");
  expect(program.requests().at(-1)!.at(-1)).toBe("toolResult: not that one");
  expect(await program.home.read("work/open.txt")).toBe("one\n");
});

test("what a user runs themselves can be run by an extension instead", async () => {
  await using scratch = await createScratchDirectory();
  const path = await scratch.write(
    "remote.ts",
    `
const exec = async (command, cwd, { onData }) => { onData(Buffer.from("over there: " + command)); return { exitCode: 3 }; };
export default (pi) => pi.on("user_bash", ({ command }) => {
  if (command === "hostname") return { result: { output: "far away", exitCode: 0, cancelled: false, truncated: false } };
  if (command.startsWith("ssh ")) return { operations: { exec } };
});`,
  );
  await using connection = await connect([{ text: "Yes." }], { args: ["-e", path] });
  const run = (command: string): Promise<unknown> => connection.client.send("bash", { command });
  expect(await run("hostname")).toMatchObject({ output: "far away", exitCode: 0 });
  expect(await run("ssh x")).toMatchObject({ output: "over there: ssh x", exitCode: 3 });
  expect(await run("echo here")).toMatchObject({ output: "here", exitCode: 0 });
  // The model hears of it as of any other.
  await connection.client.send("prompt", { message: "go" });
  await connection.event(({ type }) => type === "agent_end");
  expect(connection.requests()[0]!.join("\n")).toContain("$ hostname\nfar away");
});

test("skills and prompts that an extension finds are there for the model and its user", async () => {
  await using program = await extended(
    {
      "more.ts": `
import { join } from "node:path";
export default (pi) => pi.on("resources_discover", (event) => ({
  skillPaths: [join(import.meta.dir, "../more/skills")], promptPaths: [join(import.meta.dir, "../more/prompts")],
}));`,
    },
    () => ({ text: "Yes." }),
  );
  await program.home.write(
    ".tau/agent/more/skills/tidy/SKILL.md",
    "---\nname: tidy\ndescription: Tidies up.\n---\nSort everything.\n",
  );
  await program.home.write(".tau/agent/more/prompts/greet.md", "Greet $1 from $ARGUMENTS.\n");
  await program.run("-p", "/greet Ada Bob");
  expect(program.requests()[0]).toEqual(["user: Greet Ada from Ada Bob."]);
  const system = program.server.requests[0]!.decoded.system.join("\n");
  expect(system).toContain("Skills of the extension more");
  expect(system).toContain("- tidy: Tidies up. (");
});

test("a compaction that an extension brings takes the place of Tau's", async () => {
  await using program = await extended(
    {
      "short.ts": `
export default (pi) => {
  pi.on("session_before_compact", ({ preparation, customInstructions, reason }) => ({ compaction: {
    summary: "[" + reason + ": " + preparation.messagesToSummarize.length + " messages, " + customInstructions + "]",
    firstKeptEntryId: preparation.firstKeptEntryId, tokensBefore: preparation.tokensBefore,
  } }));
  pi.registerCommand("shorten", { handler: async (_args, ctx) => {
    await new Promise((resolve, reject) => ctx.compact({ customInstructions: "keep numbers", onComplete: resolve, onError: reject }));
  } });
};`,
    },
    () => ({ text: "word ".repeat(9000) }),
  );
  for (const words of ["one", "two", "three"]) await program.run("-p", "-c", words);
  await program.run("-p", "-c", "/shorten");
  await program.run("-p", "-c", "and now?");
  const last = program.requests().at(-1)!.join("\n");
  expect(last).toMatch(/\[manual: [1-9] messages, keep numbers\]/);
  expect(last).not.toContain("user: one");
});

test("extensions of one session tell one another, and nobody else's", async () => {
  await using program = await extended(
    {
      "a.ts": `export default (pi) => pi.on("agent_end", () => pi.events.emit("hello", "from a"));`,
      "b.ts": `export default (pi) => { pi.events.on("hello", () => { throw new Error("oops"); }); pi.events.on("hello", (words) => pi.logger.warn("heard", words)); };`,
    },
    [{ text: "Yes." }],
  );
  const { stderr, exitCode } = await program.run("-p", "go");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("b failed at uncaught: Error: oops");
  const log = await program.home.read(".tau/agent/logs/extensions.log");
  expect(log.match(/warn b: heard from a/g)).toHaveLength(1);
});

test("tools can be taken away and given back, and all of them are known", async () => {
  await using program = await extended(
    {
      "less.ts": `
export default (pi) => pi.on("before_agent_start", (event, ctx) => {
  const all = pi.getAllTools().map((one) => one.name);
  pi.setActiveTools(pi.getActiveTools().length === 1 ? all : ["read"]);
});`,
    },
    () => ({ text: "Yes." }),
  );
  await program.run("-p", "one");
  const names = program.server.requests[0]!.decoded.tools.map(({ name }) => name);
  expect(names).toEqual(["read"]);
});
