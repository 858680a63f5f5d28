// What a Python cell may do to its kernel and may ask of its host: being stopped, forking, calls,
// helpers and magics, the place it runs in, and that nothing is left of it.

import { describe, expect, test as plainTest } from "bun:test";
import {
  canInspectProcesses,
  findProcesses,
  processesWithEnv,
  waitUntilGone,
} from "@tau/testkit/processes";
import { CELL_ENV, pythonCells, testPython as test } from "./test/cells.ts";

/** Where the processes of a test can be found. */
const testProcesses: typeof test = (name, body) =>
  canInspectProcesses ? test(name, body) : plainTest.skip(name, body);

/** Of an interrupt; a machine with other things to do gets a little more than promised. */
const INTERRUPT_MS = 1500;
const SLACK_MS = 1500;

describe("being stopped", () => {
  test("an endless loop is interrupted and what was defined survives", async () => {
    await using cells = await pythonCells();
    await cells.run("x = 1");
    for (const code of [
      "while True: pass",
      "import time; time.sleep(1000)",
      "import asyncio; await asyncio.sleep(1000)",
      "import threading; threading.Event().wait()",
      "import subprocess; subprocess.run('sleep 1000; echo no', shell=True)",
      "while True: print('.' * 10000)",
      "while True: display('.' * 100)",
    ]) {
      const result = await cells.run(code, { timeoutMs: 300 });
      expect({ code, end: result.end, lost: result.isStateLost }).toEqual({
        code,
        end: "timeout",
        lost: false,
      });
      expect(result.durationMs).toBeLessThan(300 + INTERRUPT_MS + SLACK_MS);
      expect((await cells.run("x")).text).toBe("‹1›");
    }
  });

  test("says where, and an abort does the same as a timeout", async () => {
    await using cells = await pythonCells();
    const stop = new AbortController();
    const running = cells.run("x = 5\nprint('begun')\nwhile True:\n    pass", {
      signal: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(await running).toMatchObject({ end: "aborted", isStateLost: false });
    expect((await running).place).toMatch(/^<cell 1>, line [2-4]$/);
    expect((await cells.run("x")).text).toBe("‹5›");
    await expect(cells.run("x", { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test("code that will not be interrupted is ended, and it is said that state is lost", async () => {
    await using cells = await pythonCells();
    const code =
      "import time\nwhile True:\n    try:\n        time.sleep(1)\n    except KeyboardInterrupt:\n        print('no')";
    const result = await cells.run(code, { timeoutMs: 300 });
    expect(result).toMatchObject({ end: "timeout", isStateLost: true, ending: "SIGKILL" });
    expect(result.text).toContain("no");
    expect(result.durationMs).toBeLessThan(300 + INTERRUPT_MS + SLACK_MS);
    expect((await cells.run("1")).text).toBe("‹1›");
  });

  test("a handler that a cell has installed is not there for the next one", async () => {
    await using cells = await pythonCells();
    await cells.run("import signal\nx = 1\nsignal.signal(signal.SIGINT, signal.SIG_IGN);");
    expect(await cells.run("while True: pass", { timeoutMs: 300 })).toMatchObject({
      end: "timeout",
      isStateLost: false,
    });
    expect((await cells.run("x")).text).toBe("‹1›");
  });

  testProcesses(
    "a kernel that has to be ended takes with it what cells had left running",
    async () => {
      await using cells = await pythonCells();
      const word = `87${process.pid}3`;
      await cells.run(`import subprocess, os\nsubprocess.Popen(["setsid", "sleep", "${word}"])`);
      const find = () => findProcesses(({ command }) => command.includes(`sleep ${word}`));
      while ((await find()).length < 1) await Bun.sleep(20);
      expect((await cells.run("os._exit(1)")).end).toBe("died");
      await waitUntilGone(find);
      expect(await find()).toEqual([]);
    },
  );

  test("ends what the cell started, and leaves alone what ran before", async () => {
    await using cells = await pythonCells();
    await cells.run("import subprocess; old = subprocess.Popen(['sleep', '1000'])");
    await cells.run(
      "new = subprocess.Popen(['sh', '-c', 'trap \"\" INT; sleep 1000'])\nnew.wait()",
      {
        timeoutMs: 500,
      },
    );
    expect((await cells.run("old.poll(), new.wait() != 0")).text).toBe("‹(None, True)›");
  });

  test("a forked child runs to the end of its cell and speaks for nobody", async () => {
    await using cells = await pythonCells();
    const { text, end } = await cells.run(`
import os
pid = os.fork()
if pid == 0:
    print("child", flush=True)
    display("not from here")
else:
    os.waitpid(pid, 0)
    print("parent")
pid > 0`);
    expect({ text, end }).toEqual({ text: "child\nparent\n‹True›", end: "ok" });
    const failed = await cells.run(
      "pid = os.fork()\nif pid == 0: raise ValueError('there')\nos.waitpid(pid, 0)[1] >> 8",
    );
    expect(failed.end).toBe("ok");
    expect(failed.text).toContain("ValueError: there");
    expect(failed.text).toEndWith("‹1›");
    const pool =
      "import multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as p:\n    r = p.map(abs, [-1, 2])\nr";
    expect((await cells.run(pool)).text).toBe("‹[1, 2]›");
  });
});

describe("asking the host", () => {
  test("the cell's time stands still while it waits", async () => {
    await using cells = await pythonCells();
    const { text, end } = await cells.run("print(tool.slow(a=1)); tool['other']({'b': 2})", {
      timeoutMs: 600,
      onCall: async ({ kind, args }) => {
        await Bun.sleep(900);
        return `${kind} ${JSON.stringify(args)}`;
      },
    });
    expect({ text, end }).toEqual({
      end: "ok",
      text: `tool {"name":"slow","args":{"a":1}}\n‹'tool {"name":"other","args":{"b":2}}'›`,
    });
  });

  test("a refusal is raised, and an unfit argument too", async () => {
    await using cells = await pythonCells();
    const onCall = async (): Promise<unknown> => {
      throw new Error("not allowed");
    };
    const refused = await cells.run(
      "try:\n    tool.x()\nexcept RuntimeError as e:\n    print(type(e).__name__, e)",
      { onCall },
    );
    expect(refused.text).toBe("ToolError not allowed\n");
    expect((await cells.run("tool.x(a={1})", { onCall })).error?.name).toBe("TypeError");
    expect((await cells.run("completion('x')")).error?.message).toContain("Nothing can be asked");
  });

  test("an interrupt reaches a cell that waits, and the call is told", async () => {
    await using cells = await pythonCells();
    const stop = new AbortController();
    let isTold = false;
    const result = await cells.run("x = 3\ntool.endless()", {
      signal: stop.signal,
      onCall: (_, signal) => {
        signal.addEventListener("abort", () => (isTold = true));
        stop.abort();
        return new Promise(() => {});
      },
    });
    expect(result).toMatchObject({ end: "aborted", isStateLost: false });
    expect(isTold).toBe(true);
    expect((await cells.run("x")).text).toBe("‹3›");
  });

  test("parallel keeps the order, holds the width and raises the first error", async () => {
    await using cells = await pythonCells();
    let now = 0;
    let most = 0;
    const onCall = async ({
      kind,
      args,
    }: {
      kind: string;
      args: Readonly<Record<string, unknown>>;
    }) => {
      if (kind === "concurrency") return 3;
      most = Math.max(most, ++now);
      await Bun.sleep(20);
      now--;
      const { n } = args.args as { n: number };
      if (n === 99) throw new Error("ninety-nine");
      return n * 2;
    };
    const shown = await cells.run("parallel([lambda n=n: tool.d(n=n) for n in range(10)])", {
      onCall,
    });
    expect(shown.text).toBe("‹[0, 2, 4, 6, 8, 10, 12, 14, 16, 18]›");
    expect(most).toBe(3);
    expect(
      (await cells.run("pipeline([1, 2], lambda n: n + 1, lambda n: tool.d(n=n))", { onCall }))
        .text,
    ).toBe("‹[4, 6]›");
    const failed = await cells.run("parallel([lambda: tool.d(n=99), lambda: 1])", { onCall });
    expect(failed.error).toMatchObject({ name: "ToolError", message: "ninety-nine" });
  });
});

describe("helpers and magics", () => {
  test("files and text", async () => {
    await using cells = await pythonCells();
    const { text, statuses } = await cells.run(`
write("sub/a.txt", "one\\ntwo\\nthree\\n")
append("sub/a.txt", "four")
write("sub/b.txt", "one\\n2\\nthree\\nfour")
print(read("sub/a.txt", 2, 2), end="")
print(diff("sub/a.txt", "sub/b.txt"))
print(tree())
print(sort("b\\na\\nb", unique=True).split(), uniq("a\\na\\nb", count=True).split("\\n"), counter("a\\nb\\na"))
env("NEW", "1"), env("NEW"), env("NONE")`);
    expect(text).toBe(
      "two\nthree\n--- sub/a.txt\n+++ sub/b.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n four" +
        "\nsub/\n  a.txt\n  b.txt\n['a', 'b'] ['2 a', '1 b'] [('a', 2), ('b', 1)]\n‹('1', '1', None)›",
    );
    expect(statuses[0]).toEqual({ op: "write", path: "sub/a.txt", characters: 14 });
    expect((await cells.run("read('agent://x')")).error?.message).toContain("tool.read");
    expect((await cells.run("read('sub')")).error?.message).toContain("tree");
  });

  test("magics are calls, at any depth, in assignments, and nowhere else", async () => {
    await using cells = await pythonCells();
    await cells.write("other.py", "made = 41\nprint(__name__)");
    const shown = async (code: string) => (await cells.run(code)).text;
    expect(await shown("if True:\n    !printf 'hi %s' \\\n  there")).toBe("hi there");
    expect(await shown("lines = !printf 'a\\nb'; exit 3\nlines, lines.n, lines.code")).toBe(
      "‹(['a', 'b'], 'a\\nb', 3)›",
    );
    expect(await shown("!exit 4")).toBe("[exit code 4]\n");
    expect(
      await shown("s = '''\n!no\n%no\n'''\nx = (7\n% 4)\nx %= 2\nprint(s, 1 != 2)\n%pwd"),
    ).toBe(`\n!no\n%no\n True\n‹'${cells.root}'›`);
    expect(await shown("%run other.py\nmade")).toBe("__main__\n‹41›");
    expect(await shown("names = %ls\nnames")).toBe("‹['other.py']›");
    expect(await shown("%set_env A b c\n%env A")).toBe("‹'b c'›");
    expect(await shown('%%bash\nprintf "$0 it\'s"; exit 2')).toBe("bash it's[exit code 2]\n");
    expect(await shown("%%capture said\nprint('quiet')")).toBe("");
    expect(await shown("said.stdout")).toBe("‹'quiet\\n'›");
    expect(await shown("%%writefile w.txt\nbody\n")).toContain("Wrote w.txt");
    expect(await shown("!cat w.txt")).toBe("body\n");
    expect(await shown("%time 1 + 1")).toMatch(/^[\d.e+-]+ (?:s|ms|µs|ns)\n‹2›$/);
    expect(await shown("%reset\n%who")).toBe("\n");
    expect((await cells.run("%nope")).error).toMatchObject({ name: "NameError" });
    expect((await cells.run("x = 1\n!true\n1 / 0")).error?.traceback).toContain("line 3");
  });
});

describe("where it runs", () => {
  test("the session's directory, and modules of it after the standard library's", async () => {
    await using cells = await pythonCells();
    // The kernel itself imports these; those of the directory must not take their place.
    for (const name of ["json", "queue", "threading", "types", "ast", "asyncio"]) {
      await cells.write(`${name}.py`, "raise SystemExit('hijacked')");
    }
    await cells.write("mine.py", "value = 5");
    expect((await cells.run("import os, mine; os.getcwd(), mine.value")).text).toBe(
      `‹('${cells.root}', 5)›`,
    );
  });

  testProcesses("children inherit neither the channel nor its name", async () => {
    await using cells = await pythonCells();
    const { text } = await cells.run(
      "import os, subprocess\nprint([k for k in os.environ if 'CHANNEL' in k])\nprint(subprocess.run('ls /proc/self/fd', shell=True, close_fds=False, capture_output=True, text=True).stdout.split())",
    );
    expect(text.split("\n")[0]).toBe("[]");
    expect(text).toContain("['0', '1', '2', '3']");
  });

  test("an interpreter that is not there, or is none, is named with what to do", async () => {
    await using missing = await pythonCells({ interpreter: "/nowhere/python" });
    await expect(missing.run("1")).rejects.toThrow("python.interpreter");
    await using none = await pythonCells({ env: { PATH: "/nowhere" } });
    await expect(none.run("1")).rejects.toThrow("install Python");
    await using other = await pythonCells({ interpreter: "/bin/false" });
    await expect(other.run("1")).rejects.toThrow("did not start");
  });

  test("after its end there is no other", async () => {
    await using cells = await pythonCells();
    const starting = cells.run("1");
    await cells.kernel[Symbol.asyncDispose]();
    await expect(starting).rejects.toThrow("session has ended");
    await expect(cells.run("1")).rejects.toThrow();
    expect(cells.kernel.hasState).toBe(false);
  });

  testProcesses("disposing ends the kernel and everything that left it", async () => {
    const word = `87${process.pid}1`;
    const find = () => findProcesses(({ command }) => command.includes(`sleep ${word}`));
    {
      await using cells = await pythonCells();
      await cells.run(
        `import subprocess\nsubprocess.Popen(["setsid", "sleep", "${word}"])\nsubprocess.Popen(["sleep", "${word}"])`,
      );
      while ((await find()).length < 2) await Bun.sleep(20);
    }
    await waitUntilGone(find);
    expect(await find()).toEqual([]);
  });

  testProcesses("nothing outlives a Tau that is killed", async () => {
    await using cells = await pythonCells();
    const mark = { name: "TAU_TEST_MARK", value: `87${process.pid}2` };
    const sleep = `"sleep", "1000"`;
    const program = await cells.write(
      "tau.ts",
      `import { createPythonKernel } from ${JSON.stringify(import.meta.resolve("./python-kernel.ts"))};
       const kernel = createPythonKernel({ cwd: "/", env: process.env });
       const code = 'import subprocess\\nfor c in (["setsid", ${sleep}], [${sleep}]): subprocess.Popen(c)\\nwhile True: pass';
       await kernel.run(code, { timeoutMs: 600000, onOutput() {} });`,
    );
    const child = Bun.spawn([process.execPath, program], {
      env: { ...CELL_ENV, [mark.name]: mark.value },
      stdout: "ignore",
      stderr: "inherit",
    });
    // Itself, its kernel, and the two that the cell started.
    while ((await processesWithEnv(mark)).length < 4) await Bun.sleep(20);
    child.kill("SIGKILL");
    await waitUntilGone(() => processesWithEnv(mark), { timeoutMs: 15_000 });
    expect(await processesWithEnv(mark)).toEqual([]);
  });
});
