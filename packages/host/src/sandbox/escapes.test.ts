// Every way out, tried from everything that the model can start, in every kind of sandbox.

import { expect } from "bun:test";
import { chmodSync, existsSync, openSync, readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { cellsSourceCommand, createJavaScriptKernel } from "../kernel/javascript-kernel.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { createPythonKernel } from "../kernel/python-kernel.ts";
import { openPty } from "../pty/pty.ts";
import { ShellPool } from "../shell/shell-pool.ts";
import { openSandbox, type ConfiningSandbox } from "./sandbox.ts";
import { socketsIn, type SandboxOptions } from "./sandbox-places.ts";
import { ESCAPED, ESCAPES, SECRET, type Escape, type Outside } from "./test/escapes.ts";
import { KINDS, sandboxTest, type Kind } from "./test/sandbox-test.ts";

interface World extends AsyncDisposable {
  sandbox: ConfiningSandbox | undefined;
  outside: Outside;
  env: Record<string, string>;
  /** What happened outside that only the outside sees. */
  harm(): string[];
}

async function makeWorld(scratch: ScratchDirectory, kind: Kind | "none"): Promise<World> {
  const home = scratch.path("home");
  const workspace = join(home, "work");
  const temporary = scratch.path("temporary");
  await mkdir(workspace, { recursive: true });
  await mkdir(join(temporary, "agent"), { recursive: true });
  await scratch.write("home/.ssh/id", SECRET);
  await scratch.write("home/.netrc", SECRET);
  await scratch.write("home/.bashrc", "own");
  await scratch.write("home/notes", "own");
  chmodSync(join(home, ".bashrc"), 0o600);
  await Bun.$`git init -q ${workspace} && mkdir -p ${workspace}/.git/hooks`.quiet();
  // A descriptor that nobody inside is meant to have.
  openSync(join(home, ".ssh/id"), "r");
  let datagrams = 0;
  const listen = { data: () => {}, open: () => {} };
  const server = Bun.listen({ hostname: "0.0.0.0", port: 0, socket: listen });
  const udp = await Bun.udpSocket({ socket: { data: () => void (datagrams += 1) } });
  const sockets = [join(temporary, "docker.sock"), join(temporary, "agent", "agent.1")];
  const services = sockets.map((unix) => Bun.listen({ unix, socket: listen }));
  const victim = Bun.spawn(["sleep", "300"], { env: { TOKEN: SECRET, PATH: process.env.PATH } });
  let typed = "";
  const terminal = openPty(["sh", "-c", "tty; stty -echo; cat"], {
    cwd: "/",
    env: { PATH: process.env.PATH },
    onOutput: (bytes) => void (typed += Buffer.from(bytes).toString()),
  });
  while (!typed.includes("\n")) await Bun.sleep(10);
  const [name = ""] = typed.split(/\r?\n/);
  const quiet = typed;
  const options: SandboxOptions = {
    workspace,
    temporary,
    sockets: socketsIn([temporary]),
    network: "off",
    home,
  };
  const sandbox = kind === "none" ? undefined : await openSandbox(options, { kind });
  if (sandbox?.kind === "none") throw new Error(sandbox.why);
  return {
    sandbox,
    outside: {
      home,
      workspace,
      temporary,
      port: server.port,
      address: Object.values(networkInterfaces())
        .flat()
        .find((each) => each?.family === "IPv4" && !each.internal)?.address,
      datagramPort: udp.port,
      sockets,
      tau: process.pid,
      victim: victim.pid,
      terminal: name,
    },
    env: {
      PATH: process.env.PATH!,
      HOME: home,
      LC_ALL: "C",
      SSH_AUTH_SOCK: sockets[1]!,
      DOCKER_HOST: `unix://${sockets[0]}`,
    },
    harm: () =>
      [
        datagrams > 0 ? "a datagram came" : "",
        existsSync(join(home, "made")) ? "a file was made" : "",
        existsSync("/etc/tau-escape") ? "the system was changed" : "",
        readFileSync(join(home, ".bashrc"), "utf8") === "own" ? "" : "a start-up file was changed",
        existsSync(join(home, "notes")) && readFileSync(join(home, "notes"), "utf8") === "own"
          ? ""
          : "notes were changed",
        existsSync(join(home, ".ssh/id")) ? "" : "a key was moved",
        kind === "bubblewrap" && (statSync(join(home, ".bashrc")).mode & 0o777) !== 0o600
          ? "a mode was changed"
          : "",
        typed === quiet ? "" : "somebody's terminal was written to",
        victim.exitCode === null && victim.signalCode === null ? "" : "a process was ended",
      ].filter(Boolean),
    async [Symbol.asyncDispose]() {
      server.stop(true);
      udp.close();
      for (const service of services) service.stop(true);
      victim.kill("SIGKILL");
      await victim.exited;
      await terminal.kill();
    },
  };
}

/** What an attempt printed. */
type Attempt = (escape: Escape) => Promise<string>;
interface Way extends AsyncDisposable {
  attempt: Attempt;
}

const commandOf = ({ shell, python }: Escape, outside: Outside): string =>
  shell?.(outside) ?? `python3 - <<'END'\n${python!(outside)}\nEND`;

function shellWay({ sandbox, outside, env }: World, aside?: AbortSignal): Way {
  const pool = new ShellPool({
    cwd: outside.workspace,
    env,
    stateDirectory: join(outside.temporary, "shell"),
    wrapper: sandbox?.wrapper(),
  });
  return {
    attempt: async (escape) => {
      let output = "";
      const onOutput = (bytes: Buffer): void => void (output += bytes.toString());
      const timeoutMs = 10_000;
      await pool.run(commandOf(escape, outside), { onOutput, aside, timeoutMs });
      return output;
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function kernelWay(kernel: Kernel, codeOf: (escape: Escape) => string): Way {
  return {
    attempt: async (escape) => {
      let output = "";
      const onOutput = (bytes: Buffer): void => void (output += bytes.toString());
      const result = await kernel.run(codeOf(escape), {
        timeoutMs: 10_000,
        onOutput,
        onDisplay: () => {},
        onStatus: () => {},
        onCall: async () => "",
      });
      return output + (result.isStateLost ? `[lost: ${result.ending}]` : "");
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
}

const WAYS: Readonly<Record<string, (world: World) => Way>> = {
  bash: (world) => shellWay(world),
  "a job": (world) => shellWay(world, AbortSignal.abort()),
  "a terminal": ({ sandbox, outside, env }) => ({
    attempt: async (escape) => {
      const argv = sandbox!.wrap(["bash", "-c", commandOf(escape, outside)]);
      await using pty = openPty(argv, { cwd: outside.workspace, env, timeoutMs: 10_000 });
      await pty.exited;
      return pty.output().text;
    },
    [Symbol.asyncDispose]: async () => {},
  }),
  "a Python cell": ({ sandbox, outside, env }) => {
    const wrapper = async () => sandbox!.wrapper({ profile: "kernel" });
    const kernel = createPythonKernel({ cwd: outside.workspace, env, wrapper });
    return kernelWay(kernel, (escape) =>
      escape.python
        ? escape.python(outside)
        : `import subprocess\nprint(subprocess.run(["bash", "-c", ${JSON.stringify(escape.shell!(outside))}], capture_output=True, text=True).stdout)`,
    );
  },
  "a JavaScript cell": ({ sandbox, outside, env }) => {
    const wrapper = async () => sandbox!.wrapper({ profile: "kernel" });
    const command = cellsSourceCommand();
    const kernel = createJavaScriptKernel({ command, cwd: outside.workspace, env, wrapper });
    return kernelWay(
      kernel,
      (escape) =>
        `console.log(Bun.spawnSync(["bash", "-c", ${JSON.stringify(commandOf(escape, outside))}]).stdout.toString())`,
    );
  },
};

async function escapesBy(way: Way, escapes = ESCAPES): Promise<string[]> {
  const out: string[] = [];
  for (const escape of escapes) {
    if ((await way.attempt(escape)).includes(ESCAPED)) out.push(escape.name);
  }
  return out;
}

testWith(
  { program: ["python3"], proves: "that the ways out are ones" },
  "without a sandbox the same attempts succeed",
  async () => {
    await using scratch = await createScratchDirectory();
    await using world = await makeWorld(scratch, "none");
    await using started = shellWay(world);
    const harmless = ESCAPES.filter(({ isOnlyInside }) => !isOnlyInside);
    expect(await escapesBy(started, harmless)).toEqual(harmless.map(({ name }) => name));
    expect(world.harm()).not.toEqual([]);
  },
  60_000,
);

for (const kind of KINDS) {
  for (const [way, open] of Object.entries(WAYS)) {
    sandboxTest(
      `no way out of ${kind} from ${way}`,
      async () => {
        await using scratch = await createScratchDirectory();
        await using world = await makeWorld(scratch, kind);
        await using started = open(world);
        // It does run what it is given.
        const hello: Escape = { name: "none", shell: () => "echo hello $((40 + 2))" };
        expect(await started.attempt(hello)).toContain("hello 42");
        const out = await escapesBy(started);
        const known = ESCAPES.filter(({ notKept }) => notKept?.includes(kind));
        // Neither more than the documentation says, nor less.
        expect(out).toEqual(known.map(({ name }) => name));
        expect(world.harm()).toEqual([]);
      },
      120_000,
      kind,
    );
  }
}
