// Hooks at moments that print mode does not have: a person who is asked, a compaction, a child session,
// Esc in the middle.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { ApprovalQuestion } from "@tau/agent/judge-call";
import { embed, saidIn, type Embedding } from "./support/embedded.ts";

const say = (text: string) => ({
  role: "user" as const,
  content: [{ type: "text" as const, text }],
  timestamp: 0,
});

async function withHooks(
  embedding: Embedding,
  hooks: Readonly<Record<string, string>>,
): Promise<void> {
  const document = Object.fromEntries(
    Object.entries(hooks).map(([event, command]) => [
      event,
      [{ hooks: [{ type: "command", command }] }],
    ]),
  );
  await embedding.home.write(".claude/settings.json", JSON.stringify({ hooks: document }));
}

const call = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const decision = (behavior: string): string =>
  `cat > request; echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior, message: "never" } } })}'`;

test.each([
  ["allow", "touch made", { asked: 0, made: true }],
  ["deny", "touch made", { asked: 0, made: false }],
  // A danger is for a person to decide.
  ["allow", "touch made; rm -rf ~/kept", { asked: 1, made: false }],
])("a PermissionRequest hook that says %s to %s", async (behavior, command, expected) => {
  await using embedding = await embed([call(command), { text: "Done." }]);
  await withHooks(embedding, { PermissionRequest: decision(behavior) });
  await embedding.home.write("kept/file", "x");
  const asked: ApprovalQuestion[] = [];
  await using session = await embedding.start({
    approvalMode: "always-ask",
    ask: async (question) => {
      asked.push(question);
      return { allowed: false };
    },
  });
  await session.prompt(say("go"));
  expect({ asked: asked.length, made: existsSync(embedding.home.path("made")) }).toEqual(expected);
  expect(JSON.parse(await readFile(embedding.home.path("request"), "utf8"))).toMatchObject({
    hook_event_name: "PermissionRequest",
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command },
  });
});

test("a person who is asked is called by a notification", async () => {
  await using embedding = await embed([call("touch made"), { text: "Done." }]);
  await withHooks(embedding, { Notification: "cat > told" });
  const session = await embedding.start({
    approvalMode: "always-ask",
    ask: async () => ({ allowed: true }),
  });
  await session.prompt(say("go"));
  await session[Symbol.asyncDispose]();
  expect(existsSync(embedding.home.path("made"))).toBe(true);
  expect(JSON.parse(await readFile(embedding.home.path("told"), "utf8"))).toMatchObject({
    notification_type: "permission_prompt",
  });
});

test("PreCompact is told what was asked for, and can prevent it", async () => {
  await using embedding = await embed([{ text: "One." }, { text: "A summary." }]);
  await withHooks(embedding, { PreCompact: "cat > told; echo 'Not now.' >&2; exit 2" });
  await using session = await embedding.start();
  await session.prompt(say("go"));
  expect(await session.compact({ instructions: "keep names" })).toEqual({
    type: "dropped",
    message: "A hook prevented it: Not now.",
  });
  expect(JSON.parse(await readFile(embedding.home.path("told"), "utf8"))).toMatchObject({
    trigger: "manual",
    custom_instructions: "keep names",
  });
});

test("after a compaction the hooks of the start speak again", async () => {
  // The summariser is asked without tools.
  await using embedding = await embed(({ decoded }) => ({
    text: decoded.tools.length === 0 ? "A summary." : "word ".repeat(9000),
  }));
  await withHooks(embedding, {
    SessionStart: `grep -o '"source":"[a-z]*"'`,
    PostCompact: "touch compacted",
  });
  await using session = await embedding.start();
  for (const words of ["one", "two", "three"]) await session.prompt(say(words));
  const report = await session.compact();
  expect(report.type).toBe("compacted");
  expect(existsSync(embedding.home.path("compacted"))).toBe(true);
  await session.prompt(say("and now"));
  expect(saidIn(embedding.server, 0).join("\n")).toContain('"source":"startup"');
  expect(saidIn(embedding.server, -1).join("\n")).toContain('"source":"compact"');
});

test("a session that works for another ends as a subagent does, and starts as none", async () => {
  await using embedding = await embed([{ text: "One." }, { text: "Two." }]);
  await withHooks(embedding, {
    SessionStart: "echo start >> log",
    Stop: "echo stop >> log",
    SubagentStop: "echo subagent >> log",
  });
  await using parent = await embedding.start();
  await parent.prompt(say("go"));
  await using child = await embedding.start({ parent });
  await child.prompt(say("help"));
  expect(await readFile(embedding.home.path("log"), "utf8")).toBe("start\nstop\nsubagent\n");
});

test("Esc ends a hook within a tenth of a second", async () => {
  await using embedding = await embed([call("touch made"), { text: "Never." }]);
  await withHooks(embedding, {
    PreToolUse: "trap '' TERM INT; touch begun; sleep 300 & sleep 300",
  });
  await using session = await embedding.start();
  const running = session.prompt(say("go"));
  while (!existsSync(embedding.home.path("begun"))) await Bun.sleep(10);
  const since = performance.now();
  await session.abort();
  const tookMs = performance.now() - since;
  expect((await running).reason).toBe("aborted");
  expect(tookMs).toBeLessThan(100);
});

test("a slow start keeps nobody waiting before the first request, and Esc stops it there", async () => {
  await using embedding = await embed([{ text: "Never." }]);
  await withHooks(embedding, { SessionStart: "touch begun; sleep 300" });
  const since = performance.now();
  await using session = await embedding.start();
  expect(performance.now() - since).toBeLessThan(5000);
  const running = session.prompt(say("go"));
  while (!existsSync(embedding.home.path("begun"))) await Bun.sleep(10);
  await session.abort();
  expect((await running).reason).toBe("aborted");
  expect(embedding.server.requests).toHaveLength(0);
});
