// The parts of hooks that need no process: documents, matchers, answers, and what is told of an edit.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { changedPart } from "./changed-part.ts";
import type { CommandHook } from "./command-hook.ts";
import type { HookEvent } from "./hook-events.ts";
import { readResult } from "./hook-said.ts";
import { matches } from "./matches.ts";
import { ownArguments } from "./own-arguments.ts";
import { readHooks } from "./read-hooks.ts";

const ORIGIN = { file: "hooks.json", level: "user", projectDirectory: "/work" } as const;
const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });

describe("documents", () => {
  test("a plugin's, with its root", () => {
    const origin = { ...ORIGIN, pluginRoot: "/plugins/fmt" };
    const document = { PostToolUse: [{ matcher: "Edit|Write", hooks: [command("fmt")] }] };
    expect(readHooks(document, origin)).toEqual({
      hooks: [
        {
          event: "PostToolUse",
          matcher: "Edit|Write",
          command: "fmt",
          timeoutMs: 60_000,
          isAsync: false,
          origin,
        },
      ],
      problems: [],
    });
  });

  test("a guard that cannot be read is kept as one that blocks; others are only told of", () => {
    const broken = [{ hooks: [{ type: "command" }] }];
    const { hooks, problems } = readHooks({ PreToolUse: broken, Stop: broken, state: {} }, ORIGIN);
    expect(hooks).toMatchObject([{ event: "PreToolUse", broken: "a hook has no command" }]);
    expect(problems).toHaveLength(2);
  });

  test("timeouts are seconds, and bounded", () => {
    const given = [1.5, 1e9, -1, "soon"].map((timeout) => command("x", { timeout }));
    const { hooks, problems } = readHooks({ Stop: [{ hooks: given }] }, ORIGIN);
    expect(hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([1500, 3_600_000, 60_000, 60_000]);
    expect(problems).toHaveLength(2);
  });
});

test.each<[string | undefined, string[], boolean]>([
  [undefined, ["Bash"], true],
  ["Bash", ["Bash", "bash"], true],
  ["Bash", ["BashOutput"], false],
  ["Edit|Write", ["Write"], true],
  ["^Ba", ["BashOutput"], true],
  ["mcp__memory__.*", ["mcp__memory__create"], true],
  ["mcp__memory", ["mcp__memory__create"], false],
  ["bash", ["Bash"], false],
])("the matcher %p for %p: %p", (matcher, names, expected) => {
  expect(matches({ matcher }, names)).toBe(expected);
});

const hookAt = (event: HookEvent): CommandHook => ({
  event,
  matcher: undefined,
  command: "x",
  timeoutMs: 1000,
  isAsync: false,
  origin: ORIGIN,
});

const ended = (exitCode: number | null, stdout: string | object = "", stderr = "") => ({
  end: "exited" as const,
  exitCode,
  stdout: typeof stdout === "string" ? stdout : JSON.stringify(stdout),
  stderr,
  left: () => [],
});

test.each<[HookEvent, ReturnType<typeof ended>, object]>([
  ["Stop", ended(0, "words"), { context: undefined }],
  ["SessionStart", ended(0, "words"), { context: "words" }],
  ["Stop", ended(2, "", "why"), { block: "why" }],
  ["Stop", ended(2, { decision: "approve" }, "why"), { block: "why" }],
  ["Stop", ended(1, "", "why"), { failure: "the hook `x` (hooks.json) exited with 1: why" }],
  ["PreToolUse", ended(127, "", "sh: x: not found"), { isSilenced: true }],
  ["PreToolUse", ended(0, "{ not json"), { isSilenced: true }],
  ["PreToolUse", ended(0, { decision: "approve" }), { allows: true }],
  ["PreToolUse", ended(0, { decision: "block", reason: "no" }), { block: "no" }],
  [
    "PreToolUse",
    ended(0, { hookSpecificOutput: { permissionDecision: "perhaps" } }),
    { isSilenced: true },
  ],
  ["Stop", ended(0, { decision: "block", reason: "more" }), { block: "more" }],
  ["Stop", ended(0, { continue: false, stopReason: "enough" }), { stops: "enough" }],
  [
    "PermissionRequest",
    ended(0, { hookSpecificOutput: { decision: { behavior: "allow", updatedInput: {} } } }),
    { allows: false },
  ],
])("what a hook of %s says with %p", (event, result, expected) => {
  expect(readResult(hookAt(event), result)).toMatchObject(expected);
});

test("context is bounded, and says what was cut", () => {
  const { context } = readResult(hookAt("SessionStart"), ended(0, "x".repeat(20_000)));
  expect(context).toEndWith("\n[… 10000 characters more were left out]");
});

test("the changed part, put in the place of the old one, makes the new text", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "", "c c"), { minLength: 1, maxLength: 6 });
  /** No lines and one empty line are written alike. */
  const counts = (part: string): number[] => (part === "" ? [0, 1] : [part.split("\n").length]);
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const [old, now] = changedPart(before.join("\n"), after.join("\n"));
      const isMade = (head: number, gone: number, come: number): boolean =>
        Bun.deepEquals(
          [
            ...before.slice(0, head),
            ...now.split("\n").slice(0, come),
            ...before.slice(head + gone),
          ],
          after,
        ) && before.slice(head, head + gone).join("\n") === old;
      const isLaw = before.some((_, head) =>
        counts(old).some((gone) =>
          counts(now).some((come) => isMade(head, gone, come) || isMade(head + 1, gone, come)),
        ),
      );
      expect(isLaw).toBe(true);
    }),
  );
});

test.each<[string, object, object, object | undefined]>([
  [
    "bash",
    { command: "a", timeout: 2000 },
    { command: "b" },
    { command: "b", cwd: "/x", timeout: 2 },
  ],
  ["bash", { command: "a" }, { command: "a" }, { command: "a", cwd: "/x", timeout: 2 }],
  [
    "write",
    { file_path: "a" },
    { file_path: "b", content: "c" },
    { path: "b", content: "c", command: "a", cwd: "/x", timeout: 2 },
  ],
  ["edit", { file_path: "a" }, { file_path: "b" }, undefined],
])("the input of %s that was %p and is to be %p", (tool, shown, wanted, expected) => {
  const view = { tool_name: "X", tool_input: shown as Record<string, unknown> };
  const call = { tool, arguments: { command: "a", cwd: "/x", timeout: 2 } };
  expect(ownArguments(view, wanted as Record<string, unknown>, call)).toEqual(
    expected as Record<string, unknown>,
  );
});
