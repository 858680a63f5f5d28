// The interactive mode as its user meets it: Esc in every state, messages while the model works,
// output that wants to do harm, and a terminal that is given back whatever happens.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { isolatedHome } from "@tau/testkit/scratch";
import { testWith } from "@tau/testkit/require-program";
import { answer, armed } from "./support/consent.ts";
import { converse } from "./support/converse.ts";
import { launcher } from "./support/run-tau.ts";
import { startTmux } from "./support/tmux.ts";

/** One red pixel. */
const DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const SILENT: ScriptedTurn = { text: "never comes", delivery: { silentAfterBytes: 0 } };
const SLEEP: ScriptedTurn = { toolCalls: [{ name: "bash", arguments: { command: "sleep 300" } }] };

test.each([
  ["while words come", [{ text: "word ".repeat(500), delivery: { delayMs: 20 } }], "Answering"],
  ["while nothing comes", [SILENT], "Waiting for the model"],
  ["while a command runs", [SLEEP], "Running bash"],
  [
    "while it waits to try again",
    [{ httpError: { status: 429, headers: { "retry-after": "60" }, body: "{}" } }],
    /Trying again in \d+s/,
  ],
  [
    "at a question",
    [{ toolCalls: [{ name: "bash", arguments: { command: "rm -rf ../tau-no-such-directory" } }] }],
    "Choose, then Enter",
  ],
  [
    "at a question that cannot be answered yet",
    [{ toolCalls: [{ name: "bash", arguments: { command: "rm -rf ../tau-no-such-directory" } }] }],
    "Not ready for an answer yet",
  ],
] satisfies [string, ScriptedTurn[], string | RegExp][])(
  "Esc stops %s, and the next prompt works",
  async (_when, turns, sign) => {
    let isStopped = false;
    await using talk = await converse((_request, turn) =>
      isStopped ? { text: "Here again." } : (turns[turn - 1] ?? SILENT),
    );
    const { terminal, say } = talk;
    say("begin");
    await terminal.waitFor(sign);
    await Bun.sleep(50);
    isStopped = true;
    terminal.press("escape");
    await terminal.waitFor("Stopped.");
    say("again");
    await terminal.waitFor("Here again.");
  },
);

test("Esc stops a summary that is being made", async () => {
  let isStopped = false;
  await using talk = await converse((_request, turn) =>
    turn === 1 || isStopped ? { text: `Answer ${turn}.` } : SILENT,
  );
  const { terminal, say, idle } = talk;
  say("begin");
  await terminal.waitFor("Answer 1.");
  await idle();
  say("/compact");
  await terminal.waitFor("Summarising the conversation");
  isStopped = true;
  terminal.press("escape");
  await terminal.waitFor((seen) => !seen.text().includes("Summarising"));
  say("again");
  await terminal.waitFor(/Answer \d\.[\s\S]*Answer \d\./);
});

test("the whole conversation, open while the model speaks, follows it to its end", async () => {
  await using talk = await converse([
    { text: `${"word ".repeat(60)}and that is all.`, delivery: { delayMs: 20 } },
  ]);
  const { terminal, say } = talk;
  say("talk");
  await terminal.waitFor("word word");
  terminal.press("ctrl+o");
  await terminal.waitFor("Conversation");
  expect(terminal.text()).not.toContain("that is all.");
  await terminal.waitFor(/Conversation[\s\S]*that is all\./, { timeoutMs: 15_000 });
  terminal.press("escape");
  await terminal.waitFor(/─\n›/);
  expect(terminal.text()).toContain("that is all.");
});

test("what is said while it works steers it; what waits can be taken back", async () => {
  await using talk = await converse([
    {
      toolCalls: [{ name: "bash", arguments: { command: "until [ -e go ]; do sleep 0.05; done" } }],
    },
    { text: "Done with both." },
    { text: "And the last." },
  ]);
  const { terminal, say, server, home } = talk;
  say("begin");
  await terminal.waitFor("Running bash");
  say("also this");
  await terminal.waitFor("next  also this");
  terminal.send("later that");
  terminal.press("ctrl+q");
  await terminal.waitFor("when done  later that");
  terminal.send("not this");
  terminal.press("enter");
  await terminal.waitFor("next  not this");
  terminal.press("alt+up");
  await terminal.waitFor("› not this");
  expect(terminal.text()).not.toContain("next  not this");
  terminal.press("escape");
  await terminal.waitFor("Stopped.");
  // What waited is back in the prompt, nothing is lost.
  expect(terminal.text()).toContain("also this");
  expect(terminal.text()).toContain("later that");
  await home.write("go", "");
  terminal.press("enter");
  await terminal.waitFor("Done with both.");
  const said = JSON.stringify(server.requests.at(-1)!.decoded.messages);
  expect(said).toContain("also this");
  expect(said).toContain("later that");
});

