// Real programs in a real terminal: what they see of it, and what is left when they are gone.

import { describe, expect, test } from "bun:test";
import { processesWithEnv, waitUntilGone } from "@tau/testkit/processes";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { openPty, PtyStartError, type Pty, type PtyOptions } from "./pty.ts";

const TIMEOUT_MS = 60_000;
const BASE = { PATH: process.env.PATH, HOME: "/", LANG: "C.UTF-8", PS1: "$ " };

interface Watched extends AsyncDisposable {
  pty: Pty;
  /** Resolves when the text has come. */
  until(text: string): Promise<void>;
  find(): ReturnType<typeof processesWithEnv>;
}

function watch(command: string | string[], options: Partial<PtyOptions> = {}): Watched {
  const value = crypto.randomUUID();
  const waiting = new Set<() => void>();
  const pty = openPty(command, {
    cwd: "/",
    ...options,
    env: { ...BASE, TAU_TEST_PTY: value, ...options.env },
    onOutput(bytes) {
      options.onOutput?.(bytes);
      for (const wake of waiting) wake();
    },
  });
  return {
    pty,
    async until(text) {
      while (!pty.output().text.includes(text)) {
        await new Promise<void>((resolve, reject) => {
          waiting.add(resolve);
          void pty.exited.then(() =>
            pty.output().text.includes(text)
              ? resolve()
              : reject(new Error(`ended without ${text}: ${pty.output().text}`)),
          );
        });
        waiting.clear();
      }
    },
    find: () => processesWithEnv({ name: "TAU_TEST_PTY", value }),
    [Symbol.asyncDispose]: () => pty[Symbol.asyncDispose](),
  };
}

const exited = (code: number) => ({ code, signal: null, end: "exited" }) as const;

test(
  "a command sees a terminal, its size and how it changes",
  async () => {
    await using watched = watch(
      "test -t 0 && test -t 1 && echo yes $TERM; stty size; read x; stty size",
      {
        columns: 100,
        rows: 30,
      },
    );
    await watched.until("30 100");
    watched.pty.resize(120, 40);
    watched.pty.write("\r");
    expect(await watched.pty.exited).toEqual(exited(0));
    expect(watched.pty.output().text).toBe("yes xterm-256color\n30 100\n\n40 120\n");
  },
  TIMEOUT_MS,
);

test(
  "a running program is told of a new size",
  async () => {
    await using watched = watch(
      `trap 'stty size; exit 5' WINCH; echo ready; while :; do sleep 0.05; done`,
    );
    await watched.until("ready");
    watched.pty.resize(61, 17);
    expect(await watched.pty.exited).toEqual(exited(5));
    expect(watched.pty.output().text).toContain("17 61");
  },
  TIMEOUT_MS,
);

test(
  "questions are answered by typing; a password is not shown",
  async () => {
    await using watched = watch(
      `read -p "Name? " name; stty -echo; read -p "Password: " word; stty echo; echo; echo "$name/$word" | tr a-z A-Z`,
    );
    await watched.until("Name? ");
    watched.pty.write("ada\r");
    await watched.until("Password: ");
    watched.pty.write("hush\r");
    expect(await watched.pty.exited).toEqual(exited(0));
    expect(watched.pty.output().text).toBe("Name? ada\nPassword: \nADA/HUSH\n");
  },
  TIMEOUT_MS,
);

test(
  "an interactive shell, and Ctrl-C in it",
  async () => {
    await using watched = watch(["bash", "--norc", "-i"]);
    await watched.until("$ ");
    watched.pty.write("sleep 300; echo not$((1))this\r");
    while ((await watched.find()).every(({ command }) => command !== "sleep 300"))
      await Bun.sleep(10);
    watched.pty.write("\x03");
    await watched.until("^C\n$ ");
    watched.pty.write("echo $((40+2)) status $?\r");
    await watched.until("42 status 130");
    watched.pty.write("exit 9\r");
    expect(await watched.pty.exited).toEqual(exited(9));
    expect(watched.pty.output().text).not.toContain("not1this");
  },
  TIMEOUT_MS,
);

testWith(
  { program: "python3", proves: "that a language's own prompt works in a terminal" },
  "a language's own prompt",
  async (python) => {
    await using watched = watch([python, "-q", "-i"], { env: { PYTHONDONTWRITEBYTECODE: "1" } });
    await watched.until(">>> ");
    watched.pty.write("print(6 * 7)\r");
    // At its prompt again: before, the terminal is not yet as the prompt wants it.
    await watched.until("42\n>>> ");
    watched.pty.write("\x04");
    expect(await watched.pty.exited).toEqual(exited(0));
  },
  TIMEOUT_MS,
);

testWith(
  { program: "less", proves: "that a full-screen program is left by its own key" },
  "a program that takes the whole screen",
  async (less) => {
    await using scratch = await createScratchDirectory();
    const lines = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join("\n");
    const file = await scratch.write("long.txt", `${lines}\n`);
    await using watched = watch([less, file], { rows: 10 });
    await watched.until("line 9");
    watched.pty.write("G");
    await watched.until("line 200");
    expect(watched.pty.output().text).not.toContain("line 100");
    watched.pty.write("q");
    expect(await watched.pty.exited).toEqual(exited(0));
  },
  TIMEOUT_MS,
);

