// Typing is not consent, as a person at the terminal meets it: a question that comes while
// somebody types waits, and what was typed stands where it was typed.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { testWith } from "@tau/testkit/require-program";
import type { ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalSession } from "@tau/testkit/terminal";
import { answer, armed } from "./support/consent.ts";
import { converse } from "./support/converse.ts";
import { launcher } from "./support/run-tau.ts";

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 15 },
];

/** The strip of a question that waits. */
const WAITS = /\? bash asks [^]*Ctrl\+X answers/;

const remove: ScriptedTurn = {
  toolCalls: [{ name: "bash", arguments: { command: "rm -rf ../precious" } }],
  delivery: { firstByteDelayMs: 1_500 },
};

/** A conversation in a directory beside something that must not go. */
async function atWork(size: { columns: number; rows: number }, calls: ScriptedTurn[] = [remove]) {
  const talk = await converse([...calls, { text: "Left as it is." }], {
    ...size,
    before: async (home) => {
      await home.write("precious/mine.txt", "mine\n");
      await home.write("work/keep", "");
    },
    inside: "work",
  });
  const isThere = (): boolean => existsSync(talk.home.path("precious/mine.txt"));
  const settings = (): Promise<string> =>
    readFile(talk.home.path(".tau/agent/config.yml"), "utf8").catch(() => "");
  return { ...talk, isThere, settings };
}

async function type(terminal: TerminalSession, text: string): Promise<void> {
  for (const letter of text) {
    terminal.send(letter);
    await Bun.sleep(40);
  }
}

const screenOf = (terminal: TerminalSession): string => terminal.screen().join("\n");

for (const size of SIZES) {
  const at = `${size.columns}x${size.rows}`;

  test(`${at}: a draft is gone on with after a pause; nothing is allowed`, async () => {
    await using talk = await atWork(size);
    const { terminal, say, isThere, settings } = talk;
    say("tidy up");
    await type(terminal, "look at it first");
    await terminal.waitFor(WAITS);
    // The pause of somebody who thinks.
    await Bun.sleep(1_500);
    expect(screenOf(terminal)).toMatch(WAITS);
    await type(terminal, " and also");
    await terminal.waitFor("› look at it first and also");
    await Bun.sleep(1_000);
    expect(isThere()).toBe(true);
    expect(await settings()).not.toContain("allow");
    expect(screenOf(terminal)).toContain("› look at it first and also");
    expect(screenOf(terminal)).toMatch(WAITS);
    // Whoever wants to answer asks for it, and the draft is there again afterwards.
    terminal.press("ctrl+x");
    await answer(terminal, "n");
    await terminal.waitFor("Left as it is.");
    await terminal.waitFor("› look at it first and also");
    expect(isThere()).toBe(true);
  });

  test(`${at}: letters for the filter of the settings stay in it`, async () => {
    await using talk = await atWork(size);
    const { terminal, say, isThere, settings, server } = talk;
    say("tidy up");
    say("/settings");
    await terminal.waitFor("─ Settings");
    await type(terminal, "say");
    await terminal.waitFor(WAITS);
    await type(terminal, " any");
    terminal.press("enter");
    await Bun.sleep(1_200);
    await type(terminal, "way");
    await terminal.waitFor("❯ say anyway");
    expect(screenOf(terminal)).toMatch(WAITS);
    expect(isThere()).toBe(true);
    expect(await settings()).not.toContain("allow");
    terminal.press("ctrl+x");
    await answer(terminal, "y");
    await server.request(2);
    expect(isThere()).toBe(false);
    await terminal.waitFor("❯ say anyway");
  });

  test(`${at}: with nothing else to do it opens, No marked; Enter alone refuses`, async () => {
    await using talk = await atWork(size, [remove, remove]);
    const { terminal, say, isThere } = talk;
    say("tidy up");
    await terminal.waitFor("Not ready for an answer yet");
    expect(screenOf(terminal)).not.toContain("❯");
    await armed(terminal);
    expect(screenOf(terminal)).toContain("❯ n  No");
    terminal.press("enter");
    // The second one begins anew, and a held key does not get to it.
    await terminal.waitFor("Not ready for an answer yet");
    for (let times = 0; times < 20; times += 1) {
      terminal.send("y");
      await Bun.sleep(30);
    }
    await terminal.waitFor(`› ${"y".repeat(20)}`);
    expect(isThere()).toBe(true);
    terminal.press("ctrl+u");
    await answer(terminal, "y");
    await terminal.waitFor("Left as it is.");
    expect(isThere()).toBe(false);
  });
}

