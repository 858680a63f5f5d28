// Consent as users meet it: what is refused where nobody can be asked, what is asked in the
// terminal, and what "always" means the next time.

import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import type { ApprovalQuestion } from "@tau/agent/judge-call";
import type { CallPreview } from "@tau/agent/tool";
import { textOf, userText } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { mkdir, readFile } from "node:fs/promises";
import { answer, armed } from "./support/consent.ts";
import { embed } from "./support/embedded.ts";
import { launcher, runTau } from "./support/run-tau.ts";

async function project(home: IsolatedHome): Promise<string> {
  await mkdir(home.path("work"), { recursive: true });
  await home.write("precious.txt", "mine\n");
  return home.path("work");
}

/** The temporary directory of a test home is its own, so that the rest of the home is outside. */
const env = (server: ModelServer) => ({
  OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  TAU_NO_TITLE: "1",
});

const remove = { toolCalls: [{ name: "bash", arguments: { command: "rm ../precious.txt" } }] };

function resultsIn(server: ModelServer, at: number): string {
  const { messages } = server.requests.at(at)!.decoded;
  return messages
    .filter(({ role }) => role === "toolResult")
    .map(textOf)
    .join("\n");
}

test("where nobody can be asked, what is dangerous is refused with a reason", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await using server = await ModelServer.start([remove, { text: "I may not." }]);
  const args = ["-p", "-m", "ollama/x", "delete it"];
  const result = await runTau(args, { cwd, home, env: env(server) });
  expect(result).toMatchObject({ exitCode: 0, stdout: "I may not.\n" });
  expect(existsSync(home.path("precious.txt"))).toBe(true);
  expect(resultsIn(server, 1)).toContain("needs a person's consent");
  expect(resultsIn(server, 1)).toContain("precious.txt");
});

test("--yolo asks about nothing; a refusal in the settings holds all the same", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await using server = await ModelServer.start((_request, turn) =>
    turn % 2 === 1 ? remove : { text: "done" },
  );
  const args = ["-p", "-m", "ollama/x", "--yolo", "delete it"];
  await home.write(".tau/agent/config.yml", "tools:\n  rules:\n    - deny bash(rm *)\n");
  await runTau(args, { cwd, home, env: env(server) });
  expect(resultsIn(server, 1)).toContain("Your settings refuse");
  await home.write(".tau/agent/config.yml", "{}\n");
  await runTau(args, { cwd, home, env: env(server) });
  expect(existsSync(home.path("precious.txt"))).toBe(false);
});

test("reading is never asked about, even where everything else is", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  const look = {
    name: "bash",
    arguments: { command: "ls -la | grep x; cat ../precious.txt | wc -l" },
  };
  await using server = await ModelServer.start([{ toolCalls: [look] }, { text: "seen" }]);
  const args = ["-p", "-m", "ollama/x", "--approval-mode", "always-ask", "look"];
  await runTau(args, { cwd, home, env: env(server) });
  expect(resultsIn(server, 1)).toContain("1");
  expect(resultsIn(server, 1)).not.toContain("consent");
});

test("in the terminal it is asked; always means always", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await using server = await ModelServer.start((_request, turn) =>
    turn % 2 === 1 ? remove : { text: `answer ${turn}` },
  );
  const open = () =>
    runInTerminal([launcher, "-m", "ollama/x"], {
      cwd,
      env: { ...home.env, ...env(server) },
    });
  {
    await using terminal = open();
    await terminal.waitFor("›");
    terminal.send("delete it");
    terminal.press("enter");
    await terminal.waitFor("bash asks");
    expect(terminal.screen().join("\n")).toContain("rm ../precious.txt");
    expect(terminal.text()).toContain("› delete it");
    await answer(terminal, "n");
    await terminal.waitFor("answer 2");
    expect(existsSync(home.path("precious.txt"))).toBe(true);
    expect(resultsIn(server, 1)).toContain("The user said no");
    terminal.send("do it");
    terminal.press("enter");
    await answer(terminal, "a");
    await terminal.waitFor("answer 4");
    expect(existsSync(home.path("precious.txt"))).toBe(false);
  }
  await home.write("precious.txt", "again\n");
  const args = ["-p", "-m", "ollama/x", "once more"];
  await runTau(args, { cwd, home, env: env(server) });
  expect(existsSync(home.path("precious.txt"))).toBe(false);
});

