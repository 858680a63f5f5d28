// Settings that cannot be read, as a user meets them: nothing runs unasked, the file is named with its
// line and what to do, and nothing hangs or is written over.

import { existsSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import type { ApprovalQuestion } from "@tau/agent/judge-call";
import { textOf, userText } from "@tau/ai/message";
import { WHOLE_FILE_BREAKAGES } from "@tau/tau/config/test/broken-files";
import { ModelServer } from "@tau/testkit/model-server";
import { runInTerminal } from "@tau/testkit/terminal";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { answer } from "./support/consent.ts";
import { embed } from "./support/embedded.ts";
import { launcher, runTau } from "./support/run-tau.ts";
import { converse } from "./support/converse.ts";
import { connect } from "./support/rpc-connection.ts";

const FILE = ".tau/agent/config.yml";
const FAMILY = ".omp/agent/config.yml";
const STRICT = "tools:\n  approvalMode: always-ask\n  rules:\n    - deny read(.env)\n";

const CALLS = [
  { name: "read", arguments: { path: "secret.txt" } },
  { name: "write", arguments: { path: "written.txt", content: "x\n" } },
  { name: "bash", arguments: { command: "touch touched.txt; cat secret.txt" } },
  { name: "eval", arguments: { cells: [{ language: "js", code: "1 + 1" }] } },
];

interface Outcome {
  results: string[];
  stderr: string;
  exitCode: number | null;
}

/** Print mode, with a model that calls everything at once. */
async function run(home: IsolatedHome, ...flags: string[]): Promise<Outcome> {
  await using server = await ModelServer.start([{ toolCalls: CALLS }, { text: "well" }]);
  const cwd = home.path("work");
  await home.write("work/secret.txt", "hunter2\n");
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), TAU_NO_TITLE: "1" };
  const args = ["-p", "-m", "ollama/x", ...flags, "go"];
  const { stderr, exitCode } = await runTau(args, { cwd, home, env });
  const results = server.requests
    .at(-1)!
    .decoded.messages.filter(({ role }) => role === "toolResult")
    .map(textOf);
  return { results, stderr, exitCode };
}

function expectNothingRan(
  home: IsolatedHome,
  file: string,
  { results, stderr, exitCode }: Outcome,
) {
  expect(results).toHaveLength(CALLS.length);
  for (const result of results) {
    expect(result).toContain("Refused: this needs a person's consent");
    expect(result).toContain(file);
    expect(result).not.toContain("hunter2");
  }
  for (const name of ["written.txt", "touched.txt"]) {
    expect(existsSync(home.path(`work/${name}`))).toBe(false);
  }
  expect(stderr).toContain(`tau: ${file}`);
  expect(stderr).toContain("every call is asked about until you fix it and start a new session");
  expect(exitCode).toBe(0);
}

test("whole and clear, the same calls run", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "tools:\n  approvalMode: auto\n");
  const { results, stderr } = await run(home);
  expect(results.join("\n")).not.toContain("Refused");
  expect(stderr).toBe("");
  expect(existsSync(home.path("work/touched.txt"))).toBe(true);
});

test("whoever asks what is asked about is told of it, in the terminal and over RPC", async () => {
  const broken = "tools: {approvalMode: always-ask\n";
  await using rpc = await connect([], { settings: broken });
  const state = (await rpc.client.send("get_state")) as { approvalLosses: string[] };
  expect(state.approvalLosses).toHaveLength(1);
  expect(state.approvalLosses[0]).toContain(
    "every call is asked about until you fix it and start a new session",
  );
  await using talk = await converse([], { config: broken, columns: 240 });
  talk.say("/approval yolo");
  await talk.terminal.waitFor(
    /Approval is yolo in this session\.[^]*every call is asked about until you fix it and start a new session/,
  );
});

describe("a file of which nothing can be read: every call is refused, and the file named", () => {
  // The flag in turns, so that each kind and each flag is there without their product.
  const FLAGS = [[], ["--yolo"], ["--approval-mode", "auto"], ["--approval-mode", "write"]];
  test.each(WHOLE_FILE_BREAKAGES.map((one, at) => ({ ...one, flags: FLAGS[at % FLAGS.length]! })))(
    "$name $flags",
    async ({ place, flags }) => {
      await using home = await isolatedHome();
      await mkdir(home.path(".tau/agent"), { recursive: true });
      await place(home.path(FILE), STRICT);
      expectNothingRan(home, home.path(FILE), await run(home, ...flags));
    },
    20_000,
  );

  test.each([
    [FAMILY, STRICT.replace("approvalMode:", "approvalMode")],
    [FILE, "tools:\n  rules: deny bash\n"],
    [FILE, "tools:\n  rules: [deny]\n"],
    [FILE, "permissions:\n  deny: [Read]\n"],
    [".claude/settings.json", '{"permissions": {"deny": ["Read"]}'],
  ])("%s: %p", async (file, text) => {
    await using home = await isolatedHome();
    await home.write(file, text);
    expectNothingRan(home, home.path(file), await run(home, "--yolo"));
  });
});

