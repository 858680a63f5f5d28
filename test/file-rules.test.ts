// Rules about files, in every spelling and whichever tool it is: a refusal to have one read or changed.

import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { userText } from "@tau/ai/message";
import { embed, saidIn } from "./support/embedded.ts";

const FILE = ".tau/agent/config.yml";

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

const bash = (command: string): Call => ({ name: "bash", arguments: { command } });
const read = (path: string): Call => ({ name: "read", arguments: { path } });
const write = (path: string): Call => ({ name: "write", arguments: { path, content: "x\n" } });

/** Which of the calls are refused by the settings, in yolo. */
async function refused(
  calls: readonly Call[],
  files: Record<string, string>,
): Promise<{ refused: boolean[]; results: string[] }> {
  await using embedding = await embed([
    ...calls.map((call) => ({ toolCalls: [call] })),
    { text: "done" },
  ]);
  const { home } = embedding;
  await mkdir(home.path("work"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await home.write(name, text);
  const session = await embedding.start({ cwd: home.path("work"), approvalMode: "yolo" });
  await session.prompt(userText("go"));
  await session[Symbol.asyncDispose]();
  const results = saidIn(embedding.server, -1).filter((line) => line.startsWith("toolResult"));
  expect(results).toHaveLength(calls.length);
  return { refused: results.map((result) => result.includes("Your settings refuse")), results };
}

const rules = (...texts: string[]) => ({
  [FILE]: `tools:\n  rules:\n${texts.map((text) => `    - ${text}\n`).join("")}`,
});

test.each(["~", "$HOME", "${HOME}"])("%s in a rule about files is the home", async (home) => {
  const found = await refused(
    [
      read("~/outside.txt"),
      read("../outside.txt"),
      bash("cat ../outside.txt"),
      write("../notes.txt"),
      read("own.txt"),
      read("other.txt"),
    ],
    {
      "outside.txt": "x",
      "work/own.txt": "x",
      "work/other.txt": "x",
      ...rules(
        `deny read(${home}/outside.txt)`,
        `deny read(${home}/work/own.txt)`,
        `deny write(${home}/notes*)`,
      ),
    },
  );
  expect(found.refused).toEqual([true, true, true, true, true, false]);
});
