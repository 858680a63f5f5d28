// Both kinds of pipe: what goes in comes out, and nothing of it is left open.

import { describe, expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { closeSync, readdirSync, readSync } from "node:fs";
import { openNamedPipe, openPipe } from "./open-pipe.ts";
import { openOutputSource, StreamSource } from "./output-source.ts";

describe.each([
  ["the system's", openPipe],
  ["a named one", openNamedPipe],
])("%s", (_name, open) => {
  test("a program writes, we read without waiting, and its file is gone", async () => {
    await using scratch = await createScratchDirectory();
    const pipe = open(scratch.root)!;
    expect(readdirSync(scratch.root)).toEqual([]);
    const bytes = Buffer.alloc(100);
    expect(() => readSync(pipe.readEnd, bytes)).toThrow("EAGAIN");
    const child = Bun.spawn(["sh", "-c", "echo hi >/dev/stdout"], { stdout: pipe.writeEnd });
    await child.exited;
    expect(bytes.toString("utf8", 0, readSync(pipe.readEnd, bytes))).toBe("hi\n");
    closeSync(pipe.writeEnd);
    expect(readSync(pipe.readEnd, bytes)).toBe(0);
    closeSync(pipe.readEnd);
  });
});

test.each([
  ["a pipe", openOutputSource],
  ["the runtime's stream", () => new StreamSource()],
])("%s: one listener after the other, and the end of all output is told", async (_name, open) => {
  await using scratch = await createScratchDirectory();
  const source = open(scratch.root);
  const child = Bun.spawn(["cat"], { stdin: "pipe", stdout: source.writeEnd });
  source.started(typeof child.stdout === "object" ? child.stdout : undefined);
  const say = async (text: string): Promise<void> => {
    child.stdin.write(text);
    await child.stdin.flush();
  };
  for (const word of ["one", "two"]) {
    let heard = "";
    const listening = source.listen((bytes) => {
      heard += bytes.toString();
      return !heard.includes(".");
    });
    await say(`${word}.`);
    expect([await listening, heard]).toEqual([false, `${word}.`]);
  }
  await say("nobody's");
  await Bun.sleep(50);
  let heard = "";
  const last = source.listen((bytes) => {
    heard += bytes.toString();
    return true;
  });
  await say("three");
  await child.stdin.end();
  expect([await last, heard]).toEqual([true, "three"]);
  source.close();
});

test.skipIf(process.platform !== "linux")(
  "a thousand of them leave no descriptor open",
  async () => {
    await using scratch = await createScratchDirectory();
    const count = () => readdirSync("/proc/self/fd").length;
    const before = count();
    for (let at = 0; at < 1000; at++) openOutputSource(scratch.root).close();
    await Bun.sleep(20);
    expect(count()).toBeLessThanOrEqual(before + 2);
  },
);
