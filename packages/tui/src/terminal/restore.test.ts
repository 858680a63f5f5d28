// A real program on a real pseudo-terminal: however it ends, the shell gets its terminal back.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { runInTerminal, type TerminalSession } from "@tau/testkit/terminal";

const PROGRAM = join(import.meta.dir, "test", "print-rows.ts");
const LIMIT = { timeoutMs: 20_000 };
const ROWS = 40;

function shell(ending: string, pidFile: string): TerminalSession {
  const command = `'${process.execPath}' '${PROGRAM}' ${ROWS} 1 ${ending} '${pidFile}'; code=$?; stty -a; echo over $code`;
  return runInTerminal(["sh", "-c", command], { keyboard: "kitty", rows: 12, columns: 100 });
}

function expectRestored(terminal: TerminalSession): void {
  const text = terminal.scrollback().join("\n");
  expect(text).toMatch(/[^-]icanon/);
  expect(text).toMatch(/[^-]echo\b/);
  expect(terminal.cursor().visible).toBe(true);
  const bytes = new TextDecoder().decode(terminal.bytes());
  for (const [on, off] of [
    ["\x1b[?2004h", "\x1b[?2004l"],
    ["\x1b[?7l", "\x1b[?7h"],
    ["\x1b[?2031h", "\x1b[?2031l"],
    ["\x1b[>5u", "\x1b[<u"],
  ] as const) {
    expect(bytes).toContain(on);
    expect(bytes.lastIndexOf(off)).toBeGreaterThan(bytes.lastIndexOf(on));
  }
  expect(bytes).not.toContain("\x1b[3J");
}

function numbers(terminal: TerminalSession): number[] {
  const text = terminal.scrollback().join("\n");
  return [...text.matchAll(/line-(\d+)\./g)].map((match) => Number(match[1]));
}

const ALL = Array.from({ length: ROWS }, (_, index) => index + 1);

for (const ending of ["stop", "throw", "reject"]) {
  test(`the terminal is restored after: ${ending}`, async () => {
    await using scratch = await createScratchDirectory();
    await using terminal = shell(ending, scratch.path("pid"));
    await terminal.waitFor(ending === "stop" ? "over 0" : "over 1", LIMIT);
    expectRestored(terminal);
    expect(numbers(terminal)).toEqual(ALL);
    if (ending !== "stop") expect(terminal.scrollback().join("\n")).toContain("as told");
  });
}

// The shell gives 128 and the signal's number: the program has died of it.
for (const [signal, code] of [
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGINT", 130],
] as const) {
  test(`the terminal is restored after ${signal}`, async () => {
    await using scratch = await createScratchDirectory();
    await using terminal = shell("wait", scratch.path("pid"));
    await terminal.waitFor(`line-${ROWS}.`, LIMIT);
    // The keyboard protocol is switched on when the terminal has answered.
    await terminal.waitFor(
      (session) => new TextDecoder().decode(session.bytes()).includes("\x1b[>5u"),
      LIMIT,
    );
    process.kill(Number(await scratch.read("pid")), signal);
    await terminal.waitFor(`over ${code}`, LIMIT);
    expectRestored(terminal);
  });
}

test("Ctrl-Z gives the terminal to the shell and fg takes it back, no row twice", async () => {
  await using scratch = await createScratchDirectory();
  await using terminal = runInTerminal(["sh", "-i"], {
    env: { PATH: process.env.PATH, HOME: scratch.root, PS1: "shell> ", LANG: "C.UTF-8" },
    rows: 12,
    columns: 100,
  });
  await terminal.waitFor("shell>", LIMIT);
  terminal.send(`'${process.execPath}' '${PROGRAM}' ${ROWS * 2} 20 stop\r`);
  await terminal.waitFor("line-12.", LIMIT);
  terminal.press("ctrl+z");
  await terminal.waitFor(
    (session) => /shell>$/m.test(session.text()) && !session.text().includes("status"),
    LIMIT,
  );
  expect(terminal.cursor().visible).toBe(true);
  terminal.send("echo typed-$((1+1))\r");
  await terminal.waitFor("typed-2", LIMIT);
  terminal.send("fg\r");
  await terminal.waitFor(`line-${ROWS * 2}.`, LIMIT);
  await terminal.waitFor((session) => !session.text().includes("status"), LIMIT);
  expect(numbers(terminal)).toEqual(Array.from({ length: ROWS * 2 }, (_, index) => index + 1));
});
