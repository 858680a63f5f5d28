// Commands over a real sshd: what comes back, what is shared, and what is left behind.

import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { mkdir } from "node:fs/promises";
import { processesWithEnv, findProcesses, waitUntilGone } from "@tau/testkit/processes";
import { testWith } from "@tau/testkit/require-program";
import { FactsCache } from "./remote-facts.ts";
import type { RemoteResult, RemoteRunOptions } from "./run-remote.ts";
import { SshConnections } from "./ssh-connections.ts";
import type { SshConnection } from "./ssh-connection.ts";
import { SshError } from "./ssh-error.ts";
import type { SshHost } from "./ssh-host.ts";
import { SSHD, startSshServer, type SshServer } from "./test/ssh-server.ts";

const TIMEOUT_MS = 60_000;
const need = { program: SSHD, proves: "that commands run over ssh as documented" };
const sshTest = (name: string, body: (server: SshServer) => Promise<void>): void =>
  testWith(
    need,
    name,
    async (sshd) => {
      await using server = await startSshServer(sshd);
      await body(server);
    },
    TIMEOUT_MS,
  );

const BOX: SshHost = { name: "box", address: "box" };

function connect(server: SshServer, cache?: FactsCache): SshConnections {
  const { configFile, env } = server;
  const options = { configFile, env, temporaryDirectory: server.scratch.root };
  return new SshConnections(cache ? { ...options, cache } : options);
}

async function run(
  connection: SshConnection,
  command: string,
  options: Partial<RemoteRunOptions> = {},
): Promise<RemoteResult & { text: string }> {
  const chunks: Buffer[] = [];
  const onOutput = (bytes: Buffer): void => void chunks.push(Buffer.from(bytes));
  const result = await connection.run(command, { onOutput, ...options });
  return { ...result, text: Buffer.concat(chunks).toString() };
}

const done = { exitCode: 0, signal: null, end: "exited", there: "ended" } as const;

async function failureOf(promise: Promise<unknown>): Promise<SshError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SshError);
  return error as SshError;
}

sshTest("output, error output and exit codes come back as they were", async (server) => {
  await using connections = connect(server);
  const box = connections.to(BOX);
  expect(await run(box, "uname")).toEqual({ ...done, text: "Linux\n" });
  expect(await run(box, "echo out; echo err >&2; printf end")).toEqual({
    ...done,
    text: "out\nerr\nend",
  });
  expect(await run(box, "echo said; exit 3")).toMatchObject({ exitCode: 3, text: "said\n" });
  // `ssh` says the same for its own failures.
  expect(await run(box, "exit 255")).toMatchObject({ exitCode: 255, end: "exited" });
  expect(await run(box, "kill -9 $$")).toMatchObject({
    exitCode: 137,
    signal: "SIGKILL",
    text: "",
  });
  expect(await run(box, "cat; echo no input")).toEqual({ ...done, text: "no input\n" });
  expect(await run(box, "tty; test -t 0 || echo no terminal")).toMatchObject({
    text: "not a tty\nno terminal\n",
  });
});

sshTest("a command arrives exactly as it was written", async (server) => {
  await using connections = connect(server);
  const box = connections.to(BOX);
  const awkward = `it's "$HOME" \\ \\\\ $(echo x) !! \`echo y\` \t | & ; < > * ? [a] {b,c} ü 漢 🙂`;
  const heredoc = `cat <<'EOF'\n${awkward}\n\n  two\nEOF\n`;
  expect(await run(box, heredoc)).toEqual({ ...done, text: `${awkward}\n\n  two\n` });
  const long = "x".repeat(100_000);
  const result = await run(box, `cat <<'EOF' | wc -c\n${long}\nEOF`);
  expect(result.text.trim()).toBe("100001");
  expect((await failureOf(run(box, `: ${long}${long}`))).message).toContain("to a file there");
  expect((await failureOf(run(box, "a\0b"))).kind).toBe("bad_command");
});

sshTest(
  "the second command comes over the first one's connection, the last closes it",
  async (server) => {
    const connections = connect(server);
    const box = connections.to(BOX);
    expect(await box.isOpen()).toBe(false);
    const results = await Promise.all(["echo 1", "echo 2", "echo 3"].map((each) => run(box, each)));
    expect(results.map(({ text }) => text)).toEqual(["1\n", "2\n", "3\n"]);
    expect(await run(box, "echo 4")).toMatchObject({ text: "4\n" });
    expect(await server.logins()).toBe(1);
    expect(await box.isOpen()).toBe(true);
    const find = () => findProcesses(({ command }) => command.includes(server.configFile));
    expect((await find()).length).toBeGreaterThan(0);
    const masters = await find();
    const socket = /-S(\S+)/.exec(masters.map(({ command }) => command).join("\n"))?.[1];
    const place = socket === undefined ? undefined : dirname(socket);
    if (place !== undefined) expect(statSync(place).mode & 0o777).toBe(0o700);
    await connections[Symbol.asyncDispose]();
    await waitUntilGone(find);
    if (place !== undefined) expect(existsSync(place)).toBe(false);
  },
);

