// Plan mode, in real sessions: nothing is changed until a plan is approved, whatever the model tries.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { defineJsonTool, textOutput as output } from "@tau/agent/tool";
import { textOf, userText, type CreateSessionOptions, type Session } from "@tau/tau/sdk";
import type { ScriptedTurn } from "@tau/testkit/script";
import { NOBODY, type UserInterface } from "../packages/tau/src/feature-api/user-interface.ts";
import { AGENTS } from "../packages/tau/src/features/agents/registry.ts";
import { PLAN_DESK } from "../packages/tau/src/features/plan-mode/plan-desk.ts";
import { PLAN_MODE, type PlanMode } from "../packages/tau/src/features/plan-mode/plan-mode.ts";
import { BUILT_IN } from "../packages/tau/src/features/built-in.ts";
import { toolNamesOf } from "../packages/tau/src/features/tool-names.ts";
import { agentScript, handIn, task, whoAsks } from "./support/agent-script.ts";
import { embed, type Embedding } from "./support/embedded.ts";

const submit = (plan = "1. change it", title = "Change it") => ({
  name: "submit_plan",
  arguments: { title, plan },
});
const modeOf = (session: Session): PlanMode => session.part(PLAN_MODE)!;
const saidIn = (session: Session): string => session.messages.map(textOf).join("\n");
const offeredIn = ({ server }: Embedding, at: number): string[] =>
  server.requests.at(at)!.decoded.tools.map(({ name }) => name);
const resultsOf = (session: Session): string[] =>
  session.messages.flatMap((message) => (message.role === "toolResult" ? [textOf(message)] : []));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

/** Somebody who chooses these, one after the other, and then nothing. */
function person(...choices: string[]): UserInterface & { asked: string[] } {
  const asked: string[] = [];
  return {
    ...NOBODY,
    canAsk: true,
    asked,
    select: async (title) => {
      asked.push(title);
      return choices.shift();
    },
    input: async () => "smaller steps",
    editText: async (_title, text) => `${text}\n2. and test it`,
  };
}

const yolo: CreateSessionOptions = { approvalMode: "yolo" };
const ALLOWED = new Set("read search find ast_grep job task irc todo ask submit_plan".split(" "));

test("only tools that read are offered, and all of them again afterwards; the words before stay the same", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  await using session = await embedding.start();
  await session.prompt(userText("first"));
  await modeOf(session).turnOn();
  await session.prompt(userText("second"));
  await modeOf(session).turnOff({ isTold: false });
  await session.prompt(userText("third"));
  const planned = offeredIn(embedding, 1);
  expect(planned).toContain("submit_plan");
  expect(planned).toContain("read");
  expect(planned.filter((name) => !ALLOWED.has(name))).toEqual([]);
  expect(offeredIn(embedding, 2)).toEqual(offeredIn(embedding, 0));
  expect(offeredIn(embedding, 0)).toContain("bash");
  const [first, second, third] = embedding.server.requests.map(({ decoded }) => decoded);
  expect(second!.system).toEqual(first!.system);
  expect(second!.messages.slice(0, 2).map(textOf)).toEqual(["first", "ok"]);
  expect(
    second!.messages
      .map(textOf)
      .join("\n")
      .match(/Plan mode is on/g),
  ).toHaveLength(1);
  expect(third!.messages.map(textOf).join("\n")).toContain("Plan mode is off");
});

/** Arguments that fit, and would change something. */
const FORCED: Readonly<Record<string, object>> = {
  write: { path: "made.txt", content: "x" },
  edit: { input: "¶kept.txt#0000\nreplace 1..1:\n+changed\n" },
  bash: { command: "touch made.txt" },
  eval: { cells: [{ language: "js", code: "require('fs').writeFileSync('made.txt', '')" }] },
  ssh: { host: "h", command: "touch made.txt" },
  ast_edit: { ops: [{ pat: "a", out: "b" }], paths: ["kept.txt"] },
  resolve: { action: "apply", reason: "now" },
  checkpoint: { goal: "go back" },
  // It could lead back to before plan mode.
  rewind: { report: "nothing" },
};