test(
  "unattended: nothing pages, nothing edits, nothing asks",
  async () => {
    await using scratch = await createScratchDirectory();
    const command = [
      "git init -q . && git config user.email a@b.test && git config user.name Ada",
      "seq 500 > f && git add f && git commit -q --allow-empty-message",
      "git log --format=%an; git show --stat | cat | tail -1",
      "echo $CI $PAGER $EDITOR $GIT_TERMINAL_PROMPT",
    ].join("; ");
    await using watched = watch(command, {
      cwd: scratch.root,
      rows: 5,
      attendance: "unattended",
      env: { HOME: scratch.root, PAGER: "less", EDITOR: "vi" },
    });
    expect(await watched.pty.exited).toEqual(exited(0));
    expect(watched.pty.output().text).toContain("Ada\n");
    expect(watched.pty.output().text).toEndWith("1 cat true 0\n");
  },
  TIMEOUT_MS,
);

test(
  "plain text: colours go, a line that was drawn over is what it came to",
  async () => {
    const command = `printf '\\033[1;31mred\\033[0m\\n 10%%\\r 50%%\\r100%%\\n\\033]0;title\\007end\\n'`;
    await using watched = watch(command);
    await watched.pty.exited;
    expect(watched.pty.output().text).toBe("red\n100%\nend\n");
  },
  TIMEOUT_MS,
);

test(
  "ten megabytes come whole, and are kept within bounds",
  async () => {
    let bytes = 0;
    await using watched = watch(
      "stty -opost; head -c 10000000 /dev/zero | tr '\\0' x; printf END; exit 3",
      {
        maxOutputBytes: 1000,
        onOutput: (chunk) => (bytes += chunk.length),
      },
    );
    expect(await watched.pty.exited).toEqual(exited(3));
    const { text, totalBytes, omittedBytes } = watched.pty.output();
    expect({ bytes, totalBytes, omittedBytes }).toEqual({
      bytes: 10_000_003,
      totalBytes: 10_000_003,
      omittedBytes: 9_999_003,
    });
    expect(text).toEndWith("xEND");
    expect(text.length).toBeLessThan(1100);
  },
  TIMEOUT_MS,
);

test(
  "a megabyte that is typed arrives whole",
  async () => {
    await using watched = watch("stty raw -echo; echo ready; head -c 1000000 | cksum");
    await watched.until("ready");
    const typed = Buffer.alloc(1_000_000, "0123456789");
    watched.pty.write(typed);
    expect(await watched.pty.exited).toEqual(exited(0));
    const expected = await new Response(
      Bun.spawn(["cksum"], { stdin: typed, stdout: "pipe" }).stdout,
    ).text();
    expect(watched.pty.output().text).toContain(expected.trim());
  },
  TIMEOUT_MS,
);

describe("nothing is left", () => {
  const STUBBORN =
    "trap '' HUP TERM INT; (trap '' HUP TERM; sleep 300; sleep 300) & setsid sleep 300 & nohup sleep 300 >/dev/null 2>&1 & echo up; ";

  test(
    "when it is closed while it runs",
    async () => {
      const watched = watch(`${STUBBORN} sleep 300; sleep 300`);
      await watched.until("up");
      expect((await watched.find()).length).toBeGreaterThan(3);
      await watched.pty[Symbol.asyncDispose]();
      await waitUntilGone(watched.find);
      expect(await watched.pty.exited).toMatchObject({ end: "killed", signal: "SIGKILL" });
      expect(watched.pty.write("x")).toBe(false);
      watched.pty.resize(10, 10);
      watched.pty.signal("SIGTERM");
    },
    TIMEOUT_MS,
  );

  test(
    "when the command ends before what it started",
    async () => {
      await using watched = watch(`${STUBBORN} exit 4`);
      expect(await watched.pty.exited).toEqual(exited(4));
      expect(await watched.find()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "when its time is up, or it is called off",
    async () => {
      await using late = watch(`${STUBBORN} sleep 300`, { timeoutMs: 700 });
      expect(await late.pty.exited).toMatchObject({ end: "timeout" });
      expect(await late.find()).toEqual([]);
      const abort = new AbortController();
      await using called = watch(`${STUBBORN} sleep 300`, { signal: abort.signal });
      await called.until("up");
      abort.abort();
      expect(await called.pty.exited).toMatchObject({ end: "aborted" });
      expect(await called.find()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    "when whoever opened it is killed",
    async () => {
      await using scratch = await createScratchDirectory();
      const value = crypto.randomUUID();
      const find = () => processesWithEnv({ name: "TAU_TEST_PTY", value });
      const module = Bun.resolveSync("./pty.ts", import.meta.dir);
      const program = await scratch.write(
        "owner.ts",
        `import { openPty } from ${JSON.stringify(module)};
       const env = ${JSON.stringify({ ...BASE, TAU_TEST_PTY: value })};
       await openPty(${JSON.stringify(`${STUBBORN} sleep 300`)}, { cwd: "/", env }).exited;`,
      );
      const owner = Bun.spawn([process.execPath, program]);
      while ((await find()).length < 4) await Bun.sleep(20);
      owner.kill("SIGKILL");
      await owner.exited;
      await waitUntilGone(find, { timeoutMs: 20_000 });
    },
    TIMEOUT_MS,
  );
});

test(
  "a signal reaches the command, and its name comes back",
  async () => {
    await using watched = watch("echo up; exec sleep 300");
    await watched.until("up");
    watched.pty.signal("SIGUSR1");
    expect(await watched.pty.exited).toEqual({ code: null, signal: "SIGUSR1", end: "exited" });
  },
  TIMEOUT_MS,
);

test("what cannot be started says so", () => {
  const options = { cwd: "/", env: BASE };
  expect(() => openPty(["/nonexistent/program"], options)).toThrow(PtyStartError);
  expect(() => openPty("true", { ...options, cwd: "/nonexistent" })).toThrow(PtyStartError);
});
