// How runs end when somebody else ends them: Ctrl-C, a reader that leaves, a pipe that
// nobody fills. Nothing may be left running, and nobody may see a stack trace.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { canInspectProcesses, processesWithEnv, waitUntilGone } from "@tau/testkit/processes";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome } from "@tau/testkit/scratch";
import { chmod, mkdir } from "node:fs/promises";
import { launcher, runTau, spawnTau } from "./support/run-tau.ts";

function marker(): { name: string; value: string } {
  return { name: "TAU_TEST_MARKER", value: crypto.randomUUID() };
}

const LONG_COMMAND = "echo started > started; sleep 300 & sleep 300 | cat";

async function interruptDuring(
  what: "the reply" | "a command",
  signal: NodeJS.Signals,
): Promise<{ exitCode: number | null; stderr: string; stdout: string }> {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    what === "the reply"
      ? { text: "a long answer", delivery: { silentAfterBytes: 60 } }
      : { toolCalls: [{ name: "bash", arguments: { command: LONG_COMMAND } }] },
    { text: "never asked" },
  ]);
  const mark = marker();
  const child = spawnTau(["-p", "-m", "ollama/x", "--yolo", "hi"], {
    cwd: home.root,
    home,
    env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), [mark.name]: mark.value },
  });
  await server.request(1);
  if (what === "a command") {
    while (!(await Bun.file(home.path("started")).exists())) await Bun.sleep(5);
  }
  child.kill(signal);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  if (canInspectProcesses) await waitUntilGone(() => processesWithEnv(mark));
  expect(server.requests).toHaveLength(1);
  return { exitCode: child.exitCode, stdout, stderr };
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  for (const what of ["the reply", "a command"] as const) {
    test(`${signal} during ${what}: exit 130, one line, no process left`, async () => {
      expect(await interruptDuring(what, signal)).toEqual({
        exitCode: 130,
        stdout: "",
        stderr: "tau: interrupted\n",
      });
    });
  }
}

test("a reader that leaves early is no error", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    { text: "line\n".repeat(100_000), deltaChars: 4096 },
  ]);
  const child = Bun.spawn(
    ["bash", "-c", `"${launcher}" -p -m ollama/x hi | head -1; echo "\${PIPESTATUS[0]}"`],
    {
      cwd: home.root,
      env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ stdout, stderr }).toEqual({ stdout: "line\n0\n", stderr: "" });
});

test("a large answer reaches a slow reader whole", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    { text: "0123456789".repeat(100_000), deltaChars: 65536 },
  ]);
  const child = Bun.spawn(["bash", "-c", `"${launcher}" -p -m ollama/x hi | (sleep 0.3; wc -c)`], {
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    stdin: "ignore",
    stdout: "pipe",
  });
  expect(Number(await child.stdout.text())).toBe(1_000_001);
});

test("closed standard output and error are no crash", async () => {
  await using home = await isolatedHome();
  const child = Bun.spawn(["bash", "-c", `"${launcher}" -p hello >&- 2>&-; echo $?`], {
    cwd: home.root,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  expect(await child.stderr.text()).toBe("");
  expect(["0\n", "1\n"]).toContain(await child.stdout.text());
});

test("a pipe that nobody writes to does not hold a prompt up for ever", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "ok" }]);
  const child = Bun.spawn([launcher, "-p", "-m", "ollama/x", "hi"], {
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(stdout).toBe("ok\n");
  expect(stderr).toBe("tau: nothing on standard input yet; continuing without it\n");
  child.stdin.end();
});

test("a working directory that vanished is one sentence", async () => {
  await using home = await isolatedHome();
  const script = `mkdir gone && cd gone && rmdir ../gone && "${launcher}" -p hi`;
  const child = Bun.spawn(["bash", "-c", script], {
    cwd: home.root,
    env: home.env,
    stderr: "pipe",
  });
  const stderr = await child.stderr.text();
  await child.exited;
  expect(child.exitCode).toBe(2);
  // The shell that starts Tau may have its own word on it first.
  const ours = stderr.split("\n").filter((line) => line.startsWith("tau: "));
  expect(ours).toEqual([expect.stringContaining("choose another with --cwd")]);
  expect(stderr).not.toContain("    at ");
});

test("no command takes a directory that vanished for a bug", async () => {
  await using home = await isolatedHome();
  const commands = [
    "sessions",
    "sessions --all",
    "config list",
    "config sources",
    "history",
    "models",
    "trust",
    "prompt",
    "ps",
    "usage",
    "read a",
    "grep a",
    "find a",
    "gallery --list",
  ];
  const calls = commands.map((words) => `"${launcher}" ${words} </dev/null; echo "code $?"`);
  const script = `mkdir gone && cd gone && rmdir ../gone; ${calls.join("; ")}`;
  const child = Bun.spawn(["bash", "-c", `${script} 2>&1`], {
    cwd: home.root,
    env: home.env,
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = (await child.stdout.text()) + (await child.stderr.text());
  expect(said).not.toContain("bug");
  expect(said.match(/^code (?:[013-9]|2\d)/gm)?.filter((code) => code !== "code 0") ?? []).toEqual(
    [],
  );
  expect(said.match(/the current directory no longer exists/g)!.length).toBeGreaterThan(7);
});

// Root reads everything, so the test gives that power up first.
testWith(
  { program: "setpriv", proves: "an unreadable directory or file is refused with a sentence" },
  "what may not be read is refused with a sentence",
  async (setpriv) => {
    await using home = await isolatedHome();
    await mkdir(home.path("closed"));
    await home.write("closed.txt", "secret");
    await chmod(home.path("closed"), 0o000);
    await chmod(home.path("closed.txt"), 0o000);
    const isRoot = process.getuid?.() === 0;
    const program = isRoot
      ? [setpriv, "--bounding-set", "-dac_override,-dac_read_search", launcher]
      : [launcher];
    const directory = await runTau(["-p", "hi", "-C", "closed"], { cwd: home.root, home, program });
    expect(directory).toMatchObject({ stdout: "", exitCode: 2 });
    expect(directory.stderr).toContain("closed may not be read; choose another with --cwd");
    const file = await runTau(["-p", "hi", "@closed.txt"], { cwd: home.root, home, program });
    expect(file).toEqual({
      stdout: "",
      exitCode: 2,
      stderr: "tau: @closed.txt cannot be read: permission denied\n",
    });
    await chmod(home.path("closed"), 0o700);
  },
);
