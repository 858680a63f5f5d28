import { describe, expect, test } from "bun:test";
import { sessionProcesses } from "./end-session.ts";
import { canInspectProcesses, findProcesses } from "./processes.ts";
import { createScratchDirectory } from "./scratch.ts";
import { TerminalWaitError } from "./screen-waits.ts";
import { runInTerminal, type TerminalSession } from "./terminal.ts";

function bash(script: string, options: Parameters<typeof runInTerminal>[1] = {}) {
  return runInTerminal(["bash", "--norc", "--noprofile", "-c", script], options);
}

// Reads keys raw, shows each read as hex, and stops at "q".
const KEY_READER = `
  process.stdin.setRawMode(true);
  process.stdin.on("data", (bytes) => {
    console.log("<" + bytes.toString("hex") + ">");
    if (bytes.toString() === "q") process.exit(0);
  });
  process.stdout.write(process.argv[1] ?? "");
  console.log("ready");
`;

function keyReader(setup = "", options: Parameters<typeof runInTerminal>[1] = {}) {
  return runInTerminal([process.execPath, "-e", KEY_READER, setup], options);
}

function hex(text: string): string {
  return `<${Buffer.from(text).toString("hex")}>`;
}

describe("what a program shows", () => {
  test("rows, cursor, title and exit code", async () => {
    await using terminal = bash(`printf '\\033]2;a title\\007one\\r\\n  two  '; exit 7`);
    expect(await terminal.exited).toEqual({ code: 7, signal: null });
    expect(terminal.screen()).toEqual(["one", "  two", ...Array<string>(22).fill("")]);
    expect(terminal.cursor()).toEqual({ row: 1, column: 7, visible: true });
    expect(terminal.title()).toBe("a title");
    expect(Buffer.from(terminal.bytes()).toString()).toBe("\x1b]2;a title\x07one\r\r\n  two  ");
  });

  test("it is a real terminal, the controlling one, of the asked size", async () => {
    const script = `stty size; test -t 0 -a -t 1 -a -t 2 && echo tty; echo ok > /dev/tty; echo $TERM $COLORTERM`;
    await using terminal = bash(script, { columns: 100, rows: 30 });
    await terminal.exited;
    expect(terminal.screen().slice(0, 4)).toEqual([
      "30 100",
      "tty",
      "ok",
      "xterm-256color truecolor",
    ]);
    await using usual = bash("stty size");
    await usual.exited;
    expect(usual.screen()[0]).toBe("24 80");
  });

  test("wide characters and emoji take the cells that they take on a real screen", async () => {
    await using terminal = bash(`printf '漢字|\\r\\n👨‍👩‍👧|\\r\\ne\\u0301|'`);
    await terminal.exited;
    expect(terminal.screen().slice(0, 3)).toEqual(["漢字|", "👨‍👩‍👧|", "e\u0301|"]);
    expect(terminal.cell(0, 0)).toMatchObject({ text: "漢", width: 2 });
    expect(terminal.cell(0, 1)).toMatchObject({ text: "", width: 0 });
    expect(terminal.cell(0, 4)?.text).toBe("|");
    expect(terminal.cell(1, 0)).toMatchObject({ text: "👨‍👩‍👧", width: 2 });
    expect(terminal.cell(1, 2)?.text).toBe("|");
    expect(terminal.cell(2, 1)?.text).toBe("|");
  });

  test("styles, colours, hyperlinks, a hidden cursor", async () => {
    const styled = `\\033[1;3;38;2;1;2;255;44mB\\033[0;2;4;7;9;91mD\\033[0mP`;
    const link = `\\033]8;;https://tau.example/x\\007L\\033]8;;\\007`;
    await using terminal = bash(`printf '${styled}${link}\\033[?25l'`);
    await terminal.exited;
    expect(terminal.cell(0, 0)).toEqual({
      text: "B",
      width: 1,
      foreground: "#0102ff",
      background: 4,
      bold: true,
      dim: false,
      italic: true,
      underline: false,
      inverse: false,
      invisible: false,
      strikethrough: false,
      link: undefined,
    });
    const dim = { bold: false, dim: true, underline: true, inverse: true, strikethrough: true };
    expect(terminal.cell(0, 1)).toMatchObject({ ...dim, foreground: 9, background: "default" });
    expect(terminal.cell(0, 2)).toMatchObject({ text: "P", foreground: "default", bold: false });
    expect(terminal.cell(0, 3)?.link).toBe("https://tau.example/x");
    expect(terminal.cursor().visible).toBe(false);
    expect(terminal.cell(24, 0)).toBeUndefined();
  });

  test("history holds every line once, the last one too", async () => {
    await using terminal = bash("for i in {1..500}; do echo line $i; done; printf end");
    await terminal.exited;
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index + 1}`);
    expect(terminal.scrollback()).toEqual([...lines, "end"]);
    expect(terminal.screen()).toEqual([...lines.slice(-23), "end"]);
  });

  test("the alternate screen has no history and gives the old screen back", async () => {
    await using terminal = bash(
      `echo before; printf '\\033[?1049h\\033[Hinside'; read; printf '\\033[?1049l'`,
    );
    await terminal.waitFor("inside");
    expect(terminal.alternateScreen).toBe(true);
    expect(terminal.text()).not.toContain("before");
    terminal.press("enter");
    await terminal.exited;
    expect(terminal.alternateScreen).toBe(false);
    expect(terminal.screen()[0]).toBe("before");
  });

  test("a megabyte before exit is not lost, even while nobody reads", async () => {
    await using terminal = bash("head -c 1000000 /dev/zero | tr '\\0' x; printf THE-END");
    // Holds up our own event loop, so that the program can run ahead and end.
    Bun.sleepSync(50);
    await terminal.exited;
    expect(terminal.bytes().length).toBe(1_000_007);
    expect(terminal.text()).toEndWith("THE-END");
  });

  test("nor when a surviving child keeps the terminal open", async () => {
    await using terminal = bash(
      "trap '' HUP; sleep 307 & head -c 3000 /dev/zero | tr '\\0' x; printf THE-END",
    );
    Bun.sleepSync(100);
    await terminal.exited;
    expect(terminal.bytes().length).toBe(3_007);
  });
});

describe("typing", () => {
  test("keys, text and chords arrive as a terminal sends them", async () => {
    await using terminal = keyReader();
    await terminal.waitFor("ready");
    const keys = {
      enter: "\r",
      "ctrl+c": "\x03",
      "alt+up": "\x1b[1;3A",
      "shift+tab": "\x1b[Z",
      f1: "\x1bOP",
    };
    for (const [key, bytes] of Object.entries(keys)) {
      terminal.press(key);
      await terminal.waitFor(hex(bytes));
    }
    terminal.send("héllo");
    await terminal.waitFor(hex("héllo"));
    terminal.press("q");
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
  });

  test("cursor keys follow the mode that the program has set", async () => {
    await using terminal = keyReader("\x1b[?1h");
    await terminal.waitFor("ready");
    terminal.press("up");
    await terminal.waitFor(hex("\x1bOA"));
  });

  test("a paste is bracketed only for programs that asked", async () => {
    await using plain = keyReader();
    await plain.waitFor("ready");
    plain.paste("a\nb");
    await plain.waitFor(hex("a\rb"));
    await using bracketed = keyReader("\x1b[?2004h");
    await bracketed.waitFor("ready");
    bracketed.paste("a\r\nb\x1b[201~c");
    await bracketed.waitFor(hex("\x1b[200~a\rbc\x1b[201~"));
  });

  test("ctrl+c interrupts a program that reads lines", async () => {
    await using terminal = bash("echo go; sleep 60");
    await terminal.waitFor("go");
    terminal.press("ctrl+c");
    expect(await terminal.exited).toEqual({ code: null, signal: "SIGINT" });
  });

  test("a paste of a megabyte arrives whole", async () => {
    const script = `
      process.stdin.setRawMode(true);
      console.log("ready");
      let count = 0;
      process.stdin.on("data", (bytes) => {
        count += bytes.length;
        if (bytes.includes("!")) { console.log("got " + count); process.exit(0); }
      });`;
    await using terminal = runInTerminal([process.execPath, "-e", script]);
    await terminal.waitFor("ready");
    terminal.paste(`${"x".repeat(1_000_000)}!`);
    await terminal.waitFor("got 1000001");
  });
});

describe("questions of a program", () => {
  const answers = {
    "\x1b[c": "\x1b[?1;2c",
    "\x1b[6n": "\x1b[1;1R",
    "\x1b[?2026$p": "\x1b[?2026;2$y",
    "\x1b]10;?\x07": "\x1b]10;rgb:ffff/eeee/dddd\x1b\\",
    "\x1b]11;?\x1b\\": "\x1b]11;rgb:0000/1111/2222\x1b\\",
  };
  test.each(Object.entries(answers))("%j is answered", async (question, answer) => {
    const colors = { foreground: "#ffeedd", background: "#001122" };
    await using terminal = keyReader(question, colors);
    await terminal.waitFor(hex(answer));
  });

  test("the kitty keyboard is spoken only when the terminal is said to have it", async () => {
    const setup = "\x1b[>1u\x1b[?u";
    await using kitty = keyReader(setup, { keyboard: "kitty" });
    await kitty.waitFor(hex("\x1b[?1u"));
    kitty.press("shift+enter");
    await kitty.waitFor(hex("\x1b[13;2u"));
    await using left = keyReader(`${setup}\x1b[<u\x1b[?u`, { keyboard: "kitty" });
    await left.waitFor(hex("\x1b[?1u\x1b[?0u"));
  });
});

describe("size", () => {
  test("a resize reaches the program and the screen", async () => {
    await using terminal = bash("trap 'stty size' WINCH; echo ready; while :; do sleep 0.01; done");
    await terminal.waitFor("ready");
    await terminal.resize(120, 40);
    await terminal.waitFor("40 120");
    expect(terminal.screen()).toHaveLength(40);
    await terminal.resize(30, 10);
    await terminal.waitFor("10 30");
    expect(terminal.screen()).toHaveLength(10);
  });

  test("a narrower screen wraps what is there", async () => {
    await using terminal = bash("echo abcdefgh; read");
    await terminal.waitFor("abcdefgh");
    await terminal.resize(5, 10);
    expect(terminal.screen().slice(0, 2)).toEqual(["abcde", "fgh"]);
  });
});

describe("waiting", () => {
  test("takes text, patterns and questions, also what is there already", async () => {
    await using terminal = bash("echo first; read; echo second 22; read");
    expect((await terminal.waitFor("first"))[0]).toBe("first");
    await terminal.waitFor(/^first$/m);
    const second = terminal.waitFor(/second (\d+)/g);
    terminal.press("enter");
    await second;
    await terminal.waitFor((screen) => screen.cursor().row === 3);
  });

  test("in vain, it shows the screen", async () => {
    await using terminal = bash("echo something else; read");
    await terminal.waitFor("something");
    const failure = await terminal
      .waitFor("never", { timeoutMs: 30 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TerminalWaitError);
    expect((failure as Error).message).toBe(
      "waiting for never: not within 30 ms\n| something else",
    );
  });

  test("ends at once when the program has", async () => {
    await using terminal = bash("echo bye; exit 3");
    await expect(terminal.waitFor("never", { timeoutMs: 60_000 })).rejects.toThrow(
      "waiting for never: the program has ended (exit code 3)\n| bye",
    );
    await terminal.waitFor("bye");
    await terminal.waitForIdle();
  });

  test("does not look at a half-drawn update", async () => {
    await using terminal = bash(
      `printf '\\033[?2026hhalf'; read; printf ' whole\\033[?2026l'; read`,
    );
    await terminal.waitForIdle(50);
    expect(terminal.text()).toContain("half");
    const seen = terminal.waitFor("half");
    terminal.press("enter");
    expect((await seen).join("\n")).toContain("whole");
  });

  test("a condition that throws fails the wait with its own error", async () => {
    await using terminal = bash("read");
    const wait = terminal.waitFor(() => {
      throw new RangeError("mine");
    });
    await expect(wait).rejects.toThrow(RangeError);
  });

  test("idle means that nothing came for as long as was asked", async () => {
    await using terminal = bash("for i in {1..10}; do echo $i; sleep 0.02; done; echo done; read");
    await terminal.waitForIdle(300);
    expect(terminal.text()).toContain("done");
    await using busy = bash("while :; do echo tick; sleep 0.01; done");
    await expect(busy.waitForIdle(500, { timeoutMs: 100 })).rejects.toThrow(TerminalWaitError);
  });
});

describe("the end", () => {
  test("a program that dies by a signal says which", async () => {
    await using terminal = bash("echo alive; kill -SEGV $$");
    expect(await terminal.exited).toEqual({ code: null, signal: "SIGSEGV" });
    expect(terminal.screen()[0]).toBe("alive");
  });

  test("kill signals the whole group", async () => {
    await using terminal = bash(
      "trap 'echo caught; exit 9' TERM; echo ready; while :; do sleep 60; done",
    );
    await terminal.waitFor("ready");
    terminal.kill();
    expect(await terminal.exited).toEqual({ code: 9, signal: null });
    expect(terminal.text()).toContain("caught");
    terminal.kill();
  });

  test("a program that cannot start throws", async () => {
    expect(() => runInTerminal(["no-such-program-tau"])).toThrow("no-such-program-tau");
    await using dir = await createScratchDirectory();
    expect(() => runInTerminal(["true"], { cwd: dir.path("missing") })).toThrow();
  });

  test.skipIf(!canInspectProcesses)("disposing leaves nothing behind", async () => {
    // A job in its own group, one that ignores hangup, one that left the session, and one
    // that gave up its environment.
    const jobs = ["sleep 301", "nohup sleep 302", "setsid sleep 303", "env -i sleep 304"];
    const script = `set -m; ${jobs.map((job) => `${job} >/dev/null 2>&1 &`).join(" ")} wait`;
    let pids: number[];
    let wait: Promise<unknown>;
    {
      await using terminal = bash(script);
      const running = await waitForCommands(terminal, /^sleep 30[1-4]$/, jobs.length);
      pids = [terminal.pid, ...running.map((info) => info.pid)];
      expect(new Set(running.map((info) => info.group)).size).toBe(jobs.length);
      wait = terminal.waitFor("never").catch((error: unknown) => error);
    }
    expect(await findProcesses((info) => pids.includes(info.pid))).toEqual([]);
    expect(await wait).toBeInstanceOf(TerminalWaitError);
  });

  test.skipIf(!canInspectProcesses)("also when the program itself has ended before", async () => {
    let pids: number[];
    {
      // An ignored signal stays ignored in the children, from their first moment on.
      await using terminal = bash("trap '' HUP; sleep 305 & setsid sleep 306 & exit 0");
      await terminal.exited;
      const running = await waitForCommands(terminal, /^sleep 30[56]$/, 2);
      pids = running.map((info) => info.pid);
    }
    expect(await findProcesses((info) => pids.includes(info.pid))).toEqual([]);
  });
});

// Started commands need a moment until they are what they will be; the test's own time
// limit ends a wait in vain.
async function waitForCommands(terminal: TerminalSession, pattern: RegExp, count: number) {
  const identity = { leader: terminal.pid, leaderEnded: false, marker: terminal.marker };
  for (;;) {
    const found = await sessionProcesses(identity);
    const running = found.filter((info) => pattern.test(info.command));
    if (running.length === count) return running;
    await Bun.sleep(5);
  }
}
