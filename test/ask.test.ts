// Questions of the model, wherever somebody can answer: at the terminal, at one that only prints, over RPC;
// and nowhere else.

import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalSession } from "@tau/testkit/terminal";
import { NOBODY, type UserInterface } from "@tau/tau/feature-api/user-interface";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { converse } from "./support/converse.ts";
import { embed, saidIn } from "./support/embedded.ts";
import { codeOf, connect, ofType } from "./support/rpc-connection.ts";
import { launcher, runTau } from "./support/run-tau.ts";

const DATABASE = {
  id: "database",
  question: "Which database should the service use?",
  options: [{ label: "SQLite" }, { label: "PostgreSQL" }],
  recommended: 1,
};
const REGIONS = {
  id: "regions",
  question: "Which regions?",
  options: [{ label: "EU" }, { label: "US" }],
  multi: true,
};
const asking = (...questions: object[]) => ({
  toolCalls: [{ name: "ask", arguments: { questions } }],
});
const toolNames = (server: ModelServer, at = 0): string[] =>
  (server.requests[at]!.decoded.tools ?? []).map(({ name }) => name);

/** A person as a program sees them. */
const person = (questions: UserInterface["questions"]): UserInterface => ({
  ...NOBODY,
  canAsk: true,
  questions,
});

/** Until the question takes an answer. */
const armed = (terminal: TerminalSession, about: string) =>
  terminal.waitFor((shown) => {
    const text = shown.screen().join("\n");
    return text.includes(about) && text.includes("Esc cancels");
  });

/** Enter twice in a row is one that is held down. */
async function press(terminal: TerminalSession, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await Bun.sleep(300);
    terminal.press(key);
  }
}

test("at the terminal: several questions, back again, own words, and all of it to the model", async () => {
  const name = { id: "name", question: "What is it called?", options: [] };
  await using talk = await converse([asking(DATABASE, REGIONS, name), { text: "Noted." }]);
  const { terminal, say, server } = talk;
  say("set it up");
  await armed(terminal, "PostgreSQL (Recommended)");
  await press(terminal, "enter");
  await terminal.waitFor("Which regions?");
  await press(terminal, "left");
  await terminal.waitFor("● PostgreSQL");
  await press(terminal, "up", "enter");
  await terminal.waitFor("Which regions?");
  await press(terminal, "down", "space", "right", "enter");
  await terminal.waitFor("Your own words");
  terminal.send("料金エンジン");
  await press(terminal, "enter");
  await armed(terminal, "your answers");
  await press(terminal, "enter");
  await terminal.waitFor("Noted.");
  expect(saidIn(server, 1).at(-1)).toBe(
    "toolResult: User answers:\ndatabase: SQLite\nregions: US\nname: custom input: 料金エンジン",
  );
  expect(terminal.text()).toContain("✓ SQLite");
});

test("Esc stops the run, and the model is not asked again", async () => {
  await using talk = await converse([asking(DATABASE), { text: "never said" }]);
  const { terminal, say, server, idle } = talk;
  say("set it up");
  await armed(terminal, "Which database");
  terminal.press("escape");
  await idle();
  await terminal.waitFor("closed the questions");
  await Bun.sleep(300);
  expect(server.requests).toHaveLength(1);
});

test("what somebody types meanwhile is typed, and answers nothing", async () => {
  const late = { ...asking(DATABASE), delivery: { firstByteDelayMs: 800 } };
  await using talk = await converse([late, { text: "Noted." }]);
  const { terminal, say, server } = talk;
  say("set it up");
  terminal.send("and then 2");
  await terminal.waitFor(/\? Tau asks[^]*Which database/);
  expect(terminal.text()).toContain("› and then 2");
  expect(server.requests).toHaveLength(1);
  terminal.press("ctrl+x");
  await armed(terminal, "SQLite");
  await press(terminal, "up", "enter");
  await terminal.waitFor("Noted.");
  expect(saidIn(server, 1).at(-1)).toBe("toolResult: User selected: SQLite");
  expect(terminal.text()).toContain("› and then 2");
});