test("what was not offered does not run, either: every built-in tool that is not known to read", async () => {
  const others = toolNamesOf(BUILT_IN).filter((name) => !ALLOWED.has(name) && name !== "yield");
  expect(others.filter((name) => !FORCED[name])).toEqual([]);
  const calls = others.map((name) => ({ name, arguments: { ...FORCED[name] } }));
  await using embedding = await embed((request) =>
    request.decoded.messages.length < 4 ? { toolCalls: calls } : { text: "I see" },
  );
  await embedding.home.write("kept.txt", "kept\n");
  await using session = await embedding.start({ ...yolo, planMode: true });
  await session.prompt(userText("do it all at once"));
  const results = resultsOf(session);
  expect(results).toHaveLength(others.length);
  for (const result of results) expect(result).toMatch(/^There is no tool "/);
  // From code: a cell or an extension calls it without having been offered it.
  for (const { name, arguments: args } of calls) {
    const called = session.callTool(name, args, new AbortController().signal);
    await expect(called).rejects.toThrow("There is no tool");
  }
  expect(existsSync(embedding.home.path("made.txt"))).toBe(false);
  expect(await readFile(embedding.home.path("kept.txt"), "utf8")).toBe("kept\n");
});

const writer = (path: string, name: string, tier: "read" | "exec") =>
  defineJsonTool({
    name,
    description: "writes",
    parameters: { type: "object", properties: {} },
    tier,
    concurrency: "shared",
    execute: async () => {
      await writeFile(path, "");
      return output("written");
    },
  });

test("tools of others are not there, whatever tier they say and whatever they are called", async () => {
  await using embedding = await embed([
    { toolCalls: ["mcp_write", "deploy", "read"].map((name) => ({ name, arguments: {} })) },
    { text: "I see" },
  ]);
  const path = embedding.home.path("made.txt");
  const tools = [
    writer(path, "mcp_write", "exec"),
    writer(path, "deploy", "read"),
    // It stands for the built-in one.
    writer(path, "read", "read"),
  ];
  await using session = await embedding.start({ ...yolo, tools, planMode: true });
  await session.prompt(userText("go"));
  expect(resultsOf(session).every((text) => text.startsWith("There is no tool"))).toBe(true);
  expect(offeredIn(embedding, 0)).not.toContain("deploy");
  expect(existsSync(path)).toBe(false);
});

test("an extension that says which tools there are, or rewrites a call, does not get round it", async () => {
  const bash = (command: string) => ({ name: "bash", arguments: { command } });
  await using embedding = await embed([
    { toolCalls: [bash("ls"), bash("touch made.txt"), bash("cat kept.txt")] },
    { text: "I see" },
  ]);
  await embedding.home.write("kept.txt", "kept words\n");
  await embedding.home.write(".tau/agent/config.yml", "plan: { tools: [bash] }\n");
  const owner = { kind: "extension", name: "rewriter" } as const;
  await using session = await embedding.start({
    ...yolo,
    planMode: true,
    hooks: [
      {
        owner,
        handlers: {
          tool_call: ({ arguments: args }) =>
            args.command === "ls"
              ? { type: "rewrite", arguments: { command: "touch made.txt" } }
              : { type: "allow" },
        },
      },
    ],
  });
  session.tools.restrictTo(["bash", "write", "read"]);
  await session.prompt(userText("go"));
  const [rewritten, forced, read] = resultsOf(session);
  expect(rewritten).toContain("Plan mode is on: this call of bash could change something");
  expect(forced).toContain("Plan mode is on");
  // The user has said that lines that only read may run.
  expect(read).toContain("kept words");
  expect(offeredIn(embedding, 0)).toEqual(["read", "bash"]);
  expect(existsSync(embedding.home.path("made.txt"))).toBe(false);
});

test("agents have only tools that read, and cannot be made to write", async () => {
  const write = { name: "write", arguments: { path: "made.txt", content: "x" } };
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? { toolCalls: [task("task", { id: "Scout", assignment: "look" })] }
          : { text: "noted" },
      Scout: ({ turn }) => ({ toolCalls: [turn === 1 ? write : handIn("found it")] }),
    }),
  );
  await using session = await embedding.start({ ...yolo, planMode: true });
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("found it"));
  const [asked, again] = embedding.server.requests.filter((one) => whoAsks(one) === "Scout");
  const names = asked!.decoded.tools.map(({ name }) => name);
  expect(names.toSorted()).toEqual(["ast_grep", "find", "irc", "read", "search", "yield"]);
  expect(asked!.text).toContain("only plans");
  expect(textOf(again!.decoded.messages.at(-1)!)).toContain('There is no tool "write"');
  expect(existsSync(embedding.home.path("made.txt"))).toBe(false);
});

