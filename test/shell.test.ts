// The shell as users meet it: their own aliases in the model's commands, and what happens to a
// command for a person where nobody sits at a terminal.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { textOf } from "@tau/ai/message";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

/** What the model was told of its commands, one after the other. */
async function told(
  home: IsolatedHome,
  calls: readonly Record<string, unknown>[],
  env: Record<string, string> = {},
): Promise<string[]> {
  const turns = calls.map((args) => ({ toolCalls: [{ name: "bash", arguments: args }] }));
  await using server = await ModelServer.start([...turns, { text: "done" }]);
  const OLLAMA_BASE_URL = server.baseUrl("openai-completions");
  const options = { cwd: home.root, home, env: { OLLAMA_BASE_URL, ...env } };
  const run = await runTau(["-p", "-m", "ollama/x", "--yolo", "go"], options);
  expect(run).toMatchObject({ exitCode: 0 });
  return server.requests
    .at(-1)!
    .decoded.messages.filter(({ role }) => role === "toolResult")
    .map(textOf);
}

test("aliases, functions and exports of the user's startup file work in the model's commands", async () => {
  await using home = await isolatedHome();
  await home.write(
    ".bashrc",
    `[[ $- == *i* ]] || return
echo greeting
alias hi='echo hello'
twice() { echo "$1$1"; }
export COLOUR=red OPENAI_API_KEY=sk-never`,
  );
  const command = 'hi; twice ab; echo "$COLOUR[$OPENAI_API_KEY]"';
  // The first start may go on without; the second has what the first wrote down.
  await told(home, [{ command: "sleep 0.5" }]);
  expect(await told(home, [{ command }])).toEqual(["hello\nabab\nred[]"]);
  await home.write(".tau/agent/config.yml", "bash:\n  userRc: false\n");
  const [without] = await told(home, [{ command }]);
  expect(without).toContain("hi: command not found");
});

test("output goes into a pipe, which programs may open by its names", async () => {
  await using home = await isolatedHome();
  const command = "echo a >/dev/stdout; echo b | tee /dev/stderr >/dev/null; [ -p /dev/stdout ]";
  expect(await told(home, [{ command }])).toEqual(["a\nb"]);
});

test("a command for a person runs the normal way where nobody is there, and says so", async () => {
  await using home = await isolatedHome();
  const [text] = await told(home, [{ command: "test -t 0 || echo plain", pty: true }]);
  expect(text).toBe("[no terminal: nobody is there to use one]\nplain");
});

test("a shell that cannot be used is refused with the way out", async () => {
  await using home = await isolatedHome();
  const [text] = await told(home, [{ command: "echo hi" }], { TAU_SHELL_PATH: "/usr/bin/fish" });
  expect(text).toContain("/usr/bin/fish is not a supported shell");
  expect(text).toContain("TAU_SHELL_PATH or the setting bash.shellPath");
});

test("a flood without line ends is kept whole once, of a command and of a cell", async () => {
  await using home = await isolatedHome();
  const call = (name: string, args: Record<string, unknown>) => ({
    toolCalls: [{ name, arguments: args }],
  });
  await using server = await ModelServer.start([
    call("bash", { command: "printf 'x%.0s' {1..100000}; false" }),
    call("eval", { cells: [{ language: "js", code: "console.log('x'.repeat(100_000))" }] }),
    call("eval", {
      cells: [{ language: "js", code: "for (let i = 0; i < 2000; i++) console.log(i)" }],
    }),
    { text: "done" },
  ]);
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  await runTau(["-p", "-m", "ollama/x", "--yolo", "go"], { cwd: home.root, home, env });
  const messages = server.requests.at(-1)!.decoded.messages;
  const results = messages.filter(({ role }) => role === "toolResult").map(textOf);
  const named = results.map((text) => text.match(/artifact:\/\/\d+/g) ?? []);
  // The last is short enough to be told whole, as a command's output is.
  expect(named).toEqual([["artifact://0"], ["artifact://1"], []]);
});
