import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "@tau/extension/testing";

test("a program at the other end of the pipe sees what the run has done", async () => {
  const child = spawn(
    process.execPath,
    ["--mode", "rpc", "-m", "tau/demo", "--no-session", "-e", import.meta.dirname],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const send = (command: object): void => void child.stdin.write(`${JSON.stringify(command)}\n`);
  try {
    send({ type: "prompt", id: 1, message: "look around" });
    for await (const line of createInterface({ input: child.stdout })) {
      const { type, id, data } = JSON.parse(line);
      if (type === "agent_end") send({ type: "panel", id: 2 });
      if (type !== "response" || id !== 2) continue;
      assert.ok(data.turns > 0);
      assert.ok(Object.keys(data.calls).length > 0);
      assert.notEqual(data.last, "");
      return;
    }
    assert.fail("the pipe was closed");
  } finally {
    child.kill();
  }
});