test("steering arrives in the run, a follow-up after it", async () => {
  await using talk = await converse([
    {
      toolCalls: [{ name: "bash", arguments: { command: "until [ -e go ]; do sleep 0.05; done" } }],
    },
    { text: "Steered." },
    { text: "Followed up." },
  ]);
  const { terminal, say, server, home } = talk;
  say("begin");
  await terminal.waitFor("Running bash");
  say("steer");
  await terminal.waitFor("next  steer");
  terminal.send("follow");
  terminal.press("ctrl+q");
  await terminal.waitFor("when done  follow");
  await home.write("go", "");
  await terminal.waitFor("Followed up.");
  const last = (at: number): string => JSON.stringify(server.requests[at]!.decoded.messages.at(-1));
  expect(last(1)).toContain("steer");
  expect(last(2)).toContain("follow");
  const shown = terminal.scrollback().join("\n");
  expect(shown.indexOf("› steer")).toBeGreaterThan(shown.indexOf("bash"));
  expect(shown.indexOf("› follow")).toBeGreaterThan(shown.indexOf("Steered."));
});

test("a paste of many lines is one draft and sends nothing", async () => {
  await using talk = await converse([{ text: "Read." }]);
  const { terminal, server } = talk;
  terminal.paste(Array.from({ length: 40 }, (_, index) => `row ${index}`).join("\n"));
  await terminal.waitFor("[paste #1, 40 lines]");
  expect(server.requests).toHaveLength(0);
  terminal.press("enter");
  await terminal.waitFor("Read.");
  expect(JSON.stringify(server.requests[0]!.decoded.messages.at(-1))).toContain("row 39");
});

test("an answer and a command's output cannot act on the terminal", async () => {
  const evil = "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x1b[3J\x1b[?1049h\x1b[31mred";
  const rtl = "\u202eabc\u202c";
  const zalgo = `z${"\u0301".repeat(300)}`;
  await using talk = await converse([
    {
      toolCalls: [
        {
          name: "bash",
          arguments: {
            command: `printf '\\033]0;owned\\007\\033[3Jshown\\n'; head -c 10000000 /dev/zero | tr '\\0' x`,
          },
        },
      ],
    },
    { text: `${evil} ${rtl} ${zalgo} end.` },
  ]);
  const { terminal, say } = talk;
  say("begin");
  await terminal.waitFor("end.", { timeoutMs: 20_000 });
  const raw = new TextDecoder().decode(terminal.bytes());
  expect(raw).not.toContain("\x1b[3J");
  expect(raw).not.toContain("\x1b]52");
  expect(raw).not.toContain("?1049h");
  expect(raw).not.toContain("owned\x07");
  expect(terminal.title()).not.toContain("owned");
  expect(raw).not.toContain("\u202e");
});

test("what was seen of an answer stays when one leaves in the middle of it", async () => {
  const words = Array.from({ length: 40 }, (_, index) => `- item ${index}`).join("\n");
  await using talk = await converse([
    { text: words, deltaChars: 4, delivery: { silentAfterBytes: 2_000 } },
  ]);
  const { terminal, say } = talk;
  say("begin");
  await terminal.waitFor("item 1");
  await Bun.sleep(300);
  // The rest never comes.
  expect(terminal.text()).toContain("Answering");
  const seen = terminal.text().match(/• .*/g)!;
  terminal.press("ctrl+d");
  await terminal.exited;
  expect(terminal.scrollback().join("\n").match(/• .*/g)).toEqual(seen);
});

test("a signal gives the terminal back as it was", async () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    await using talk = await converse([SILENT]);
    const { terminal, say } = talk;
    say("begin");
    await terminal.waitFor("Waiting for the model");
    process.kill(terminal.pid, signal);
    const exit = await terminal.exited;
    expect(exit.code).toBe(130);
    const raw = new TextDecoder().decode(terminal.bytes());
    for (const [on, off] of [
      ["\x1b[?2004h", "\x1b[?2004l"],
      ["\x1b[?1004h", "\x1b[?1004l"],
    ] as const) {
      expect(raw.lastIndexOf(off)).toBeGreaterThan(raw.lastIndexOf(on));
    }
    expect(raw.lastIndexOf("\x1b[?25h")).toBeGreaterThan(raw.lastIndexOf("\x1b[?25l"));
  }
});

test("a command that is killed is told as that, and everything goes on", async () => {
  await using talk = await converse([
    { toolCalls: [{ name: "bash", arguments: { command: "echo begun; kill -9 $$" } }] },
    { text: "It was killed." },
  ]);
  const { terminal, say } = talk;
  say("begin");
  await terminal.waitFor("It was killed.");
  expect(terminal.text()).toMatch(/✗ bash {2}echo begun; kill -9 \$\$.*SIGKILL/);
  terminal.send("still here");
  await terminal.waitFor("› still here");
});

