// Session files that something else has damaged, as a user meets them: it is said in one sentence what is
// wrong and what to do, and what can be saved is saved.

import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { userText } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { embed, saidIn } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

async function sessionFiles(home: IsolatedHome): Promise<string[]> {
  const root = home.path(".tau/agent/sessions");
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(root, name));
}

async function oneTalk() {
  const home = await isolatedHome();
  const server = await ModelServer.start([{ text: "first answer" }, { text: "second answer" }]);
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const tau = (...args: string[]) => runTau(args, { cwd: home.root, home, env });
  await tau("-p", "-m", "ollama/x", "remember the word apricot");
  const [path] = await sessionFiles(home);
  return {
    home,
    server,
    tau,
    path: path!,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const DAMAGES: Record<string, (bytes: Buffer) => Buffer> = {
  "zeros after a crash": (bytes) => Buffer.concat([Buffer.alloc(40), bytes.subarray(40)]),
  "another text": (bytes) =>
    Buffer.concat([Buffer.from("hello\n"), bytes.subarray(bytes.indexOf(10) + 1)]),
  "a beginning that is gone": (bytes) => bytes.subarray(30),
};

test.each(Object.entries(DAMAGES))(
  "a damaged header, %s: told, and repaired",
  async (_name, damage) => {
    await using talk = await oneTalk();
    const { tau, path, server } = talk;
    const before = await readFile(path);
    await writeFile(path, damage(before));
    const damaged = await readFile(path);
    const again = await tau("-c", "-p", "-m", "ollama/x", "what was the word?");
    expect(again.exitCode).not.toBe(0);
    expect(again.stderr).toContain(`tau sessions repair ${path}`);
    expect(await readFile(path)).toEqual(damaged);
    expect((await tau("sessions")).stderr).toContain(`tau sessions repair ${path}`);
    const repaired = await tau("sessions", "repair", path);
    expect(repaired).toMatchObject({ exitCode: 0 });
    expect(repaired.stdout).toContain(`${path}.damaged`);
    expect(await readFile(`${path}.damaged`)).toEqual(damaged);
    const later = await tau("-c", "-p", "-m", "ollama/x", "what was the word?");
    expect(later).toMatchObject({ exitCode: 0, stdout: "second answer\n" });
    expect(saidIn(server, -1).join("\n")).toContain("apricot");
  },
);

test("a whole session is not repaired, nor is a file that holds none", async () => {
  await using talk = await oneTalk();
  const { tau, path, home } = talk;
  expect((await tau("sessions", "repair", path)).stderr).toContain("there is nothing to repair");
  await home.write("notes.jsonl", "hello\nworld\n");
  const other = await tau("sessions", "repair", home.path("notes.jsonl"));
  expect(other.stderr).toContain("holds no entry of a session");
  expect(await home.read("notes.jsonl")).toBe("hello\nworld\n");
});

test("a lock that says nothing does not shut a session for ever", async () => {
  await using talk = await oneTalk();
  const { tau, path } = talk;
  const lock = `${path}.lock`;
  const resume = () => tau("--resume", path, "-p", "-m", "ollama/x", "go on");
  await writeFile(lock, "\0\x01garbage");
  const fresh = await resume();
  expect(fresh.exitCode).not.toBe(0);
  expect(fresh.stderr).toContain(`or remove ${lock}`);
  expect(fresh.stderr).not.toContain("process 0");
  // The clock was set back since.
  const later = new Date(Date.now() + 3_600_000);
  await utimes(lock, later, later);
  expect(await resume()).toMatchObject({ exitCode: 0, stdout: "second answer\n" });
});

test("a pipe in the place of a lock holds nobody up", async () => {
  await using talk = await oneTalk();
  const { tau, path } = talk;
  expect(Bun.spawnSync(["mkfifo", `${path}.lock`]).exitCode).toBe(0);
  const before = new Date(Date.now() - 60_000);
  await utimes(`${path}.lock`, before, before);
  const resumed = await tau("--resume", path, "-p", "-m", "ollama/x", "go on");
  expect(resumed).toMatchObject({ exitCode: 0, stdout: "second answer\n" });
});

test("a file that is cut while its session is open: the conversation goes on in a new one", async () => {
  await using embedding = await embed([{ text: "one" }, { text: "two" }, { text: "three" }]);
  const { home, server } = embedding;
  const session = await embedding.start();
  await session.prompt(userText("remember apricot"));
  const [path] = await sessionFiles(home);
  await truncate(path!, 20);
  const failed = await session.prompt(userText("and plum")).then(
    () => "nothing",
    (error: unknown) => String(error),
  );
  expect(failed).toMatch(/SessionRescued: .* was changed by another program.* --resume \S+$/);
  await session[Symbol.asyncDispose]();
  const id = /--resume (\S+)$/.exec(failed)![1]!;
  const resumed = await embedding.start({ session: { kind: "resume", wanted: id } });
  await resumed.prompt(userText("what were they?"));
  await resumed[Symbol.asyncDispose]();
  const said = saidIn(server, -1).join("\n");
  expect(said).toContain("apricot");
  expect(said).toContain("plum");
});

test("what is attached with @ may not be a pipe or a device", async () => {
  await using home = await isolatedHome();
  await mkdir(home.path("work"));
  expect(Bun.spawnSync(["mkfifo", home.path("work/pipe")]).exitCode).toBe(0);
  const cwd = home.path("work");
  const args = ["-p", "-m", "ollama/x"];
  const pipe = await runTau([...args, "@pipe"], { cwd, home });
  expect(pipe).toMatchObject({ exitCode: 2 });
  expect(pipe.stderr).toContain("@pipe is a named pipe");
  const device = await runTau([...args, "@/dev/zero"], { cwd, home });
  expect(device.stderr).toContain("is a device");
});
