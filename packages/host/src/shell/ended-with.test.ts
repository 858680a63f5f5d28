// Which processes a command is said to have taken with it.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { tmpdir } from "node:os";
import { ShellSession } from "./shell-session.ts";

test.skipIf(process.platform !== "linux")(
  "what stays in the background, and nothing else",
  async () => {
    await using scratch = await createScratchDirectory();
    await using shell = new ShellSession({
      cwd: scratch.root,
      env: { PATH: process.env.PATH, HOME: tmpdir(), LC_ALL: "C.UTF-8" },
      stateDirectory: scratch.path("state"),
    });
    const endedWith = async (command: string) =>
      (await shell.run(command, { onOutput: () => {} })).endedWith?.map(({ name }) => name);
    expect(await endedWith("sleep 300 & sleep 0.2")).toEqual(["sleep"]);
    expect(await endedWith("nohup sleep 300 >/dev/null 2>&1 & sleep 0.2")).toEqual(["sleep"]);
    expect(await endedWith("sleep 300 | sleep 301 & sleep 0.2")).toEqual(["sleep"]);
    for (const command of [
      "echo a > >(cat >/dev/null; sleep 5); sleep 0.2",
      "yes | head -1",
      "sleep 0.01 & wait",
      "echo next",
    ]) {
      expect(await endedWith(command)).toBeUndefined();
    }
  },
);