test("at the terminal time takes what is recommended, and says so", async () => {
  const config = "ask: { timeout: 2 }\n";
  await using talk = await converse([asking(DATABASE), { text: "Noted." }], { config });
  talk.say("set it up");
  await talk.terminal.waitFor("what is open will be chosen for you");
  await talk.terminal.waitFor("Noted.");
  expect(saidIn(talk.server, 1).at(-1)).toBe(
    "toolResult: No answer by the user (nobody answered in time; chosen automatically): PostgreSQL",
  );
});

test.each([
  [true, "ask: { notify: true }"],
  [false, "ask: { notify: false }"],
])("whoever looks elsewhere is called: %p", async (isCalled, rows) => {
  const config = `terminal: { notify: always }\n${rows}\n`;
  await using talk = await converse([asking(DATABASE), { text: "Noted." }], { config });
  talk.say("set it up");
  await armed(talk.terminal, "Which database");
  // What is drawn says so as well: only what is told to the terminal itself counts.
  const told = Buffer.from(talk.terminal.bytes())
    .toString()
    .match(/\x1b\](?:9|777|99);[^\x07\x1b]*/g);
  expect((told ?? []).some((one) => one.includes("Tau asks"))).toBe(isCalled);
});

test("at a terminal that only prints: numbers, own words, and back", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([asking(DATABASE, REGIONS), { text: "Noted." }]);
  const env = { ...home.env, TERM: "dumb", TAU_NO_TITLE: "1" };
  await using terminal = runInTerminal([launcher, "-m", "ollama/x"], {
    cwd: home.root,
    rows: 60,
    env: { ...env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
  });
  await terminal.waitFor(/\n›/);
  terminal.send("set it up\r");
  const answer = async (after: string | RegExp, words: string): Promise<void> => {
    await terminal.waitFor(after);
    terminal.send(`${words}\r`);
  };
  await answer(/2\. PostgreSQL \(Recommended\)\n[^]*Enter cancels:\s*$/, "7");
  await answer(/There is no option 7\.[^]*cancels:\s*$/, "1");
  await answer(/2 of 2: Which regions\?\n[^]*< goes back; Enter cancels:\s*$/, "<");
  await answer(/(Which database[^]*){3}Enter cancels:\s*$/, "a spreadsheet");
  await answer(/(Which regions[^]*){2}Enter cancels:\s*$/, "2, 1");
  await terminal.waitFor("Noted.");
  expect(saidIn(server, 1).at(-1)).toBe(
    "toolResult: User answers:\ndatabase: custom input: a spreadsheet\nregions: US, EU",
  );
});

test("over RPC: one ask with everything, answered once and only so that it fits", async () => {
  await using rpc = await connect([asking(DATABASE, REGIONS), { text: "Noted." }]);
  const { client } = rpc;
  const ended = client.run("set it up");
  const asked = await rpc.event(ofType("ask"));
  expect(asked).toMatchObject({
    id: "ask_1",
    kind: "questions",
    questions: [
      { ...DATABASE, multi: false },
      { ...REGIONS, multi: true },
    ],
  });
  const answer = (value: unknown) => client.send("answer", { ask: "ask_1", value });
  const regions = { id: "regions", selected: ["US"], words: "and the moon" };
  for (const wrong of [
    "PostgreSQL",
    [regions],
    [{ id: "database", selected: ["Oracle"] }, regions],
    [{ id: "database", selected: ["SQLite"], words: "or not" }, regions],
    [{ id: "database", words: "x" }, regions, regions],
    [{ id: "database", words: "x" }, regions, { id: "else" }],
  ]) {
    expect(await codeOf(answer(wrong))).toBe("invalid");
  }
  await answer([regions, { id: "database", selected: ["PostgreSQL"] }]);
  expect(await ended).toMatchObject({ end: { reason: "done" } });
  expect(rpc.requests()[1]!.at(-1)).toBe(
    "toolResult: User answers:\ndatabase: PostgreSQL\nregions: US; custom input: and the moon",
  );
  const end = rpc.events.find((event) => event.type === "tool_execution_end");
  expect(end).toMatchObject({
    details: {
      results: [
        { id: "database", multi: false, selectedOptions: ["PostgreSQL"] },
        { id: "regions", multi: true, selectedOptions: ["US"], customInput: "and the moon" },
      ],
    },
  });
});

