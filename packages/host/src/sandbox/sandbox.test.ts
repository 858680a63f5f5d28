// Real commands in a real sandbox: what they can write, read, reach, and what is left of them.

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { processesWithEnv, waitUntilGone } from "@tau/testkit/processes";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { openPty } from "../pty/pty.ts";
import { ShellSession } from "../shell/shell-session.ts";
import { planMounts, type Mount, type MountKind } from "./mount-plan.ts";
import { openSandbox } from "./sandbox.ts";
import { confined, place, run, SECRET } from "./test/sandbox-place.ts";
import { sandboxTest } from "./test/sandbox-test.ts";

sandboxTest("writes: inside and in the temporary directory yes, elsewhere no", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  const { temporary } = options;
  expect(await run(options, `echo in > new && cat new; echo t > ${temporary}/t`)).toEqual({
    exitCode: 0,
    output: "in\n",
  });
  expect(readFileSync(scratch.path("home/work/new"), "utf8")).toBe("in\n");
  expect(existsSync(scratch.path("temporary/t"))).toBe(true);
  for (const target of [
    scratch.path("outside/x"),
    scratch.path("home/x"),
    scratch.path("home/.profile"),
    "/etc/tau-test",
    "/usr/tau-test",
    "/run/tau-test",
    "/proc/sys/kernel/hostname",
  ]) {
    const { exitCode, output } = await run(options, `echo x > ${target}`);
    expect({ target, failed: exitCode !== 0, output }).toMatchObject({ failed: true });
    expect(output).toMatch(/Read-only file system|Permission denied|Directory nonexistent/);
  }
  expect(existsSync("/etc/tau-test")).toBe(false);
  // Named besides.
  const more = { ...options, writable: [scratch.path("outside"), scratch.path("nowhere")] };
  expect(await run(more, `echo x > ${scratch.path("outside/x")}`)).toMatchObject({ exitCode: 0 });
  expect(existsSync(scratch.path("outside/x"))).toBe(true);
  // No way back: not by mounting, not by removing what is in the way.
  expect((await run(options, "mount -o remount,rw / && echo could")).output).not.toContain("could");
  expect((await run(options, `rm -rf ${scratch.path("home/.ssh")}`)).exitCode).not.toBe(0);
});

sandboxTest("secrets are not there, and cannot be put there", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  const files = [
    "home/.ssh/id",
    "home/.config/gh/hosts.yml",
    "home/.netrc",
    "real-aws/credentials",
    "own-secret",
  ];
  const paths = [...files, "home/.aws/credentials"].map((file) => scratch.path(file));
  const { output } = await run(options, `cat ${paths.join(" ")}; cat ~/.profile; ls -A ~/.ssh`);
  expect(output).not.toContain(SECRET);
  expect(output).toEndWith("fine");
  expect((await run(options, "echo x > ~/.ssh/authorized_keys")).exitCode).not.toBe(0);
  expect((await run(options, "echo x > ~/.netrc")).exitCode).not.toBe(0);
  expect(readFileSync(scratch.path("home/.netrc"), "utf8")).toBe(SECRET);
  const env = { SSH_AUTH_SOCK: "/tmp/agent", KEPT: "yes" };
  expect((await run(options, "echo ${SSH_AUTH_SOCK-none} $KEPT", env)).output).toBe("none yes\n");
});

sandboxTest("a workspace that holds secrets, and one among them", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  // The whole home as the workspace: writable, and still without its secrets.
  const whole = { ...options, workspace: options.home };
  const { exitCode, output } = await run(whole, "echo x > new; cat .ssh/id .netrc");
  expect(output).not.toContain(SECRET);
  expect(exitCode).not.toBe(0);
  expect(existsSync(scratch.path("home/new"))).toBe(true);
  // A workspace below a hidden place is what the user works on.
  const inner = scratch.path("home/.config/gh/extension");
  await mkdir(inner);
  const among = { ...options, workspace: inner };
  const result = await run(among, "echo x > new && cat ../hosts.yml");
  expect(result.output).not.toContain(SECRET);
  expect(existsSync(join(inner, "new"))).toBe(true);
});