sshTest("a connection that was lost is made anew", async (server) => {
  await using connections = connect(server);
  const box = connections.to(BOX);
  await run(box, "true");
  // The server's side of it goes away.
  const failure = await failureOf(run(box, "echo before; kill -9 $(ps -o ppid= -p $PPID)"));
  expect(failure.kind).toBe("lost");
  expect(await run(box, "echo again")).toEqual({ ...done, text: "again\n" });
  expect(await server.logins()).toBe(2);
});

sshTest("a working directory with any name", async (server) => {
  await using connections = connect(server);
  const box = connections.to(BOX);
  for (const name of [`a'b "c" $d \\e`, "-n", "~tilde", "ü 漢"]) {
    const directory = server.scratch.path("dirs", name);
    await mkdir(directory, { recursive: true });
    expect(await run(box, "pwd", { cwd: directory })).toEqual({ ...done, text: `${directory}\n` });
  }
  expect((await run(box, "cd ~ && pwd")).text).toBe((await run(box, "pwd", { cwd: "~" })).text);
  const failure = await failureOf(run(box, "touch ran", { cwd: server.scratch.path("none") }));
  expect(failure.kind).toBe("no_directory");
  expect(failure.message).toContain("none on box; leave cwd out");
});

/** Those of one command, found by what only it was told. */
const withEnv = (value: string) => () => processesWithEnv({ name: "TAU_TEST_REMOTE", value });

describe("a command that is stopped here ends there", () => {
  const stubborn = (id: string, started: string): string =>
    `export TAU_TEST_REMOTE=${id}; (trap '' TERM HUP; echo x >${started}-1; sleep 300; sleep 300) & ` +
    `setsid sh -c 'echo x >${started}-2; sleep 300; sleep 300' & ` +
    `sh -c 'echo x >${started}-3; sleep 300; sleep 300'`;

  async function whenStarted(started: string): Promise<void> {
    while (![1, 2, 3].every((each) => existsSync(`${started}-${each}`))) await Bun.sleep(20);
  }

  sshTest("by a timeout", async (server) => {
    await using connections = connect(server);
    const box = connections.to(BOX);
    await run(box, "true");
    const started = server.scratch.path("started");
    const id = crypto.randomUUID();
    const result = await run(box, stubborn(id, started), { timeoutMs: 3000 });
    expect(result).toMatchObject({ exitCode: null, end: "timeout", there: "ended" });
    expect(existsSync(`${started}-3`)).toBe(true);
    await waitUntilGone(withEnv(id));
    expect(await run(box, "echo next")).toEqual({ ...done, text: "next\n" });
    expect(await server.logins()).toBe(1);
  });

  sshTest("by an abort", async (server) => {
    await using connections = connect(server);
    const box = connections.to(BOX);
    const started = server.scratch.path("started");
    const id = crypto.randomUUID();
    const abort = new AbortController();
    const running = run(box, stubborn(id, started), { signal: abort.signal });
    await whenStarted(started);
    expect((await withEnv(id)()).length).toBeGreaterThan(2);
    abort.abort();
    expect(await running).toMatchObject({ end: "aborted" });
    await waitUntilGone(withEnv(id));
  });

  sshTest("by the end of whoever asked", async (server) => {
    const started = server.scratch.path("started");
    const id = crypto.randomUUID();
    const program = await server.scratch.write(
      "asker.ts",
      `import { SshConnections } from ${JSON.stringify(Bun.resolveSync("./ssh-connections.ts", import.meta.dir))};
       const connections = new SshConnections(${JSON.stringify({ configFile: server.configFile, env: server.env, temporaryDirectory: server.scratch.root })});
       await connections.to({ name: "box", address: "box" }).run(${JSON.stringify(stubborn(id, started))}, { onOutput() {} });`,
    );
    const asker = Bun.spawn([process.execPath, program], { stdout: "inherit", stderr: "inherit" });
    await whenStarted(started);
    asker.kill("SIGKILL");
    await asker.exited;
    await waitUntilGone(withEnv(id), { timeoutMs: 20_000 });
    await waitUntilGone(() => findProcesses(({ command }) => command.includes(server.configFile)), {
      timeoutMs: 20_000,
    });
  });
});

sshTest(
  "what a command leaves in the background ends with it, unless it went its own way",
  async (server) => {
    await using connections = connect(server);
    const box = connections.to(BOX);
    const id = crypto.randomUUID();
    const left = `export TAU_TEST_REMOTE=${id}; sleep 300 & echo gone`;
    expect(await run(box, left)).toEqual({ ...done, text: "gone\n" });
    await waitUntilGone(withEnv(id));
    const service = `export TAU_TEST_REMOTE=${id}; setsid sleep 300 & sleep 0.3; echo on`;
    expect(await run(box, service)).toEqual({ ...done, text: "on\n" });
    const kept = await withEnv(id)();
    expect(kept.map(({ command }) => command)).toEqual(["sleep 300"]);
    for (const { pid } of kept) process.kill(pid, "SIGKILL");
    await waitUntilGone(withEnv(id));
  },
);

