// Plan mode where people and programs meet it: print mode, RPC, a terminal, and the fresh session that
// carries out a plan.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { ActiveSession, textOf, userText } from "@tau/tau/sdk";
import { NOBODY } from "../packages/tau/src/feature-api/user-interface.ts";
import { PLAN_MODE } from "../packages/tau/src/features/plan-mode/plan-mode.ts";
import { converse } from "./support/converse.ts";
import { embed } from "./support/embedded.ts";
import { extended } from "./support/extended.ts";
import { codeOf, connect, ofType } from "./support/rpc-connection.ts";

const PLAN = "## Steps\n\n1. write `made.txt`";
const submit = (plan = PLAN) => ({
  toolCalls: [{ name: "submit_plan", arguments: { title: "Make a file", plan } }],
});
const write = { toolCalls: [{ name: "write", arguments: { path: "made.txt", content: "x\n" } }] };

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

test("-p --plan prints the plan and ends; nothing is written", async () => {
  await using program = await extended({}, [write, submit(), { text: "never" }]);
  const run = await program.run("-p", "--plan", "--yolo", "make a file");
  expect(run).toEqual({ exitCode: 0, stdout: `${PLAN}\n`, stderr: "" });
  expect(program.server.requests).toHaveLength(2);
  expect(existsSync(`${program.cwd}/made.txt`)).toBe(false);
  // The session is still planning when somebody goes on with it.
  await program.run("-p", "-c", "and now?");
  const offered = program.server.requests[2]!.decoded.tools.map(({ name }) => name);
  expect(offered).not.toContain("write");
});

test("a prompt cannot turn it off, nor approve its own plan", async () => {
  await using program = await extended({}, [submit(), { text: "ok" }]);
  await program.run("-p", "--plan", "make a file");
  const refused = await program.run("-p", "-c", "/plan approve");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("/plan is for a person at a terminal");
});

test("over RPC: turned on, asked about as `ask`, sent back, approved by a command while it is asked", async () => {
  await using rpc = await connect([submit(), submit("1. less"), write, { text: "made" }], {
    args: ["--yolo"],
  });
  const { client } = rpc;
  await client.send("set_plan_mode", { enabled: true });
  expect(await client.send("get_state")).toMatchObject({ planMode: true });
  const ended = client.run("make a file");
  const ask = await rpc.event(ofType("ask"));
  expect(ask).toMatchObject({ kind: "select", from: "plan mode" });
  expect(ask.extension).toBeUndefined();
  expect((ask.choices as { value: string }[]).map(({ value }) => value)).toEqual([
    "approve",
    "fresh",
    "edit",
    "reject",
    "leave",
  ]);
  expect(await client.send("get_state")).toMatchObject({
    plan: { title: "Make a file", text: PLAN },
  });
  await client.send("answer", { ask: ask.id, value: "reject" });
  const words = await rpc.event((event) => event.type === "ask" && event.kind === "input");
  await client.send("answer", { ask: words.id, value: "smaller" });
  await rpc.event((event) => event.type === "ask" && event.id === "ask_3");
  expect(rpc.requests()[1]!.at(-1)).toContain("does not approve the plan yet: smaller");
  expect(existsSync(`${rpc.cwd}/made.txt`)).toBe(false);
  await client.send("approve_plan");
  expect(await ended).toMatchObject({ end: { reason: "done" } });
  expect(existsSync(`${rpc.cwd}/made.txt`)).toBe(true);
  const decisions = rpc.events.filter(ofType("plan_decided")).map(({ decision }) => decision);
  expect(decisions).toEqual(["rejected", "approved"]);
  expect(await client.send("get_state")).toMatchObject({ planMode: false });
  expect(await codeOf(client.send("approve_plan"))).toBe("failed");
});

test("with a fresh context: a new session that begins with the plan carries it out", async () => {
  await using embedding = await embed([submit("1. write it"), write, { text: "made" }]);
  const ui = { ...NOBODY, canAsk: true, select: async () => "fresh" };
  const options = embedding.options({ ui, planMode: true, approvalMode: "yolo" });
  await using active = await ActiveSession.open(options);
  const before = active.session;
  const events: string[] = [];
  active.subscribe(({ type }) => events.push(type));
  await active.prompt(userText("a long story"));
  await until(() => active.session !== before);
  await until(() => existsSync(embedding.home.path("made.txt")));
  await active.session.whenIdle();
  const { decoded } = embedding.server.requests[1]!;
  const said = decoded.messages.map(textOf).join("\n");
  expect(said).toContain("1. write it");
  expect(said).toContain("Carry out the approved plan");
  expect(said).not.toContain("a long story");
  expect(decoded.tools.map(({ name }) => name)).toContain("write");
  expect(active.session.part(PLAN_MODE)!.isOn).toBe(false);
  expect(active.session.state.title).toBe("Make a file");
  expect(events).toContain("session_changed");
  expect(events.lastIndexOf("agent_end")).toBeGreaterThan(events.indexOf("session_changed"));
});

test("at a terminal: /plan WORDS, seen in the status line, decided, carried out", async () => {
  await using talk = await converse([submit(), submit("1. less"), write, { text: "It is made." }], {
    config: "tools: { approvalMode: yolo }\n",
  });
  const { terminal } = talk;
  talk.say("/plan make a file");
  await terminal.waitFor("Plan mode is on");
  await terminal.waitFor("plan mode asks");
  await terminal.waitFor("Carry out this plan: Make a file?");
  expect(terminal.text()).toContain("1. write made.txt");
  await terminal.waitFor("Choose, then Enter");
  // Approve, a fresh context, edit: the fourth sends it back.
  for (let at = 0; at < 3; at++) terminal.press("down");
  terminal.press("enter");
  await terminal.waitFor("What should be different?");
  terminal.send("less");
  terminal.press("enter");
  await terminal.waitFor("Plan sent back: Make a file");
  await terminal.waitFor("1. less");
  await terminal.waitFor("Choose, then Enter");
  expect(existsSync(talk.home.path("made.txt"))).toBe(false);
  terminal.press("enter");
  await terminal.waitFor("It is made.");
  await talk.idle();
  expect(existsSync(talk.home.path("made.txt"))).toBe(true);
  expect(terminal.text()).toContain("Plan approved: Make a file");
});
