// A real sshd for tests: on loopback, on a free port, as whoever runs the tests, with keys, lists
// of known hosts and everything else in a directory of its own. Nothing of the tester's own ssh is
// read or written: `configFile` is the whole configuration.

import { chmod, mkdir, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";

export interface SshServer extends AsyncDisposable {
  readonly scratch: ScratchDirectory;
  readonly port: number;
  readonly user: string;
  readonly keyPath: string;
  /** For `ssh -F`: the alias `box` leads here; other hosts only get the list of known hosts. */
  readonly configFile: string;
  readonly knownHosts: string;
  /** For processes that `ssh` starts. */
  readonly env: Record<string, string>;
  /** How often someone was let in. */
  logins(): Promise<number>;
  /** With another host key, on the same port. */
  restartWithOtherKey(): Promise<void>;
  stop(): Promise<void>;
}

/** As a program that Debian puts where only root looks. */
export const SSHD = ["sshd", "/usr/sbin/sshd"] as const;

/** A loaded machine makes keys slowly. */
const START_TIMEOUT_MS = 20_000;
const POLL_MS = 20;

export async function startSshServer(sshd: string): Promise<SshServer> {
  const scratch = await createScratchDirectory();
  try {
    return await start(sshd, scratch);
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
}

async function start(sshd: string, scratch: ScratchDirectory): Promise<SshServer> {
  // Not from the environment, which may not say.
  const user = (await Bun.$`id -un`.text()).trim();
  const port = freePort();
  await makeKey(scratch.path("host-1"));
  await makeKey(scratch.path("host-2"));
  await makeKey(scratch.path("user-key"));
  await scratch.write("authorized_keys", await readFile(scratch.path("user-key.pub")));
  // Where sshd runs as root it insists on this one; the system's own start makes it too.
  if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true, mode: 0o755 });
  const knownHosts = scratch.path("known_hosts");
  const configFile = await scratch.write(
    "client-config",
    [
      "Host box",
      "  HostName 127.0.0.1",
      `  Port ${port}`,
      `  User ${user}`,
      `  IdentityFile ${scratch.path("user-key")}`,
      "Host *",
      `  UserKnownHostsFile ${knownHosts}`,
      "  IdentityAgent none",
      "  GlobalKnownHostsFile none",
      "",
    ].join("\n"),
  );
  let log = "";
  const run = async (hostKey: string): Promise<Bun.Subprocess> => {
    const config = await scratch.write("sshd-config", serverConfig(scratch, port, hostKey));
    const child = Bun.spawn([sshd, "-D", "-e", "-f", config], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
      detached: true,
    });
    void (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
    })();
    await untilListening(port, child, () => log);
    return child;
  };
  let child = await run("host-1");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return {
    scratch,
    port,
    user,
    keyPath: scratch.path("user-key"),
    configFile,
    knownHosts,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: scratch.root, LANG: "C.UTF-8" },
    logins: async () => log.match(/Accepted publickey/g)?.length ?? 0,
    async restartWithOtherKey() {
      await stop();
      child = await run("host-2");
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

function serverConfig(scratch: ScratchDirectory, port: number, hostKey: string): string {
  return [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${scratch.path(hostKey)}`,
    `AuthorizedKeysFile ${scratch.path("authorized_keys")}`,
    "PidFile none",
    "UsePAM no",
    "StrictModes no",
    "PermitRootLogin yes",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PrintMotd no",
    "LogLevel VERBOSE",
    "",
  ].join("\n");
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

async function makeKey(path: string): Promise<void> {
  const child = Bun.spawn(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [said] = await Promise.all([child.stderr.text(), child.exited]);
  if (child.exitCode !== 0) throw new Error(`ssh-keygen: ${said}`);
  await chmod(path, 0o600);
}

async function untilListening(port: number, child: Bun.Subprocess, log: () => string) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`sshd did not start: ${log()}`);
    if (await answers(port)) return;
    await Bun.sleep(POLL_MS);
  }
  throw new Error(`sshd does not listen: ${log()}`);
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
