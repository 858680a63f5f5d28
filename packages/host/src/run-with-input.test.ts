// A program that is handed a text: what it answers, and that nothing of it outlives a timeout or an abort.

import { expect, test } from "bun:test";
import { LeftRunning } from "./left-running.ts";
import { isZombie, processesWithMark } from "./process/process-tree.ts";
import { ProgramStartError, runWithInput } from "./run-with-input.ts";

const OPTIONS = {
  cwd: "/",
  env: { PATH: process.env.PATH },
  input: "hello",
  timeoutMs: 10_000,
  maxOutputBytes: 4096,
};

const sh = (script: string, more: Partial<Parameters<typeof runWithInput>[1]> = {}) =>
  runWithInput(["/bin/sh", "-c", script], { ...OPTIONS, ...more });

/** Those that carry a variable of this test. */
const alive = (mark: string): number[] => processesWithMark(mark).filter((pid) => !isZombie(pid));

test("the text arrives, both streams and the exit code come back", async () => {
  const { left, ...result } = await sh("cat; echo oops >&2; exit 3");
  expect(result).toEqual({ end: "exited", exitCode: 3, stdout: "hello", stderr: "oops\n" });
  expect(left()).toEqual([]);
});

test("a program that reads nothing of a long text does no harm", async () => {
  const { exitCode, stdout } = await sh("echo done", { input: "x".repeat(4 << 20) });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "done\n" });
});

test("long output is bounded, and says so", async () => {
  const { stdout } = await sh("yes | head -c 1000000");
  expect(stdout.length).toBeLessThan(5000);
  expect(stdout).toContain("left out");
});

test("a program that is not there is told of", async () => {
  expect(runWithInput(["/nowhere/at/all"], OPTIONS)).rejects.toBeInstanceOf(ProgramStartError);
});

test("a timeout ends it and what left its group", async () => {
  const mark = `TEST_MARK=${crypto.randomUUID()}`;
  const env = { ...OPTIONS.env, TEST_MARK: mark.split("=")[1]! };
  const since = performance.now();
  const { end } = await sh("setsid sleep 60 & sleep 60", { timeoutMs: 200, env });
  expect(end).toBe("timeout");
  expect(performance.now() - since).toBeLessThan(2000);
  expect(alive(mark)).toEqual([]);
});

test("an abort ends it at once, also if it ignores signals", async () => {
  const controller = new AbortController();
  const running = sh("trap '' TERM INT; sleep 60 & sleep 60", { signal: controller.signal });
  await Bun.sleep(100);
  const since = performance.now();
  controller.abort();
  expect((await running).end).toBe("aborted");
  expect(performance.now() - since).toBeLessThan(500);
});

test("what it leaves in the background goes on, and ends with its owner", async () => {
  const mark = `TEST_MARK=${crypto.randomUUID()}`;
  const env = { ...OPTIONS.env, TEST_MARK: mark.split("=")[1]! };
  const owner = new LeftRunning();
  const { left, exitCode } = await sh("setsid sleep 60 >/dev/null 2>&1 &", { env });
  expect(exitCode).toBe(0);
  owner.watch(left, 60_000);
  expect(alive(mark)).toHaveLength(1);
  await owner[Symbol.asyncDispose]();
  expect(alive(mark)).toEqual([]);
});

test("and not longer than it was given", async () => {
  const mark = `TEST_MARK=${crypto.randomUUID()}`;
  const env = { ...OPTIONS.env, TEST_MARK: mark.split("=")[1]! };
  await using owner = new LeftRunning();
  const { left } = await sh("sleep 60 >/dev/null 2>&1 &", { env });
  owner.watch(left, 50);
  await Bun.sleep(500);
  expect(alive(mark)).toEqual([]);
});