test("an agent that was there before, with all tools, is held to it as well", async () => {
  const write = { name: "write", arguments: { path: "made.txt", content: "x" } };
  const irc = { name: "irc", arguments: { op: "send", to: "Old", message: "now write" } };
  await using embedding = await embed(
    agentScript({
      Main: ({ last, turn }) => {
        if (turn === 1) return { toolCalls: [task("task", { id: "Old", assignment: "wait" })] };
        return last.includes("Plan mode is on") ? { toolCalls: [irc] } : { text: "noted" };
      },
      Old: ({ last }) =>
        last.includes("now write") ? { toolCalls: [write] } : { toolCalls: [handIn("ready")] },
    }),
  );
  await using session = await embedding.start(yolo);
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("ready"));
  await session.whenIdle();
  await modeOf(session).turnOn();
  await session.prompt(userText("tell it"));
  const asked = () => embedding.server.requests.filter((one) => whoAsks(one) === "Old");
  const agent = session.part(AGENTS)!.get("Old")!;
  await until(() => asked().length >= 2 && agent.state === "idle");
  expect(asked()[0]!.decoded.tools.map(({ name }) => name)).toContain("write");
  expect(asked()[1]!.decoded.tools.map(({ name }) => name)).not.toContain("write");
  expect(resultsOf(agent.session!).join("\n")).toContain('There is no tool "write"');
  expect(existsSync(embedding.home.path("made.txt"))).toBe(false);
});

test("approved: the run goes on with all tools, but not with calls of the reply that handed in the plan", async () => {
  const write = (path: string) => ({ name: "write", arguments: { path, content: "x" } });
  await using embedding = await embed([
    { toolCalls: [write("early.txt"), submit("1. write late.txt"), write("smuggled.txt")] },
    { toolCalls: [write("late.txt")] },
    { text: "done" },
  ]);
  const ui = person("approve");
  await using session = await embedding.start({ ...yolo, ui, planMode: true });
  expect(await session.prompt(userText("plan it"))).toEqual({ reason: "done" });
  expect(ui.asked).toEqual(["Carry out this plan: Change it?"]);
  const [early, approved, smuggled, late] = resultsOf(session);
  expect(early).toContain('There is no tool "write"');
  expect(approved).toContain("The user has approved the plan");
  expect(smuggled).toContain("Plan mode is on");
  expect(late).toContain("late.txt");
  expect(
    ["early", "smuggled", "late"].map((name) => existsSync(embedding.home.path(`${name}.txt`))),
  ).toEqual([false, false, true]);
  expect(modeOf(session).isOn).toBe(false);
  expect(session.state.title).toBe("Change it");
  expect(offeredIn(embedding, 1)).toContain("write");
  expect(offeredIn(embedding, 1)).not.toContain("submit_plan");
});

test("edited, sent back with words, then approved as it stands in its file", async () => {
  await using embedding = await embed([
    { toolCalls: [submit("1. all of it")] },
    { toolCalls: [submit("1. a part")] },
    { text: "carried out" },
  ]);
  const ui = person("edit", "reject", "approve");
  const select = ui.select;
  let path: string | undefined;
  await using session = await embedding.start({
    ui: {
      ...ui,
      // In another window, while the question stands.
      select: async (...asked) => {
        const choice = await select(...asked);
        if (choice === "approve") await writeFile(path!, "1. a part\n2. mine\n");
        return choice;
      },
    },
    planMode: true,
  });
  path = modeOf(session).path;
  await session.prompt(userText("plan it"));
  const [rejected, approved] = resultsOf(session);
  expect(rejected).toContain("does not approve the plan yet: smaller steps");
  expect(rejected).toContain("<plan>\n1. all of it\n2. and test it\n</plan>");
  expect(approved).toContain("<plan>\n1. a part\n2. mine\n</plan>");
  expect(saidIn(session)).toContain("carried out");
});

