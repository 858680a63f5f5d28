// Hooks as other tools' users wrote them, in the running program: what they refuse, change, add and
// prolong, whose may run, and that nothing of them stays behind.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentTag } from "@tau/hashline/tag";
import { isZombie, processesWithMark } from "@tau/host/process/process-tree";
import type { Script } from "@tau/testkit/model-server";
import { extended, type Extended } from "./support/extended.ts";
import { root, spawnTau } from "./support/run-tau.ts";

interface Group {
  matcher?: string;
  hooks: readonly (string | Record<string, unknown>)[];
}

const groups = (given: Readonly<Record<string, readonly Group[]>>): string =>
  JSON.stringify({
    hooks: Object.fromEntries(
      Object.entries(given).map(([event, list]) => [
        event,
        list.map(({ matcher, hooks }) => ({
          matcher,
          hooks: hooks.map((hook) =>
            typeof hook === "string"
              ? { type: "command", command: hook }
              : { type: "command", ...hook },
          ),
        })),
      ]),
    ),
  });

/** The program with hooks in the user's own file. */
async function hooked(
  given: Readonly<Record<string, readonly Group[]>>,
  script: Script,
): Promise<Extended> {
  const program = await extended({}, script);
  await program.home.write(".claude/settings.json", groups(given));
  return program;
}

const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const there = (program: Extended, name: string): boolean => existsSync(join(program.cwd, name));
const json = (value: object): string => `echo '${JSON.stringify(value)}'`;
const lastOf = (program: Extended, at: number): string => program.requests()[at]!.at(-1)!;
const before = (permissionDecision: string, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision, ...more },
});

test("exit code 2 before a call blocks it, and its words are the reason", async () => {
  await using program = await hooked(
    {
      PreToolUse: [
        {
          matcher: "Bash",
          hooks: [`grep -q '"command":"touch made"' && { echo 'Not today.' >&2; exit 2; }; exit 0`],
        },
      ],
    },
    [bash("touch made"), bash("touch other"), { text: "I see." }],
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "go");
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: "I see.\n", stderr: "", exitCode: 0 });
  expect(lastOf(program, 1)).toBe("toolResult: Not today.");
  expect([there(program, "made"), there(program, "other")]).toEqual([false, true]);
});

test("JSON denies, and other tools are left alone", async () => {
  const deny = before("deny", { permissionDecisionReason: "Use the package manager." });
  await using program = await hooked({ PreToolUse: [{ matcher: "Bash", hooks: [json(deny)] }] }, [
    bash("touch made"),
    { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "x" } }] },
    { text: "Done." },
  ]);
  await program.run("-p", "go");
  expect(lastOf(program, 1)).toBe("toolResult: Use the package manager.");
  expect([there(program, "made"), there(program, "a.txt")]).toEqual([false, true]);
});

test("updatedInput is what runs", async () => {
  const change = before("allow", { updatedInput: { command: "touch instead" } });
  await using program = await hooked({ PreToolUse: [{ matcher: "Bash", hooks: [json(change)] }] }, [
    bash("touch made"),
    { text: "Done." },
  ]);
  await program.run("-p", "go");
  expect([there(program, "made"), there(program, "instead")]).toEqual([false, true]);
});

/** Replaces the first line of each, as a model does that has read them. */
const editOf = (...files: readonly string[]) => ({
  toolCalls: [
    {
      name: "edit",
      arguments: {
        input: files.map((file) => `¶${file}#${contentTag("a\n")}\nreplace 1..1:\n+b\n`).join(""),
      },
    },
  ],
});

const readOf = (path: string) => ({ toolCalls: [{ name: "read", arguments: { path } }] });

test("a change that the tool has no words for is refused", async () => {
  const change = before("allow", { updatedInput: { file_path: "/elsewhere" } });
  await using program = await hooked({ PreToolUse: [{ matcher: "Edit", hooks: [json(change)] }] }, [
    readOf("a.txt"),
    editOf("a.txt"),
    { text: "Done." },
  ]);
  await program.home.write("work/a.txt", "a\n");
  await program.run("-p", "go");
  expect(lastOf(program, 2)).toContain("cannot be said to the tool edit");
  expect(await readFile(join(program.cwd, "a.txt"), "utf8")).toBe("a\n");
});

