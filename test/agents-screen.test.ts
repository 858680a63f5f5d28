// Agents as a person meets them: in a real terminal of 80 columns and 24 rows, with three at work.

import { expect } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { launcher } from "./support/run-tau.ts";
import { startTmux } from "./support/tmux.ts";
import { testWith } from "@tau/testkit/require-program";

const STREAM = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ");
/** Nothing of it is said before the test is over. */
const NEVER = { text: "silence", delivery: { silentAfterBytes: 0 } };

const script = agentScript({
  Main: ({ turn, last }) => {
    if (turn > 1) return { text: last.includes("[agent") ? "Noted." : "They are at work." };
    return {
      toolCalls: [
        task(
          "task",
          { id: "Streamer", description: "tell a long story", assignment: "tell it" },
          { id: "Sleeper", description: "wait for nothing", assignment: "wait" },
          { id: "Guarded", description: "tidy up", assignment: "tidy up" },
        ),
      ],
    };
  },
  Streamer: ({ turn, messages }) => {
    if (turn === 1) return { text: STREAM, deltaChars: 8, delivery: { delayMs: 25 } };
    const isTold = messages.some((message) => textOf(message) === "be brief");
    const heard = isTold ? "brief, as you wished" : "not told anything";
    return { toolCalls: [handIn(`The story is ${heard}.`)] };
  },
  Sleeper: () => NEVER,
  Guarded: ({ turn }) =>
    turn === 1
      ? { toolCalls: [{ name: "bash", arguments: { command: "rm -rf ~/precious" } }] }
      : { toolCalls: [handIn("Tidied up.")] },
});

testWith(
  { program: "tmux", proves: "watching, writing to, stopping and allowing agents in a terminal" },
  "three tasks: one is watched and written to, one is stopped, one is allowed something, and all are told of",
  async (tmux) => {
    await using home = await isolatedHome();
    await home.write("precious/file", "dear");
    await home.write("work/file", "");
    await using server = await ModelServer.start(script);
    const OLLAMA_BASE_URL = server.baseUrl("openai-completions");
    await using panes = await startTmux(tmux, { ...home.env, TAU_NO_TITLE: "1", OLLAMA_BASE_URL });
    const start = `cd ~/work && '${launcher}' -m ollama/x`;
    await panes.run("new-session", "-d", "-s", "t", "-x", "80", "-y", "24", start);
    const keys = (...names: string[]) => panes.run("send-keys", "-t", "t", ...names);
    const screen = async (): Promise<string> => panes.run("capture-pane", "-p", "-t", "t");
    await panes.waitFor("t", /─\n›/);
    await keys("share it out", "Enter");

    // The guarded command is put by itself, with the name of who wants it.
    const asked = await panes.waitFor("t", "Guarded asks: bash");
    expect(asked).toContain("rm -rf ~/precious");
    await panes.waitFor("t", "stops Guarded");
    await keys("y");
    await Bun.sleep(100);
    await keys("Enter");
    await panes.waitFor("t", "Guarded (task) finished");
    expect(await Bun.file(home.path("precious/file")).exists()).toBe(false);

    // The panel and the status line say who is at work.
    expect(await screen()).toContain("2 agents");
    await keys("M-a");
    const hub = await panes.waitFor("t", "─ Agents ─");
    expect(hub).toMatch(/● Streamer +task +answering/);
    expect(hub).toMatch(/● Sleeper +task +answering/);
    expect(hub).toMatch(/✓ Guarded +task +done/);
    for (const row of (await screen()).split("\n")) expect(Bun.stringWidth(row)).toBeLessThan(81);

    // One is opened in the middle of what it says: all of it is there, and more comes.
    await keys("Enter");
    await panes.waitFor("t", "─ Streamer  task ─");
    const early = await panes.waitFor("t", /word\d+ word\d+/);
    const seen = Math.max(...[...early.matchAll(/word(\d+)/g)].map(([, at]) => Number(at)));
    await panes.waitFor("t", `word${seen + 20}`);
    await keys("be brief", "Enter");
    await panes.waitFor("t", "Sent to Streamer.");
    await keys("C-Home");
    await panes.waitFor("t", "tell it");
    expect(await screen()).toContain("word0 word1");
    await keys("Escape");
    await panes.waitFor("t", "─ Agents ─");

    // Another is stopped; nothing happens before the question is answered.
    await keys("Down", "M-s");
    await panes.waitFor("t", "Stop Sleeper?");
    await keys("Enter");
    await panes.waitFor("t", /● Sleeper/);
    await Bun.sleep(500);
    await keys("M-s");
    await panes.waitFor("t", "Stop Sleeper?");
    await Bun.sleep(1000);
    await keys("y");
    await Bun.sleep(100);
    await keys("Enter");
    await panes.waitFor("t", /✗ Sleeper +task +stopped/);
    await keys("Escape");

    // What came of each stands in the conversation.
    await panes.waitFor("t", "The story is brief, as you wished.");
    const all = await panes.capture("t");
    expect(all).toContain("Streamer (task) finished after");
    expect(all).toContain("Sleeper (task) was stopped after");
    expect(all.split("Tidied up.").length - 1).toBe(1);
    if (process.env.TAU_SHOW_SCREENS) console.log(`${asked}\n=====\n${hub}\n=====\n${all}`);
    await keys("C-c", "C-d");
  },
  120_000,
);
