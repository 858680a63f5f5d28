// Agents in a run that nobody watches: `-p` and `--mode json` end when all of them have.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { agentScript, handIn, task, whoAsks } from "./support/agent-script.ts";
import { runTau } from "./support/run-tau.ts";

interface Line {
  seq: number;
  type: string;
  agent_id?: string;
  [field: string]: unknown;
}

async function run(scripts: Parameters<typeof agentScript>[0], args: readonly string[]) {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(agentScript(scripts));
  const result = await runTau([...args, "-m", "ollama/x", "share it out"], {
    cwd: home.root,
    home,
    env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
  });
  return { ...result, askedBy: server.requests.map(whoAsks) };
}

const linesOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const TWO = {
  Main: ({ turn }: { turn: number }) =>
    turn === 1
      ? {
          toolCalls: [task("task", { id: "Ann", assignment: "x" }, { id: "Bob", assignment: "y" })],
        }
      : { text: `noted ${turn}` },
  "*": ({ turn, who }: { turn: number; who: string }) =>
    turn === 1
      ? { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.2" } }] }
      : { text: "here it is", toolCalls: [handIn(`${who} is done`)] },
};

test("JSON lines are the session's own, and end when all agents have", async () => {
  const { stdout, exitCode, stderr } = await run(TWO, ["--mode", "json"]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const lines = linesOf(stdout);
  expect(lines.filter(({ agent_id: whose }) => whose !== undefined)).toEqual([]);
  const over = lines.filter(({ type }) => type === "task_end").map(({ id }) => id as string);
  expect(over.toSorted()).toEqual(["Ann", "Bob"]);
  expect(lines.some(({ type }) => type === "agents_changed")).toBe(true);
  // The last word is the session's: after every result.
  const last = lines.findLastIndex(({ type }) => type === "agent_end");
  expect(last).toBeGreaterThan(lines.findLastIndex(({ type }) => type === "task_end"));
});

test("with --agent-events, those of agents are among them, by name", async () => {
  const { stdout, exitCode } = await run(TWO, ["--mode", "json", "--agent-events", "all"]);
  expect(exitCode).toBe(0);
  const lines = linesOf(stdout);
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, at) => at + 1));
  for (const id of ["Ann", "Bob"]) {
    const own = lines.filter(({ agent_id: whose }) => whose === id).map(({ type }) => type);
    for (const type of ["agent_start", "message_update", "tool_execution_end", "agent_end"]) {
      expect(own).toContain(type);
    }
  }
});

test("which events of agents is a question only for output that has events", async () => {
  const { exitCode, stderr } = await run({}, ["-p", "--agent-events", "all"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--agent-events needs --mode json or --mode rpc");
});

test("an agent that was only written to is waited for, and then no longer", async () => {
  const scripts: Parameters<typeof agentScript>[0] = {
    Main: ({ turn, last }) => {
      if (turn === 1) return { toolCalls: [task("task", { id: "Ann", assignment: "x" })] };
      if (!last.includes("[agent Ann")) return { text: "written to" };
      const send = { op: "send", to: "Ann", message: "one more thing" };
      return { toolCalls: [{ name: "irc", arguments: send }] };
    },
    Ann: ({ turn }) => {
      if (turn === 1) return { toolCalls: [handIn("done")] };
      if (turn === 2) return { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.5" } }] };
      return { text: "that, too" };
    },
  };
  const { stdout, exitCode, askedBy } = await run(scripts, ["-p"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "written to\n" });
  expect(askedBy.filter((who) => who === "Ann")).toHaveLength(3);
});
