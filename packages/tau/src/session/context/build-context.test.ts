// What each kind of entry does to the context.

import { describe, expect, test } from "bun:test";
import { textOf, userText, type Message } from "@tau/ai/message";
import type { NewEntry } from "../entry.ts";
import { projectEntries } from "../projection/project-entries.ts";
import { buildContext } from "./build-context.ts";
import { chosenModel } from "./runtime-state.ts";
import { TreeModel } from "./test/tree-model.ts";

function reply(...calls: string[]): Message {
  return {
    role: "assistant",
    content: calls.map((id) => ({ type: "toolCall", id, name: "bash", arguments: {} })),
    provider: "p",
    model: "m",
    wire: "openai-completions",
    stopReason: "toolUse",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    timestamp: 0,
  };
}

function result(toolCallId: string, text = "output"): Message {
  const content = [{ type: "text" as const, text }];
  return {
    role: "toolResult",
    toolCallId,
    toolName: "bash",
    content,
    isError: false,
    timestamp: 0,
  };
}

const said = (message: Message): NewEntry => ({ type: "message", message });

function sessionOf(...entries: NewEntry[]): TreeModel {
  const model = new TreeModel();
  for (const entry of entries) model.append(entry);
  return model;
}

const compaction = (firstKeptEntryId: string, extra: object = {}): NewEntry => ({
  type: "compaction",
  summary: "what was",
  firstKeptEntryId,
  tokensBefore: 2,
  tokensAfter: 1,
  ...extra,
});

describe("messages", () => {
  test("summary, what was kept, what followed; an older summary is gone", () => {
    const model = sessionOf(
      said(userText("a", 0)),
      said(userText("b", 0)),
      compaction("e1", { summary: "old" }),
      said(userText("c", 0)),
      compaction("e1", { summary: "new" }),
      said(userText("d", 0)),
    );
    const context = buildContext(model.branch());
    expect(context.sources).toEqual(["e4", "e1", "e3", "e5"]);
    expect(textOf(context.messages[0]!)).toContain("<summary>\nnew\n</summary>");
    expect(context.sinceCompaction).toBe(3);
  });

  test("a compaction that keeps from nowhere keeps nothing", () => {
    const model = sessionOf(said(userText("a", 0)), compaction("gone"), said(userText("b", 0)));
    expect(buildContext(model.branch()).sources).toEqual(["e1", "e2"]);
  });

  test("what is injected again and a snapshot's frames stand with the summary", () => {
    const rules = { role: "developer", content: [{ type: "text", text: "rules" }], timestamp: 0 };
    const frame = { type: "image", mimeType: "image/png", data: "AA==" };
    const model = sessionOf(
      compaction("gone", {
        preserveData: {
          reinjected: [rules, { role: "assistant", content: [] }, 7],
          snapshot: { frames: [frame, { type: "text", text: "lost" }] },
        },
      }),
    );
    const { messages, sources } = buildContext(model.branch());
    expect(sources).toEqual(["e0", "e0"]);
    expect(messages[0]!.content.slice(1)).toEqual([frame as never]);
    expect(messages[1]).toEqual(rules as never);
  });

  test("the application's word is a developer's, unless it shows an image", () => {
    const text = { type: "text" as const, text: "note" };
    const image = { type: "image" as const, mimeType: "image/png", data: "AA==" };
    const note = { type: "custom_message", customType: "n", display: false } as const;
    const model = sessionOf(
      { ...note, content: [text], attribution: "agent" },
      { ...note, content: [text], attribution: "user" },
      { ...note, content: [text, image], attribution: "agent" },
    );
    const roles = buildContext(model.branch()).messages.map(({ role }) => role);
    expect(roles).toEqual(["developer", "user", "user"]);
  });

  test("a pruned result answers its call with a note; the log still has it", () => {
    const model = sessionOf(
      said(reply("a", "b")),
      said(result("a", "x".repeat(4000))),
      said(result("b")),
      { type: "prune", entryIds: ["e0", "e1"], tokensSaved: 990 },
    );
    const { messages, prunedSinceReply } = buildContext(model.branch());
    expect(messages[0]).toBe((model.entries[0] as { message: Message }).message);
    expect(textOf(messages[1]!)).toStartWith("[Output truncated - 1004 tokens]");
    expect(textOf(messages[2]!)).toBe("output");
    expect(prunedSinceReply).toBe(990);
    const [call] = projectEntries(model.branch());
    expect(call).toMatchObject({ kind: "call", result: { content: [{ text: "x".repeat(4000) }] } });
  });

  test("a result whose call was cut away is left out", () => {
    const model = sessionOf(
      said(reply("a")),
      said(result("a")),
      said(userText("next", 0)),
      compaction("e1"),
    );
    expect(buildContext(model.branch()).sources).toEqual(["e3", "e2"]);
  });
});

test("state: the latest word on the branch", () => {
  const model = sessionOf(
    said(reply()),
    { type: "model_change", model: "p/slow", role: "slow" },
    { type: "model_change", model: "p/big", role: "default", temporary: true },
    { type: "thinking_level_change", thinkingLevel: "high" },
    // Of another version: kept, and passed over.
    { type: "mode_change", mode: "plan" } as unknown as NewEntry,
    { type: "ttsr_injection", injectedRules: ["r1", "r2"] },
    { type: "ttsr_injection", injectedRules: ["r2", "r3"] },
    { type: "custom", customType: "list", data: [1] },
    { type: "custom", customType: "__proto__", data: 3 },
    { type: "custom", customType: "list", data: [2] },
  );
  const { state } = buildContext(model.branch());
  expect(state).toEqual({
    models: { slow: "p/slow" },
    temporaryModels: { default: "p/big" },
    lastSpeaker: "p/m",
    thinkingLevel: "high",
    injectedRules: ["r1", "r2", "r3"],
    kept: { list: [2], ["__proto__"]: 3 },
  });
  expect(chosenModel(state)).toBe("p/m");
  model.append({ type: "model_change", model: "p/mine", role: "default" });
  const chosen = buildContext(model.branch()).state;
  expect(chosenModel(chosen)).toBe("p/mine");
  expect(chosen.temporaryModels).toEqual({});
  expect(buildContext([]).state.thinkingLevel).toBe("off");
});
