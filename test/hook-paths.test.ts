// What command hooks are told of the files of every tool that has some: absolute paths, whatever the model
// wrote. And which hook it is that keeps everybody waiting.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { extended, type Extended } from "./support/extended.ts";

async function hooked(
  hooks: Readonly<Record<string, { matcher?: string; command: string }>>,
  script: Parameters<typeof extended>[1],
): Promise<Extended> {
  const program = await extended({}, script);
  const groups = Object.entries(hooks).map(([event, { matcher, command }]) => [
    event,
    [{ matcher, hooks: [{ type: "command", command }] }],
  ]);
  const settings = JSON.stringify({ hooks: Object.fromEntries(groups) });
  await program.home.write(".claude/settings.json", settings);
  return program;
}

const call = (name: string, args: Record<string, unknown>) => ({
  toolCalls: [{ name, arguments: args }],
});

const REWRITE = [{ pat: "foo($A)", out: "bar($A)" }];

test("paths are absolute, of ast_edit and of what resolve applies, too", async () => {
  await using program = await hooked(
    {
      PreToolUse: { command: 'echo "$(cat)" >> told' },
      PostToolUse: { matcher: "Edit|Write", command: 'echo "$(cat)" >> after' },
    },
    [
      call("write", { path: "b.ts", content: "foo(1);\n" }),
      call("ast_edit", { ops: REWRITE, paths: "b.ts" }),
      call("resolve", { action: "apply", reason: "as wanted" }),
      call("ast_grep", { pat: "bar($A)", paths: ["b.ts"] }),
      call("read", { path: "tau://docs" }),
      { text: "Done." },
    ],
  );
  await program.run("-p", "go");
  const lines = async (name: string) =>
    (await readFile(join(program.cwd, name), "utf8"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { tool_name: string; tool_input: unknown })
      .map(({ tool_name, tool_input }) => [tool_name, tool_input])
      // Hooks of one call run side by side.
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  const source = join(program.cwd, "b.ts");
  expect(await lines("told")).toEqual([
    ["Edit", { file_path: source }],
    ["Grep", { pattern: "bar($A)", path: source }],
    ["Read", { file_path: "tau://docs" }],
    ["Write", { file_path: source, content: "foo(1);\n" }],
    ["ast_edit", { file_path: source, ops: REWRITE, paths: source }],
    ["resolve", { action: "apply", reason: "as wanted" }],
  ]);
  expect(await readFile(source, "utf8")).toBe("bar(1);\n");
  expect(await lines("after")).toEqual([
    ["Edit", { file_path: source }],
    ["Write", { file_path: source, content: "foo(1);\n" }],
  ]);
});

test("another path for ast_edit is where it looks", async () => {
  const updatedInput = { file_path: "other.ts", ops: REWRITE, paths: "b.ts" };
  const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
  await using program = await hooked(
    { PreToolUse: { matcher: "ast_edit", command: `echo '${JSON.stringify(answer)}'` } },
    [call("ast_edit", { ops: REWRITE, paths: "b.ts" }), { text: "Done." }],
  );
  await program.home.write("work/b.ts", "foo(1);\n");
  await program.home.write("work/other.ts", "foo(2);\n");
  await program.run("-p", "go");
  expect(program.requests()[1]!.at(-1)).toContain("other.ts");
});

test("a hook that keeps everybody waiting is named while it does", async () => {
  await using program = await hooked(
    { PreToolUse: { matcher: "Bash", command: "sleep 2.6; cat > /dev/null" } },
    [call("bash", { command: "touch made" }), { text: "Done." }],
  );
  const { stderr } = await program.run("-p", "go");
  expect(stderr).toContain(
    "waiting for the hook `sleep 2.6; cat > /dev/null` (~/.claude/settings.json) at PreToolUse",
  );
  expect(existsSync(join(program.cwd, "made"))).toBe(true);
});
