// The todo list as a user meets it: what the model is told, what the screen shows, and that it is
// still there after a restart, a summary and a move in the tree.

import { expect, test } from "bun:test";
import { textOf, userText, type Message } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedReply, ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome } from "@tau/testkit/scratch";
import { TODO, ActiveSession, type SessionEvent, type TodoPhase } from "@tau/tau/sdk";
import { embed, saidIn } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

type Op = Record<string, unknown>;

const todo = (...ops: Op[]): ScriptedReply => ({
  toolCalls: [{ name: "todo", arguments: { ops } }],
});
const LIST: Op = {
  op: "init",
  list: [
    { phase: "Build", items: ["Parse it", "Print it"] },
    { phase: "Ship", items: ["Tag it"] },
  ],
};
const ALL_DONE = todo({ op: "done" });

const shown = (phases: readonly TodoPhase[] | undefined): string =>
  (phases ?? [])
    .flatMap(({ tasks }) => tasks.map(({ content, status }) => `${content}: ${status}`))
    .join(", ");
const words = (messages: readonly Message[]): string => messages.map(textOf).join("\n");

test("the model keeps a list, is told how it stands, and whoever watches hears of it", async () => {
  await using embedding = await embed([
    todo(LIST),
    todo({ op: "done", task: "Parse it" }),
    todo({ op: "done", task: "Parse it" }, { op: "start", task: "Prnit it" }),
    todo({ op: "view" }),
    ALL_DONE,
    { text: "done" },
  ]);
  const { session } = await embedding.open();
  const todos = session.part(TODO);
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  const results = session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results).toEqual([
    "Now: Parse it (Build, 0 of 2 closed)\n## Build\n- [/] Parse it\n- [ ] Print it\n## Ship\n- [ ] Tag it",
    "Now: Print it (Build, 1 of 2 closed)\n## Build\n- [/] Print it\n## Ship\n- [ ] Tag it",
    'Errors: There is no task "Prnit it". Did you mean "Print it"?\nNothing was changed; correct the call and make it again. The list:\n## Build\n- [x] Parse it\n- [/] Print it\n## Ship\n- [ ] Tag it',
    "## Build\n- [x] Parse it\n- [/] Print it\n## Ship\n- [ ] Tag it",
    "All 3 tasks are closed.",
  ]);
  // Neither the view nor the mistake has changed anything.
  const changes = events.filter((event) => event.type === "todo_changed");
  expect(changes.map(({ phases }) => shown(phases))).toEqual([
    "Parse it: in_progress, Print it: pending, Tag it: pending",
    "Parse it: completed, Print it: in_progress, Tag it: pending",
    "Parse it: completed, Print it: completed, Tag it: completed",
  ]);
  const details = events.flatMap((event) =>
    event.type === "tool_execution_end" ? [event.details] : [],
  );
  expect(details[1]).toEqual({
    phases: changes[1]!.phases,
    storage: "session",
    completedTasks: [{ phase: "Build", content: "Parse it" }],
  });
  expect(shown(todos?.phases)).toBe(shown(changes[2]!.phases));
  await session[Symbol.asyncDispose]();
});

test("the list is that of the place in the tree, there and after a restart", async () => {
  await using embedding = await embed((_request, turn) => {
    const turns = [todo(LIST), { text: "first" }, todo({ op: "done", task: "Parse it" })];
    return turns[turn - 1] ?? { text: "later" };
  });
  await embedding.home.write(".tau/agent/config.yml", "todo:\n  reminders: false\n");
  const { session } = await embedding.open();
  const todos = session.part(TODO);
  await session.prompt(userText("one"));
  const place = session.log.leafId!;
  await session.prompt(userText("two"));
  expect(shown(todos!.phases)).toStartWith("Parse it: completed");
  await session.navigate(place);
  expect(shown(todos!.phases)).toStartWith("Parse it: in_progress");
  const { id } = session;
  await session[Symbol.asyncDispose]();
  const again = await embedding.open({ session: { kind: "resume", wanted: id } });
  expect(shown(again.session.part(TODO)!.phases)).toBe(
    "Parse it: in_progress, Print it: pending, Tag it: pending",
  );
  const [first] = await again.session.log.branch();
  await again.session.navigate(first!.id);
  expect(again.session.part(TODO)!.phases).toEqual([]);
  await again.session[Symbol.asyncDispose]();
});

