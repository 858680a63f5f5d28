// What watches over the user's own session watches over its agents, too: extensions and command hooks. What
// an extension remembers is the session's that it is in.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { agentScript, handIn, task, whoAsks } from "./support/agent-script.ts";
import { extended, type Extended } from "./support/extended.ts";
import { bash, groups, there } from "./support/hook-files.ts";

/** Main has Ann and Bob do something; each hands in what she was told. */
const deleting = () =>
  agentScript({
    Main: ({ turn }) =>
      turn === 1
        ? {
            toolCalls: [
              task("task", { id: "Ann", assignment: "x" }, { id: "Bob", assignment: "y" }),
            ],
          }
        : { text: "noted" },
    Ann: ({ turn, last }) =>
      turn === 1 ? bash("rm -rf kept") : { toolCalls: [handIn(`told: ${last}`)] },
    Bob: ({ turn, last }) =>
      turn === 1 ? bash("touch made") : { toolCalls: [handIn(`told: ${last}`)] },
  });

const GUARD = `
  import { defineExtension } from "@tau/extension";
  export default defineExtension({
    name: "no-deleting",
    hooks: {
      tool_call: ({ call, params }) =>
        call.name === "bash" && params.command.includes("rm -rf")
          ? { type: "block", reason: "Nothing is deleted here." }
          : undefined,
    },
  });`;

const FAMILY_GUARD = `
  export default function (pi) {
    pi.on("tool_call", async (event) =>
      event.toolName === "bash" && event.input.command.includes("rm -rf")
        ? { block: true, reason: "Nothing is deleted here." }
        : undefined);
  }`;

async function keepsIt(program: Extended): Promise<void> {
  await program.home.write("work/kept/file.txt", "here");
  const { stdout, exitCode } = await program.run("-p", "go", "--yolo");
  expect({ stdout, exitCode }).toEqual({ stdout: "noted\n", exitCode: 0 });
  expect(await readFile(join(program.cwd, "kept/file.txt"), "utf8")).toBe("here");
  expect(there(program, "made")).toBe(true);
  const ann = program.server.requests.filter((request) => whoAsks(request) === "Ann");
  expect(ann.at(-1)!.text).toContain("Nothing is deleted here.");
}

test.each([
  ["an extension", GUARD],
  ["an extension of the family", FAMILY_GUARD],
])("%s blocks what a subagent asks for", async (_what, source) => {
  await using program = await extended({ "no-deleting.ts": source }, deleting());
  await keepsIt(program);
});

test("a command hook blocks what a subagent asks for, and hears of each one's end", async () => {
  await using program = await extended({}, deleting());
  const words = "Nothing is deleted here.";
  const block = `grep -q 'rm -rf' && { echo '${words}' >&2; exit 2; }; exit 0`;
  const note = (file: string) => `printf '%s\\n' "$(cat)" >> ${program.home.path(file)}`;
  await program.home.write(
    ".claude/settings.json",
    groups({
      PreToolUse: [{ matcher: "Bash", hooks: [block] }],
      SubagentStop: [{ hooks: [note("subagents")] }],
      Stop: [{ hooks: [note("stops")] }],
      SessionStart: [{ hooks: [note("starts")] }],
    }),
  );
  await keepsIt(program);
  const read = async (file: string) =>
    (await readFile(program.home.path(file), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const over = await read("subagents");
  expect(over.map((one) => one.hook_event_name)).toEqual(["SubagentStop", "SubagentStop"]);
  expect(over.map((one) => one.agent_id).toSorted()).toEqual(["Ann", "Bob"]);
  // Those of the conversation are told of it alone.
  expect(new Set((await read("stops")).map((one) => one.hook_event_name))).toEqual(
    new Set(["Stop"]),
  );
  expect(await read("starts")).toHaveLength(1);
});

test("a command hook that objects to a subagent's end makes that one go on, once", async () => {
  let attempts = 0;
  await using program = await extended(
    {},
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] } : { text: "ok" },
      Ann: () => ({ toolCalls: [handIn(`attempt ${++attempts}`)] }),
    }),
  );
  const flag = program.home.path("objected");
  const object = `if [ -e ${flag} ]; then exit 0; fi; touch ${flag}; echo 'Run the tests first.' >&2; exit 2`;
  await program.home.write(
    ".claude/settings.json",
    groups({ SubagentStop: [{ hooks: [object] }] }),
  );
  const { exitCode } = await program.run("-p", "go");
  expect(exitCode).toBe(0);
  expect(existsSync(flag)).toBe(true);
  const ann = program.server.requests.filter((request) => whoAsks(request) === "Ann");
  expect(ann).toHaveLength(2);
  expect(ann[1]!.text).toContain("Run the tests first.");
  const main = program.server.requests.filter((request) => whoAsks(request) === "Main");
  expect(main.at(-1)!.text).toContain("attempt 2");
  expect(main.at(-1)!.text).not.toContain("attempt 1");
});

test("what an extension remembers in setup is the session's own", async () => {
  const counter = `
    import { defineExtension, defineTool } from "@tau/extension";
    export default defineExtension({
      name: "counter",
      moreTools: ["count_up"],
      setup(host) {
        let count = 0;
        return { tools: [defineTool({
          name: "count_up",
          description: "Counts",
          parameters: { type: "object", properties: {} },
          tier: "read",
          execute: () => "count: " + ++count + " in " + host.sessionId,
        })] };
      },
    });`;
  const up = { toolCalls: [{ name: "count_up", arguments: {} }] };
  await using program = await extended(
    { "counter.ts": counter },
    agentScript({
      Main: ({ turn }) => {
        if (turn <= 2) return up;
        if (turn === 3) return { toolCalls: [task("task", { id: "Ann", assignment: "x" })] };
        return { text: "noted" };
      },
      Ann: ({ turn, last }) => (turn === 1 ? up : { toolCalls: [handIn(last)] }),
    }),
  );
  await program.run("-p", "go");
  const lasts = program.requests().map((messages) => messages.at(-1)!);
  const counts = lasts.flatMap((line) => /^toolResult: count: (\d) in (\S+)/.exec(line) ?? []);
  expect([counts[1], counts[4], counts[7]]).toEqual(["1", "2", "1"]);
  expect(counts[2]).toBe(counts[5]!);
  expect(counts[8]).not.toBe(counts[2]!);
});
