// Every line of an answer is in the terminal's own history once, whatever people do to the window
// while it comes: in a real tmux, and in an emulator that must agree with it.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher } from "./support/run-tau.ts";
import { startTmux } from "./support/tmux.ts";

const LINES = 500;
const ALL = Array.from({ length: LINES }, (_, index) => index + 1);
const ANSWER = ALL.map((number) => `- line-${number}.`).join("\n");
const GESTURE_PAUSE_MS = 300;
const TIMEOUT_MS = 60_000;

const startServer = () =>
  ModelServer.start([
    { text: `${ANSWER}\n\nThat is all.`, deltaChars: 9, delivery: { delayMs: 5 } },
  ]);

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/line-(\d+)\./g)].map((match) => Number(match[1]));

testWith(
  { program: "tmux", proves: "scrollback of an answer through resize, split and zoom" },
  "in tmux, 500 lines are in the history once through resize, split and zoom",
  async (tmux) => {
    await using home = await isolatedHome();
    await using server = await startServer();
    await using panes = await startTmux(tmux, {
      ...home.env,
      TAU_NO_TITLE: "1",
      OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    });
    const program = `cd '${home.root}' && '${launcher}' -m ollama/x 'count'; echo finished; cat`;
    await panes.run("new-session", "-d", "-s", "t", "-x", "100", "-y", "30", program);
    await panes.run("set-option", "-g", "history-limit", "20000");
    const gestures = [
      ["resize-window", "-t", "t", "-x", "70", "-y", "20"],
      ["split-window", "-v", "-t", "t:0.0", "cat"],
      ["resize-pane", "-Z", "-t", "t:0.0"],
      ["resize-pane", "-Z", "-t", "t:0.0"],
      ["resize-window", "-t", "t", "-x", "120", "-y", "40"],
      ["split-window", "-h", "-t", "t:0.0", "cat"],
      ["resize-window", "-t", "t", "-x", "90", "-y", "24"],
    ];
    await panes.waitFor("t:0.0", "line-20.");
    for (const gesture of gestures) {
      await panes.run(...gesture);
      await Bun.sleep(GESTURE_PAUSE_MS);
    }
    await panes.waitFor("t:0.0", "That is all.");
    await panes.run("send-keys", "-t", "t:0.0", "C-d");
    const text = await panes.waitFor("t:0.0", "finished");
    expect(numbersIn(text)).toEqual(ALL);
    expect(text.match(/› count/g)).toHaveLength(1);
    // Nothing that stood below the transcript got into history.
    expect(text).not.toContain("· Esc stops");
  },
  TIMEOUT_MS,
);

test(
  "in an emulator, the same answer is there once through changes of size",
  async () => {
    await using home = await isolatedHome();
    await using server = await startServer();
    await using terminal = runInTerminal([launcher, "-m", "ollama/x", "count"], {
      cwd: home.root,
      env: {
        ...home.env,
        TAU_NO_TITLE: "1",
        OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
      },
      columns: 100,
      rows: 30,
    });
    await terminal.waitFor("line-20.", { timeoutMs: 20_000 });
    for (const [columns, rows] of [
      [70, 20],
      [100, 10],
      [120, 40],
      [60, 24],
    ] as const) {
      await terminal.resize(columns, rows);
      await Bun.sleep(GESTURE_PAUSE_MS);
    }
    await terminal.waitFor("That is all.", { timeoutMs: 30_000 });
    terminal.press("ctrl+d");
    await terminal.exited;
    expect(numbersIn(terminal.scrollback().join("\n"))).toEqual(ALL);
  },
  TIMEOUT_MS,
);
