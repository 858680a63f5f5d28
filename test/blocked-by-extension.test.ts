// An extension that never gives Tau's event loop a turn: nothing inside of Tau can act any more, and still its
// user is told who it is and can leave; the session is there afterwards.

import { expect, test } from "bun:test";
import { processesWithMark } from "@tau/host/process/process-tree";
import { converse } from "./support/converse.ts";
import { extended } from "./support/extended.ts";
import { launcher, spawnTau } from "./support/run-tau.ts";

const LOOPS = {
  "a loop": "for (;;);",
  "a loop that awaits nothing": "for (;;) await null;",
};

const blocking = (loop: string, hook = "turn_end"): string => `
export default (pi) => {
  pi.on("${hook}", async (event) => { ${loop} });
};`;

for (const [name, loop] of Object.entries(LOOPS)) {
  test(`the terminal: ${name} is named, Ctrl+C twice ends Tau, and the session continues`, async () => {
    await using program = await converse([{ text: "First answer." }, { text: "Second answer." }], {
      before: (home) => home.write(".tau/agent/extensions/stuck.ts", blocking(loop)),
      env: { TERM_SESSION_ID: "one" },
    });
    const { terminal, say, home, env } = program;
    say("hello");
    await terminal.waitFor("by the extension stuck (turn_end)", { timeoutMs: 12_000 });
    await terminal.waitFor("Press Ctrl+C twice");
    terminal.press("ctrl+c");
    await terminal.waitFor("once more");
    terminal.press("ctrl+c");
    expect((await terminal.exited).signal).toBe("SIGKILL");
    expect(terminal.text()).toContain("The session is kept");
    const next = spawnTau(["-p", "-c", "-m", "ollama/x", "--no-extensions", "again"], {
      cwd: home.root,
      home,
      env,
    });
    expect(await next.stdout.text()).toBe("Second answer.\n");
    const sent = program.server.requests[1]!.decoded.messages;
    expect(JSON.stringify(sent)).toContain("First answer.");
  }, 40_000);
}

test("one that comes to an end after all: it is told, the screen is whole, and Tau goes on", async () => {
  const slow = "const end = Date.now() + 8000; while (Date.now() < end);";
  await using program = await converse([{ text: "First answer." }, { text: "Second answer." }], {
    before: (home) => home.write(".tau/agent/extensions/slow.ts", blocking(slow, "input")),
  });
  const { terminal, say } = program;
  say("hello");
  await terminal.waitFor("by the extension slow (input)", { timeoutMs: 12_000 });
  await terminal.waitFor("First answer.", { timeoutMs: 12_000 });
  await terminal.waitFor(/Tau was blocked for \d+ seconds by the extension slow \(input\)/);
  await terminal.waitFor((seen) => !seen.text().includes("Press Ctrl+C twice"));
}, 40_000);

test("print mode: it is named on standard error, an interrupt ends it, and nothing stays", async () => {
  await using program = await extended({ "stuck.ts": blocking("for (;;);") }, [{ text: "Hi." }]);
  const env = { OLLAMA_BASE_URL: program.server.baseUrl("openai-completions"), PROBE: "blocked" };
  const child = Bun.spawn(
    // A group of its own, as a shell gives every command.
    [launcher, "-m", "ollama/x", "-p", "go"],
    {
      cwd: program.cwd,
      env: { ...program.home.env, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    },
  );
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    said += decoder.decode(chunk);
    if (said.includes("kill -9")) process.kill(-child.pid, "SIGINT");
  }
  await child.exited;
  expect(said).toContain("Tau has been blocked for 5 seconds by the extension stuck (turn_end)");
  expect(said).toContain(`kill -9 ${child.pid}`);
  expect(child.signalCode).toBe("SIGKILL");
  expect(processesWithMark("PROBE=blocked")).toEqual([]);
}, 40_000);

test("without extensions there is no second process", async () => {
  await using program = await converse([{ text: "Hello." }]);
  program.say("go");
  await program.terminal.waitFor("Hello.");
  const { stdout } = Bun.spawnSync(["ps", "-ef"]);
  expect(stdout.toString()).not.toContain(`tau-watchdog ${program.terminal.pid}`);
});