test("a hook that looks at paths sees every file of an edit", async () => {
  const guard = `grep -q 'file_path":"[^"]*/b.txt","old_string":"a","new_string":"b"' && { echo 'Not b.txt.' >&2; exit 2; }; exit 0`;
  await using program = await hooked({ PreToolUse: [{ matcher: "Edit|Write", hooks: [guard] }] }, [
    readOf("a.txt"),
    readOf("b.txt"),
    editOf("a.txt", "b.txt"),
    editOf("a.txt"),
    { text: "Done." },
  ]);
  await program.home.write("work/a.txt", "a\n");
  await program.home.write("work/b.txt", "a\n");
  await program.run("-p", "go");
  expect(lastOf(program, 3)).toBe("toolResult: Not b.txt.");
  expect(await readFile(join(program.cwd, "a.txt"), "utf8")).toBe("b\n");
});

test("what hooks are told: names, inputs and variables that scripts know", async () => {
  await using program = await hooked(
    {
      PreToolUse: [
        { hooks: [`cat >> told; echo >> told; echo "$CLAUDE_PROJECT_DIR" > directory`] },
      ],
      PostToolUse: [{ matcher: "Edit|Write", hooks: ["cat >> after; echo >> after"] }],
      PostToolUseFailure: [{ matcher: "^Ba", hooks: ["cat > failed"] }],
    },
    [
      bash("false"),
      { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "x" } }] },
      { toolCalls: [{ name: "read", arguments: { path: "a.txt:1-5" } }] },
      { toolCalls: [{ name: "search", arguments: { pattern: "x", paths: "." } }] },
      { text: "Done." },
    ],
  );
  await program.run("-p", "go");
  const lines = async (name: string) =>
    (await readFile(join(program.cwd, name), "utf8"))
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, never>);
  const told = await lines("told");
  expect(told[0]).toMatchObject({
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "false" },
    cwd: program.cwd,
    permission_mode: "auto",
    session_id: expect.any(String),
    transcript_path: expect.stringContaining(".jsonl"),
    tool_use_id: expect.any(String),
    tau: { tool: "bash", arguments: { command: "false" } },
  });
  const file = join(program.cwd, "a.txt");
  expect(told.slice(1).map(({ tool_name, tool_input }) => [tool_name, tool_input])).toEqual([
    ["Write", { file_path: file, content: "x" }],
    ["Read", { file_path: file, offset: 1, limit: 5 }],
    ["Grep", { pattern: "x", path: program.cwd }],
  ] as never);
  expect(await lines("after")).toMatchObject([
    { tool_name: "Write", tool_response: { filePath: file, success: true } },
  ]);
  expect(await lines("failed")).toMatchObject([{ tool_name: "Bash", is_interrupt: false }]);
  expect(await readFile(join(program.cwd, "directory"), "utf8")).toBe(`${program.cwd}\n`);
});

test("after a call, an objection and context reach the model with the result", async () => {
  const context = {
    hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Lint: ok." },
  };
  await using program = await hooked(
    { PostToolUse: [{ hooks: ["echo 'Format it.' >&2; exit 2", json(context)] }] },
    [bash("echo ran"), { text: "Done." }],
  );
  await program.run("-p", "go");
  const result = lastOf(program, 1);
  expect(result).toContain("ran");
  expect(result).toContain('<hook event="PostToolUse">');
  expect(result).toContain("Lint: ok.");
  expect(result).toContain("Format it.");
});

test("what hooks say at the start and with a prompt is context", async () => {
  await using program = await hooked(
    {
      SessionStart: [
        { matcher: "startup", hooks: ["echo 'The build is red.'"] },
        { matcher: "resume", hooks: ["echo 'Welcome back.'"] },
      ],
      UserPromptSubmit: [{ hooks: ['grep -o \'"prompt":"[a-z]*"\''] }],
    },
    [{ text: "One." }, { text: "Two." }],
  );
  await program.run("-p", "first");
  await program.run("-p", "-c", "second");
  const [first, second] = program.requests().map((lines) => lines.join("\n"));
  expect(first).toContain("The build is red.");
  expect(first).not.toContain("Welcome back.");
  expect(first).toContain('"prompt":"first"');
  expect(second).toContain("Welcome back.");
});

