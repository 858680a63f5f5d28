// The conversation as the user has set it up: keys, an editor, a theme.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { converse } from "./support/converse.ts";
import { launcher } from "./support/run-tau.ts";

test("the keys are the user's to choose, and mistakes are told", async () => {
  const stack = new AsyncDisposableStack();
  await using _ = stack;
  const home = stack.use(await isolatedHome());
  await home.write(
    ".tau/agent/keybindings.json",
    '{ "app.exit": "Ctrl+X", "followUp": "Alt+F", "no.such": "Ctrl+Y" }',
  );
  const terminal = stack.use(
    runInTerminal([launcher, "-m", "tau/demo"], { cwd: home.root, env: { ...home.env } }),
  );
  await terminal.waitFor('There is no action "no.such"');
  terminal.press("ctrl+d");
  terminal.press("ctrl+x");
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
});

test("the draft is finished in the user's own editor", async () => {
  await using talk = await converse([{ text: "Fine." }], {
    env: { VISUAL: "sed -i s/old/new/" },
  });
  const { terminal, server } = talk;
  terminal.send("the old word");
  terminal.press("ctrl+g");
  await terminal.waitFor("› the new word");
  terminal.press("enter");
  await terminal.waitFor("Fine.");
  expect(JSON.stringify(server.requests[0]!.decoded.messages.at(-1))).toContain("the new word");
});

test("Ctrl-Z without a shell to wake it harms nothing", async () => {
  await using talk = await converse([{ text: "Awake." }]);
  const { terminal, say } = talk;
  terminal.send("half a thou");
  await terminal.waitFor("half a thou");
  terminal.press("ctrl+z");
  await Bun.sleep(300);
  say("ght");
  await terminal.waitFor("Awake.");
});

test("an editor that fails leaves the draft, and is no bug of ours", async () => {
  await using talk = await converse([], { env: { VISUAL: "false" } });
  const { terminal } = talk;
  terminal.send("my draft");
  terminal.press("ctrl+g");
  await terminal.waitFor("false ended with 1; the draft is unchanged");
  await terminal.waitFor("› my draft");
  expect(terminal.text()).not.toContain("A bug in");
});

test("a theme of one's own is used, followed while it is written, and its mistakes are told", async () => {
  await using talk = await converse([], {
    config: "theme:\n  dark: mine\n  light: mine\n",
    env: { COLORTERM: "truecolor" },
    before: (home) => home.write(".tau/agent/themes/mine.json", ownTheme("#010203")),
  });
  const { terminal, home } = talk;
  const bytes = (): string => new TextDecoder().decode(terminal.bytes());
  await terminal.waitFor(() => bytes().includes("38;2;1;2;3m"));
  await home.write(".tau/agent/themes/mine.json", ownTheme("#040506"));
  await terminal.waitFor(() => bytes().includes("38;2;4;5;6m"));
  await home.write(".tau/agent/themes/mine.json", ownTheme("#nonono"));
  await terminal.waitFor("The colours stay as they were.");
  expect(terminal.text()).toContain("#nonono");
});

const ownTheme = (statusLineModel: string): string =>
  JSON.stringify({ name: "mine", extends: "dark", colors: { statusLineModel } });
