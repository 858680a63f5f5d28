// Killed at any moment, with anything running, Tau leaves nothing behind: not the commands, jobs, cells and
// daemons of the model, and none of its own helpers. A few rounds in every run of the tests;
// `TAU_KILL_ROUNDS=200` for as many as that.

import { expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { ModelServer } from "@tau/testkit/model-server";
import { canInspectProcesses } from "@tau/testkit/processes";
import { isolatedHome } from "@tau/testkit/scratch";
import fc from "fast-check";
import { launcher } from "./support/run-tau.ts";

const DEFAULT_ROUNDS = 4;
const GONE_WITHIN_MS = 2000;
const ROUND_MS = 15_000;

/** What the model has running, with a program of this round's own name that sleeps. */
const WORK: Readonly<
  Record<string, (sleeper: string) => { name: string; arguments: Record<string, unknown> }>
> = {
  command: (sleeper) => bash(`${sleeper} 600`),
  job: (sleeper) => bash(`${sleeper} 600`, { async: true }),
  terminal: (sleeper) => bash(`${sleeper} 600`, { pty: true }),
  "session of its own": (sleeper) => bash(`setsid -f ${sleeper} 600; ${sleeper} 600`),
  "cleared environment": (sleeper) => bash(`env -i ${sleeper} 600 & disown; ${sleeper} 600`),
  "cleared environment, own session": (sleeper) =>
    bash(`env -i setsid -f ${sleeper} 600; ${sleeper} 600`, { async: true }),
  "two forks": (sleeper) =>
    bash(`(env -i /bin/sh -c '(${sleeper} 600 &) &') >/dev/null 2>&1; ${sleeper} 600`),
  "Python cell": (sleeper) =>
    cell(
      "py",
      `import subprocess,time\nsubprocess.Popen(["${sleeper}","600"], env={}, start_new_session=True)\ntime.sleep(600)`,
    ),
  "JavaScript cell": (sleeper) =>
    cell("js", `Bun.spawn(["${sleeper}","600"], {env: {}}); while (true);`),
  "endless query": () => ({
    name: "read",
    arguments: {
      path: "numbers.db?q=WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
    },
  }),
  search: () => ({ name: "search", arguments: { pattern: "(a+)+b", paths: ["/usr"] } }),
};

function bash(command: string, more: object = {}) {
  return { name: "bash", arguments: { command, ...more } };
}

function cell(language: string, code: string) {
  return { name: "eval", arguments: { cells: [{ language, code, timeout: 600 }] } };
}

/** By where they are, what they are called, or what they were told: whatever the round started. */
function processesOf(root: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command === "") return [];
      const facts = [command, linkOf(pid, "cwd"), linkOf(pid, "exe"), environmentOf(pid)];
      return facts.some((fact) => fact.includes(root)) ? [`${pid} ${command}`] : [];
    } catch (error) {
      // It ended while it was looked at.
      if (typeof (error as { code?: unknown }).code === "string") return [];
      throw error;
    }
  });
}

function linkOf(pid: string, name: string): string {
  try {
    return readlinkSync(`/proc/${pid}/${name}`);
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return "";
    throw error;
  }
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return "";
    throw error;
  }
}

async function round(
  work: readonly string[],
  killAfterMs: number,
): Promise<{ ran: number; alive: string[] }> {
  await using home = await isolatedHome();
  const sleeper = home.path("sleeper");
  copyFileSync("/bin/sleep", sleeper);
  const database = new (await import("bun:sqlite")).Database(home.path("numbers.db"));
  database.run("CREATE TABLE t (x)");
  database.close();
  const toolCalls = work.map((name) => WORK[name]!(sleeper));
  await using server = await ModelServer.start([{ toolCalls }, { text: "done" }]);
  const tau = Bun.spawn([launcher, "-p", "-m", "ollama/x", "--yolo", "go"], {
    cwd: home.root,
    env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  while (server.requests.length === 0 && tau.exitCode === null) await Bun.sleep(5);
  await Bun.sleep(killAfterMs);
  const ran = processesOf(home.root).length;
  tau.kill("SIGKILL");
  await tau.exited;
  const end = performance.now() + GONE_WITHIN_MS;
  while (processesOf(home.root).length > 0 && performance.now() < end) await Bun.sleep(20);
  return { ran, alive: processesOf(home.root) };
}

const rounds = Number(process.env.TAU_KILL_ROUNDS ?? DEFAULT_ROUNDS);

test.skipIf(!canInspectProcesses)(
  "killed with anything running, nothing is alive after two seconds",
  async () => {
    const moments = fc.tuple(
      fc.subarray(Object.keys(WORK), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 0, max: 2500 }),
    );
    const left: object[] = [];
    let running = 0;
    for (const [work, killAfterMs] of fc.sample(moments, { numRuns: rounds, seed: 14 })) {
      const { ran, alive } = await round(work, killAfterMs);
      running += ran;
      if (alive.length > 0) left.push({ work, killAfterMs, alive });
    }
    expect(left).toEqual([]);
    // Otherwise there was nothing that could have been left.
    expect(running).toBeGreaterThan(rounds * 2);
    console.log(`${rounds} kills, ${running} processes running when they came`);
  },
  rounds * ROUND_MS,
);
