// What a person saw in the terminal is what they see when they come back: the same rows, whatever
// happened in between.

import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import type { ScriptedTurn } from "@tau/testkit/script";
import type { IsolatedHome } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalSession } from "@tau/testkit/terminal";
import { answer } from "./support/consent.ts";
import { converse } from "./support/converse.ts";
import { launcher } from "./support/run-tau.ts";

type Talk = Awaited<ReturnType<typeof converse>>;

interface Scenario {
  name: string;
  script: ScriptedTurn[];
  before?: (home: IsolatedHome) => Promise<unknown>;
  config?: string;
  act(talk: Talk): Promise<unknown>;
  /** Among the rows that are to come back. */
  shows: string[];
}

const call = (name: string, args: Record<string, unknown>): ScriptedTurn => ({
  toolCalls: [{ name, arguments: args }],
});

/** Room for all of it: nothing scrolls away. */
const SIZE = { columns: 100, rows: 44 };

const SCENARIOS: Scenario[] = [
  {
    name: "a file that was read, with its count",
    script: [call("read", { path: "notes.txt" }), { text: "It has **three** lines." }],
    before: (home) => home.write("notes.txt", "one\ntwo\nthree\n"),
    act: async ({ say, terminal }) => {
      say("read it");
      await terminal.waitFor("three lines");
    },
    shows: ["notes.txt", "3 lines"],
  },
  {
    name: "commands that end well and badly",
    script: [
      {
        thinking: "I shall try both.",
        text: "Trying.",
        toolCalls: [
          { name: "bash", arguments: { command: "echo fine" } },
          { name: "bash", arguments: { command: "echo oh; exit 3" } },
        ],
      },
      { text: "Tried." },
    ],
    act: async ({ say, terminal }) => {
      say("try");
      await terminal.waitFor("Tried.");
    },
    shows: ["fine", "exit code 3", "I shall try both."],
  },
  {
    name: "an answer that was stopped",
    script: [{ text: "word ".repeat(300), delivery: { delayMs: 15 } }],
    act: async ({ say, terminal }) => {
      say("talk");
      await terminal.waitFor("word word word");
      terminal.press("escape");
      await terminal.waitFor("Stopped.");
    },
    shows: ["word word", "Stopped."],
  },
  {
    name: "commands of the user's own, and what the model is told of them",
    script: [{ text: "I see." }],
    act: async ({ say, terminal, idle }) => {
      say("!echo mine");
      await terminal.waitFor(/! +echo mine[\s\S]*mine/);
      say("!!exit 7");
      await terminal.waitFor(/!! +exit 7.*exit code 7/);
      await idle();
      say("look");
      await terminal.waitFor("I see.");
    },
    shows: ["mine", "exit code 7", "› look"],
  },
  {
    name: "a paste that was folded",
    script: [{ text: "Long." }],
    act: async ({ terminal }) => {
      terminal.paste(Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n"));
      await terminal.waitFor(/30 lines/);
      terminal.press("enter");
      await terminal.waitFor("Long.");
    },
    shows: ["30 lines"],
  },
  {
    name: "a command that stands for a page",
    script: [{ text: "Reviewed." }],
    before: (home) => home.write(".tau/agent/commands/look.md", "Look at $1 with great care.\n"),
    act: async ({ say, terminal }) => {
      say("/look here");
      await terminal.waitFor("Reviewed.");
    },
    shows: ["› /look here"],
  },
  {
    name: "a call that was refused",
    script: [call("bash", { command: "rm -rf ../tau-no-such-directory" }), { text: "Then not." }],
    act: async ({ say, terminal }) => {
      say("remove it");
      await answer(terminal, "n");
      await terminal.waitFor("Then not.");
    },
    shows: ["The user said no"],
  },
  {
    name: "a model that had to be asked again",
    script: [
      { httpError: { status: 429, headers: { "retry-after": "1" }, body: "{}" } },
      { text: "Now." },
    ],
    act: async ({ say, terminal }) => {
      say("hello");
      await terminal.waitFor("Now.", { timeoutMs: 15_000 });
    },
    shows: ["retrying in 1 s", "Now."],
  },
  {
    name: "an answer that broke off and was asked for again",
    script: [
      {
        thinking: "Let me see.",
        text: "# Half\n\nof it, and\n\nno more",
        streamError: modelFailure("overloaded", "too much"),
      },
      { text: "All of it." },
    ],
    act: async ({ say, terminal }) => {
      say("tell me");
      await terminal.waitFor("All of it.", { timeoutMs: 15_000 });
    },
    shows: ["Let me see.", "of it, and", "no more", "The answer was interrupted", "All of it."],
  },
  {
    name: "a wait for the next try that was stopped",
    script: [
      { httpError: { status: 429, headers: { "retry-after": "25" }, body: "{}" } },
      { text: "Now." },
    ],
    act: async ({ say, terminal, idle }) => {
      say("hello");
      await terminal.waitFor("retrying in 25 s");
      terminal.press("escape");
      await terminal.waitFor("Stopped.");
      // Whoever stopped it need not be told what to do about the failure.
      expect(terminal.text()).not.toContain("choose another model");
      await idle();
      say("again");
      await terminal.waitFor("Now.");
    },
    shows: ["retrying in 25 s", "Stopped.", "Now."],
  },
  {
    name: "a conversation that was summarised",
    script: [{ text: "First." }, { text: "Second." }, { text: "Short." }, { text: "Short." }],
    config: "compaction:\n  keepRecentTokens: 10\n",
    act: async ({ say, terminal, idle }) => {
      terminal.paste(`${"many words that say little\n".repeat(2000)}`);
      await terminal.waitFor(/2,?00[01] lines/);
      terminal.press("enter");
      await terminal.waitFor("First.");
      await idle();
      say("two");
      await terminal.waitFor("Second.");
      await idle();
      say("/compact");
      await terminal.waitFor(/› \/compact\n\nThe conversation was summarised:/);
      await idle();
      expect(terminal.text()).not.toContain("Done.");
    },
    shows: ["› two", "› /compact", "The conversation was summarised:"],
  },
  {
    name: "commands of Tau's own, and what they answered",
    script: [{ text: "I see." }],
    act: async ({ say, terminal, idle }) => {
      say("/todo append Mend the fence");
      await terminal.waitFor("[/] Mend the fence");
      say("/todo done the roof");
      await terminal.waitFor('there is no task "the roof"');
      say("/usge");
      await terminal.waitFor("did you mean /usage?");
      terminal.press("ctrl+c");
      say("look");
      await terminal.waitFor("I see.");
      await idle();
      say("/usage");
      await terminal.waitFor("by list price");
    },
    shows: ["› /todo append", "[/] Mend the fence", "no task", "did you mean", "1 answer;"],
  },
];

test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
  "%s",
  async (_name, { script, before, config, act, shows }) => {
    await using talk = await converse(script, { ...SIZE, before, config });
    const { terminal, home, env, idle } = talk;
    await act(talk);
    await idle();
    const seen = await settled(terminal);
    for (const words of shows) expect(seen).toContain(words);
    terminal.press("ctrl+d");
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
    await using again = runInTerminal([launcher, "-m", "ollama/x", "-c"], {
      cwd: home.root,
      env,
      ...SIZE,
    });
    await again.waitFor(/─\n›/);
    await again.waitFor((shown) => conversationOf(shown.text()) === seen).catch(() => {});
    expect(conversationOf(again.text())).toBe(seen);
  },
);