test("always is said with two keys, and a word that begins with its letter is a word", async () => {
  await using talk = await atWork(SIZES[0]!);
  const { terminal, say, isThere, settings } = talk;
  say("tidy up");
  await armed(terminal);
  terminal.send("a");
  await terminal.waitFor("❯ a  Yes, always");
  await Bun.sleep(1_000);
  expect(isThere()).toBe(true);
  terminal.send("nd");
  await terminal.waitFor("› and");
  expect(screenOf(terminal)).toMatch(WAITS);
  terminal.paste("\ny\n");
  await Bun.sleep(1_000);
  expect(isThere()).toBe(true);
  terminal.press("ctrl+c");
  await answer(terminal, "a");
  await terminal.waitFor("Left as it is.");
  expect(isThere()).toBe(false);
  expect(await settings()).toContain("allow bash");
});

testWith(
  { program: "less", proves: "that a program has its keys to itself" },
  "keys for a program in its own terminal answer nothing, the key to answer included",
  async () => {
    await using talk = await atWork(SIZES[0]!);
    const { terminal, say, isThere } = talk;
    say("tidy up");
    say("!less ../precious/mine.txt");
    await terminal.waitFor("All keys go to the program");
    await terminal.waitFor("waits for the program to end");
    await type(terminal, "yya");
    terminal.press("ctrl+x");
    terminal.press("enter");
    await Bun.sleep(1_000);
    expect(screenOf(terminal)).toContain("waits for the program to end");
    expect(isThere()).toBe(true);
    terminal.send("q");
    await armed(terminal);
    expect(isThere()).toBe(true);
    terminal.press("enter");
    await terminal.waitFor("Left as it is.");
    expect(isThere()).toBe(true);
  },
);

/** The same danger in a terminal that can only print. */
async function plainly(calls: ScriptedTurn[]) {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome());
  await home.write("precious/mine.txt", "mine\n");
  await home.write("work/keep", "");
  const server = stack.use(
    await ModelServer.start([...calls, { text: "Well." }, { text: "Next." }, { text: "Last." }]),
  );
  const terminal = stack.use(
    runInTerminal([launcher, "-m", "ollama/x"], {
      cwd: home.path("work"),
      env: {
        ...home.env,
        TERM: "dumb",
        TAU_NO_TITLE: "1",
        OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
      },
    }),
  );
  await terminal.waitFor(/\n›/);
  terminal.send("tidy up\r");
  await server.request(1);
  const isThere = (): boolean => existsSync(home.path("precious/mine.txt"));
  const settings = (): Promise<string> =>
    readFile(home.path(".tau/agent/config.yml"), "utf8").catch(() => "");
  return { server, terminal, isThere, settings, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const PLACE_TO_ANSWER = /\? Run it\? yes, session, always, no \(Enter\):/;

test("in plain lines, what was typed ahead answers nothing and is sent afterwards", async () => {
  await using talk = await plainly([remove]);
  const { server, terminal, isThere } = talk;
  await type(terminal, "yes\r");
  await type(terminal, "always\ry");
  await terminal.waitFor("Kept for your next prompt: yes / always / y");
  await terminal.waitFor(PLACE_TO_ANSWER);
  expect(isThere()).toBe(true);
  terminal.send("y\r");
  await terminal.waitFor(/write the whole word, or press Enter for no\.\n\? Run it\?/);
  terminal.send("\r");
  await terminal.waitFor(/✗ bash/);
  await terminal.waitFor("› always");
  await server.request(4);
  expect(isThere()).toBe(true);
  const said = JSON.stringify(server.requests.at(3)!.decoded.messages);
  expect(said).toContain('"yes"');
  expect(said).toContain('"always"');
  await terminal.waitFor(/› y$/m);
});

test("in plain lines, what is pasted with an answer is the next prompt, not lost", async () => {
  await using talk = await plainly([remove]);
  const { server, terminal, isThere } = talk;
  await terminal.waitFor(PLACE_TO_ANSWER);
  terminal.send("no\rplease also fix x\rand then");
  await server.request(3);
  expect(isThere()).toBe(true);
  expect(JSON.stringify(server.requests.at(2)!.decoded.messages)).toContain("please also fix x");
  await terminal.waitFor(/› and then$/m);
});

test("in plain lines, yes is said in full, and always twice", async () => {
  await using talk = await plainly([remove, remove]);
  const { terminal, isThere, settings, server } = talk;
  await terminal.waitFor(PLACE_TO_ANSWER);
  terminal.send("always\r");
  await terminal.waitFor("Save this rule for this project?");
  terminal.send("yes\r");
  await server.request(2);
  expect(isThere()).toBe(true);
  expect(await settings()).not.toContain("allow");
  await terminal.waitFor(/Run it\?[^]*Run it\?/);
  terminal.send("yes\r");
  await server.request(3);
  expect(isThere()).toBe(false);
});

test("in plain lines, Ctrl-C at a question that cannot be answered yet stops the run", async () => {
  await using talk = await plainly([remove]);
  const { terminal, isThere } = talk;
  await terminal.waitFor("rm -rf ../precious");
  terminal.press("ctrl+c");
  await terminal.waitFor(/Stopped\.\n\n›/);
  expect(isThere()).toBe(true);
});