sandboxTest("the network: there, or not there at all", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("reached"),
  });
  const script = `const r = await fetch("http://127.0.0.1:${server.port}/").then(r => r.text(), () => "refused"); console.log(r)`;
  const ask = `${process.execPath} -e '${script}'`;
  expect(await run(options, ask)).toEqual({ exitCode: 0, output: "reached\n" });
  const off = { ...options, network: "off" } as const;
  expect(await run(off, ask)).toEqual({ exitCode: 0, output: "refused\n" });
});

sandboxTest("privileges are not to be had, and other processes not to be seen", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  const { output } = await run(options, "grep -E 'NoNewPrivs|CapEff' /proc/self/status; ls /proc");
  expect(output).toMatch(/NoNewPrivs:\s+1/);
  expect(output).toMatch(/CapEff:\s+0{16}/);
  const numbers = output.split("\n").filter((line) => /^\d+$/.test(line));
  expect(numbers.length).toBeLessThan(5);
  expect((await run(options, `kill -0 ${process.pid}`)).exitCode).not.toBe(0);
});

describe("what runs in it ends with it", () => {
  const STUBBORN =
    "trap '' TERM HUP; (setsid sleep 300 &) ; nohup sleep 300 >/dev/null 2>&1 & echo up; sleep 300";

  sandboxTest("when it is killed", async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    const value = crypto.randomUUID();
    const find = () => processesWithEnv({ name: "TAU_TEST_SANDBOX", value });
    const child = Bun.spawn((await confined(options)).wrap(["sh", "-c", STUBBORN]), {
      cwd: options.workspace,
      env: { PATH: process.env.PATH, TAU_TEST_SANDBOX: value },
    });
    for await (const chunk of child.stdout) if (chunk.length > 0) break;
    expect((await find()).length).toBeGreaterThan(2);
    child.kill("SIGKILL");
    await child.exited;
    await waitUntilGone(find);
  });

  sandboxTest("when whoever started it is", async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    const value = crypto.randomUUID();
    const find = () => processesWithEnv({ name: "TAU_TEST_SANDBOX", value });
    const argv = (await confined(options)).wrap(["sh", "-c", STUBBORN]);
    const env = { PATH: process.env.PATH, TAU_TEST_SANDBOX: value };
    const program = await scratch.write(
      "owner.ts",
      `await Bun.spawn(${JSON.stringify(argv)}, { env: ${JSON.stringify(env)}, detached: true }).exited;`,
    );
    const owner = Bun.spawn([process.execPath, program]);
    while ((await find()).filter(({ command }) => command.startsWith("sleep")).length < 3) {
      await Bun.sleep(20);
    }
    owner.kill("SIGKILL");
    await owner.exited;
    await waitUntilGone(find);
  });
});

sandboxTest("a shell that goes on lives in it, with all that a shell is", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  const sandbox = await confined(options);
  const value = crypto.randomUUID();
  const find = () => processesWithEnv({ name: "TAU_TEST_SANDBOX", value });
  const shell = new ShellSession({
    wrapper: sandbox.wrapper(),
    cwd: options.workspace,
    env: { PATH: process.env.PATH, HOME: options.home, LC_ALL: "C", TAU_TEST_SANDBOX: value },
    stateDirectory: join(options.temporary, "shell"),
  });
  const ask = async (command: string, timeoutMs?: number) => {
    let output = "";
    const result = await shell.run(command, {
      onOutput: (bytes) => void (output += bytes.toString()),
      timeoutMs,
    });
    return { output, exitCode: result.exitCode, end: result.end, cwd: result.cwd };
  };
  const cwd = options.workspace;
  const fine = { exitCode: 0, end: "exited", cwd } as const;
  expect(await ask("x=1; f() { echo f $x; }")).toEqual({ ...fine, output: "" });
  expect(await ask("f; mkdir d; cd d")).toEqual({ ...fine, output: "f 1\n", cwd: join(cwd, "d") });
  expect((await ask("cd ..; echo no > ../x")).output).toContain("Read-only file system");
  // Left in the background: gone, and the shell still the same.
  expect(await ask("sleep 300 & (setsid sleep 300 &); echo left")).toMatchObject({
    output: "left\n",
  });
  expect(await ask("f; jobs -p | wc -l")).toMatchObject({
    output: expect.stringContaining("f 1\n"),
  });
  await waitUntilGone(async () =>
    (await find()).filter(({ command }) => command.startsWith("sleep")),
  );
  // Stopped, and it goes on from where it was: exported things are written down.
  await ask("export KEPT=yes");
  expect(await ask("sleep 300", 500)).toMatchObject({ end: "timeout" });
  expect(await ask("echo $KEPT")).toMatchObject({ output: "yes\n", end: "exited" });
  expect(await ask("exit 7")).toMatchObject({ exitCode: 7 });
  expect(await ask("echo $KEPT; f")).toMatchObject({ output: expect.stringContaining("yes\nf") });
  await shell[Symbol.asyncDispose]();
  await waitUntilGone(find);
});