/** Drawn to its end: a frame may be on its way. */
async function settled(terminal: TerminalSession): Promise<string> {
  for (let before = ""; ;) {
    const now = conversationOf(terminal.text());
    if (now === before) return now;
    before = now;
    await Bun.sleep(100);
  }
}

/** What stands between the greeting and the prompt. */
function conversationOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const first = lines.findIndex((line) => /^(› |. {1,2}!|[✓✗] !)/.test(line));
  const rule = lines.findIndex((line) => line.startsWith("────"));
  const shown = lines.slice(first < 0 ? 0 : first, rule).join("\n");
  return shown.trim();
}

test("what waited when the process was killed waits again, and is sent with the next prompt", async () => {
  const answers = ["Heard.", "Then.", "Last."].map((text) => ({ text }));
  await using talk = await converse(
    [
      call("bash", { command: "sleep 50", async: true }),
      call("bash", { command: "sleep 60" }),
      ...answers,
    ],
    SIZE,
  );
  const { terminal, say, server } = talk;
  say("begin");
  await terminal.waitFor("sleep 60");
  terminal.send("steer it\r");
  await terminal.waitFor(/next {2}steer it/);
  terminal.send("follow up");
  terminal.press("ctrl+q");
  await terminal.waitFor(/when done {2}follow up/);
  terminal.kill("SIGKILL");
  await terminal.exited;
  await using again = runInTerminal([launcher, "-m", "ollama/x", "-c"], {
    cwd: talk.home.root,
    env: talk.env,
    ...SIZE,
  });
  await again.waitFor(/next {2}steer it\n +when done {2}follow up/);
  expect(again.text()).toMatch(/✗ bash {2}sleep 60\n +Interrupted\./);
  expect(again.text()).toMatch(/Job bash-1 ended with Tau: sleep 50/);
  again.press("alt+up");
  await again.waitFor((shown) => /follow up/.test(shown.text()) && !/when done/.test(shown.text()));
  expect(server.requests).toHaveLength(2);
  again.send(" changed\r");
  await again.waitFor("Heard.");
  const said = JSON.stringify(server.requests[2]!.decoded.messages);
  expect(said).toContain("steer it");
  expect(said).toContain("follow up changed");
  expect(again.text()).not.toMatch(/next {2}steer it/);
});
