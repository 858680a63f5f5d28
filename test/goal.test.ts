// Goals: a session works on until a second model says that the condition holds, within a budget.

import { describe, expect, test } from "bun:test";
import { textOf, userText, type Session } from "@tau/tau/sdk";
import type { RecordedRequest } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { GOAL, type Goal } from "../packages/tau/src/features/goal/goal.ts";
import { PLAN_MODE } from "../packages/tau/src/features/plan-mode/plan-mode.ts";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { converse } from "./support/converse.ts";
import { embed, type Embedding } from "./support/embedded.ts";
import { extended } from "./support/extended.ts";
import { connect, ofType } from "./support/rpc-connection.ts";

const goalOf = (session: Session): Goal => session.part(GOAL)!;
const saidIn = (session: Session): string => session.messages.map(textOf).join("\n");
const isJudge = ({ text }: Pick<RecordedRequest, "text">): boolean =>
  text.includes("You judge whether a condition holds");
const judged = ({ server }: Embedding): RecordedRequest[] => server.requests.filter(isJudge);

const verdict = (type: string, words = `because ${type}`): ScriptedTurn => ({
  toolCalls: [{ name: "give_verdict", arguments: { verdict: type, words } }],
});

/** The judge says these, one after the other, the last for ever; whoever works says what `work` gives. */
function script(
  verdicts: readonly ScriptedTurn[],
  work: (request: RecordedRequest) => ScriptedTurn = () => ({ text: "done" }),
): (request: RecordedRequest) => ScriptedTurn {
  let at = 0;
  return (request) =>
    isJudge(request) ? verdicts[Math.min(at++, verdicts.length - 1)]! : work(request);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

test("not yet, not yet, yes: the model hears what is missing, in one run; the judge sees what was done", async () => {
  const read = { toolCalls: [{ name: "read", arguments: { path: "notes.txt" } }] };
  await using embedding = await embed(
    script(
      [verdict("not_yet", "nobody has read notes.txt"), verdict("not_yet"), verdict("yes")],
      ({ decoded }) =>
        textOf(decoded.messages.at(-1)!).includes("judge sees it: nobody")
          ? read
          : { text: "all done" },
    ),
  );
  await embedding.home.write("notes.txt", "the words in it\n");
  await embedding.home.write(".tau/agent/config.yml", "modelRoles: { slow: ollama/judge }\n");
  await using session = await embedding.start({ goal: "the notes are read" });
  const events: string[] = [];
  session.subscribe(({ type }) => events.push(type));
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  expect(events.filter((type) => type === "agent_start")).toHaveLength(1);
  expect(events.filter((type) => type === "goal_judged")).toHaveLength(3);
  expect(goalOf(session).state).toMatchObject({ status: "held", rounds: 2 });
  const [first, second] = judged(embedding);
  expect(first!.decoded.modelId).toBe("judge");
  expect(first!.text).toContain("the notes are read");
  expect(first!.text).toContain("(no tool was called)");
  expect(second!.text).toContain("the words in it");
  const said = saidIn(session);
  expect(said.match(/The user has set a goal/g)).toHaveLength(1);
  expect(said).toContain("What is missing, as the judge sees it: nobody has read notes.txt");
  // It is over: the next prompt is an ordinary one.
  await session.prompt(userText("thanks"));
  expect(judged(embedding)).toHaveLength(3);
});

describe("it ends", () => {
  test("when its rounds are used up", async () => {
    await using embedding = await embed(script([verdict("not_yet")]));
    await embedding.home.write(".tau/agent/config.yml", "goal: { maxRounds: 3 }\n");
    await using session = await embedding.start({ goal: "pigs fly" });
    expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
    expect(goalOf(session).state).toMatchObject({ status: "spent", rounds: 3 });
    expect(judged(embedding)).toHaveLength(4);
    expect(saidIn(session).match(/not reached yet/g)).toHaveLength(3);
  });

  test("in the middle of the work when its model calls are used up", async () => {
    let calls = 0;
    const busy = () => ({
      toolCalls: [{ name: "find", arguments: { pattern: `*${calls++}` } }],
    });
    await using embedding = await embed(script([verdict("not_yet")], busy));
    await embedding.home.write(".tau/agent/config.yml", "goal: { maxTurns: 4 }\n");
    await using session = await embedding.start({ goal: "pigs fly" });
    const end = await session.prompt(userText("go"));
    expect(end).toMatchObject({ reason: "limit", kind: "behaviour" });
    expect(embedding.server.requests).toHaveLength(4);
    expect(goalOf(session).state).toMatchObject({ status: "spent", turns: 4 });
  });

  test("when its money is spent, also by the judge", async () => {
    await using embedding = await embed(script([verdict("not_yet")]));
    await embedding.home.write(".tau/agent/config.yml", "goal: { maxCostUsd: 0.01 }\n");
    const models = `providers:
  dear:
    baseUrl: ${embedding.server.baseUrl("openai-completions")}
    api: openai-completions
    auth: none
    models: [{ id: m, cost: { input: 1000, output: 1000, cacheRead: 0, cacheWrite: 0 } }]
`;
    await embedding.home.write(".tau/agent/models.yml", models);
    await using session = await embedding.start({ goal: "pigs fly", model: "dear/m" });
    await session.prompt(userText("go"));
    expect(goalOf(session).state).toMatchObject({ status: "spent", rounds: 1 });
    expect(goalOf(session).state!.costUsd).toBeGreaterThan(0.01);
  });

  test.each([
    ["unreachable", "unreachable"],
    ["impossible", "unreachable"],
  ])("when the judge says %s", async (word, status) => {
    await using embedding = await embed(script([verdict(word, "there are no pigs")]));
    await using session = await embedding.start({ goal: "pigs fly" });
    await session.prompt(userText("go"));
    expect(goalOf(session).state).toMatchObject({ status, missing: "there are no pigs" });
    expect(judged(embedding)).toHaveLength(1);
  });

  test("when the judge gives no verdict three times; until then that counts as not yet", async () => {
    const odd = [{ text: "who knows" }, verdict("maybe"), { text: '{"verdict": 7}' }];
    await using embedding = await embed(script(odd));
    await using session = await embedding.start({ goal: "pigs fly" });
    await session.prompt(userText("go"));
    expect(goalOf(session).state).toMatchObject({ status: "unjudged", rounds: 3 });
    expect(judged(embedding)).toHaveLength(3);
  });

  test("when the run is stopped, also while the judge thinks", async () => {
    await using embedding = await embed(
      script([{ text: "hm", delivery: { silentAfterBytes: 200 } }]),
    );
    await using session = await embedding.start({ goal: "pigs fly" });
    const running = session.prompt(userText("go"));
    await until(() => judged(embedding).length === 1);
    await session.abort();
    expect(await running).toEqual({ reason: "aborted" });
    await until(() => goalOf(session).state?.status === "stopped");
    await session.prompt(userText("something else"));
    expect(judged(embedding)).toHaveLength(1);
  });
});

test("a verdict that came as text is understood, with words and a fence around it", async () => {
  const text = 'Let me see.\n```json\n{ "verdict": "Yes", "words": "it holds" }\n```';
  await using embedding = await embed(script([{ text }]));
  await using session = await embedding.start({ goal: "pigs fly" });
  await session.prompt(userText("go"));
  expect(goalOf(session).state).toMatchObject({ status: "held", missing: "it holds" });
});

test("it waits for the user, for agents, and for a plan to be approved", async () => {
  await using embedding = await embed((request) => {
    if (isJudge(request)) return verdict("needs_user", "which one?");
    return agentScript({
      Main: ({ messages }) =>
        messages.length < 3
          ? { toolCalls: [task("task", { id: "Slow", assignment: "look" })] }
          : { text: "noted" },
      Slow: () => ({ toolCalls: [handIn("found")], delivery: { delayMs: 100 } }),
    })(request);
  });
  await using session = await embedding.start({ goal: "pigs fly" });
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("found"));
  await session.whenIdle();
  const order = embedding.server.requests.map((one) => (isJudge(one) ? "judge" : "work"));
  expect(order.indexOf("judge")).toBe(order.length - 1);
  expect(goalOf(session).state).toMatchObject({ status: "active", rounds: 0 });
  await session.part(PLAN_MODE)!.turnOn();
  await session.prompt(userText("plan"));
  expect(judged(embedding)).toHaveLength(1);
});

