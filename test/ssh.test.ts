// The ssh tool in whole sessions against a real sshd: what the model is told and what it gets.

import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { SSHD, startSshServer, type SshServer } from "@tau/host/ssh/test/ssh-server";
import { textOf, userText } from "@tau/tau/sdk";
import { Workspace } from "@tau/tau/tools/workspace";
import { loadHosts } from "@tau/tau/tools/ssh/load-hosts";
import { defaultsOf } from "@tau/tau/config/setting-group";
import { SSH_ROWS, type SshSettings } from "@tau/tau/tools/ssh/settings";
import { createSshTool } from "@tau/tau/tools/ssh/tool";
import { MemoryArtifacts } from "@tau/tau/session/artifacts/memory-artifacts";
import { findProcesses, waitUntilGone } from "@tau/testkit/processes";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome } from "@tau/testkit/scratch";
import type { ScriptedTurn } from "@tau/testkit/script";
import { embed, type Embedding } from "./support/embedded.ts";
import { root } from "./support/run-tau.ts";

const TIMEOUT_MS = 60_000;
const sshTest = (name: string, body: (server: SshServer) => Promise<void>): void =>
  testWith(
    { program: SSHD, proves: "that the ssh tool works in a session" },
    name,
    async (sshd) => {
      await using server = await startSshServer(sshd);
      await body(server);
    },
    TIMEOUT_MS,
  );

const ssh = (args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name: "ssh", arguments: args }],
});

interface Told {
  results: string[];
  failed: boolean[];
  described: string;
  artifacts: MemoryArtifacts;
}

async function converse(
  embedding: Embedding,
  server: SshServer,
  settings: Partial<SshSettings> = {},
): Promise<Told> {
  const { home } = embedding;
  const env = { ...home.env, SERVER_PORT: String(server.port) };
  const artifacts = new MemoryArtifacts();
  await using workspace = new Workspace({ cwd: home.root, env, artifacts: async () => artifacts });
  const loaded = loadHosts({
    cwd: home.root,
    env,
    settings: { ...defaultsOf(SSH_ROWS), config: server.configFile, ...settings },
    project: "untrusted",
  });
  await using tool = createSshTool(workspace, loaded)!;
  await using session = await embedding.start({
    session: { kind: "memory" },
    tools: [tool],
    env: embedding.options().env!,
  });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  const results = session.messages.filter(({ role }) => role === "toolResult");
  return {
    results: results.map(textOf),
    failed: results.map((message) => "isError" in message && message.isError === true),
    described: tool.description,
    artifacts,
  };
}

sshTest("commands, failures, directories and refusals, as the model reads them", async (server) => {
  const quoted = server.scratch.path("a'b");
  await server.scratch.write("a'b/file", "");
  await using embedding = await embed([
    ssh({ host: "box", command: "uname" }),
    ssh({ host: "box", command: "echo out; exit 3" }),
    ssh({ host: "box", command: "pwd; ls", cwd: quoted }),
    ssh({ host: "box", command: "true" }),
    ssh({ host: "box", command: "sleep 60", timeout: 0 }),
    ssh({ host: "127.0.0.1", command: "true" }),
    ssh({ host: "bix", command: "true" }),
    ssh({ host: "theirs", command: "true" }),
    ssh({ host: "box", command: "ls", cwd: "/nowhere" }),
    ssh({ host: "box", command: "kill -9 $$" }),
    { text: "seen" },
  ]);
  const theirs = await embedding.home.write("ssh.json", '{"theirs": {"host": "evil.test"}}');
  const { results, failed } = await converse(embedding, server);
  expect(results).toEqual([
    "Linux",
    "out\n[exit code 3]",
    `${quoted}\nfile`,
    "(no output)",
    "[timed out after 1 s]",
    "There is no SSH host named 127.0.0.1; there are box",
    "There is no SSH host named bix; did you mean box?",
    `The host theirs comes from ${theirs} of a project that the user has not trusted; ask them to add it to their own ssh.json.`,
    "[There is no directory /nowhere on box; leave cwd out to start in the home directory.]",
    "[exit code 137 (SIGKILL)]",
  ]);
  expect(failed).toEqual([false, true, false, false, true, true, true, true, true, true]);
  expect(await server.logins()).toBe(1);
  await waitUntilGone(() => findProcesses(({ command }) => command.includes(server.configFile)));
});

