import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

const call = (command: string) => ({ calls: [{ name: "bash", arguments: { command } }] });

test("a turn that changed something can be brought back, and what is staged stays", async () => {
  const { said, results, file } = await run({
    prompts: ["Change it.", "/checkpoints", "/restore 2", "Look."],
    files: { "a.txt": "one" },
    model: [
      call("git init -q . && git add a.txt"),
      call("printf two > a.txt"),
      call("printf three > a.txt"),
      { text: "Changed." },
      call("git diff --cached --name-only; git show :a.txt"),
      { text: "Seen." },
    ],
  });
  assert.match(said[0]!, /^1 {2}[0-9a-f]{10}\n2 {2}[0-9a-f]{10}\n3 {2}[0-9a-f]{10}$/);
  assert.equal(said[1], "Restored the files of turn 2.");
  assert.equal(file("a.txt"), "two");
  assert.match(results.at(-1)!, /^a\.txt\none/);
});