test("a summary keeps what is open, word for word, also the next one and after a restart", async () => {
  const long = "sheep ".repeat(9000);
  await using embedding = await embed((request, turn) => {
    if (request.decoded.tools.length === 0) return { text: "SUMMARY" };
    return turn === 1 ? todo(LIST, { op: "done", task: "Parse it" }) : { text: long };
  });
  await embedding.home.write(".tau/agent/config.yml", "todo:\n  reminders: false\n");
  const { session } = await embedding.open();
  const todos = session.part(TODO);
  const list = "## Build\n- [/] Print it\n## Ship\n- [ ] Tag it";
  for (let summary = 0; summary < 2; summary++) {
    for (const prompt of ["a", "b", "c"]) await session.prompt(userText(prompt));
    expect(await session.compact()).toMatchObject({ type: "compacted" });
    const said = words(session.messages);
    expect(said.split(`Your todo list, as it stood at this summary:\n${list}`)).toHaveLength(2);
    expect(shown(todos!.phases)).toStartWith("Parse it: completed, Print it: in_progress");
  }
  const { id } = session;
  await session[Symbol.asyncDispose]();
  const again = await embedding.open({ session: { kind: "resume", wanted: id } });
  expect(shown(again.session.part(TODO)!.phases)).toStartWith(
    "Parse it: completed, Print it: in_progress",
  );
  await again.session.prompt(userText("go on"));
  expect(saidIn(embedding.server, -1)).toContainEqual(
    expect.stringContaining(`as it stood at this summary:\n${list}`),
  );
  // Nothing is open, nothing is said.
  await again.session.part(TODO)!.change(() => ({ type: "changed", phases: [] }), "user");
  for (const prompt of ["a", "b", "c"]) await again.session.prompt(userText(prompt));
  expect(await again.session.compact()).toMatchObject({ type: "compacted" });
  expect(words(again.session.messages)).not.toContain("as it stood at this summary");
  await again.session[Symbol.asyncDispose]();
});

test("a conversation that goes on in a fresh session takes what is open along", async () => {
  await using embedding = await embed((_request, turn) => {
    const turns = [
      todo(LIST, { op: "done", task: "Parse it" }),
      { text: "ok" },
      { text: "I wait." },
    ];
    return turns[turn - 1] ?? { text: "The document." };
  });
  await using active = await ActiveSession.open(embedding.options());
  await active.prompt(userText("go"));
  const before = active.session.id;
  expect(await active.compact({ strategy: "handoff" })).toMatchObject({ type: "handoff" });
  expect(active.session.id).not.toBe(before);
  expect(shown(active.part(TODO)?.phases)).toBe(
    "Parse it: completed, Print it: in_progress, Tag it: pending",
  );
  await active.prompt(userText("go on"));
  expect(saidIn(embedding.server, -1).slice(0, 2)).toEqual([
    "user: The document.",
    "user: Your todo list, as it stood at this summary:\n## Build\n- [/] Print it\n## Ship\n- [ ] Tag it",
  ]);
});

test("a run that would end with open tasks is reminded, and never for ever", async () => {
  const work = todo({ op: "view" });
  const stop: ScriptedReply = { text: "That will do." };
  const asked = async (script: ScriptedTurn[], config = "") => {
    await using embedding = await embed((_request, turn) => script[turn - 1] ?? stop);
    if (config !== "") await embedding.home.write(".tau/agent/config.yml", config);
    const { session } = await embedding.open();
    let reminders = 0;
    session.subscribe((event) => {
      if (event.type === "todo_reminder") reminders = event.attempt;
    });
    expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
    await session[Symbol.asyncDispose]();
    return { reminders, requests: embedding.server.requests.length, embedding };
  };
  // It works on and on, and leaves off every time: three times it is told.
  const stubborn = [todo(LIST), stop, work, stop, work, stop, work, stop, work, stop];
  expect(await asked(stubborn)).toMatchObject({ reminders: 3, requests: 8 });
  expect(await asked(stubborn, "todo:\n  maxReminders: 1\n")).toMatchObject({ requests: 4 });
  expect(await asked(stubborn, "todo:\n  reminders: false\n")).toMatchObject({ requests: 2 });
  // A reminder that led to nothing is not repeated: it may wait for an answer.
  const once = await asked([todo(LIST), stop, stop]);
  expect(once).toMatchObject({ reminders: 1, requests: 3 });
  expect(saidIn(once.embedding.server, 2).at(-1)).toStartWith(
    "user: Open in your todo list:\n## Build\n- [/] Parse it",
  );
  // Nothing is open.
  expect(await asked([todo(LIST), ALL_DONE, stop])).toMatchObject({ reminders: 0, requests: 3 });
});