test("a resumed session still has it, with what it has cost", async () => {
  await using embedding = await embed(script([verdict("needs_user"), verdict("yes")]));
  let path: string | undefined;
  {
    await using session = await embedding.start({ goal: "pigs fly" });
    ({ path } = session.log);
    await session.prompt(userText("go"));
  }
  const wish = { kind: "resume", wanted: path! } as const;
  await using session = await embedding.start({ session: wish });
  expect(goalOf(session).active).toMatchObject({ condition: "pigs fly", turns: 1, isTold: true });
  await session.prompt(userText("they do now"));
  expect(goalOf(session).state).toMatchObject({ status: "held", turns: 2 });
});

test("-p --goal: the goal is the prompt, and the exit code says whether it was reached", async () => {
  await using reached = await extended({}, script([verdict("not_yet"), verdict("yes")]));
  expect(await reached.run("-p", "--goal", "pigs fly")).toEqual({
    exitCode: 0,
    stdout: "done\n",
    stderr: "",
  });
  expect(reached.requests()[0]!.join("\n")).toContain("user: Work until this holds: pigs fly");
  await using missed = await extended({}, script([verdict("unreachable", "no pigs")]));
  const run = await missed.run("-p", "--goal", "pigs fly", "try it");
  expect(run).toMatchObject({ exitCode: 1, stdout: "done\n" });
  expect(run.stderr).toBe("tau: the goal was not reached: no pigs\n");
});

test("over RPC: set, seen in the state and in events, ended", async () => {
  await using rpc = await connect(script([verdict("needs_user", "which one?")]));
  const { client } = rpc;
  await client.send("set_goal", { condition: "pigs fly" });
  await client.run("go");
  const told = await rpc.event(ofType("goal_judged"));
  expect(told).toMatchObject({ verdict: "needs_user", words: "which one?", maxRounds: 10 });
  expect(await client.send("get_state")).toMatchObject({ goal: { status: "active" } });
  await client.send("end_goal");
  expect(await client.send("get_state")).toMatchObject({ goal: { status: "stopped" } });
});

test("at a terminal: set, seen in the status line, stopped with Esc, told", async () => {
  let isSilent = false;
  await using talk = await converse(
    script([verdict("not_yet", "no pig is in the air")], () =>
      isSilent ? { text: "I try", delivery: { silentAfterBytes: 300 } } : { text: "done" },
    ),
    { config: "goal: { maxRounds: 500 }\n" },
  );
  const { terminal } = talk;
  talk.say("/goal pigs fly");
  await terminal.waitFor("Goal: pigs fly");
  await terminal.waitFor("Goal not reached yet (2 of 500): no pig is in the air");
  isSilent = true;
  await terminal.waitFor("Waiting for the model 1.");
  await terminal.waitFor(/goal \d+\/500/);
  terminal.press("escape");
  await terminal.waitFor("Goal ended: pigs fly");
  await talk.idle();
  talk.say("/goal");
  await terminal.waitFor("Goal, ended: pigs fly");
  expect(terminal.screen().at(-1)).not.toContain("goal ");
});
