// How far a yes goes: this once, every edit of the session, this session, this project, every project;
// and rules about files and hosts, as users write them for Tau and for other tools.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { Approval, ApprovalQuestion } from "@tau/agent/judge-call";
import { userText } from "@tau/ai/message";
import { answer } from "./support/consent.ts";
import { converse } from "./support/converse.ts";
import { embed, saidIn } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

const FILE = ".tau/agent/config.yml";
const bash = (command: string) => ({
  toolCalls: [{ name: "bash", arguments: { command } }],
});
const write = (path: string) => ({
  toolCalls: [{ name: "write", arguments: { path, content: "x\n" } }],
});

/** What was asked in one run, in a directory, with the answers that were given. */
async function run(
  embedding: Awaited<ReturnType<typeof embed>>,
  cwd: string,
  say: (question: ApprovalQuestion) => Approval,
  mode = "always-ask",
): Promise<string[]> {
  await mkdir(cwd, { recursive: true });
  const asked: string[] = [];
  const session = await embedding.start({
    cwd,
    approvalMode: mode,
    ask: async (question) => {
      asked.push(question.subjects.join("; "));
      return say(question);
    },
  });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  return asked;
}

test("always is for the project in which it was said, everywhere for all", async () => {
  const done = { text: "done" };
  const once = [bash("make x"), done];
  await using embedding = await embed([...once, ...once, ...once, ...once, ...once, ...once]);
  const { home } = embedding;
  const [shop, blog] = [home.path("shop.v2"), home.path("blog")];
  const say = (remember: "always" | "everywhere") => (): Approval => ({ allowed: true, remember });
  expect(await run(embedding, shop, say("always"))).toEqual(["make x"]);
  expect(await home.read(FILE)).toContain(
    `projectRules:\n    ${shop}:\n      - allow bash(make x)`,
  );
  expect(await run(embedding, shop, say("always"))).toEqual([]);
  expect(await run(embedding, blog, say("always"))).toEqual(["make x"]);
  expect(await run(embedding, blog, say("always"))).toEqual([]);
  expect(await run(embedding, home.path("third"), say("everywhere"))).toEqual(["make x"]);
  expect(await run(embedding, home.path("fourth"), say("always"))).toEqual([]);
});

test("a danger can be allowed in a project, and not everywhere", async () => {
  const remove = bash("rm ../precious.txt");
  await using embedding = await embed([remove, { text: "done" }, remove, { text: "done" }]);
  const { home } = embedding;
  const scopes: (readonly string[])[] = [];
  const everywhere = (question: ApprovalQuestion): Approval => {
    scopes.push(question.scopes);
    return { allowed: true, remember: "everywhere" };
  };
  await home.write("precious.txt", "mine\n");
  await run(embedding, home.path("work"), everywhere, "auto");
  await home.write("precious.txt", "mine\n");
  await run(embedding, home.path("work"), everywhere, "auto");
  // What was not offered is not kept: it is asked about again.
  expect(scopes).toEqual([
    ["session", "always"],
    ["session", "always"],
  ]);
});

