// The examples of the page about what extensions show, as they stand there, in the terminal.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { converse } from "./support/converse.ts";

const page = await Bun.file(join(import.meta.dir, "../docs/extension-ui.md")).text();
const examples = [...page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)];

test("all of them together do what the page says", async () => {
  expect(examples.map(([, name]) => name)).toEqual([
    "gate.ts",
    "weather.ts",
    "counter.ts",
    "tally.ts",
  ]);
  await using program = await converse(
    [
      { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] },
      { text: "So be it." },
    ],
    {
      config: "tools: { approvalMode: yolo }\n",
      rows: 30,
      columns: 100,
      before: async (home) => {
        for (const [, name, source] of examples) {
          await home.write(`.tau/agent/extensions/${name}`, source!);
        }
      },
    },
  );
  const { terminal, say, home } = program;
  await terminal.waitFor("Mon sunny");
  await terminal.waitFor("21 degrees");
  await terminal.waitFor("0 messages");
  terminal.press("f8");
  await terminal.waitFor("Hello.");
  say("/counter");
  await terminal.waitFor("Count: 0");
  terminal.press("up");
  terminal.press("up");
  await terminal.waitFor("Count: 2");
  terminal.press("enter");
  await terminal.waitFor("You counted to 2.");
  say("/counter");
  await terminal.waitFor("Count: 0");
  terminal.press("escape");
  await terminal.waitFor("Left.");
  say("/tally");
  await terminal.waitFor(/^\|\|\|$/m);
  say("go");
  await terminal.waitFor("extension gate asks");
  await terminal.waitFor("Choose, then Enter");
  terminal.press("enter");
  await terminal.waitFor("So be it.");
  expect(terminal.text()).toContain("The gate is shut.");
  expect(await Bun.file(home.path("made")).exists()).toBe(false);
});
