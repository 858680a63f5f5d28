import { expect, test } from "bun:test";
import { runCommand, type RunCommandOptions } from "./run-command.ts";

const options: RunCommandOptions = {
  cwd: import.meta.dir,
  env: { PATH: process.env.PATH },
  maxOutputBytes: 64 * 1024,
};

/** A killed process stays as a zombie until its new parent looks; it does nothing any more. */
function groupIsGone(group: number): boolean {
  const { stdout } = Bun.spawnSync(["ps", "-eo", "pgid=,stat="]);
  return !stdout
    .toString()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .some(([pgid, state]) => Number(pgid) === group && !state?.startsWith("Z"));
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await Bun.sleep(5);
}

test("keeps both streams in the order they were written", async () => {
  const { output, exitCode } = await runCommand("echo a; echo b >&2; echo c; exit 3", options);
  expect(output).toBe("a\nb\nc\n");
  expect(exitCode).toBe(3);
});

test("closes standard input", async () => {
  const { output, exitCode } = await runCommand("cat; echo done", options);
  expect(output).toBe("done\n");
  expect(exitCode).toBe(0);
});

test("a syntax error is the command's own failure", async () => {
  const { output, exitCode } = await runCommand("if then", options);
  expect(exitCode).toBe(2);
  expect(output).toContain("syntax error");
});

test("keeps head and tail of an endless output in bounded memory", async () => {
  const { output, totalBytes } = await runCommand(
    "echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last",
    options,
  );
  expect(totalBytes).toBe(50_000_000 + "first\n\nlast\n".length);
  expect(output.length).toBeLessThan(70_000);
  expect(output.startsWith("first\n")).toBe(true);
  expect(output.endsWith("\nlast\n")).toBe(true);
  expect(output).toContain("bytes left out");
});

test("never cuts inside a character", async () => {
  const { output } = await runCommand("printf 'é%.0s' {1..2000}", {
    ...options,
    maxOutputBytes: 101,
  });
  expect(output).not.toContain("\ufffd");
});

test("a timeout ends the whole group, also a child that ignores SIGTERM", async () => {
  const result = await runCommand("echo $$; trap '' TERM; sleep 60 & sleep 60; sleep 60", {
    ...options,
    timeoutMs: 100,
  });
  expect(result.end).toBe("timeout");
  expect(groupIsGone(Number(result.output.trim()))).toBe(true);
});

test("an abort ends the whole group", async () => {
  const abort = new AbortController();
  let pid = 0;
  const running = runCommand("echo $$; sleep 60 | sleep 60", {
    ...options,
    signal: abort.signal,
    onOutput: (text) => {
      pid = Number(text.trim());
    },
  });
  await waitUntil(() => pid > 0);
  abort.abort();
  expect((await running).end).toBe("aborted");
  expect(groupIsGone(pid)).toBe(true);
});

test("a background process neither delays the end nor survives it", async () => {
  const started = performance.now();
  const { output } = await runCommand("echo $$; sleep 60 &", options);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(groupIsGone(Number(output.trim()))).toBe(true);
});

test("a command that is too long says what to do", async () => {
  const long = `: ${"x".repeat(3_000_000)}`;
  await expect(runCommand(long, options)).rejects.toThrow("write it to a file");
});