test("Ctrl-C clears, stops, and twice leaves", async () => {
  await using talk = await converse([SILENT]);
  const { terminal, say } = talk;
  terminal.send("a draft");
  await terminal.waitFor("› a draft");
  terminal.press("ctrl+c");
  await terminal.waitFor((seen) => !seen.text().includes("a draft"));
  await Bun.sleep(600);
  say("begin");
  await terminal.waitFor("Waiting for the model");
  terminal.press("ctrl+c");
  await terminal.waitFor("Stopped.");
  await Bun.sleep(600);
  terminal.press("ctrl+c");
  terminal.press("ctrl+c");
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
});

testWith(
  { program: "tmux", proves: "sleeping and waking under a real shell" },
  "Ctrl-Z gives the terminal to the shell, fg brings everything back",
  async (tmux) => {
    await using home = await isolatedHome();
    await using panes = await startTmux(tmux, { ...home.env, TAU_NO_TITLE: "1" });
    const shell = "bash --norc --noprofile -i";
    await panes.run("new-session", "-d", "-s", "t", "-x", "80", "-y", "24", shell);
    await panes.run("send-keys", "-t", "t", `cd ~ && '${launcher}' -m tau/demo`, "Enter");
    await panes.waitFor("t", /─\n›/);
    await panes.run("send-keys", "-t", "t", "half a thought", "C-z");
    await panes.waitFor("t", "Stopped");
    await panes.run("send-keys", "-t", "t", "echo in the $((40 + 2)) shell", "Enter");
    await panes.waitFor("t", "in the 42 shell");
    await panes.run("send-keys", "-t", "t", "fg", "Enter");
    await panes.waitFor("t", "› half a thought");
    await panes.run("send-keys", "-t", "t", "C-c", "C-d");
    await panes.waitFor("t", /[$#]\s*$/);
  },
);

testWith(
  { program: "tmux", proves: "the end of a window under a real multiplexer" },
  "a window that is closed ends it as leaving would: the session is let go",
  async (tmux) => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([SLEEP]);
    const OLLAMA_BASE_URL = server.baseUrl("openai-completions");
    await using panes = await startTmux(tmux, { ...home.env, TAU_NO_TITLE: "1", OLLAMA_BASE_URL });
    await panes.run("new-session", "-d", "-s", "other", "sleep 1000");
    const start = `cd ~ && '${launcher}' -m ollama/x`;
    await panes.run("new-session", "-d", "-s", "t", "-x", "80", "-y", "24", start);
    await panes.waitFor("t", /─\n›/);
    await panes.run("send-keys", "-t", "t", "begin", "Enter");
    await panes.waitFor("t", "Running bash");
    const locks = new Bun.Glob(".tau/agent/sessions/**/*.lock");
    const scan = () => Array.fromAsync(locks.scan({ cwd: home.root, dot: true }));
    expect(await scan()).toHaveLength(1);
    await panes.run("kill-session", "-t", "t");
    const deadline = performance.now() + 10_000;
    while ((await scan()).length > 0 && performance.now() < deadline) await Bun.sleep(20);
    expect(await scan()).toEqual([]);
  },
);

test.each([
  ["iTerm.app", "\x1b]1337;File="],
  ["ghostty", "\x1b_Ga=T,U=1"],
])("a picture that is read is drawn in %s", async (program, begin) => {
  await using talk = await converse(
    [{ toolCalls: [{ name: "read", arguments: { path: "dot.png" } }] }, { text: "Seen." }],
    { env: { TERM_PROGRAM: program } },
  );
  const { terminal, say, home } = talk;
  const png = await new Bun.Image(Buffer.from(DOT, "base64")).resize(64, 64).png().bytes();
  await Bun.write(home.path("dot.png"), png);
  say("look at it");
  await terminal.waitFor("Seen.");
  await terminal.waitFor(() => new TextDecoder().decode(terminal.bytes()).includes(begin));
  expect(new TextDecoder().decode(terminal.bytes()).split(begin)).toHaveLength(2);
});

test("a command of one's own is shown, shared with the model, and can be kept from it", async () => {
  await using talk = await converse([{ text: "I see." }, { text: "Still here." }]);
  const { terminal, say, server } = talk;
  say("!echo one-$((40 + 2)); export SHARED=yes; mkdir -p sub && cd sub");
  await terminal.waitFor("one-42");
  await terminal.waitFor("✓ !");
  say("!!echo secret-$((40 + 2)) $SHARED $(basename $PWD)");
  await terminal.waitFor("secret-42 yes sub");
  say("what did I do?");
  await terminal.waitFor("I see.");
  const sent = JSON.stringify(server.requests[0]!.decoded.messages);
  expect(sent).toContain("one-42");
  expect(sent).not.toContain("secret-42");
  // It was seen as it happened: not a second time as a message.
  expect(terminal.scrollback().join("\n")).not.toContain("[the user ran this");
  say("!sleep 300");
  await terminal.waitFor(/[⠀-⣿] !  sleep 300/);
  terminal.press("escape");
  await terminal.waitFor("stopped by the user");
  say("!echo still-$((40 + 2))-usable");
  await terminal.waitFor("still-42-usable");
});

testWith(
  { program: "python3", proves: "cells of the user's own" },
  "a cell of one's own runs in the agent's kernel",
  async () => {
    await using talk = await converse([{ text: "Noted." }]);
    const { terminal, say, server } = talk;
    say("$ x = 6 * 7; x");
    await terminal.waitFor("42", { timeoutMs: 20_000 });
    say("$ print(f'again {x + 1}')");
    await terminal.waitFor("again 43", { timeoutMs: 20_000 });
    say("$5 is too much");
    await terminal.waitFor("Noted.");
    const sent = JSON.stringify(server.requests[0]!.decoded.messages);
    expect(sent).toContain("6 * 7");
    expect(sent).toContain("again 43");
    expect(sent).toContain("$5 is too much");
  },
  40_000,
);

testWith(
  { program: "less", proves: "a program that takes the screen, over the conversation" },
  "a program that wants a person gets a terminal, and the conversation comes back",
  async () => {
    await using talk = await converse([{ text: "Welcome back." }]);
    const { terminal, say, home } = talk;
    const lines = Array.from({ length: 200 }, (_, index) => `row ${index + 1}`).join("\n");
    await home.write("long.txt", lines);
    say("!less long.txt");
    await terminal.waitFor("row 9");
    await terminal.waitFor("Ctrl+] ends it");
    terminal.send("G");
    await terminal.waitFor("row 200");
    terminal.send("q");
    await terminal.waitFor(/─\n›/);
    expect(terminal.scrollback().join("\n")).not.toContain("row 150");
    say("done");
    await terminal.waitFor("Welcome back.");
  },
);

test("a question that a program asks the model's user is answered in its terminal", async () => {
  const command = 'read -p "Name? " name; echo "hello $name" | tr a-z A-Z';
  await using talk = await converse([
    { toolCalls: [{ name: "bash", arguments: { command, pty: true } }] },
    { text: "Thank you." },
  ]);
  const { terminal, say, server } = talk;
  say("ask me");
  // The words of the question stand in the command, too; this is the program's terminal.
  await terminal.waitFor("All keys go to the program");
  await terminal.waitFor(/^Name\?/m);
  terminal.send("ada");
  terminal.press("enter");
  await terminal.waitFor("Thank you.");
  const [, second] = server.requests;
  expect(JSON.stringify(second!.decoded.messages.at(-1))).toContain("HELLO ADA");
});

test("Esc twice goes back to an earlier place, to say it differently", async () => {
  await using talk = await converse([{ text: "First." }, { text: "Second." }, { text: "Third." }]);
  const { terminal, say, server, idle } = talk;
  say("one");
  await terminal.waitFor("First.");
  say("two");
  await terminal.waitFor("Second.");
  await idle();
  terminal.press("escape");
  await Bun.sleep(150);
  terminal.press("escape");
  await terminal.waitFor("Session tree");
  await terminal.waitFor("assistant  Second.");
  terminal.press("up");
  terminal.press("enter");
  await terminal.waitFor(/summar/i);
  terminal.press("enter");
  await terminal.waitFor("From here:");
  await terminal.waitFor(/─\n› two/);
  terminal.send(" and a half");
  terminal.press("enter");
  await terminal.waitFor("Third.");
  const said = server.requests.at(-1)!.decoded.messages.map((message) => JSON.stringify(message));
  expect(said).toHaveLength(3);
  expect(said[1]).toContain("First.");
  expect(said[2]).toContain("two and a half");
});

test("all of what would run can be read before saying yes, and nothing in it hides", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `echo row-${index + 1}`);
  const command = [...lines, "printf '\u001b[8mhidden'", "rm -rf ../tau-no-such-directory"].join(
    "\n",
  );
  await using talk = await converse([
    { toolCalls: [{ name: "bash", arguments: { command } }] },
    { text: "Left alone." },
  ]);
  const { terminal, say } = talk;
  say("begin");
  await armed(terminal);
  expect(terminal.text()).toContain("echo row-1");
  expect(terminal.text()).toMatch(/… \d+ more rows \(PgDn\)/);
  for (let page = 0; page < 12; page++) terminal.press("pagedown");
  await terminal.waitFor("rm -rf ../tau-no-such-directory");
  expect(terminal.text()).toContain("^[[8mhidden");
  await answer(terminal, "n");
  await terminal.waitFor("Left alone.");
});
