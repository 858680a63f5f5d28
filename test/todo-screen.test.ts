// The todo list on the screen: it follows the work, Esc leaves it standing, `/todo` changes it, and
// whoever comes back finds it again.

import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedReply } from "@tau/testkit/script";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher, root } from "./support/run-tau.ts";

const todo = (...ops: Record<string, unknown>[]): ScriptedReply => ({
  toolCalls: [{ name: "todo", arguments: { ops } }],
});
const LIST = {
  op: "init",
  list: [
    { phase: "Build", items: ["Parse it", "Print it"] },
    { phase: "Ship", items: ["Tag it"] },
  ],
};
const SILENT: ScriptedReply = { text: "never comes", delivery: { silentAfterBytes: 0 } };

async function converse(script: Parameters<typeof ModelServer.start>[0], config = "") {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome());
  await home.write(".tau/agent/config.yml", config);
  const server = stack.use(await ModelServer.start(script));
  const editor = await home.write(
    "edit.sh",
    '#!/bin/sh\ncp "$1" "$(dirname "$0")/edited.md"\nsed -i "s/Print it/Print it twice/; s/- \\[ \\] Tag it/- [-] Tag it/" "$1"\n',
  );
  await chmod(editor, 0o755);
  const env = {
    ...home.env,
    TAU_NO_TITLE: "1",
    EDITOR: editor,
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  };
  const open = async (...args: string[]) => {
    const terminal = stack.use(
      runInTerminal([launcher, "-m", "ollama/x", ...args], { cwd: home.root, env, rows: 40 }),
    );
    await terminal.waitFor(/─\n›/);
    await terminal.waitFor("ollama/x");
    const say = (text: string): void => {
      terminal.send(text);
      terminal.press("enter");
    };
    return { terminal, say };
  };
  return { home, server, open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What stands just above the prompt's frame, without what goes on. */
const PANEL = /\n {2}Build 1 of 2\n {2}✓ Parse it\n {2}● Print it\n {2}\+1 more\n/;

test("it follows the work, Esc leaves it standing, and it is there again later", async () => {
  let isStopped = false;
  await using talk = await converse((_request, turn) => {
    if (turn === 1) return todo(LIST);
    if (turn === 2) return todo({ op: "done", task: "Parse it" });
    return isStopped ? { text: "Here again." } : SILENT;
  });
  const { terminal, say } = await talk.open();
  expect(terminal.text()).not.toContain("Build");
  say("go");
  await terminal.waitFor(PANEL);
  await terminal.waitFor("Waiting for the model");
  const asked = talk.server.requests.length;
  isStopped = true;
  terminal.press("escape");
  await terminal.waitFor("Stopped.");
  expect(terminal.text()).toMatch(PANEL);
  // Who stopped it wants quiet: nobody is reminded of anything.
  expect(talk.server.requests.length).toBe(asked);
  say("/exit");
  expect((await terminal.exited).code).toBe(0);
  const later = await talk.open("-c");
  await later.terminal.waitFor(/\n {2}Build 1 of 2\n {2}● Print it\n {2}\+1 more\n/);
  later.say("/new");
  await later.terminal.waitFor(
    (seen) => !/Build 1 of 2\n {2}● Print it\n {2}\+1/.test(seen.text()),
  );
});

test("/todo shows and changes it, also in an editor, and the model is told", async () => {
  await using talk = await converse(
    (_request, turn) => (turn === 1 ? todo(LIST) : { text: `Answer ${turn}.` }),
    "todo:\n  reminders: false\n",
  );
  const { terminal, say } = await talk.open();
  say("/todo");
  await terminal.waitFor("The todo list is empty.");
  say("go");
  await terminal.waitFor("Answer 2.");
  say("/todo done parse");
  await terminal.waitFor(PANEL);
  say("/todo append Read it");
  await terminal.waitFor(/\n {2}○ Read it\n/);
  say("/todo edit");
  await terminal.waitFor("● Print it twice");
  expect(terminal.text()).toContain("[-] Tag it");
  say("/todo done it");
  await terminal.waitFor('"it" is in 4 tasks');
  say("and now?");
  await terminal.waitFor("Answer 3.");
  const told = talk.server.requests.at(-1)!.decoded.messages.map(textOf);
  expect(told.at(-2)).toBe(
    "The user changed the todo list. Work from what it is now:\n## Build\n- [x] Parse it\n- [/] Print it twice\n- [ ] Read it\n## Ship\n- [-] Tag it",
  );
  say("/todo clear");
  await terminal.waitFor((seen) => !seen.text().includes("Build 1 of 3\n  ✓"));
  expect(terminal.text()).toContain("The todo list is empty.");
});

test("a reminder is told to the user as well", async () => {
  await using talk = await converse([
    todo(LIST),
    { text: "That will do." },
    todo({ op: "done" }),
    { text: "Now it is done." },
  ]);
  const { terminal, say } = await talk.open();
  say("go");
  await terminal.waitFor("Now it is done.");
  expect(terminal.text()).toMatch(/That will do\.\s+Reminded of what is open: 3 tasks\./);
  // Closed a moment ago: it is seen going.
  expect(terminal.text()).toContain("  Ship 1 of 1\n  ✓ Tag it");
});

test("the example of the page looks as the page says, and its Markdown is the list", async () => {
  const page = await Bun.file(join(root, "docs/todo.md")).text();
  const [, screen] = /```text\n([\s\S]*?)```/.exec(page)!;
  const [, markdown] = /```markdown\n([\s\S]*?)```/.exec(page)!;
  const build = ["Read the invoices", "Round to cents", "Write the tests"];
  const list = [
    { phase: "Build", items: build },
    { phase: "Ship", items: ["Tell Ada"] },
  ];
  await using talk = await converse(
    [todo({ op: "init", list }), todo({ op: "done", task: build[0] }), { text: "So far." }],
    "todo:\n  reminders: false\n",
  );
  const { terminal, say } = await talk.open();
  say("go");
  await terminal.waitFor("So far.");
  await terminal.waitFor((seen) => !/Answering|Waiting for|Going on/.test(seen.text()));
  expect(terminal.text()).toContain(screen!);
  say("/todo edit");
  await terminal.waitFor("[/] Round to cents");
  expect(await Bun.file(talk.home.path("edited.md")).text()).toContain(markdown!);
});

test("without a screen, /todo does the same", async () => {
  await using talk = await converse([todo(LIST), { text: "Fine." }], "todo:\n  reminders: false\n");
  const { server, home } = talk;
  await using terminal = runInTerminal([launcher, "-m", "ollama/x"], {
    cwd: home.root,
    env: {
      ...home.env,
      TAU_NO_TITLE: "1",
      TERM: "dumb",
      OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    },
  });
  await terminal.waitFor("›");
  terminal.send("go\r");
  await terminal.waitFor("Fine.");
  terminal.send("/todo drop tag\r");
  await terminal.waitFor("[-] Tag it");
});