test.each([8, 10, 12])("on a screen of %p rows all answers are in sight", async (rows) => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  const command = `rm ../precious.txt\n${"# and so on\n".repeat(20)}`;
  await using server = await ModelServer.start(() => ({
    toolCalls: [{ name: "bash", arguments: { command } }],
  }));
  await using terminal = runInTerminal([launcher, "-m", "ollama/x"], {
    cwd,
    env: { ...home.env, ...env(server) },
    rows,
  });
  await terminal.waitFor("ollama/x");
  terminal.send("delete it");
  terminal.press("enter");
  await armed(terminal);
  const seen = terminal.screen().join("\n");
  expect(seen).toContain("rm ../precious.txt");
  expect(seen).toContain("more rows");
  expect(seen).toContain("Danger: it deletes");
  for (const letter of ["y", "s", "a", "n", "t"]) {
    expect(seen).toMatch(new RegExp(` ${letter}  (Yes|No)`));
  }
});

interface Kept {
  tool: string;
  args: Record<string, unknown>;
  /** The same again, as a model may spell it next time. */
  again?: Record<string, unknown>;
  subjects: string[];
}

const cell = (title: string) => ({ language: "js", code: "1 + 1\n", title });

test.each<Kept>([
  {
    tool: "bash",
    args: { command: "touch a*b && mkdir -p x" },
    again: { command: "mkdir -p x; touch a*b" },
    subjects: ["touch a*b", "mkdir -p x"],
  },
  {
    tool: "write",
    args: { path: "./new.txt", content: "one\n" },
    again: { content: "two\n", path: "new.txt" },
    subjects: ["new.txt"],
  },
  {
    tool: "eval",
    args: { cells: [cell("first")] },
    again: { cells: [cell("second")] },
    subjects: ["js: 1 + 1"],
  },
])("$tool: what is allowed for good is not asked about again", async (kept) => {
  const { tool, args, again = args, subjects } = kept;
  const call = (given: Record<string, unknown>) => ({
    toolCalls: [{ name: tool, arguments: given }],
  });
  await using embedding = await embed([
    call(args),
    call(again),
    { text: "both done" },
    call(again),
    { text: "and once more" },
  ]);
  await embedding.home.write("work/keep", "");
  // A comment in the list, and a rule that the new one has to outweigh.
  const settings = `tools:\n  rules:\n    - prompt ${tool} # ask me\n`;
  await embedding.home.write(".tau/agent/config.yml", settings);
  const asked: ApprovalQuestion[] = [];
  const options = {
    cwd: embedding.home.path("work"),
    approvalMode: "always-ask" as const,
    ask: async (question: ApprovalQuestion) => {
      asked.push(question);
      return { allowed: true, remember: "always" } as const;
    },
  };
  const first = await embedding.start(options);
  expect(await first.prompt(userText("go"))).toEqual({ reason: "done" });
  await first[Symbol.asyncDispose]();
  const second = await embedding.start(options);
  await second.prompt(userText("again"));
  await second[Symbol.asyncDispose]();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ subjects });
  expect(asked[0]!.rules).toHaveLength(subjects.length);
  const file = await readFile(embedding.home.path(".tau/agent/config.yml"), "utf8");
  expect(file).toContain("# ask me");
});

test("a question about a file shows what would change, without changing it", async () => {
  const write = { name: "write", arguments: { path: "a.txt", content: "one\nzwei\n" } };
  const edit = {
    name: "edit",
    arguments: { path: "a.txt", edits: [{ oldText: "two", newText: "zwei" }] },
  };
  const wrong = {
    name: "edit",
    arguments: { path: "a.txt", edits: [{ oldText: "none", newText: "x" }] },
  };
  await using embedding = await embed([{ toolCalls: [write, edit, wrong] }, { text: "no" }]);
  await embedding.home.write("work/a.txt", "one\ntwo\n");
  const previews: (CallPreview | undefined)[] = [];
  const session = await embedding.start({
    cwd: embedding.home.path("work"),
    approvalMode: "always-ask",
    settings: { tools: { editMode: "replace" } },
    ask: async ({ preview }) => {
      previews.push(await preview?.());
      return { allowed: false };
    },
  });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  const diff = expect.stringContaining("-two\n+zwei") as string;
  const files = [{ path: "a.txt", op: "update" as const, diff }];
  expect(previews[0]).toEqual({ files });
  expect(previews[1]).toMatchObject({ files });
  expect(previews[2]).toEqual({ files: [], problem: expect.any(String) as string });
  expect(await readFile(embedding.home.path("work/a.txt"), "utf8")).toBe("one\ntwo\n");
});