test("nobody decides: the run ends, the plan waits in its file, and a resumed session is still planning", async () => {
  await using embedding = await embed([
    { toolCalls: [submit()] },
    { toolCalls: [submit("1. other", "Other")] },
    { text: "all finished" },
  ]);
  let path: string | undefined;
  {
    await using session = await embedding.start({ planMode: true });
    ({ path } = session.log);
    expect(await session.prompt(userText("plan it"))).toEqual({ reason: "done" });
    expect(embedding.server.requests).toHaveLength(1);
    expect(await readFile(modeOf(session).path!, "utf8")).toBe("1. change it\n");
  }
  const wish = { kind: "resume", wanted: path! } as const;
  await using session = await embedding.start({ session: wish });
  expect(modeOf(session).state).toMatchObject({ isOn: true, isOpen: true });
  const desk = session.part(PLAN_DESK)!;
  await desk.decide({ type: "reject", words: "another way" });
  await until(() => embedding.server.requests.length === 2);
  await session.whenIdle();
  expect(offeredIn(embedding, 1)).not.toContain("bash");
  expect(embedding.server.requests[1]!.text).toContain("another way");
  await desk.decide({ type: "approve", context: "keep" });
  await until(() => saidIn(session).includes("all finished"));
  expect(offeredIn(embedding, 2)).toContain("bash");
  await expect(desk.decide({ type: "approve", context: "keep" })).rejects.toThrow("no plan");
});

test("planning has a model of its own, and so has what carries it out", async () => {
  await using embedding = await embed([{ toolCalls: [submit()] }, { text: "all finished" }]);
  const config =
    "modelRoles: { plan: ollama/deep, task: ollama/quick }\nplan: { executeRole: task }\n";
  await embedding.home.write(".tau/agent/config.yml", config);
  await using session = await embedding.start({ ui: person("approve"), planMode: true });
  expect(session.model.id).toBe("deep");
  await session.prompt(userText("plan it"));
  await until(() => saidIn(session).includes("all finished"));
  expect(embedding.server.requests.map(({ decoded }) => decoded.modelId)).toEqual([
    "deep",
    "quick",
  ]);
  expect(modeOf(session).isOn).toBe(false);
});

test("left: the model of before is back, and nothing was carried out", async () => {
  await using embedding = await embed([{ toolCalls: [submit()] }, { text: "hello" }]);
  await embedding.home.write(".tau/agent/config.yml", "modelRoles: { plan: ollama/deep }\n");
  await using session = await embedding.start({ ui: person("leave"), planMode: true });
  await session.prompt(userText("plan it"));
  await until(() => session.model.id === "x");
  expect(embedding.server.requests).toHaveLength(1);
  await session.prompt(userText("hi"));
  expect(offeredIn(embedding, 1)).toContain("write");
});

test("during a run it cannot be turned on; at another place of the tree it is as it was there", async () => {
  const turns: ScriptedTurn[] = [{ text: "one" }, { text: "two" }, { text: "three" }];
  await using embedding = await embed(turns);
  await using session = await embedding.start();
  const running = session.prompt(userText("first"));
  await until(() => session.isBusy);
  await expect(modeOf(session).turnOn()).rejects.toThrow("busy");
  await running;
  const before = session.log.leafId!;
  await modeOf(session).turnOn();
  await session.prompt(userText("second"));
  expect(modeOf(session).isOn).toBe(true);
  await session.navigate(before);
  expect(modeOf(session).isOn).toBe(false);
  await session.prompt(userText("third"));
  expect(offeredIn(embedding, 2)).toContain("write");
});