test("a prompt that is rejected is not sent, and the user is told why", async () => {
  await using program = await hooked(
    { UserPromptSubmit: [{ hooks: ["echo 'There is a key in it.' >&2; exit 2"] }] },
    [{ text: "Never." }],
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "my key is 1234");
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr).toContain("the prompt was rejected: There is a key in it.");
  expect(program.requests()).toEqual([]);
});

test("Stop makes the model go on, and knows that it did", async () => {
  await using program = await hooked(
    {
      Stop: [
        {
          hooks: [
            `cat >> stops; tail -1 stops | grep -q '"stop_hook_active":true' || { echo 'Run the tests.' >&2; exit 2; }`,
          ],
        },
      ],
    },
    [{ text: "Done." }, { text: "Tested." }],
  );
  const { stdout } = await program.run("-p", "go");
  expect(stdout).toBe("Tested.\n");
  expect(lastOf(program, 1)).toBe("user: Run the tests.");
});

test("a Stop hook that never agrees is bounded, and told of", async () => {
  await using program = await hooked(
    { Stop: [{ hooks: [json({ decision: "block", reason: "More." })] }] },
    Array.from({ length: 20 }, (_, at) => ({ text: `Answer ${at}.` })),
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "go");
  expect({ stdout, exitCode }).toEqual({ stdout: "Answer 8.\n", exitCode: 0 });
  expect(stderr).toContain("objected 8 times");
});

test("a hook that takes too long, or is not there, blocks the call: a guard fails closed", async () => {
  await using program = await hooked(
    {
      PreToolUse: [
        { matcher: "Bash", hooks: [{ command: "sleep 60", timeout: 0.2 }] },
        { matcher: "Write", hooks: ["/nowhere/guard"] },
      ],
    },
    [
      bash("touch made"),
      { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "x" } }] },
      { text: "Done." },
    ],
  );
  const { stderr } = await program.run("-p", "go");
  expect(lastOf(program, 1)).toContain("did not end within 0.2 s");
  expect(lastOf(program, 2)).toContain("could not be run");
  expect([there(program, "made"), there(program, "a.txt")]).toEqual([false, false]);
  expect(stderr).toContain("did not end within 0.2 s");
});

test("any other exit code stops nothing, and the user is told", async () => {
  await using program = await hooked(
    { PreToolUse: [{ hooks: ["echo 'no jq here' >&2; exit 1"] }] },
    [bash("touch made"), { text: "Done." }],
  );
  const { stderr } = await program.run("-p", "go");
  expect(there(program, "made")).toBe(true);
  expect(stderr).toContain("exited with 1: no jq here");
});

test("hooks of one event run side by side", async () => {
  // Each waits for the other: one after the other they would never end.
  const meet = (own: string, other: string): string =>
    `touch ${own}; for i in $(seq 100); do [ -e ${other} ] && exit 0; sleep 0.05; done; exit 2`;
  await using program = await hooked(
    { PreToolUse: [{ hooks: [meet("a", "b")] }, { matcher: "Bash", hooks: [meet("b", "a")] }] },
    [bash("touch made"), { text: "Done." }],
  );
  await program.run("-p", "go");
  expect(there(program, "made")).toBe(true);
});

test("a hook can end everything, and say why", async () => {
  await using program = await hooked(
    { PostToolUse: [{ hooks: [json({ continue: false, stopReason: "The budget is spent." })] }] },
    [bash("touch made"), { text: "Never." }],
  );
  const { stderr, exitCode } = await program.run("-p", "go");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("The budget is spent.");
  expect(program.requests()).toHaveLength(1);
});