test("a rule for a call with a secret in it is put down without the secret, and fits", async () => {
  const secret = "hunter2-hunter2";
  const call = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
  await using embedding = await embed((request, turn) => {
    const said = JSON.stringify(request.decoded.messages);
    const placeholder = /#[A-Z2-9]{8}#/.exec(said)?.[0] ?? "none";
    return turn <= 2 ? call(`touch ${placeholder}`) : { text: "ok" };
  });
  await embedding.home.write(".tau/agent/config.yml", "secrets:\n  enabled: true\n");
  await embedding.home.write(".tau/agent/secrets.yml", `- type: plain\n  content: ${secret}\n`);
  await embedding.home.write("work/keep", "");
  const asked: ApprovalQuestion[] = [];
  const session = await embedding.start({
    cwd: embedding.home.path("work"),
    approvalMode: "always-ask",
    ask: async (question) => {
      asked.push(question);
      return { allowed: true, remember: "always" };
    },
  });
  await session.prompt(userText(`make a file ${secret}`));
  await session[Symbol.asyncDispose]();
  expect(existsSync(embedding.home.path(`work/${secret}`))).toBe(true);
  expect(asked).toHaveLength(1);
  const file = await readFile(embedding.home.path(".tau/agent/config.yml"), "utf8");
  expect(file).toContain("allow bash(touch #");
  expect(file).not.toContain(secret);
});

test("another tool's permissions count: the user's own, and a trusted project's", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
  await home.write(".claude/settings.json", '{"permissions":{"deny":["Bash(touch mine:*)"]}}');
  await home.write(
    "work/.claude/settings.json",
    '{"permissions":{"allow":["Bash(touch ours:*)"]}}',
  );
  const touch = (name: string) => ({ name: "bash", arguments: { command: `touch ${name}` } });
  await using server = await ModelServer.start((_request, turn) =>
    turn % 2 === 1 ? { toolCalls: [touch("mine"), touch("ours")] } : { text: "done" },
  );
  const args = ["-p", "-m", "ollama/x", "--approval-mode", "always-ask", "go"];
  await runTau(args, { cwd, home, env: env(server) });
  expect(resultsIn(server, -1)).toContain("Your settings refuse this call");
  expect(existsSync(home.path("work/ours"))).toBe(false);
  await runTau(["trust", "allow"], { cwd, home });
  await runTau(args, { cwd, home, env: env(server) });
  expect(existsSync(home.path("work/ours"))).toBe(true);
  expect(existsSync(home.path("work/mine"))).toBe(false);
});

test("what held for the session only is said once when it is resumed, and asked about again", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await home.write("work/.keep", "");
  const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] };
  await using server = await ModelServer.start((_request, turn) =>
    turn % 2 === 1 ? touch : { text: `answer ${turn}` },
  );
  const start = (...args: string[]) =>
    runInTerminal([launcher, "-m", "ollama/x", ...args], {
      cwd,
      env: { ...home.env, ...env(server) },
    });
  {
    await using first = start();
    await first.waitFor("›");
    first.send("/approval always-ask\r");
    await first.waitFor("Approval is always-ask in this session.");
    first.send("go\r");
    await armed(first);
    first.send("s");
    await first.waitFor("answer 2");
    first.send("go on\r");
    // Not asked again.
    await first.waitFor("answer 4");
    first.press("ctrl+d");
    await first.exited;
  }
  const opened = await runTau(
    ["-c", "-p", "-m", "ollama/x", "--approval-mode", "always-ask", "more"],
    {
      cwd,
      home,
      env: env(server),
    },
  );
  const [ended, refused] = opened.stderr.split("\n");
  expect(ended).toBe('tau: your answers "for this session" ended: bash(touch made)');
  expect(refused).toStartWith("tau: a call was refused, because nobody can be asked (bash: it ");
  expect(resultsIn(server, -1)).toContain("needs a person's consent");
  await using again = start("-c");
  await again.waitFor("answer 6");
  expect(again.scrollback().join("\n")).not.toContain("for this session");
});

test("opening a session alone does not settle what it has to say", async () => {
  await using embedding = await embed([{ text: "hello" }, { text: "again" }]);
  const first = await embedding.start();
  await first.prompt(userText("hi"));
  const { findSessionCommand } = await import("../packages/tau/src/session/session-command.ts");
  const { command, argument } = findSessionCommand(first.commands, "/approval yolo")!;
  await command.run({ session: first }, argument);
  await first[Symbol.asyncDispose]();
  const resumed = { session: { kind: "resume" as const, wanted: first.id } };
  const noticesOf = async (prompt?: string): Promise<string> => {
    const { session, notices } = await embedding.open(resumed);
    if (prompt !== undefined) await session.prompt(userText(prompt));
    await session[Symbol.asyncDispose]();
    return notices.join("\n");
  };
  const said = "approval is auto now; /approval yolo brings back the mode that this session had";
  expect([await noticesOf(), await noticesOf("go on"), await noticesOf()]).toEqual([
    said,
    said,
    "",
  ]);
});
