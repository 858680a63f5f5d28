// `kill -9` while five agents work: the next start has each with what it had acknowledged, those that were
// interrupted continue on request, every result is told once, and no lock and no process is left.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { textOf, type Message } from "@tau/ai/message";
import { RpcClient, type RpcEvent } from "@tau/tau/sdk";
import { ModelServer } from "@tau/testkit/model-server";
import { findProcesses } from "@tau/testkit/processes";
import { isolatedHome } from "@tau/testkit/scratch";
import { agentScript, handIn, task, whoAsks } from "./support/agent-script.ts";
import { launcher } from "./support/run-tau.ts";

const NAMES = ["Told", "Late", "Busy", "Mute", "Deep"] as const;
const NEVER = { text: "…", delivery: { firstByteDelayMs: 60_000 } };
const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });

interface Listed {
  agents: { id: string; state: string; end?: string; requests: number }[];
  pending: number;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10);
}

test("five agents survive a kill: each is there, continues on request, and is told of once", async () => {
  const mark = `kill-agents-${crypto.randomUUID()}`;
  await using home = await isolatedHome();
  await using server = await ModelServer.start(
    agentScript({
      Main: ({ turn, last }) => {
        if (turn === 1) {
          const tasks = NAMES.map((id) => ({ id, description: `${id}'s`, assignment: `do ${id}` }));
          return { toolCalls: [task("task", ...tasks)] };
        }
        // In the middle of this reply Tau is killed: what comes now waits as mail.
        if (last.includes("[agent Told")) return NEVER;
        return { text: "noted" };
      },
      Told: () => ({ toolCalls: [handIn("told: result")] }),
      Late: ({ turn }) => {
        if (turn > 1) return { toolCalls: [handIn("late: result")] };
        return bash(`while [ ! -e ${home.path("free")} ]; do sleep 0.02; done`);
      },
      Busy: ({ last }) =>
        last.includes("interrupted")
          ? { toolCalls: [handIn("busy: result")] }
          : bash(`exec -a ${mark} sleep 600`),
      Mute: ({ turn, last }) => {
        if (last.includes("interrupted")) return { toolCalls: [handIn("mute: result")] };
        return turn === 1 ? bash("echo kept by mute") : NEVER;
      },
      Deep: ({ turn, last }) => {
        if (last.includes("interrupted")) return { toolCalls: [handIn("deep: result")] };
        if (turn <= 3) return bash(`echo step ${turn}`);
        return { text: "half of a thought", delivery: { silentAfterBytes: 300 } };
      },
    }),
  );
  const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const start = (...args: string[]) => {
    const command = [launcher, "--mode", "rpc", "-m", "ollama/x", "--yolo", ...args];
    const client = new RpcClient({ command, cwd: home.root, env, stderr: "pipe" });
    const events: RpcEvent[] = [];
    client.subscribe((event) => events.push(event));
    return { client, events };
  };
  const asked = (who: string) => server.requests.filter((request) => whoAsks(request) === who);
  const sleeping = () => findProcesses(({ command }) => command.includes(mark));

  const { client: first, events } = start();
  const ready = await first.next(({ type }) => type === "ready");
  await first.send("prompt", { message: "share it out" });
  await until(() => asked("Main").some(({ text }) => text.includes("told: result")));
  await until(() => asked("Mute").length === 2 && asked("Deep").length === 4);
  await until(async () => (await sleeping()).length > 0);
  // Late hands in while the model answers: its result is mail that nobody has read.
  await Bun.write(home.path("free"), "");
  await until(async () => {
    const { agents } = (await first.send("agents_list")) as Listed;
    return agents.find(({ id }) => id === "Late")?.end === "completed";
  });
  await until(() => events.some(({ type, id }) => type === "task_end" && id === "Late"));
  first.kill("SIGKILL");
  await first.exited;

  const { client: second } = start("--resume", ready.sessionId as string);
  const list = async () => ((await second.send("agents_list")) as Listed).agents;
  const found = new Map((await list()).map((one) => [one.id, one]));
  expect([...found.keys()].toSorted()).toEqual([...NAMES].toSorted());
  for (const one of found.values()) expect(one.state).toBe("parked");
  const ends = Object.fromEntries([...found.values()].map(({ id, end }) => [id, end]));
  expect(ends).toEqual({
    Told: "completed",
    Late: "completed",
    Busy: "interrupted",
    Mute: "interrupted",
    Deep: "interrupted",
  });
  const textIn = async (id: string): Promise<string> => {
    const { messages } = (await second.send("agent_transcript", { agent_id: id })) as {
      messages: Message[];
    };
    return messages.map(textOf).join("\n");
  };
  expect(await textIn("Mute")).toContain("kept by mute");
  for (const step of [1, 2, 3]) expect(await textIn("Deep")).toContain(`step ${step}`);
  // To look at one wakes nobody, and what it had started is gone.
  expect((await list()).every(({ state }) => state === "parked")).toBe(true);
  await until(async () => (await sleeping()).length === 0);

  for (const id of ["Busy", "Mute", "Deep"]) await second.send("agent_revive", { agent_id: id });
  await until(async () => (await list()).every(({ end }) => end === "completed"));
  await until(async () => {
    const { pending, isStreaming } = (await second.send("get_state")) as Record<string, unknown>;
    return pending === 0 && isStreaming === false;
  });
  await second.runToTheEnd("what came of it?");
  const { messages } = (await second.send("get_messages")) as { messages: Message[] };
  const said = messages.map(textOf).join("\n");
  for (const name of NAMES) {
    expect([name, said.split(`${name.toLowerCase()}: result`).length - 1]).toEqual([name, 1]);
  }
  expect(await second.close()).toBe(0);
  expect(await sleeping()).toEqual([]);
  const left = await readdir(home.path(".tau/agent/sessions"), { recursive: true });
  expect(left.filter((path) => /lock|tmp/i.test(path))).toEqual([]);
}, 60_000);