test("what hooks say to the user arrives", async () => {
  await using program = await hooked({ Stop: [{ hooks: [json({ systemMessage: "Saved." })] }] }, [
    { text: "Done." },
  ]);
  const { stdout, stderr } = await program.run("-p", "go");
  expect({ stdout, stderr }).toEqual({ stdout: "Done.\n", stderr: "tau: Saved.\n" });
});

const ALLOW = json(before("allow"));

test("a user's hook may allow what only the mode would ask about, and never a danger", async () => {
  await using program = await hooked({ PreToolUse: [{ hooks: [ALLOW] }] }, [
    bash("touch made"),
    bash("rm -rf ~/kept"),
    { text: "Done." },
  ]);
  await program.home.write("kept/file", "here");
  await program.run("-p", "go", "--approval-mode", "always-ask");
  expect(there(program, "made")).toBe(true);
  expect(existsSync(program.home.path("kept/file"))).toBe(true);
  expect(lastOf(program, 2)).toContain("Refused");
});

test("ask asks, whatever the mode", async () => {
  const ask = before("ask", { permissionDecisionReason: "it looks odd" });
  await using program = await hooked({ PreToolUse: [{ hooks: [json(ask), ALLOW] }] }, [
    bash("touch made"),
    { text: "Done." },
  ]);
  await program.run("-p", "go");
  expect(there(program, "made")).toBe(false);
  expect(lastOf(program, 1)).toContain("it looks odd");
});

test("a project's hooks run only once it is trusted, and then cannot allow anything", async () => {
  await using program = await extended({}, [
    bash("touch first"),
    { text: "One." },
    bash("touch second"),
    { text: "Two." },
  ]);
  const script = join("work", ".claude", "hooks", "guard.sh");
  await program.home.write(script, `touch ran\n${ALLOW}\n`);
  const command = 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';
  await program.home.write(
    "work/.claude/settings.json",
    groups({ PreToolUse: [{ hooks: [command] }] }),
  );
  const mode = ["--approval-mode", "always-ask"];
  const untrusted = await program.run("-p", "go", ...mode);
  expect(untrusted.stderr).toContain("its hooks do not run");
  expect([there(program, "ran"), there(program, "first")]).toEqual([false, false]);
  const shown = await program.command("trust");
  expect(shown.stdout).toContain(`runs: ${command}`);
  await program.command("trust", "allow");
  const trusted = await program.run("-p", "go", ...mode);
  expect(trusted.stderr).not.toContain("its hooks do not run");
  expect([there(program, "ran"), there(program, "second")]).toEqual([true, false]);
  // Bound to the script as it was.
  await program.home.write(script, "touch evil\n");
  expect((await program.command("trust", "status")).stdout).toContain(": changed\n");
});

test("a project's hook that the session rewrote does not run, and what it guards is blocked", async () => {
  const rewrite = { path: ".claude/hooks/guard.sh", content: "touch evil\n" };
  await using program = await extended({}, [
    bash("touch first"),
    { toolCalls: [{ name: "write", arguments: rewrite }] },
    bash("touch second"),
    bash("touch third"),
    { text: "Done." },
  ]);
  await program.home.write("work/.claude/hooks/guard.sh", "touch ran\n");
  const command = 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';
  const hooks = [{ hooks: [command] }];
  await program.home.write(
    "work/.claude/settings.json",
    groups({ PreToolUse: hooks, PostToolUse: hooks, Stop: hooks }),
  );
  await program.command("trust", "allow");
  const { stderr } = await program.run("-p", "go", "--approval-mode", "yolo");
  expect(await readFile(join(program.cwd, rewrite.path), "utf8")).toBe(rewrite.content);
  const made = ["ran", "first", "evil", "second", "third"].filter((name) => there(program, name));
  expect(made).toEqual(["ran", "first"]);
  for (const at of [3, 4]) expect(lastOf(program, at)).toContain("have changed since you allowed");
  expect(stderr.match(/have changed since you allowed/g)).toHaveLength(1);
});

