// What a rule looks for and where; and that it is found however the network cut the reply.

import { describe, expect, test } from "bun:test";
import type { StreamEvent } from "@tau/ai/event";
import { eventsOf, type ScriptedReply } from "@tau/testkit/script";
import fc from "fast-check";
import { callText } from "./call-text.ts";
import { parseStreamRule, type StreamRule } from "../../context/stream-rule.ts";
import { StreamWatch, type RuleMatch } from "./stream-watch.ts";

function rule(frontmatter: Record<string, unknown>, name = "r"): StreamRule {
  const parsed = parseStreamRule(frontmatter);
  if (parsed.kind !== "stream") throw new Error("this is no rule for the stream");
  return { name, path: `${name}.md`, content: "Do not.", ...parsed.rule };
}

const origin = { provider: "p", model: "m", wire: "in-process" as const };

function seen(rules: readonly StreamRule[], events: readonly StreamEvent[]): RuleMatch[] {
  const watch = new StreamWatch(rules);
  return events.flatMap((event) => watch.see(event, () => true));
}

const found = (frontmatter: Record<string, unknown>, reply: ScriptedReply): boolean =>
  seen([rule(frontmatter)], eventsOf(reply, origin, 1)).length > 0;

const write = (path: string, content: string): ScriptedReply => ({
  toolCalls: [{ name: "write", arguments: { path, content } }],
});

describe("where it looks", () => {
  const text = { text: "I will use console.log here" };
  const thinking = { thinking: "console.log it is", text: "ok" };
  const condition = "console\\.log";
  test.each<[string, Record<string, unknown>, ScriptedReply, boolean]>([
    ["text", { condition }, text, true],
    ["thinking only when asked", { condition }, thinking, false],
    ["thinking", { condition, scope: "thinking" }, thinking, true],
    ["prose is both", { condition, scope: ["prose"] }, thinking, true],
    ["a call", { condition }, write("a.ts", "console.log(1)"), true],
    ["only calls", { condition, scope: "tool" }, text, false],
    ["of one tool", { condition, scope: "tool:edit" }, write("a.ts", "console.log(1)"), false],
    [
      "about some files",
      { condition, scope: "tool:write(*.ts)" },
      write("src/a.ts", "console.log"),
      true,
    ],
    [
      "and not others",
      { condition, scope: "tool:write(*.ts)" },
      write("a.js", "console.log"),
      false,
    ],
    ["globs gate calls", { condition, globs: "*.ts, *.tsx" }, write("b.tsx", "console.log"), true],
    ["globs gate text", { condition, globs: ["*.ts"] }, text, false],
    ["a glob as a condition", { condition: "src/**/*.ts" }, write("src/x/a.ts", "anything"), true],
    ["which is about files alone", { condition: "src/**/*.ts" }, write("a.ts", "anything"), false],
    ["the old name", { ttsr_trigger: condition }, text, true],
    ["flags of other languages", { condition: "(?i)CONSOLE" }, text, true],
    ["a literal", { condition: "/CONSOLE/i" }, text, true],
    ["one of several", { condition: ["(", "never", condition] }, text, true],
    ["an anchor is the block's", { condition: "^use" }, text, false],
  ])("%s", (_name, frontmatter, reply, expected) => {
    expect(found(frontmatter, reply)).toBe(expected);
  });

  test("what makes no sense is named, and the rule is one like any other", () => {
    expect(parseStreamRule({ condition: ["(", "["] })).toEqual({
      kind: "plain",
      problems: [
        "the condition ( is not a regular expression",
        "the condition [ is not a regular expression",
      ],
    });
    const nowhere = parseStreamRule({ condition: "x", scope: "everywhere" });
    expect(nowhere).toMatchObject({ kind: "plain" });
    expect(nowhere.problems).toHaveLength(1);
  });
});

test("any chunking gives the same matches, each rule once", () => {
  const rules = [rule({ condition: "ab+c" }, "one"), rule({ condition: "x.y" }, "two")];
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c", "x", "y"), maxLength: 40 });
  fc.assert(
    fc.property(letters, letters, fc.integer({ min: 1, max: 9 }), (text, content, deltaChars) => {
      const reply = { text, ...write("a.ts", content) };
      const names = (events: readonly StreamEvent[]) =>
        seen(rules, events)
          .map((match) => match.rule.name)
          .sort();
      const whole = names(eventsOf({ ...reply, deltaChars: 1000 }, origin, 1));
      expect(names(eventsOf({ ...reply, deltaChars }, origin, 1))).toEqual(whole);
      const expected = [
        ["one", /ab+c/],
        ["two", /x.y/],
      ] as const;
      for (const [name, pattern] of expected) {
        expect(whole.includes(name)).toBe(pattern.test(text) || pattern.test(content));
      }
    }),
  );
});

test("a long call is stopped long before its end", () => {
  const content = `${"a".repeat(2000)} FORBIDDEN ${"b".repeat(50_000)}`;
  const events = eventsOf({ ...write("a.ts", content), deltaChars: 20 }, origin, 1);
  const watch = new StreamWatch([rule({ condition: "FORBIDDEN" })]);
  const at = events.findIndex((event) => watch.see(event, () => true).length > 0);
  expect(at).toBeGreaterThan(0);
  expect(at).toBeLessThan(events.length / 5);
});

describe("what a call says", () => {
  test.each([
    ["write", { path: "a", content: "x\ny" }, "x\ny", ["a"]],
    ["edit", { path: "a", edits: [{ oldText: "o", newText: "n" }] }, "n", ["a"]],
    [
      "edit",
      { input: "¶a.ts#0A3B\nreplace 1..2:\n+x\n¶b.ts#11\ndelete 3\n" },
      "x",
      ["a.ts", "b.ts"],
    ],
    ["edit", { input: "*** Begin Patch\n*** Update File: a\n-x\n+y\n" }, "y", ["a"]],
    ["edit", { input: "--- a/x.ts\n+++ b/x.ts\n@@\n-1\n+2\n" }, "2", ["x.ts"]],
    ["bash", { command: 'echo "hi"', timeout: 3 }, 'echo "hi"', []],
    ["search", { pattern: "p", paths: ["a", "b"] }, "p\na\nb", ["a", "b"]],
  ])("%s %j", (tool, args, text, paths) => {
    const said = callText(tool, JSON.stringify(args));
    expect(said.text).toBe(text);
    expect(said.paths.sort()).toEqual(paths);
  });
});