test("who waits for a job, or for what the user has yet to say, is not reminded", async () => {
  const bash = {
    name: "bash",
    arguments: { command: "until [ -e go ]; do sleep 0.05; done", async: true },
  };
  await using embedding = await embed((request, turn) => {
    if (turn === 1) return { toolCalls: [bash, ...todo(LIST).toolCalls!] };
    const last = textOf(request.decoded.messages.at(-1)!);
    return last.includes("[job bash-1 completed") ? ALL_DONE : { text: `Answer ${turn}.` };
  });
  const { session } = await embedding.open();
  const reminders: SessionEvent[] = [];
  session.subscribe((event) => {
    if (event.type === "todo_reminder") reminders.push(event);
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  session.subscribe((event) => {
    if (event.type === "todo_changed" && shown(event.phases).includes("Tag it: completed"))
      resolve();
  });
  const ended = session.prompt(userText("build it"));
  await session.followUp(userText("and then?"));
  expect(await ended).toEqual({ reason: "done" });
  expect(reminders).toEqual([]);
  await embedding.home.write("go", "");
  await closed;
  await session.whenIdle();
  expect(reminders).toEqual([]);
  await session[Symbol.asyncDispose]();
});

test("a question that has nothing to do with the list is answered and left at that", async () => {
  await using embedding = await embed([
    todo(LIST),
    { text: "Shall I?" },
    { text: "I wait." },
    { text: "Four." },
  ]);
  const { session } = await embedding.open();
  await session.prompt(userText("go"));
  await session.prompt(userText("what is two and two?"));
  expect(embedding.server.requests).toHaveLength(4);
  await session[Symbol.asyncDispose]();
});

test("in a script, what was said before a reminder is part of the answer", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    todo(LIST),
    { text: "The report." },
    ALL_DONE,
    { text: "All closed." },
  ]);
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const result = await runTau(["-p", "-m", "ollama/x", "go"], { cwd: home.root, home, env });
  expect(result).toEqual({ stdout: "The report.\n\nAll closed.\n", stderr: "", exitCode: 0 });
});

test("a person's change is told to the model, at once or with the next prompt", async () => {
  let during: Promise<unknown> | undefined;
  await using embedding = await embed([
    todo(LIST),
    todo({ op: "view" }),
    todo({ op: "view" }),
    { text: "ok" },
    { text: "and on" },
  ]);
  await embedding.home.write(".tau/agent/config.yml", "todo:\n  maxReminders: 0\n");
  const { session } = await embedding.open();
  const todos = session.part(TODO);
  const add = (content: string) =>
    todos!.change(
      (before) => ({
        type: "changed",
        phases: [...before, { name: content, tasks: [{ content, status: "pending" }] }],
      }),
      "user",
    );
  session.subscribe((event) => {
    if (event.type === "tool_execution_end") during ??= add("mid-run");
  });
  await session.prompt(userText("go"));
  await during;
  const told = (at: number) =>
    saidIn(embedding.server, at).filter((said) => said.startsWith("user: The user changed"));
  expect(told(3)).toEqual([expect.stringContaining("- [ ] mid-run")]);
  expect(session.isBusy).toBe(false);
  await Promise.all([add("one"), add("two")]);
  await session.prompt(userText("and?"));
  expect(embedding.server.requests).toHaveLength(5);
  expect(saidIn(embedding.server, -1).at(-1)).toBe("user: and?");
  // Two at once: neither is lost.
  expect(told(-1).at(-1)).toContain("## one\n- [ ] one\n## two\n- [ ] two");
  await session[Symbol.asyncDispose]();
});

test("a secret that a task names is not written down, and the task is found by its placeholder", async () => {
  const secret = "file-secret-abcdefg";
  await using embedding = await embed((request, turn) => {
    const said = words(request.decoded.messages);
    const task = `Use ${/#[A-Z2-9]{8}#/.exec(said)?.[0]}`;
    if (turn === 1) return todo({ op: "init", list: [{ phase: "P", items: [task] }] });
    return turn === 2 ? todo({ op: "done", task }) : { text: "done" };
  });
  const { home, server } = embedding;
  await home.write(".tau/agent/config.yml", "secrets:\n  enabled: true\n");
  await home.write(".tau/agent/secrets.yml", `- type: plain\n  content: ${secret}\n`);
  const { session } = await embedding.open();
  const todos = session.part(TODO);
  const { path } = session.log;
  await session.prompt(userText(`use ${secret}`));
  expect(shown(todos!.phases)).toMatch(/^Use #[A-Z2-9]{8}#: completed$/);
  await session[Symbol.asyncDispose]();
  expect(await Bun.file(path!).text()).not.toContain(secret);
  expect(server.requests.some(({ text }) => text.includes(secret))).toBe(false);
});

test("there is none where it is off, left out, or the profile is small", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  const tools = async (options: Parameters<typeof embedding.open>[0]) => {
    const { session } = await embedding.open(options);
    const todos = session.part(TODO);
    const names = session.tools.specs().map(({ name }) => name);
    expect(names.includes("todo")).toBe(todos !== undefined);
    await session[Symbol.asyncDispose]();
    return names;
  };
  expect(await tools({})).toContain("todo");
  expect(await tools({ toolNames: ["todo"] })).toEqual(["todo"]);
  expect(await tools({ toolNames: ["read"] })).not.toContain("todo");
  await embedding.home.write(".tau/agent/config.yml", "prompt:\n  profile: small\n");
  expect(await tools({})).not.toContain("todo");
  await embedding.home.write(".tau/agent/config.yml", "todo:\n  enabled: false\n");
  expect(await tools({})).not.toContain("todo");
});
