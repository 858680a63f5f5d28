// Previews are settled before anything else, one way or the other, and never silently.

import { expect, test } from "bun:test";
import { ForcedChoices } from "@tau/agent/forced-choices";
import { runLoop } from "@tau/agent/loop";
import { Hooks } from "@tau/agent/hooks";
import { ToolTable } from "@tau/agent/tool-table";
import { defineTool, textOutput, ToolError } from "@tau/agent/tool";
import { textOf, userText } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import { eventsOf, type ScriptedReply } from "@tau/testkit/script";
import { object } from "valibot";
import { PendingPreviews } from "../../tools/pending-previews.ts";
import { createResolveTool } from "./resolve-tool.ts";
import { settlePreviews } from "./settle-previews.ts";

const model: Model = {
  provider: "p",
  id: "m",
  name: "m",
  wire: "openai-completions",
  baseUrl: "",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  cost: FREE,
};

async function runWith(
  replies: readonly ScriptedReply[],
  apply = async () => textOutput("written"),
) {
  const previews = new PendingPreviews();
  const forcedChoices = new ForcedChoices();
  const hooks = new Hooks();
  const owner = { kind: "behaviour", name: "resolve", order: 0 } as const;
  hooks.register(owner, settlePreviews({ forcedChoices }, previews));
  const preview = defineTool({
    name: "preview",
    description: "",
    parameters: object({}),
    tier: "read",
    concurrency: "shared",
    execute: async () => {
      const id = previews.push({ label: "rename x", sourceTool: "preview", writes: [], apply });
      return textOutput(`shown as ${id}`);
    },
  });
  const requests: ModelRequest[] = [];
  const { end, messages } = await runLoop({
    request: { model, system: [], stream: true },
    messages: [],
    prompt: [userText("rename")],
    tools: new ToolTable([preview, createResolveTool(previews)]),
    hooks,
    forcedChoices,
    signal: new AbortController().signal,
    emit: () => {},
    callModel: (request) => {
      requests.push(request);
      const stream = new ReplyStream();
      const reply = replies[requests.length - 1] ?? { text: "done" };
      const origin = { provider: "p", model: "m", wire: model.wire };
      for (const event of eventsOf(reply, origin, requests.length)) stream.push(event);
      return stream;
    },
  });
  return {
    end,
    texts: messages.map(textOf),
    choices: requests.map((one) => one.toolChoice),
    previews,
  };
}

const show: ScriptedReply = { toolCalls: [{ name: "preview" }] };
const resolve = (action: string, id?: string): ScriptedReply => ({
  toolCalls: [{ name: "resolve", arguments: { action, reason: "because", id } }],
});

test("the next choice is resolve; applying makes the change", async () => {
  const { texts, choices, previews } = await runWith([show, resolve("apply")]);
  expect(choices).toEqual([undefined, { name: "resolve" }, undefined]);
  expect(texts).toContain("written");
  expect(previews.all).toEqual([]);
});

test("discarding says so and makes nothing", async () => {
  let applied = 0;
  const { texts } = await runWith([show, resolve("discard")], async () => {
    applied++;
    return textOutput("written");
  });
  expect(texts).toContain("Discarded: rename x. Nothing was written.");
  expect(applied).toBe(0);
});

test("several wait: each is settled in turn, oldest first or by name", async () => {
  const both: ScriptedReply = { toolCalls: [{ name: "preview" }, { name: "preview" }] };
  const { choices, previews } = await runWith([
    both,
    resolve("apply", "preview-2"),
    resolve("apply"),
  ]);
  expect(choices).toEqual([undefined, { name: "resolve" }, { name: "resolve" }, undefined]);
  expect(previews.all).toEqual([]);
});

test("a model that ignores it is reminded three times, then the preview is dropped", async () => {
  const ignore: ScriptedReply = { text: "never mind" };
  const { end, texts, choices, previews } = await runWith([
    show,
    ignore,
    ignore,
    ignore,
    ignore,
    ignore,
  ]);
  expect(end).toEqual({ reason: "done" });
  const forced = choices.filter((choice) => choice !== undefined);
  expect(forced).toHaveLength(4);
  expect(texts.filter((text) => text.includes("still waits"))).toHaveLength(3);
  expect(texts.some((text) => text.startsWith("Dropped without being applied"))).toBe(true);
  expect(previews.all).toEqual([]);
});

test("without a preview, or with a wrong name, the model is told what there is", async () => {
  const none = await runWith([resolve("apply")]);
  expect(none.texts).toContain("No preview waits: there is nothing to apply or discard.");
  const wrong = await runWith([show, resolve("apply", "preview-9"), resolve("discard")]);
  expect(wrong.texts.join("\n")).toContain(
    'There is no preview "preview-9". These wait: preview-1',
  );
});

test("a preview whose base has changed fails, and is not tried again", async () => {
  const { texts, previews } = await runWith([show, resolve("apply")], async () => {
    throw new ToolError("a.ts has changed since the preview; look again.");
  });
  expect(texts).toContain("a.ts has changed since the preview; look again.");
  expect(previews.all).toEqual([]);
});