test("all edits of a session: no more questions about files, still about commands and dangers", async () => {
  const turns = [
    write("a.txt"),
    write("b.txt"),
    bash("touch c.txt"),
    bash("make d"),
    write("../.bashrc"),
    { text: "done" },
    write("e.txt"),
    { text: "done" },
  ];
  await using embedding = await embed(turns);
  const { home } = embedding;
  const cwd = home.path("work");
  let isFirst = true;
  const asked = await run(embedding, cwd, () => {
    const answered: Approval = isFirst ? { allowed: true, remember: "edits" } : { allowed: false };
    isFirst = false;
    return answered;
  });
  expect(asked).toEqual(["a.txt", "make d", home.path(".bashrc")]);
  expect(["a.txt", "b.txt", "c.txt"].map((name) => existsSync(home.path(`work/${name}`)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(existsSync(home.path(".bashrc"))).toBe(false);
  // Another session asks again.
  expect(await run(embedding, cwd, () => ({ allowed: false }))).toEqual(["e.txt"]);
});

test("in the terminal, e is for all edits: the second file is not asked about", async () => {
  const both = {
    toolCalls: [
      { name: "write", arguments: { path: "a.txt", content: "a\n" } },
      { name: "write", arguments: { path: "b.txt", content: "b\n" } },
    ],
  };
  await using talk = await converse([both, { text: "done" }], {
    config: "tools:\n  approvalMode: always-ask\n",
  });
  talk.say("write both");
  await talk.terminal.waitFor("write asks (call 1 of 2)");
  await answer(talk.terminal, "e");
  await talk.terminal.waitFor("done");
  expect(existsSync(talk.home.path("a.txt"))).toBe(true);
  expect(existsSync(talk.home.path("b.txt"))).toBe(true);
});

const READ_RULES: Record<string, Record<string, string>> = {
  "Tau's own": { [FILE]: "tools:\n  rules:\n    - deny read(.env)\n" },
  "Claude Code, a file": { ".claude/settings.json": '{"permissions":{"deny":["Read(./.env)"]}}' },
  "Claude Code, a name": { ".claude/settings.json": '{"permissions":{"deny":["Read(.env)"]}}' },
  "Claude Code, any depth": {
    ".claude/settings.json": '{"permissions":{"deny":["Read(**/.env)"]}}',
  },
  "Claude Code, a pattern": { ".claude/settings.json": '{"permissions":{"deny":["Read(.env*)"]}}' },
  "Claude Code, all": { ".claude/settings.json": '{"permissions":{"deny":["Read"]}}' },
  "OpenCode, all": { ".config/opencode/opencode.json": '{"permission":{"read":"deny"}}' },
  "OpenCode, a name": {
    ".config/opencode/opencode.json": '{"permission":{"read":{"*.env":"deny"}}}',
  },
};

test.each(Object.entries(READ_RULES))("reading refused by %s", async (name, files) => {
  const calls = [
    { name: "read", arguments: { path: ".env" } },
    { name: "read", arguments: { path: "./.env:1-2" } },
    { name: "search", arguments: { pattern: "KEY", paths: [".env"] } },
    // A word on a whole tool is not about others.
    ...(name.endsWith("all")
      ? []
      : ["cat .env", "head -1 < .env | tr a b", "cat ./.e*", "cd .. && sort work/.env"].map(
          (command) => ({ name: "bash", arguments: { command } }),
        )),
  ];
  await using embedding = await embed([
    ...calls.map((call) => ({ toolCalls: [call] })),
    { text: "done" },
  ]);
  const { home } = embedding;
  await home.write("work/.env", "KEY=s3cret-value\n");
  for (const [file, text] of Object.entries(files)) await home.write(file, text);
  await run(embedding, home.path("work"), () => ({ allowed: true }), "yolo");
  const results = saidIn(embedding.server, -1).filter((line) => line.startsWith("toolResult"));
  expect(results).toHaveLength(calls.length);
  for (const [at, result] of results.entries()) {
    expect({ call: calls[at], result }).toEqual({
      call: calls[at],
      result: expect.stringContaining("Your settings refuse") as string,
    });
  }
});

const HOST_RULES: Record<string, Record<string, string>> = {
  "Tau's own": { [FILE]: "tools:\n  rules:\n    - deny host(evil.example)\n" },
  "Tau's own, in other words": {
    [FILE]: 'tools:\n  rules:\n    - "deny webfetch(domain:evil.example)"\n',
  },
  "Claude Code": {
    ".claude/settings.json": '{"permissions":{"deny":["WebFetch(domain:evil.example)"]}}',
  },
};

test.each(Object.entries(HOST_RULES))("a host refused by %s", async (_name, files) => {
  const calls = [
    { name: "read", arguments: { path: "https://evil.example/x" } },
    { name: "read", arguments: { path: "https://www.evil.example/x" } },
    { name: "bash", arguments: { command: "curl -s evil.example/x" } },
    { name: "bash", arguments: { command: "git clone git@evil.example:x.git" } },
    { name: "bash", arguments: { command: "echo not-evil.example" } },
  ];
  await using embedding = await embed([
    ...calls.map((call) => ({ toolCalls: [call] })),
    { text: "done" },
  ]);
  const { home } = embedding;
  for (const [file, text] of Object.entries(files)) await home.write(file, text);
  await run(embedding, home.path("work"), () => ({ allowed: true }), "yolo");
  const results = saidIn(embedding.server, -1).filter((line) => line.startsWith("toolResult"));
  const refused = results.map((result) => result.includes("Your settings refuse"));
  expect(refused).toEqual([true, true, true, true, false]);
});

test("a line that bash cannot read is not asked about: the model is told what is wrong", async () => {
  await using embedding = await embed([bash("if then"), bash("echo 'open"), { text: "done" }]);
  const asked = await run(
    embedding,
    embedding.home.path("work"),
    () => ({ allowed: true }),
    "auto",
  );
  expect(asked).toEqual([]);
  const results = saidIn(embedding.server, -1).filter((line) => line.startsWith("toolResult"));
  expect(results[0]).toContain(
    "Not run: bash cannot read it (line 1: syntax error near unexpected",
  );
  expect(results[1]).toMatch(/bash cannot read it \(line 1: unexpected EOF while looking for/);
});

test.each([
  "curl -H topsecretvalue12345 -X DELETE http://localhost:1/x",
  "curl -H 'Authorization: Bearer sk-ant-api03-aaaaaaaaaaaaaaaaaaaa' -X DELETE http://localhost:1/x",
  "curl -X DELETE http://me:hunter2hunter@localhost:1/x",
])("what has a secret in it cannot be allowed for good: %s", async (command) => {
  await using embedding = await embed([bash(command), { text: "done" }]);
  const { home } = embedding;
  const { env } = embedding.options();
  const scopes: (readonly string[])[] = [];
  const session = await embedding.start({
    cwd: home.path("."),
    env: { ...env, MY_API_TOKEN: "topsecretvalue12345" },
    approvalMode: "always-ask",
    ask: async (question) => {
      scopes.push(question.scopes);
      return { allowed: true, remember: "always" };
    },
  });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  expect(scopes).toEqual([["session"]]);
  expect(existsSync(home.path(FILE)) ? await home.read(FILE) : "").not.toContain("allow bash");
});

test("what was allowed is listed, and can be taken back", async () => {
  const turns = [bash("make x"), bash("make y"), bash("touch a"), { text: "done" }];
  await using embedding = await embed([...turns, ...turns, ...turns]);
  const { home } = embedding;
  await mkdir(home.path("shop"), { recursive: true });
  const asked: string[] = [];
  const remember = { "make x": "always", "make y": "session", "touch a": "edits" } as const;
  const session = await embedding.start({
    cwd: home.path("shop"),
    approvalMode: "always-ask",
    ask: async ({ subjects: [subject = ""] }) => {
      asked.push(subject);
      return { allowed: true, remember: remember[subject as keyof typeof remember] };
    },
  });
  const saved: unknown[] = [];
  session.subscribe((event) => {
    if (event.type === "approval_saved") saved.push(event);
  });
  const command = session.commands.find(({ name }) => name === "approval")!;
  const say = (words: string) => command.run({ session }, words);
  await session.prompt(userText("go"));
  // What was saved, and where, is said.
  expect(saved).toMatchObject([
    { rules: ["allow bash(make x)"], file: home.path(FILE), scope: "always" },
  ]);
  expect(await say("")).toContain(
    [
      "Allowed (/approval forget N takes it back):",
      "  1  in this session: all edits",
      "  2  in this session: bash(make y)",
      "  3  always in this project: bash(make x)",
    ].join("\n"),
  );
  await session.prompt(userText("again"));
  expect(asked).toEqual(["make x", "make y", "touch a"]);
  expect(await say("forget 3")).toBe("Forgotten always in this project: bash(make x)");
  expect(await home.read(FILE)).not.toContain("make x");
  await say("forget 2");
  await say("forget 1");
  expect(await say("")).not.toContain("Allowed");
  await expect(say("forget 1")).rejects.toThrow("nothing was allowed");
  asked.length = 0;
  await session.prompt(userText("once more"));
  expect(asked).toEqual(["make x", "make y", "touch a"]);
  const sandbox = session.commands.find(({ name }) => name === "sandbox")!;
  await expect(sandbox.run({ session }, "on")).rejects.toThrow(
    "tau config set sandbox.mode workspace turns it on for new ones",
  );
  await session[Symbol.asyncDispose]();
});

test("-p says in one line that a call was refused, because nobody can be asked", async () => {
  await using embedding = await embed([bash("rm ../precious.txt"), { text: "I could not." }]);
  const { home } = embedding;
  await home.write("work/x", "");
  const { env } = embedding.options();
  const told = await runTau(["-p", "-m", "ollama/x", "go"], {
    cwd: home.path("work"),
    home,
    env: { OLLAMA_BASE_URL: env!.OLLAMA_BASE_URL! },
  });
  expect(told).toMatchObject({ exitCode: 0, stdout: "I could not.\n" });
  expect(told.stderr).toBe(
    `tau: a call was refused, because nobody can be asked (bash: it deletes ${home.path("precious.txt")}); allow it with a rule in tools.rules, or run it in a terminal\n`,
  );
});

test.each([
  ["tools.rules", '["denny bash(x)"]', "tools.rules.0: "],
  ["tools.rules", '["deny nosuch(x)"]', "there is no tool nosuch"],
  ["tools.projectRules", '{"shop": ["allow bash(x)"]}', "is not the absolute path of a project"],
  ["tools.approval", '{"bash": "promt"}', "did you mean prompt?"],
])("a rule that is none is not set: %s %s", async (key, value, why) => {
  await using embedding = await embed([]);
  const { home } = embedding;
  const told = await runTau(["config", "set", key, value], { cwd: home.root, home });
  expect(told.exitCode).toBe(2);
  expect(told.stderr).toContain(why);
  expect(existsSync(home.path(FILE))).toBe(false);
});