sandboxTest("a terminal works in it", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  const argv = (await confined(options)).wrap(["sh", "-c", "stty size; test -t 1 && echo yes"]);
  const env = { PATH: process.env.PATH, HOME: options.home };
  await using pty = openPty(argv, { cwd: options.workspace, env, columns: 90, rows: 20 });
  expect(await pty.exited).toMatchObject({ code: 0 });
  expect(pty.output().text).toBe("20 90\nyes\n");
});

describe("where there is none, that is said with what to do", () => {
  test("the program is missing", async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    const machine = {
      kind: "bubblewrap",
      bubblewrap: "/nonexistent/bwrap",
      platform: "linux",
    } as const;
    expect(await openSandbox(options, machine)).toEqual({
      kind: "none",
      why: "bubblewrap (bwrap) is not installed",
      fix: "install the package bubblewrap",
    });
  });

  test("the system refuses", async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    const program = await scratch.write("bwrap", "#!/bin/sh\necho 'No permissions' >&2\nexit 1\n");
    await Bun.$`chmod 755 ${program}`;
    const machine = { kind: "bubblewrap", bubblewrap: program, platform: "linux" } as const;
    const result = await openSandbox(options, machine);
    expect(result).toMatchObject({
      kind: "none",
      why: "namespaces are not available here (No permissions)",
    });
    expect(result.kind === "none" ? result.fix : "").toMatch(/allow|container/);
  });

  test("one that does not confine is found out", async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    // Runs what stands after the two dashes, as it is.
    const program = await scratch.write(
      "bwrap",
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n',
    );
    await Bun.$`chmod 755 ${program}`;
    const machine = { kind: "bubblewrap", bubblewrap: program, platform: "linux" } as const;
    expect(await openSandbox(options, machine)).toMatchObject({
      kind: "none",
      why: "it was tried, and files outside the project could be written",
    });
    const left = await Array.fromAsync(
      new Bun.Glob("**/.tau-sandbox-*").scan({ cwd: scratch.root, dot: true }),
    );
    expect(left).toEqual([]);
  });

  test("another system", async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    expect(await openSandbox(options, { platform: "darwin" })).toEqual({
      kind: "none",
      why: "there is no sandbox for darwin",
      fix: "turn it off (sandbox.mode off), or work in a Linux container",
    });
  });
});

test("law: for every path the innermost place that holds it decides, in any order of places", () => {
  const segment = fc.constantFrom("a", "b", "c");
  const path = fc.array(segment, { maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
  const kind = fc.constantFrom<MountKind>(
    "readable",
    "hidden_directory",
    "hidden_file",
    "hidden_socket",
    "writable",
  );
  const mounts = fc.array(fc.record<Mount>({ path, kind }), { maxLength: 8 });
  const holds = (outer: string, inner: string): boolean =>
    outer === "/" || inner === outer || inner.startsWith(`${outer}/`);
  fc.assert(
    fc.property(mounts, path, fc.integer(), (given, asked, seed) => {
      const plan = planMounts(given);
      // Mounts cover one another in the order in which they are made.
      const decides = plan.findLast((mount) => holds(mount.path, asked));
      const holding = given.filter((mount) => holds(mount.path, asked));
      const innermost = holding.reduce((most, mount) => Math.max(most, mount.path.length), 0);
      const candidates = holding.filter((mount) => mount.path.length === innermost);
      const strongest = (
        ["writable", "hidden_socket", "hidden_file", "hidden_directory", "readable"] as const
      ).find((each) => candidates.some((mount) => mount.kind === each));
      expect(decides?.kind).toBe(strongest);
      const shuffled = given.toSorted((one, other) =>
        Bun.hash(`${seed}${one.path}`) < Bun.hash(`${seed}${other.path}`) ? -1 : 1,
      );
      expect(planMounts(shuffled)).toEqual(plan);
    }),
  );
});
