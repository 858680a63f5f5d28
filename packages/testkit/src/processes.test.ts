import { describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import {
  canInspectProcesses,
  descendants,
  findProcesses,
  processesWithEnv,
  StillRunning,
  UnsupportedPlatform,
  waitUntilGone,
} from "./processes.ts";

const onLinux = describe.skipIf(!canInspectProcesses);
const SLEEPERS = "sleep 300,sleep 301";
const MARKER_NAME = "TAU_TEST_MARKER";

interface Family extends AsyncDisposable {
  pid: number;
  marker: { name: string; value: string };
}

// A shell with a sleeping child of its own and one that left the session; ready once it
// has printed.
async function startFamily(): Promise<Family> {
  const marker = { name: MARKER_NAME, value: randomUUID() };
  const script = "sleep 300 & setsid sleep 301 & echo ready; wait";
  const child = Bun.spawn(["bash", "-c", script], {
    env: { PATH: process.env.PATH ?? "", [marker.name]: marker.value },
    stdout: "pipe",
  });
  await child.stdout.getReader().read();
  // The forked shells may not have become `sleep` yet.
  while (
    !commands(await processesWithEnv(marker))
      .join()
      .includes(SLEEPERS)
  )
    await Bun.sleep(5);
  return {
    pid: child.pid,
    marker,
    async [Symbol.asyncDispose]() {
      for (const { pid } of await processesWithEnv(marker)) process.kill(pid, "SIGKILL");
      await child.exited;
      await waitUntilGone(() => processesWithEnv(marker));
    },
  };
}

function commands(infos: { command: string }[]): string[] {
  return infos.map((info) => info.command).sort();
}

onLinux("processes", () => {
  test("descendants are found at any depth, without the process itself", async () => {
    await using family = await startFamily();
    expect(commands(await descendants(family.pid))).toEqual(["sleep 300", "sleep 301"]);
    const ours = await descendants(process.pid);
    expect(ours.map((info) => info.pid)).toContain(family.pid);
    expect(commands(ours)).toContain("sleep 301");
  });

  test("a marker finds also what left the session and lost its parent", async () => {
    await using family = await startFamily();
    process.kill(family.pid, "SIGKILL");
    await waitUntilGone(() => findProcesses((info) => info.pid === family.pid));
    expect(await descendants(family.pid)).toEqual([]);
    const orphans = await processesWithEnv(family.marker);
    expect(orphans).toHaveLength(2);
    expect(new Set(orphans.map((info) => info.session)).size).toBe(2);
    expect(await processesWithEnv({ name: MARKER_NAME, value: "another" })).toEqual([]);
  });

  test("a zombie is not alive", async () => {
    // The shell becomes a `sleep` that never waits for the child it has inherited; the
    // child ends only after that, or the shell might still have taken note of it.
    const script = "exec 3<&0; (read -r _ <&3) & echo $!; exec sleep 300";
    const parent = Bun.spawn(["bash", "-c", script], { stdin: "pipe", stdout: "pipe" });
    try {
      const { value } = await parent.stdout.getReader().read();
      const zombie = Number(new TextDecoder().decode(value));
      const shell = () =>
        findProcesses((info) => info.pid === parent.pid && info.command !== "sleep 300");
      await waitUntilGone(shell);
      parent.stdin.end();
      await waitUntilGone(() => findProcesses((info) => info.pid === zombie));
      expect(await Bun.file(`/proc/${zombie}/stat`).text()).toContain(") Z ");
    } finally {
      parent.kill("SIGKILL");
      await parent.exited;
    }
  });

  test("waiting in vain names what is left", async () => {
    await using family = await startFamily();
    const waiting = waitUntilGone(() => processesWithEnv(family.marker), { timeoutMs: 50 });
    const failure = await waiting.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StillRunning);
    expect((failure as StillRunning).message).toContain(`${family.pid} `);
    expect((failure as StillRunning).processes.length).toBeGreaterThan(0);
  });

  test("a name with spaces and parentheses does not confuse it", async () => {
    const script = `printf 'odd ) S 1 (name' > /proc/self/comm; echo ready; read`;
    const child = Bun.spawn(["bash", "-c", script], { stdin: "pipe", stdout: "pipe" });
    await child.stdout.getReader().read();
    const [found] = await findProcesses((info) => info.pid === child.pid);
    expect(found?.parent).toBe(process.pid);
    child.stdin.end();
    await child.exited;
  });
});

describe.skipIf(canInspectProcesses)("processes elsewhere", () => {
  test("are refused with a type (only where there is no /proc)", async () => {
    await expect(descendants(1)).rejects.toThrow(UnsupportedPlatform);
  });
});
