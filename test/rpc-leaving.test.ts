// --mode rpc and the pipes themselves: clients that leave, do not read, or share the process with noise.

import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import type { RpcClient, RpcEvent } from "@tau/tau/sdk";
import { ModelServer } from "@tau/testkit/model-server";
import { canInspectProcesses, findProcesses, waitUntilGone } from "@tau/testkit/processes";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { connect, ofType } from "./support/rpc-connection.ts";
import { launcher, root, runTau } from "./support/run-tau.ts";

const seconds = `97${process.pid}`;
const sleeping = () => findProcesses(({ command }) => command.includes(`sleep ${seconds}`));

interface Leaving {
  how: string;
  leave(client: RpcClient): Promise<unknown>;
  exitCode: number;
}

test.skipIf(!canInspectProcesses).each<Leaving>([
  { how: "closes its end", leave: (client) => client.close(), exitCode: 0 },
  {
    how: "sends a polite kill",
    leave: async (client) => {
      const [tau] = await findProcesses(({ pid }) => pid === client.pid);
      expect(tau).toBeDefined();
      client.kill("SIGTERM");
    },
    exitCode: 130,
  },
])("a client that $how during a run leaves no process and a whole session", async (leaving) => {
  const command = `echo started; sleep ${seconds}`;
  await using rpc = await connect([{ toolCalls: [{ name: "bash", arguments: { command } }] }]);
  const { client } = rpc;
  void client.send("prompt", { message: "wait" });
  await rpc.event(ofType("tool_execution_update"));
  while ((await sleeping()).length === 0) await Bun.sleep(10);
  await leaving.leave(client);
  expect(await client.exited).toBe(leaving.exitCode);
  expect(await new Response(client.stderr).text()).toBe("");
  await waitUntilGone(sleeping);
  expect(rpc.events.at(-1)).toMatchObject({ type: "agent_end", end: { reason: "aborted" } });
  const { sessionId } = rpc.events[0] as unknown as { sessionId: string };
  const shown = await runTau(["sessions", "show", sessionId], { cwd: rpc.cwd, home: rpc.home });
  expect(shown.stdout).toContain("wait");
  expect(shown.stdout).toContain(`sleep ${seconds}`);
});

test("a reader that closes the output ends it without a word", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "word ".repeat(50_000), deltaChars: 5 }]);
  const prompt = '{"type":"prompt","message":"hi"}';
  const line = `(echo '${prompt}'; exec sleep 30) | ("${launcher}" --mode rpc -m ollama/x; echo "code $?" >&2) | head -2 | wc -l`;
  const child = Bun.spawn(["bash", "-c", line], {
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [lines, errors] = [child.stdout.getReader(), child.stderr.getReader()];
  const decode = async (reader: { read(): Promise<{ value?: Uint8Array }> }) =>
    new TextDecoder().decode((await reader.read()).value).trim();
  expect(await decode(lines)).toBe("2");
  expect(await decode(errors)).toBe("code 0");
  child.kill();
});

test("what a dependency prints does not reach the protocol", async () => {
  await using scratch = await isolatedHome();
  const noise = await scratch.write(
    "noise.ts",
    `const { fetch } = globalThis;
     globalThis.fetch = (...args) => {
       console.log("stray", { at: 1 });
       console.info("stray");
       console.table([{ stray: 1 }]);
       process.stdout.write("stray without an end");
       return fetch(...args);
     };`,
  );
  const main = `${root}/packages/tau/src/main.ts`;
  await using rpc = await connect([{ text: "clean" }], {
    program: [process.execPath, "--preload", noise, main],
  });
  // A line that is no frame would break the client.
  await rpc.event(ofType("ready"));
  expect(await rpc.client.run("hi")).toMatchObject({ end: { reason: "done" } });
  expect(await rpc.client.send("get_last_assistant_text")).toEqual({ text: "clean" });
  expect(await rpc.client.close()).toBe(0);
  expect(await new Response(rpc.client.stderr).text()).toContain("stray { at: ");
});

/** About 5 MB of events a turn: the text as deltas, as a block and in three messages. */
const long = (turn: number, turns = 1000) => ({
  text: "0123456789".repeat(100_000),
  deltaChars: 1000,
  ...(turn < turns
    ? { toolCalls: [{ name: "bash", arguments: { command: `echo ${turn}` } }] }
    : {}),
});

/** The program in a shell, with a prompt sent; files say when to go on. */
function inShell(home: IsolatedHome, server: ModelServer, reader: string) {
  const until = (name: string) => `while [ ! -e ${name} ]; do sleep 0.05; done`;
  const writer = `(echo '{"id":1,"type":"prompt","message":"hi"}'; ${until("end")})`;
  const tau = `("${launcher}" --mode rpc -m ollama/x; echo $? > code)`;
  return Bun.spawn(["bash", "-c", `${writer} | ${tau} | (${until("go")}; ${reader})`], {
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    stdin: "ignore",
    stderr: "pipe",
  });
}

/** Once the run waits for its reader. */
async function whenQuiet({ requests }: ModelServer): Promise<number> {
  for (let asked = 0; ; asked = requests.length) {
    if (asked > 0 && asked === requests.length) return asked;
    await Bun.sleep(1000);
  }
}

test("who does not read and leaves is not waited for", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start((_request, turn) => long(turn));
  await using reader = inShell(home, server, "true");
  await whenQuiet(server);
  await home.write("end", "");
  while (!existsSync(home.path("code"))) await Bun.sleep(20);
  expect(await home.read("code")).toBe("0\n");
  await home.write("go", "");
  expect(await reader.stderr.text()).toBe("");
});

test("who does not read makes the run wait, and loses nothing", async () => {
  await using home = await isolatedHome();
  const turns = 12;
  await using server = await ModelServer.start((_request, turn) => long(turn, turns));
  await using reader = inShell(home, server, "cat > out.jsonl");
  expect(await whenQuiet(server)).toBeLessThan(turns / 2);
  await home.write("go", "");
  await server.request(turns);
  while (!(await home.read("out.jsonl")).slice(-1000).includes('"agent_end"')) await Bun.sleep(50);
  await home.write("end", "");
  expect(await reader.exited).toBe(0);
  expect(await reader.stderr.text()).toBe("");
  const frames = (await home.read("out.jsonl"))
    .trimEnd()
    .split("\n")
    .map((one) => JSON.parse(one) as RpcEvent);
  const events = frames.filter(({ type }) => (type as string) !== "response");
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  expect(events.filter(ofType("turn_end"))).toHaveLength(turns);
  const deltas = events.map(({ event }) => (event as { type?: string; delta?: string }) ?? {});
  const text = deltas.filter(({ type }) => type === "text_delta").map(({ delta }) => delta);
  expect(text.join("")).toBe("0123456789".repeat(100_000 * turns));
});