test("hooks of codex and of Tau's own settings run too, and a source can be switched off", async () => {
  await using program = await extended({}, [{ text: "One." }, { text: "Two." }]);
  await program.home.write(".codex/hooks.json", groups({ Stop: [{ hooks: ["touch codex"] }] }));
  await program.home.write(
    ".codex/config.toml",
    'notify = ["sh", "-c", "printf %s \\"$1\\" > told", "notify"]\n[[hooks.SessionEnd]]\n[[hooks.SessionEnd.hooks]]\ntype = "command"\ncommand = "touch toml"\n',
  );
  const own =
    "retry: { enabled: false }\nhooks: { Stop: [{ hooks: [{ type: command, command: touch own }] }] }\n";
  await program.home.write(".tau/agent/config.yml", own);
  const first = await program.run("-p", "go");
  expect(first.stderr).toBe("");
  expect(["codex", "toml", "own"].map((name) => there(program, name))).toEqual([true, true, true]);
  expect(JSON.parse(await readFile(join(program.cwd, "told"), "utf8"))).toMatchObject({
    type: "agent-turn-complete",
    cwd: program.cwd,
    "input-messages": ["go"],
    "last-assistant-message": "One.",
  });
  const sources = await program.command("config", "sources", "hooks");
  expect(sources.stdout).toContain("runs: touch codex");
  expect(sources.stdout).toContain("runs: touch own");
  await program.home.write("work/codex.off", "");
  await program.home.write(".codex/hooks.json", groups({ Stop: [{ hooks: ["touch again"] }] }));
  await program.home.write(".tau/agent/config.yml", `disabledSources: [codex]\n${own}`);
  await program.run("-p", "go");
  expect(there(program, "again")).toBe(false);
});

test("what Tau cannot run is told by name and file", async () => {
  await using program = await hooked(
    {
      Stop: [{ hooks: [{ type: "prompt", prompt: "Is it done?" }] }],
      TeammateIdle: [{ hooks: ["true"] }],
      PreToolUse: [{ matcher: "[", hooks: ["true"] }],
    },
    [{ text: "Done." }],
  );
  const { stderr } = await program.run("-p", "go");
  expect(stderr).toContain(
    "~/.claude/settings.json: Stop: a hook of type prompt is not supported (Is it done?)",
  );
  expect(stderr).toContain("TeammateIdle never run");
  expect(stderr).toContain('the matcher "[" is not a usable pattern');
});

test("a hook's daemon does not outlive Tau", async () => {
  const mark = `HOOK_TEST=${crypto.randomUUID()}`;
  await using program = await hooked(
    { Stop: [{ hooks: [`${mark} setsid sleep 300 >/dev/null 2>&1 & echo`] }] },
    [{ text: "Done." }],
  );
  const { exitCode } = await program.run("-p", "go");
  expect(exitCode).toBe(0);
  expect(processesWithMark(mark).filter((pid) => !isZombie(pid))).toEqual([]);
});

test("an interrupt stops a hook at once", async () => {
  await using program = await hooked({ PreToolUse: [{ hooks: ["touch begun; sleep 300"] }] }, [
    bash("touch made"),
    { text: "Never." },
  ]);
  const env = { OLLAMA_BASE_URL: program.server.baseUrl("openai-completions") };
  const child = spawnTau(["-m", "ollama/x", "-p", "go"], {
    cwd: program.cwd,
    home: program.home,
    env,
  });
  while (!there(program, "begun")) await Bun.sleep(20);
  const since = performance.now();
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  expect(performance.now() - since).toBeLessThan(2000);
  expect(there(program, "made")).toBe(false);
});

test("the example of the page about hooks does what it says", async () => {
  await using program = await extended({}, [
    bash("git push origin main"),
    { text: "As you wish." },
  ]);
  const page = await readFile(join(root, "docs/hooks.md"), "utf8");
  const [, example] = /```json\n([\s\S]*?)```/.exec(page)!;
  await program.home.write(".claude/settings.json", example!);
  await program.run("-p", "push it");
  expect(program.requests()[0]!.join("\n")).toContain("Today we only fix bugs.");
  expect(lastOf(program, 1)).toBe("toolResult: Do not push; I do that myself.");
});
