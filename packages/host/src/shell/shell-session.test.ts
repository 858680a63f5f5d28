// A shell that goes on: what commands leave behind for the next one, and everything that a
// command may do to it. Real shells, real processes.

import { afterAll, describe, expect, test } from "bun:test";
import { canInspectProcesses, findProcesses } from "@tau/testkit/processes";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { BASH_DRIVER } from "./bash-driver.ts";
import { ShellPool, type PoolRunOptions } from "./shell-pool.ts";
import { ShellSession, type RunOptions, type ShellOptions } from "./shell-session.ts";

const ENV = { PATH: process.env.PATH, HOME: tmpdir(), LC_ALL: "C.UTF-8" };

async function open(options: Partial<ShellOptions> = {}) {
  const scratch = await createScratchDirectory();
  const shell = new ShellSession({
    cwd: scratch.root,
    env: ENV,
    stateDirectory: scratch.path("state"),
    ...options,
  });
  return {
    scratch,
    shell,
    run: (command: string, more: Partial<RunOptions> = {}) => run(shell, command, more),
    async [Symbol.asyncDispose]() {
      await shell[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

async function run(
  shell: Pick<ShellSession, "run">,
  command: string,
  options: Partial<RunOptions> = {},
) {
  const chunks: Buffer[] = [];
  const result = await shell.run(command, {
    onOutput: (bytes) => void chunks.push(Buffer.from(bytes)),
    ...options,
  });
  return { ...result, output: Buffer.concat(chunks).toString("utf8") };
}

/** Whether anything with this word in its command line is alive. */
async function alive(word: string): Promise<number> {
  return (await findProcesses(({ command }) => command.includes(word))).length;
}

async function untilGone(word: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while ((await alive(word)) > 0) {
    if (performance.now() > deadline) throw new Error(`${word} is still running`);
    await Bun.sleep(20);
  }
}

const unique = (() => {
  let count = 0;
  return () => `86${process.pid}${++count}`;
})();

describe("from one command to the next", () => {
  test("directory, variables, functions, aliases and options are kept", async () => {
    await using s = await open();
    await s.run(
      "mkdir sub; cd sub; export COLOUR=red; plain=x; greet() { echo hi $1; }; alias ll='echo aliased'; shopt -s nullglob",
    );
    const { output, cwd } = await s.run(
      "pwd; echo $COLOUR $plain; greet you; ll; echo *.none; shopt -q nullglob && echo on",
    );
    expect(output).toBe(`${s.scratch.path("sub")}\nred x\nhi you\naliased\n\non\n`);
    expect(cwd).toBe(s.scratch.path("sub"));
  });

  test("both streams in the order they were written, also without a line end", async () => {
    await using s = await open();
    expect((await s.run("echo a; echo b >&2; printf c")).output).toBe("a\nb\nc");
    expect((await s.run("printf d")).output).toBe("d");
  });

  test("exit codes are the command's, and a syntax error is one", async () => {
    await using s = await open();
    expect(await s.run("false")).toMatchObject({ exitCode: 1, end: "exited" });
    expect(await s.run("(exit 42)")).toMatchObject({ exitCode: 42 });
    const broken = await s.run("if then");
    expect(broken.exitCode).toBe(2);
    expect(broken.output).toContain("syntax error");
    expect((await s.run("echo 'unfinished")).output).toContain("unexpected EOF");
    expect((await s.run("echo fine")).output).toBe("fine\n");
  });

  test("the end of a command is told whatever it makes of the words it is told with", async () => {
    await using t = await open();
    // Fields are separated by what the exit code consists of.
    expect(await t.run("IFS=01; false")).toMatchObject({ exitCode: 1, end: "exited" });
    expect(await t.run("true")).toMatchObject({ exitCode: 0, end: "exited" });
    await t.run("unset IFS; eval() { echo mine; }; alias command='echo mine'; printf() { :; }");
    expect(await t.run("echo still; (exit 3)", { env: { A: "1" } })).toMatchObject({
      output: "still\n",
      exitCode: 3,
    });
    expect(await t.run("unset -f eval printf; unalias command; printf back")).toMatchObject({
      output: "back",
    });
  });

  test.each(["exec >taken", "exec 1>&-", "exec 2>taken", "exec </dev/zero"])(
    "what `%s` takes is the command's, not the shell's",
    async (taking) => {
      await using t = await open();
      expect(await t.run(`KEPT=1; ${taking}; echo away; true`)).toMatchObject({
        exitCode: 0,
        signal: null,
      });
      expect(await t.run("cat; echo here $KEPT; echo there >&2")).toMatchObject({
        output: "here 1\nthere\n",
      });
      if (taking === "exec >taken") {
        expect(await Bun.file(t.scratch.path("taken")).text()).toBe("away\n");
      }
    },
  );

  test("a place and variables for one command only", async () => {
    await using s = await open();
    await s.run("mkdir 'a b'");
    const there = await s.run("pwd; echo $ONCE", {
      cwd: s.scratch.path("a b"),
      env: { ONCE: "it's" },
    });
    expect(there.output).toBe(`${s.scratch.path("a b")}\nit's\n`);
    expect((await s.run('pwd; echo "[$ONCE]"')).output).toBe(`${s.scratch.root}\n[]\n`);
    expect(await s.run("pwd", { cwd: s.scratch.path("none") })).toMatchObject({
      exitCode: 1,
      output: "",
    });
  });

  test("long commands, odd quoting, wide characters and here documents arrive whole", async () => {
    await using s = await open();
    const long = `printf %s '${"ü'\\''x".repeat(5000)}'`;
    expect((await s.run(long)).output).toBe("ü'x".repeat(5000));
    expect((await s.run("cat <<'E'\n$x `y` \\z\nE")).output).toBe("$x `y` \\z\n");
    expect((await s.run("echo \"a'b\" 'c\"d' $'e\\nf'")).output).toBe("a'b c\"d e\nf\n");
  });

  test("standard input is closed", async () => {
    await using s = await open();
    expect(await s.run("cat; read x; echo done", { timeoutMs: 5000 })).toMatchObject({
      output: "done\n",
    });
  });
});

describe("what ends the shell does not end the session", () => {
  test.each([
    ["exit 3", 3],
    ["set -e; false; echo no", 1],
    ["exec sh -c 'exit 7'", 7],
    ["kill -9 $$", null],
  ])("%s", async (command, exitCode) => {
    await using s = await open();
    await s.run("export KEPT=yes; cd /usr; f() { echo f; }");
    await Bun.sleep(300);
    expect((await s.run(command)).exitCode).toBe(exitCode);
    expect((await s.run("echo $KEPT; pwd; f")).output).toBe("yes\n/usr\nf\n");
  });

  test("killed while it was idle, or left while it was busy", async () => {
    await using s = await open();
    const { output: pid } = await s.run("export KEPT=yes; echo $$");
    await Bun.sleep(300);
    process.kill(Number(pid), "SIGKILL");
    await Bun.sleep(100);
    expect(await s.run("echo $KEPT")).toMatchObject({ output: "yes\n", exitCode: 0 });
    const busy = s.run("sleep 100");
    await Bun.sleep(50);
    await s.shell[Symbol.asyncDispose]();
    expect(await busy).toMatchObject({ signal: "SIGKILL" });
  });

  test("its directory is deleted, its PATH unset", async () => {
    await using s = await open();
    await s.run("mkdir gone; cd gone");
    await rm(s.scratch.path("gone"), { recursive: true });
    expect((await s.run("echo still here")).output).toContain("still here\n");
    await s.run("cd ..");
    expect(await s.run("unset PATH; ls")).toMatchObject({ exitCode: 127 });
    expect((await s.run("echo builtin")).output).toBe("builtin\n");
  });
});

test("one that is told to skip every command is started anew, as it was before", async () => {
  await using place = await open();
  await place.run("export KEPT=1");
  const deaf = await place.run("echo before; shopt -s extdebug; trap false DEBUG", {
    timeoutMs: 20_000,
  });
  expect(deaf).toMatchObject({ end: "deaf", output: "before\n" });
  expect(await place.run("echo $KEPT")).toMatchObject({ end: "exited", output: "1\n" });
  // A long command is not taken for one, nor is what stands in the pipe when it ends.
  const long = await place.run("sleep 3; echo done");
  expect(long).toMatchObject({ end: "exited", output: "done\n" });
  expect((await place.run("echo next")).output).toBe("next\n");
}, 40_000);

describe("a command that will not end", () => {
  test.each([
    ["a sleep", (id: string) => `sleep ${id}; echo never`],
    ["a loop of the shell's own", () => "while :; do :; done; echo never"],
    [
      "one that ignores what it is asked",
      (id: string) => `sh -c 'trap "" TERM; sleep ${id}; sleep ${id}'`,
    ],
    ["one in a session of its own", (id: string) => `setsid sh -c 'sleep ${id}'`],
    ["a pipeline", (id: string) => `sleep ${id} | cat | cat`],
  ])("%s is stopped, and the shell goes on as it was", async (_name, command) => {
    await using s = await open();
    await s.run("export KEPT=yes; cd /usr");
    const id = unique();
    const result = await s.run(command(id), { timeoutMs: 300 });
    expect(result.end).toBe("timeout");
    expect(result.output).not.toContain("never");
    if (canInspectProcesses) expect(await alive(id)).toBe(0);
    expect((await s.run("echo $KEPT; pwd")).output).toBe("yes\n/usr\n");
  });

  test("an abort is the same at once; before the start nothing runs", async () => {
    await using s = await open();
    const id = unique();
    const controller = new AbortController();
    const running = s.run(`echo begun; sleep ${id}`, {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    expect((await running).end).toBe("aborted");
    if (canInspectProcesses) expect(await alive(id)).toBe(0);
    const gone = AbortSignal.abort();
    expect(s.run("touch mark", { signal: gone })).rejects.toThrow();
    await s.run(":");
    expect(existsSync(s.scratch.path("mark"))).toBe(false);
  });
});

describe("a storm", () => {
  test.skipIf(!canInspectProcesses)("of forks is over when the command is", async () => {
    await using s = await open();
    const id = unique();
    const storm = `f() { [ "$1" -gt 0 ] && { f $(($1-1)) & f $(($1-1)) & }; exec sleep ${id}; }; f 6`;
    const result = await s.run(storm, { timeoutMs: 700 });
    expect(result.end).toBe("timeout");
    expect(await alive(id)).toBe(0);
    expect((await s.run("echo next")).output).toBe("next\n");
  });

  test.skipIf(!canInspectProcesses)("of Ctrl-C leaves the shell as it was, each time", async () => {
    await using s = await open();
    const id = unique();
    await s.run("export KEPT=yes; cd /usr; f() { echo f; }");
    for (let round = 0; round < 25; round++) {
      const controller = new AbortController();
      const running = s.run(`sleep ${id}`, { signal: controller.signal });
      await Bun.sleep(round);
      for (let press = 0; press < 5; press++) controller.abort();
      expect((await running).end).toBe("aborted");
    }
    expect(await alive(id)).toBe(0);
    expect((await s.run("echo $KEPT; pwd; f")).output).toBe("yes\n/usr\nf\n");
  });
});

describe("what a command leaves behind", () => {
  test.skipIf(!canInspectProcesses)("in the background, with the pipe in its hands", async () => {
    await using s = await open();
    const id = unique();
    const result = await s.run(`sleep ${id} & echo started`, { timeoutMs: 10_000 });
    expect(result).toMatchObject({ output: "started\n", end: "exited" });
    expect((await s.run("echo next")).output).toBe("next\n");
    await untilGone(id);
  });

  test.skipIf(!canInspectProcesses)("twice forked, out of its group and session", async () => {
    await using s = await open();
    const id = unique();
    await s.run(`(setsid sh -c 'sleep ${id} & exec sleep ${id}' >/dev/null 2>&1 &)`);
    await untilGone(id);
    expect((await s.run("echo next")).output).toBe("next\n");
  });

  test.skipIf(!canInspectProcesses)("when the session is left, everything goes", async () => {
    const id = unique();
    {
      await using s = await open();
      await s.run(`(setsid sleep ${id} &); sleep ${id} & :`);
    }
    expect(await alive(id)).toBe(0);
  });
});

describe("output", () => {
  test("that looks like anything, comes as it is", async () => {
    await using s = await open();
    const chunks: Buffer[] = [];
    await s.run("printf '\\377\\376\\000\\036x\\036'", {
      onOutput: (bytes) => void chunks.push(Buffer.from(bytes)),
    });
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([0xff, 0xfe, 0, 0x1e, 0x78, 0x1e]));
  });

  test("is a pipe: programs may open it by its names", async () => {
    await using s = await open();
    const names = "echo a >/dev/stdout; echo b >/dev/stderr; echo c | tee /dev/stderr >/dev/null";
    expect((await s.run(`${names}; [ -p /dev/stdout ] && echo pipe`)).output).toBe(
      "a\nb\nc\npipe\n",
    );
  });

  test("that nobody can take ends the command, and the next one works", async () => {
    await using s = await open();
    const id = unique();
    await s.run("export KEPT=yes");
    const full = () => {
      throw new Error("no room");
    };
    await expect(s.run(`echo hi; sleep ${id}`, { onOutput: full })).rejects.toThrow("no room");
    const later = async () => Promise.reject(new Error("no room any more"));
    await expect(s.run("yes", { onOutput: later })).rejects.toThrow("no room any more");
    expect((await s.run("echo $KEPT")).output).toBe("yes\n");
    if (canInspectProcesses) expect(await alive(id)).toBe(0);
  });

  test("that comes between commands belongs to none of them", async () => {
    await using s = await open();
    await s.run("trap 'echo late' USR1; (sleep 0.05; kill -USR1 $$) >/dev/null 2>&1 &");
    await Bun.sleep(120);
    expect((await s.run("echo mine")).output).toBe("mine\n");
  });

  test("of a gigabyte without a line end, in a fraction of its memory", async () => {
    await using s = await open();
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    let total = 0;
    await s.run("head -c 1000000000 /dev/zero", {
      onOutput: (bytes) => void (total += bytes.length),
    });
    expect(total).toBe(1_000_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(250e6);
  });
});

test("a shell of one process a command goes on from one to the next all the same", async () => {
  await using s = await open({ driver: { ...BASH_DRIVER, lifetime: "command", keepLine: "" } });
  await s.run("mkdir sub; cd sub; export COLOUR=red");
  const next = await s.run("cat; echo $COLOUR; pwd; (exit 4)");
  expect(next).toMatchObject({ output: `red\n${s.scratch.path("sub")}\n`, exitCode: 4 });
  expect(await s.run("sleep 100", { timeoutMs: 200 })).toMatchObject({ end: "timeout" });
  expect((await s.run("echo $COLOUR")).output).toBe("red\n");
});

async function openPool() {
  const scratch = await createScratchDirectory();
  const stateDirectory = scratch.path("state");
  const pool = new ShellPool({ cwd: scratch.root, env: ENV, stateDirectory });
  return {
    scratch,
    run: (command: string, more: Partial<PoolRunOptions> = {}) => run(pool, command, more),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

describe("commands side by side", () => {
  test("begin as the shell is now, each time, and change nothing in it", async () => {
    await using t = await openPool();
    await Promise.all([t.run("sleep 0.1"), t.run("cd /; sleep 0.1")]);
    await t.run("mkdir sub; cd sub; export COLOUR=red");
    await Bun.sleep(200);
    const show = "sleep 0.1; echo $COLOUR $PWD";
    const there = `red ${t.scratch.path("sub")}\n`;
    const all = await Promise.all([t.run(show), t.run(`${show}; export COLOUR=blue; cd /`)]);
    expect(all.map(({ output }) => output)).toEqual([there, there]);
    expect((await t.run(show)).output).toBe(there);
  });

  test("one that is begun aside leaves the others their shell", async () => {
    await using t = await openPool();
    const long = t.run("sleep 0.4; cd /; echo $A", { aside: AbortSignal.abort() });
    await t.run("export A=1; mkdir sub; cd sub");
    expect((await t.run("echo $A; pwd")).output).toBe(`1\n${t.scratch.path("sub")}\n`);
    expect((await long).output).toBe("\n");
    expect((await t.run("echo $A; pwd")).output).toBe(`1\n${t.scratch.path("sub")}\n`);
  });

  test("one that is left in the middle goes on, and the next goes on from before it", async () => {
    await using t = await openPool();
    await t.run("export A=1; mkdir sub; cd sub");
    await Bun.sleep(200);
    const leaving = new AbortController();
    const long = t.run("A=2; cd /; sleep 0.6; echo $A $PWD", { aside: leaving.signal });
    await Bun.sleep(100);
    leaving.abort();
    const there = `1 ${t.scratch.path("sub")}\n`;
    expect((await t.run("echo $A $PWD; export B=3")).output).toBe(there);
    expect((await long).output).toBe("2 /\n");
    await Bun.sleep(200);
    expect(await t.run("echo $A $PWD; [ $B = 3 ]")).toMatchObject({ output: there, exitCode: 0 });
  });
});

test("options outlive the shell they were set in, but not those that end it", async () => {
  await using t = await open();
  await t.run("set -euo pipefail; shopt -s extglob; set -C; exit 4");
  const shown = await t.run("echo $- $(shopt -o pipefail); shopt -q extglob && echo extglob");
  expect(shown.output).toMatch(/^\w*C\w* pipefail\s+on\nextglob\n$/);
  expect(shown.output).not.toMatch(/^\w*[eu]\w* /);
  await t.run("set -e");
  await Bun.sleep(100);
  expect(await t.run("echo alive; set +e")).toMatchObject({ output: "alive\n", exitCode: 0 });
});

test("a killed shell goes on from the command before, also one that keeps its files", async () => {
  await using t = await open();
  await t.run("set -o noclobber; export A=1");
  await Bun.sleep(100);
  await t.run("export A=2");
  await Bun.sleep(100);
  await t.run("kill -9 $$");
  expect((await t.run("echo $A")).output).toBe("2\n");
});

test("a directory that is gone is what a shell that cannot start says", async () => {
  await using t = await open({ cwd: "/nonexistent-directory" });
  const why = "its directory /nonexistent-directory does not exist";
  await expect(t.run("true")).rejects.toThrow(why);
});

test("fifty commands at once run side by side, each with its own output", async () => {
  await using scratch = await createScratchDirectory();
  await using pool = new ShellPool({
    cwd: scratch.root,
    env: ENV,
    stateDirectory: scratch.path("state"),
  });
  await run(pool, "export SHARED=1; cd /usr");
  await Bun.sleep(400);
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, at) => run(pool, `sleep 0.05; echo ${at} $SHARED $PWD`)),
  );
  expect(all.map(({ output }) => output)).toEqual(
    Array.from({ length: 50 }, (_, at) => `${at} 1 /usr\n`),
  );
});

test("a command that ends ends nothing of those beside it", async () => {
  await using scratch = await createScratchDirectory();
  await using pool = new ShellPool({
    cwd: scratch.root,
    env: ENV,
    stateDirectory: scratch.path("state"),
  });
  await run(pool, "export SHARED=1");
  await Bun.sleep(300);
  const [, beside] = await Promise.all([
    run(pool, "echo quick"),
    run(pool, "setsid sleep 0.6 & sleep 0.6; wait; echo whole $SHARED"),
  ]);
  expect(beside).toMatchObject({ output: "whole 1\n", exitCode: 0 });
});

test.skipIf(!canInspectProcesses)("nothing outlives a Tau that is killed", async () => {
  await using scratch = await createScratchDirectory();
  const id = unique();
  const program = await scratch.write(
    "tau.ts",
    `import { ShellSession } from ${JSON.stringify(import.meta.resolve("./shell-session.ts"))};
     const shell = new ShellSession({ cwd: "/", env: process.env, stateDirectory: ${JSON.stringify(scratch.path("state"))} });
     await shell.run("(setsid sleep ${id} &); sleep ${id} & sleep ${id}", { onOutput() {} });`,
  );
  const child = Bun.spawn([process.execPath, program], {
    env: ENV,
    stdout: "ignore",
    stderr: "ignore",
  });
  while ((await alive(`sleep ${id}`)) < 3) await Bun.sleep(20);
  child.kill("SIGKILL");
  await untilGone(`sleep ${id}`);
});

afterAll(async () => {
  expect(await findProcesses(({ command }) => command.includes(`86${process.pid}`))).toEqual([]);
});