sshTest("a megabyte of output: both ends for the model, all of it kept", async (server) => {
  const line = "x".repeat(990);
  const command = `i=1000; while [ $i -le 1999 ]; do echo $i ${line}; i=$((i+1)); done`;
  await using embedding = await embed([ssh({ host: "box", command }), { text: "seen" }]);
  const { results, artifacts } = await converse(embedding, server);
  const [text] = results;
  expect(text).toStartWith(`1000 ${line}\n1001 ${line}\n`);
  expect(text).toMatch(/\[… \d+ lines like these …\]/);
  expect(text).toEndWith(`1999 ${line}\n[the whole output: artifact://0]`);
  expect(text!.length).toBeLessThan(50_000);
  const [kept] = await artifacts.list();
  expect(kept).toMatchObject({ id: "0", tool: "ssh", bytes: 996_000 });
});

sshTest("hosts of the user's own settings, and what was learnt of them", async (server) => {
  const turns = [ssh({ host: "lab", command: "echo hi" }), { text: "seen" }];
  await using embedding = await embed([...turns, ...turns, ...turns]);
  const lab = {
    host: "127.0.0.1",
    user: server.user,
    port: "${SERVER_PORT}",
    key: server.keyPath,
    description: "the test machine",
  };
  const first = await converse(embedding, server, { hosts: { lab }, openssh: false });
  expect(first.results).toEqual(["hi"]);
  expect(first.described).toEndWith("Hosts:\n- lab: the test machine");
  const second = await converse(embedding, server, { hosts: { lab } });
  expect(second.described).toMatch(/Hosts:\n- lab \(Linux \S+, \w+\): the test machine\n- box$/);
  chmodSync(server.keyPath, 0o644);
  const third = await converse(embedding, server, { hosts: { lab } });
  expect(third.results).toEqual([
    `[The key of the SSH host lab, ${server.keyPath}, can be read by others (mode 644); run chmod 600 on it.]`,
  ]);
});

test("the example of the page is a file that is read as it stands", async () => {
  await using home = await isolatedHome();
  const page = await Bun.file(join(root, "docs/ssh.md")).text();
  const [, example] = /```json ssh\.json\n([\s\S]*?)```/.exec(page)!;
  await home.write(".tau/agent/ssh.json", example!);
  const { hosts, problems } = loadHosts({
    cwd: home.root,
    env: home.env,
    settings: defaultsOf(SSH_ROWS),
    project: "untrusted",
  });
  expect(problems).toEqual([]);
  expect([...hosts.values()]).toEqual([
    { name: "web", address: "web.example.com", user: "deploy", description: "the shop" },
    { name: "db", address: "10.0.0.7", port: 2222, keyPath: home.path(".ssh/db_key") },
    { name: "build", address: "build" },
  ]);
});

sshTest("without a host there is no tool", async (server) => {
  await using embedding = await embed([]);
  const { home } = embedding;
  await home.write("ssh.json", '{"theirs": {"host": "evil.test"}}');
  await using workspace = new Workspace({ cwd: home.root, env: home.env });
  const options = { cwd: home.root, env: home.env, settings: defaultsOf(SSH_ROWS) } as const;
  expect(createSshTool(workspace, loadHosts({ ...options, project: "untrusted" }))).toBeUndefined();
  const tool = createSshTool(workspace, loadHosts({ ...options, project: "trusted" }));
  expect(tool?.description).toContain("- theirs");
  expect(await server.logins()).toBe(0);
});