test("over RPC: null stops the run, time answers, and a client that cannot answer says so", async () => {
  await using rpc = await connect(
    [
      asking(DATABASE),
      asking({ ...DATABASE, recommended: 7 }),
      { text: "a" },
      asking(DATABASE),
      { text: "b" },
    ],
    { settings: "ask: { timeout: 1 }\n" },
  );
  const { client } = rpc;
  const stopped = client.run("one");
  await rpc.event(ofType("ask"));
  await client.send("answer", { ask: "ask_1", value: null });
  expect(await stopped).toMatchObject({ end: { reason: "aborted" } });
  expect(rpc.requests()).toHaveLength(1);
  // There is no option 7: the first one counts.
  expect(await client.run("two")).toMatchObject({ end: { reason: "done" } });
  expect(rpc.requests()[2]!.at(-1)).toContain("chosen automatically): SQLite");
  await client.send("hello", { canAnswer: false });
  expect(await client.run("three")).toMatchObject({ end: { reason: "done" } });
  expect(rpc.requests()[4]!.at(-1)).toContain("Nobody can be asked now");
});

test("it is not there without anybody, also if it is named, and not for agents", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(() => ({ text: "ok" }));
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  await runTau(["-p", "-m", "ollama/x", "hello"], { cwd: home.root, home, env });
  expect(toolNames(server)).toContain("read");
  expect(toolNames(server)).not.toContain("ask");
  await using alone = await embed(() => ({ text: "ok" }));
  await using unheard = await alone.start({ toolNames: ["read", "ask"] });
  await unheard.prompt(userText("go"));
  expect(toolNames(alone.server)).toEqual(["read"]);
  const told = new Map<string, string[]>();
  await using embedding = await embed(
    agentScript({
      "*": ({ who, request, turn }) => {
        told.set(
          who,
          (request.decoded.tools ?? []).map(({ name }) => name),
        );
        if (who !== "Main") return { toolCalls: [handIn("done")] };
        return turn === 1
          ? { toolCalls: [task("task", { assignment: "look around" })] }
          : undefined;
      },
    }),
  );
  await using session = await embedding.start({ ui: person(async () => undefined) });
  await session.prompt(userText("go"));
  while (told.size < 2) await Bun.sleep(20);
  for (const [who, names] of told) expect(names.includes("ask")).toBe(who === "Main");
});

test("what a person is asked: bad proposals left out, no time limit while the session only looks", async () => {
  const put: Parameters<UserInterface["questions"]>[] = [];
  const ui = person(async (...given) => {
    put.push(given);
    return given[0].map(() => ({ selected: [0] }));
  });
  await using embedding = await embed([
    asking({ ...DATABASE, recommended: -1 }, { ...REGIONS, recommended: 0.5 }),
    { text: "done" },
    asking(DATABASE),
    asking(DATABASE, DATABASE),
    { text: "done" },
  ]);
  await embedding.home.write(".tau/agent/config.yml", "ask: { timeout: 30, notify: false }\n");
  await using session = await embedding.start({ ui });
  await session.prompt(userText("go"));
  await using planning = await embedding.start({ ui, planMode: true });
  await planning.prompt(userText("go"));
  expect(put.map(([posed]) => posed.map(({ recommended }) => recommended))).toEqual([
    [undefined, undefined],
    [1],
  ]);
  expect(put.map(([, options]) => [options?.pickWithinMs, options?.isQuiet])).toEqual([
    [30_000, true],
    [undefined, true],
  ]);
  const results = planning.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results[0]).toBe("User selected: SQLite");
  expect(results[1]).toBe('Two questions have the id "database". Give each an id of its own.');
});

test("whoever closes the questions stops the run of an embedding program, too", async () => {
  await using embedding = await embed([asking(DATABASE), { text: "never said" }]);
  await using session = await embedding.start({ ui: person(async () => undefined) });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "aborted" });
  expect(embedding.server.requests).toHaveLength(1);
});