sshTest("ten megabytes arrive whole, and no faster than they are taken", async (server) => {
  await using connections = connect(server);
  const box = connections.to(BOX);
  let bytes = 0;
  const result = await box.run("head -c 10000000 /dev/zero | tr '\\0' x; echo; exit 4", {
    async onOutput(chunk) {
      bytes += chunk.length;
      if (bytes % 7 === 0) await Bun.sleep(1);
    },
  });
  expect({ ...result, bytes }).toMatchObject({ exitCode: 4, bytes: 10_000_001 });
});

describe("a host that cannot be trusted or reached", () => {
  sshTest("a new key is learnt, a changed one refused", async (server) => {
    {
      await using connections = connect(server);
      await run(connections.to(BOX), "true");
    }
    expect(readFileSync(server.knownHosts, "utf8")).toContain(`[127.0.0.1]:${server.port}`);
    await server.restartWithOtherKey();
    await using connections = connect(server);
    const failure = await failureOf(run(connections.to(BOX), "true"));
    expect(failure.kind).toBe("not_connected");
    expect(failure.message).toContain("Host key verification failed");
  });

  sshTest("a configuration that is stricter stays so", async (server) => {
    const strict = readFileSync(server.configFile, "utf8") + "  StrictHostKeyChecking yes\n";
    writeFileSync(server.configFile, strict);
    await using connections = connect(server);
    const failure = await failureOf(run(connections.to(BOX), "true"));
    expect(failure.kind).toBe("not_connected");
    expect(existsSync(server.knownHosts)).toBe(false);
  });

  sshTest("nobody listens, or nobody answers", async (server) => {
    await using connections = connect(server);
    const closed = connections.to({ name: "closed", address: "127.0.0.1", port: 1 });
    const failure = await failureOf(run(closed, "true"));
    expect(failure.message).toContain("Connection refused");
    expect(failure.message).toContain("`ssh 127.0.0.1` in a terminal shows more.");
    using silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const mute = connections.to({ name: "mute", address: "127.0.0.1", port: silent.port });
    expect(await run(mute, "true", { timeoutMs: 300 })).toMatchObject({ end: "timeout" });
  });

  sshTest("a key must be a file that is the user's alone", async (server) => {
    await using connections = connect(server);
    const { port, user, keyPath } = server;
    const host = { name: "keyed", address: "127.0.0.1", port, user, keyPath };
    expect(await run(connections.to(host), "echo in")).toMatchObject({ text: "in\n" });
    chmodSync(keyPath, 0o644);
    const readable = await failureOf(run(connections.to({ ...host, name: "readable" }), "true"));
    expect(readable).toMatchObject({ kind: "bad_host" });
    expect(readable.message).toContain("(mode 644); run chmod 600 on it.");
    const missing = { ...host, name: "missing", keyPath: `${keyPath}.none` };
    expect((await failureOf(run(connections.to(missing), "true"))).message).toContain(
      "does not exist",
    );
    const directory = { ...host, name: "directory", keyPath: server.scratch.root };
    expect((await failureOf(run(connections.to(directory), "true"))).message).toContain(
      "is not a file",
    );
  });

  test("an address that is an option or a command never reaches ssh", async () => {
    const bad = ["-oProxyCommand=touch x", "a;b", "$(x)", "a b", "", "`x`", "x/y", "a\nb"];
    await using connections = new SshConnections({ env: {}, temporaryDirectory: "/tmp" });
    for (const [at, address] of bad.entries()) {
      const failure = await failureOf(run(connections.to({ name: `h${at}`, address }), "true"));
      expect(failure.kind).toBe("bad_host");
    }
    const user = { name: "u", address: "a", user: "-l root" };
    expect((await failureOf(run(connections.to(user), "true"))).message).toContain(
      "not a user name",
    );
  });

  test("a machine without ssh says so", async () => {
    await using connections = new SshConnections({
      env: {},
      temporaryDirectory: "/tmp",
      program: "/nonexistent/ssh",
    });
    const failure = await failureOf(run(connections.to(BOX), "true"));
    expect(failure).toMatchObject({ kind: "no_client" });
    expect(failure.message).toContain("install the OpenSSH client");
  });
});

sshTest("what a host is, is asked once and kept", async (server) => {
  const cache = new FactsCache(server.scratch.path("facts"));
  expect(cache.read("box")).toBeUndefined();
  {
    await using connections = connect(server, cache);
    const facts = await connections.to(BOX).facts();
    expect(facts).toMatchObject({ system: "posix", os: "Linux" });
    expect(cache.read("box")).toEqual(facts);
  }
  const known = cache.read("box", `${server.user} 127.0.0.1 ${server.port} `);
  expect(known).toEqual(cache.read("box"));
  // Another machine under the same name is asked again.
  expect(cache.read("box", "ada elsewhere 22 ")).toBeUndefined();
});