test("a misspelt mode is the strictest; a flag outweighs it as it would have outweighed the mode", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, "tools:\n  approvalMode: alwaysask\n");
  const { results, stderr } = await run(home);
  expect(results[0]).toContain("hunter2");
  for (const result of results.slice(1)) expect(result).toContain("Refused");
  expect(stderr).toContain(
    `${home.path(FILE)}:2: tools.approvalMode: expected one of always-ask, write, auto, yolo, not "alwaysask"; tools.approvalMode is always-ask until you fix it and start a new session`,
  );
  expect((await run(home, "--yolo")).results.join("\n")).not.toContain("Refused");
  const misspelt = await runTau(["-p", "--approval-mode", "alwaysask", "hi"], {
    cwd: home.root,
    home,
  });
  expect(misspelt).toMatchObject({ exitCode: 2, stdout: "" });
});

test("oh-my-pi's stricter words hold here", async () => {
  await using home = await isolatedHome();
  await home.write(FAMILY, "tools: {approvalMode: write, approval: {read: prompt}}\n");
  const { results, stderr } = await run(home);
  expect(results[0]).toContain("your settings say so");
  expect(existsSync(home.path("work/written.txt"))).toBe(true);
  expect(results[3]).toContain("Refused");
  expect(stderr).toMatch(/^tau: 2 calls were refused, because nobody can be asked \(.*\n$/);
});

test("what is in force is told as it is", async () => {
  await using home = await isolatedHome();
  await home.write(FILE, `${STRICT}modelRoles: {default: opus\nsandbox: {}\n`);
  const config = (...args: string[]) => runTau(["config", ...args], { cwd: home.root, home });
  expect((await config("get", "tools.approvalMode")).stdout).toBe("always-ask\n");
  expect((await config("get", "sandbox.mode")).stdout).toBe("workspace\n");
  expect((await config("get", "secrets.enabled")).stdout).toBe("false\n");
  const { stdout, stderr } = await config("explain", "tools.approvalMode");
  expect(stdout).toContain(`user        always-ask  ${home.path(FILE)}:6 cannot be read`);
  expect(stdout).toContain("every call is asked about until you fix it and start a new session");
  expect(stderr).toContain(`${home.path(FILE)}:6: this is not YAML`);
  const before = await home.read(FILE);
  expect((await config("set", "tools.approvalMode", "yolo")).exitCode).toBe(1);
  expect(await home.read(FILE)).toBe(before);
});

test.each([
  "tools: {\n",
  "tools:\n  rules: deny bash(rm*)\n",
  // What stood below it is elsewhere.
  "tools:\n  rules:\nnonsense: 1\n",
])(
  "%p: a consent holds for the session, and is not written where nothing can be read",
  async (text) => {
    const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch x" } }] };
    await using embedding = await embed([touch, touch, { text: "done" }]);
    const { home } = embedding;
    await home.write(FILE, text);
    const asked: ApprovalQuestion[] = [];
    const reported: string[] = [];
    const session = await embedding.start({
      approvalMode: "yolo",
      ask: async (question) => {
        asked.push(question);
        return { allowed: true, remember: "always" };
      },
    });
    session.subscribe((event) => {
      if (event.type === "hook_error") reported.push(String(event.error));
    });
    await session.prompt(userText("go"));
    await session[Symbol.asyncDispose]();
    expect(asked).toHaveLength(1);
    expect(asked[0]!.reasons[0]!.reason).toContain(home.path(FILE));
    expect(reported).toEqual([expect.stringContaining("Allowed in this session only: ") as string]);
    expect(reported[0]).toContain(home.path(FILE));
    expect(reported[0]).toEndWith("fix it first.");
    expect(await home.read(FILE)).toBe(text);
  },
);

test("in the terminal that is one sentence, and nothing has failed", async () => {
  const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch x" } }] };
  await using talk = await converse([touch, { text: "done" }], {
    config: "tools: {\n",
    columns: 200,
  });
  talk.say("go");
  await answer(talk.terminal, "a");
  await talk.terminal.waitFor("done");
  const text = talk.terminal.text();
  expect(text).toContain(`Allowed in this session only: ${talk.home.path(FILE)}:1 cannot be read`);
  expect(text).not.toContain("UserError");
  expect(text).not.toContain("failed at");
});

test("so it is in a terminal that can only print", async () => {
  await using home = await isolatedHome();
  const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch x" } }] };
  await using server = await ModelServer.start([touch, { text: "done" }]);
  await home.write(FILE, "tools: {\n");
  const base = { TERM: "dumb", TAU_NO_TITLE: "1" };
  const env = { ...home.env, ...base, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  await using terminal = runInTerminal([launcher, "-m", "ollama/x"], {
    cwd: home.root,
    env,
    columns: 200,
  });
  await terminal.waitFor(/\n›/);
  terminal.send("go\r");
  await terminal.waitFor("Run it?");
  terminal.send("always\r");
  await terminal.waitFor("Save this rule for this project?");
  terminal.send("always\r");
  await terminal.waitFor("done");
  const text = terminal.text();
  expect(text).toContain(`Allowed in this session only: ${home.path(FILE)}:1 cannot be read`);
  expect(text).not.toContain("UserError");
});

test("a list of rules that are all commented out locks nothing, and takes a rule", async () => {
  const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch x" } }] };
  await using embedding = await embed([touch, { text: "done" }]);
  const { home } = embedding;
  await home.write(FILE, "tools:\n  rules:\n  #  - deny bash\n");
  const asked: string[] = [];
  const session = await embedding.start({
    approvalMode: "always-ask",
    ask: async ({ reasons }) => {
      asked.push(...reasons.map(({ reason }) => reason));
      return { allowed: true, remember: "everywhere" };
    },
  });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  // The home is the project here, and nothing in it is inside.
  expect(asked).toEqual(["it runs a command"]);
  const text = await home.read(FILE);
  expect(text).toContain("#  - deny bash\n");
  expect(text).toContain("- allow bash(touch x)\n");
});

test("a damaged file of trust: nothing is trusted, it is said in one line, and the run goes on", async () => {
  await using home = await isolatedHome();
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  await home.write("work/.tau/config.yml", "compaction:\n  strategy: prune\n");
  const cwd = home.path("work");
  const get = () => runTau(["config", "get", "compaction.strategy"], { cwd, home });
  await runTau(["trust", "allow"], { cwd, home });
  expect((await get()).stdout).toBe("prune\n");
  const file = home.path(".tau/agent/trust.json");
  const pipe = async () => {
    await rm(file);
    expect(Bun.spawnSync(["mkfifo", file]).exitCode).toBe(0);
  };
  for (const damage of [async () => home.write(".tau/agent/trust.json", "{"), pipe]) {
    await damage();
    const { stdout, stderr, exitCode } = await get();
    expect({ stdout, exitCode }).toEqual({ stdout: "summary\n", exitCode: 0 });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(`${file} is not a file`);
    expect(stderr).toContain("no project is trusted");
  }
});

describe("secrets", () => {
  test.each([
    ["- type: plain\n  content: [", "secrets.yml:2: this is not YAML"],
    ["plain: hunter2\n", "secrets.yml:1: expected a list"],
    ["- type: plain\n  content: a\n- type: plian\n  content: b\n", "secrets.yml:3: entry 2"],
  ])("%p: nothing starts, and nothing is sent", async (text, message) => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([{ text: "never" }]);
    await home.write(FILE, "secrets:\n  enabled: true\n");
    await home.write(".tau/agent/secrets.yml", text);
    const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
    const result = await runTau(["-p", "-m", "ollama/x", "hi"], { cwd: home.root, home, env });
    expect(result.stdout).toBe("");
    expect(result.exitCode).not.toBe(0);
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
    expect(result.stderr).toContain(message);
    expect(result.stderr).toContain("fix it, or turn secrets.enabled off");
    expect(server.requests).toHaveLength(0);
  });
});

const need = { program: "strace", proves: "which files a start reads" };

testWith(need, "a good file costs no slow parser", async (strace) => {
  await using home = await isolatedHome();
  const loadsSlowParser = async (text: string): Promise<boolean> => {
    await home.write(FILE, text);
    const log = home.path("trace");
    const program = [strace, "-f", "-qq", "-e", "trace=open,openat", "-o", log, launcher];
    // From the modules themselves: a bundle would hide which of them are used.
    const env = { TAU_FROM_SOURCE: "1" };
    const args = ["-p", "-m", "tau/demo", "what are you?"];
    expect((await runTau(args, { cwd: home.root, home, env, program })).exitCode).toBe(0);
    const read = await Bun.file(log).text();
    expect(read.includes("config/parse-settings.ts")).toBe(true);
    return read.includes("node_modules/yaml/");
  };
  const good = [
    "# enabled: perhaps",
    "compaction:",
    "  enabled: true",
    "retry:",
    "  enabled: true",
    "tools:",
    "  approvalMode: write",
    "  approval: {bash: prompt, read: allow}",
    "  rules:",
    "    - deny bash(git push*)",
    "",
  ].join("\n");
  expect(await loadsSlowParser(good)).toBe(false);
  expect(await loadsSlowParser(`${good}retry:\n  enabled: false\n`)).toBe(true);
});
