// What entries and messages of versions 1 to 3 become.

import { describe, expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { expectConsistent } from "../test/support.ts";
import {
  assistant,
  entry,
  lines,
  message,
  migrate,
  open,
  placed,
  STARTED,
  TIME,
} from "./test/legacy-files.ts";

describe("version 1", () => {
  test("gets ids, one chain, and compactions that name their entry", async () => {
    const found = await migrate(
      lines(
        STARTED,
        {
          type: "message",
          timestamp: TIME,
          message: { role: "user", content: "one", timestamp: 1 },
        },
        { type: "message", timestamp: TIME, message: assistant("two") },
        { type: "message", timestamp: TIME, message: { role: "user", content: "three" } },
        {
          type: "compaction",
          timestamp: TIME,
          summary: "so far",
          firstKeptEntryIndex: 3,
          tokensBefore: 9,
        },
        { type: "model_change", timestamp: TIME, provider: "openai", modelId: "gpt" },
      ),
    );
    const ids = found.map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(found.map(({ parentId }) => parentId)).toEqual([null, ...ids.slice(0, -1)]);
    expect(found[0]).toMatchObject({
      message: { role: "user", content: [{ type: "text", text: "one" }] },
    });
    expect(found[3]).toMatchObject({ firstKeptEntryId: ids[2]!, tokensBefore: 9 });
    expect(found[4]).toMatchObject({ type: "model_change", model: "openai/gpt", role: "default" });
  });
});

describe("version 2", () => {
  test("knows custom messages under their older name", async () => {
    const hook = {
      role: "hookMessage",
      customType: "ext",
      content: "note",
      display: false,
      details: { a: 1 },
    };
    const found = await migrate(lines({ ...STARTED, version: 2 }, message("a", null, hook)));
    expect(found).toEqual([
      {
        type: "custom_message",
        id: "a",
        parentId: null,
        timestamp: TIME,
        customType: "ext",
        content: [{ type: "text", text: "note" }],
        display: false,
        attribution: "agent",
        details: { a: 1 },
      },
    ]);
  });
});

describe("version 3", () => {
  const header = {
    ...STARTED,
    version: 3,
    title: "Named",
    titleSource: "user",
    parentSession: "p",
  };

  test("keeps its header, its title and its tree, with labels beside it", async () => {
    await using dir = await createScratchDirectory();
    const text = lines(
      header,
      message("u1", null, { role: "user", content: "one" }),
      message("a1", "u1", assistant("two")),
      entry("l1", "a1", { type: "label", targetId: "u1", label: "start" }),
      message("u2", "l1", { role: "user", content: "below a label" }),
      message("u3", "a1", { role: "user", content: "a branch" }),
      entry("l2", "u2", { type: "label", targetId: "a1", label: "there" }),
    );
    const path = await placed(dir, text);
    await using log = await open(dir, path, "write");
    expect(log.header).toMatchObject({
      id: "s1",
      cwd: "/home/me/pi",
      parentSession: "p",
      version: 4,
      migratedFrom: { path, version: 3, bytes: text.length },
    });
    expect(log.title).toBe("Named");
    expect(await log.entry("u2")).toMatchObject({ parentId: "a1" });
    expect((await log.childrenOf("a1")).map((child) => child.id)).toEqual(["u2", "u3"]);
    // The last thing the user did there was to label something from u2.
    expect(log.leafId).toBe("u2");
    expect(await log.labels()).toEqual(
      new Map([
        ["u1", "start"],
        ["a1", "there"],
      ]),
    );
    await expectConsistent(log);
  });

  test("replies keep what is the vendor's where it is known whose it is", async () => {
    const content = [
      { type: "thinking", thinking: "hm", thinkingSignature: "sig" },
      { type: "redactedThinking", data: "enc" },
      { type: "text", text: "hi" },
      { type: "toolCall", id: "c1", name: "read", arguments: { path: "x" } },
      { type: "toolCall", id: "c2", name: "read", arguments: "{bro" },
      { type: "video", url: "v" },
    ];
    const failed = { stopReason: "error", errorMessage: "503", provider: "openai" };
    const found = await migrate(
      lines(
        header,
        message("a1", null, assistant(content, { responseId: "r" })),
        message("a2", "a1", assistant(content, { ...failed, api: "unheard-of" })),
        message(
          "a3",
          "a2",
          assistant([{ type: "text", text: "x", textSignature: "msg_1" }], {
            api: "openai-responses",
          }),
        ),
      ),
    );
    const opaque = (data: string) => ({ wire: "anthropic-messages", model: "claude-1", data });
    expect(found[1]).toMatchObject({
      message: {
        role: "assistant",
        provider: "anthropic",
        model: "claude-1",
        wire: "anthropic-messages",
        content: [
          { type: "thinking", text: "hm", opaque: opaque("sig") },
          { type: "thinking", text: "", redacted: true, opaque: opaque("enc") },
          { type: "text", text: "hi" },
          { type: "toolCall", id: "c1", name: "read", arguments: { path: "x" } },
          { type: "toolCall", id: "c2", arguments: {}, malformed: "{bro" },
        ],
        usage: { input: 100, output: 20, cacheRead: 3, cacheWrite: 4 },
        stopReason: "stop",
        responseId: "r",
        timestamp: 5,
      },
      legacy: { blocks: [{ type: "video", url: "v" }], cost: { total: 0.5 } },
    });
    expect(JSON.stringify(found[2])).not.toContain("opaque");
    expect(found[2]).toMatchObject({
      message: {
        content: [{ text: "hm" }, { text: "hi" }, {}, {}],
        error: { message: "503", retryable: false },
      },
    });
    expect(found[3]).toMatchObject({
      message: { content: [{ opaque: { data: '{"id":"msg_1"}' } }] },
    });
  });

  test("commands, mentions and summaries become words; what was kept out stays out", async () => {
    const bash = { role: "bashExecution", command: "ls", output: "a\nb", exitCode: 2 };
    const found = await migrate(
      lines(
        header,
        message("b1", null, bash),
        message("b2", "b1", { ...bash, excludeFromContext: true }),
        message("b3", "b2", { role: "branchSummary", summary: "went there", fromId: "x" }),
        message("b4", "b3", { role: "fileMention", files: [{ path: "f.ts", content: "code" }] }),
        message("b5", "b4", { role: "developer", content: "mind this" }),
        message("b6", "b5", {
          role: "toolResult",
          toolCallId: "c",
          toolName: "edit",
          isError: true,
          content: [{ type: "text", text: "no" }],
          details: { diff: "-a" },
        }),
        message("b7", "b6", { role: "martian", content: "?" }),
      ),
    );
    expect(found.slice(1)).toMatchObject([
      { type: "custom_message", customType: "bashExecution", attribution: "user", details: bash },
      { type: "custom", customType: "bashExecution" },
      { type: "custom_message", content: [{ text: "went there" }] },
      { type: "custom_message", content: [{ text: '<file path="f.ts">\ncode\n</file>' }] },
      { type: "message", message: { role: "developer", content: [{ text: "mind this" }] } },
      {
        type: "message",
        message: { role: "toolResult", isError: true },
        legacy: { details: { diff: "-a" } },
      },
      { type: "custom", customType: "legacy.message", data: { message: { role: "martian" } } },
    ]);
    expect(found[1]).toMatchObject({
      content: [{ text: "The user ran:\n$ ls\n\na\nb\n\n(exit code 2)" }],
    });
  });

  test("settings and states come over, and strangers are kept", async () => {
    const states: object[] = [
      { type: "model_change", model: "a/b", role: "smol" },
      { type: "thinking_level_change", thinkingLevel: "high" },
      { type: "ttsr_injection", injectedRules: ["r"] },
      { type: "custom", customType: "ext", data: [1] },
      { type: "branch_summary", fromId: "root", summary: "b", details: 1, fromExtension: true },
    ];
    const strangers: object[] = [
      { type: "thinking_level_change", thinkingLevel: "galactic" },
      { type: "mode_change", mode: "plan", data: { f: 1 } },
      { type: "hologram", beam: 1 },
    ];
    const all = [...states, ...strangers];
    const found = await migrate(
      lines(
        header,
        ...all.map((state, index) =>
          entry(`e${index}`, index === 0 ? null : `e${index - 1}`, state),
        ),
      ),
    );
    expect(found.slice(1, states.length + 1)).toMatchObject(states);
    expect(found.slice(states.length + 1)).toMatchObject([
      { type: "custom", customType: "legacy.thinking_level_change", data: strangers[0]! },
      { type: "custom", customType: "legacy.mode_change", data: strangers[1]! },
      { type: "custom", customType: "legacy.hologram", data: strangers[2]! },
    ]);
  });
});
