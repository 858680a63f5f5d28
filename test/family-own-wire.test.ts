// A provider of the family's that answers by itself: it is chosen like any model, calls tools, is counted,
// stopped and told of when it fails.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { extended } from "./support/extended.ts";

const PROVIDER = `
import { createAssistantMessageEventStream } from "@mariozechner/pi-ai";
export default (pi) => pi.registerProvider("echo", {
  baseUrl: "http://nowhere.invalid",
  apiKey: "$ECHO_KEY",
  api: "echo-api",
  models: [
    { id: "talk", name: "Talk", reasoning: false, input: ["text"], cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, contextWindow: 9000, maxTokens: 900 },
    { id: "whole", name: "Whole", contextWindow: 9000, maxTokens: 900 },
    { id: "bad", name: "Bad", contextWindow: 9000, maxTokens: 900 },
    { id: "cut", name: "Cut", contextWindow: 9000, maxTokens: 900 },
  ],
  streamSimple(model, context, options) {
    const events = createAssistantMessageEventStream();
    const usage = { input: 7, output: 3, cacheRead: 0, cacheWrite: 0 };
    const message = { role: "assistant", content: [], usage, stopReason: "stop" };
    void (async () => {
      if (model.id === "bad") return events.push({ type: "error", reason: "error", error: { ...message, errorMessage: "out of ink" } });
      events.push({ type: "start", partial: message });
      if (model.id === "cut") { events.push({ type: "text_start", contentIndex: 0, partial: message }); return events.end(); }
      if (model.id === "whole") {
        message.content.push({ type: "text", text: "All at once." });
        return events.push({ type: "done", reason: "stop", message });
      }
      const last = context.messages.at(-1);
      if (last.role !== "toolResult") {
        const toolCall = { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "touch made" } };
        events.push({ type: "toolcall_start", contentIndex: 0, partial: message });
        events.push({ type: "toolcall_end", contentIndex: 0, toolCall, partial: message });
        return events.push({ type: "done", reason: "toolUse", message });
      }
      events.push({ type: "text_start", contentIndex: 0, partial: message });
      for (const delta of ["Made with ", options.apiKey, " by ", model.api, ", ", String(context.tools.length > 3), "."]) {
        events.push({ type: "text_delta", contentIndex: 0, delta, partial: message });
      }
      events.push({ type: "text_end", contentIndex: 0, content: "", partial: message });
      events.push({ type: "done", reason: "stop", message });
    })();
    return events;
  },
});`;

const run = async (model: string) => {
  const program = await extended({ "echo.ts": PROVIDER }, []);
  await program.home.write(".tau/agent/.env", "ECHO_KEY=ink-123\n");
  const result = await program.command(
    "-p",
    "go",
    "-m",
    `echo/${model}`,
    "--mode",
    "json",
    "--yolo",
  );
  return { program, ...result };
};

test("it streams, calls tools, gets its key, and is counted", async () => {
  const { program, stdout, exitCode } = await run("talk");
  await using _program = program;
  expect(exitCode).toBe(0);
  expect(stdout).toContain("echo-api");
  expect(stdout).toContain("true.");
  expect(await readdir(program.cwd)).toEqual(["made"]);
  expect(stdout).toMatch(/"input":7,/);
});

test("one that says everything at the end is heard, too", async () => {
  const { program, stdout } = await run("whole");
  await using _program = program;
  expect(stdout).toContain("All at once.");
});

test("its failures are those of a model, and a stream without an end is one", async () => {
  const bad = await run("bad");
  await using _bad = bad.program;
  expect(bad.exitCode).not.toBe(0);
  expect(bad.stdout + bad.stderr).toContain("The extension's provider failed: out of ink");
  const cut = await run("cut");
  await using _cut = cut.program;
  expect(cut.exitCode).not.toBe(0);
  expect(cut.stdout + cut.stderr).toContain("ended before it was complete");
});
