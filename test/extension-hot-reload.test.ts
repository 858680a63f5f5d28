// Extensions that are saved while somebody works: they are loaded anew, nothing of the old ones is left, and
// the conversation stands as it stood.

import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { converse } from "./support/converse.ts";
import { runTau } from "./support/run-tau.ts";

const PLACE = ".tau/agent/extensions/live.ts";

const source = (words: string, more = ""): string => `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setStatus("s", "status ${words}");
    ctx.ui.setWidget("${words}", ["widget ${words}"]);
  });
  pi.registerShortcut("f6", { description: "d", handler: (ctx) => ctx.ui.notify("key ${words}") });
  ${more}
};`;

test("saving one loads it anew: widgets, status and keys are the new ones, the words stand once", async () => {
  await using program = await converse([{ text: "An answer." }, { text: "Another." }], {
    before: (home) =>
      home.write(PLACE, source("one", `pi.registerShortcut("f7", { handler() {} });`)),
    rows: 30,
  });
  const { terminal, say, home, idle } = program;
  await terminal.waitFor("widget one");
  say("hello");
  await terminal.waitFor("An answer.");
  await idle();
  await home.write(PLACE, source("two"));
  await terminal.waitFor("Loaded anew: live.");
  await terminal.waitFor("widget two");
  expect(terminal.text()).not.toContain("widget one");
  expect(terminal.text()).not.toContain("status one");
  expect(terminal.text()).toContain("status two");
  expect(terminal.text().split("An answer.")).toHaveLength(2);
  terminal.press("f6");
  await terminal.waitFor("key two");
  expect(terminal.text()).not.toContain("key one");
  say("go on");
  await terminal.waitFor("Another.");
  await home.write(PLACE, "export default (pi) => { pi.nothing.at.all(); };");
  await terminal.waitFor("the extension live is not loaded");
  expect(terminal.text()).not.toContain("widget two");
  await home.write(PLACE, source("three"));
  await terminal.waitFor("widget three");
  expect(terminal.text().split("An answer.")).toHaveLength(2);
});

test("what it has loaded for the terminal is loaded anew, too", async () => {
  const own = (words: string): string => `
import { defineExtension } from "@tau/extension";
export default defineExtension({
  name: "live",
  terminal: async () => ({
    status: [{ name: "s", render: () => "says ${words}" }],
    panel: () => ({ state: "live", render: () => ({ rows: ["panel ${words}"], stableRows: 0 }), enter() {}, follow() {} }),
  }),
});`;
  await using program = await converse([], { before: (home) => home.write(PLACE, own("one")) });
  const { terminal, home } = program;
  await terminal.waitFor("panel one");
  await home.write(PLACE, own("two"));
  await terminal.waitFor("panel two");
  await terminal.waitFor("says two");
  expect(terminal.text()).not.toContain("one");
});

test("what changes while the model works is not loaded by itself: a person says so", async () => {
  await using program = await converse(
    [
      { toolCalls: [{ name: "bash", arguments: { command: "sleep 1; echo ready" } }] },
      { text: "It is done." },
      { toolCalls: [{ name: "write", arguments: { path: "mine.ts", content: source("evil") } }] },
      { text: "Written." },
    ],
    {
      before: async (home) => {
        await home.write(PLACE, source("one"));
        await home.write("mine.ts", "export default () => {};");
      },
      config: "tools: { approvalMode: yolo }\nextensions: [./mine.ts]\n",
    },
  );
  const { terminal, say, home, idle } = program;
  await terminal.waitFor("widget one");
  say("go");
  await terminal.waitFor("Running bash");
  await home.write(PLACE, source("two"));
  await terminal.waitFor("It is done.");
  await terminal.waitFor("live was changed while the model worked; /reload loads it.");
  expect(terminal.text()).toContain("widget one");
  say("/reload");
  await terminal.waitFor("widget two");
  await idle();
  say("write it");
  await terminal.waitFor("Written.");
  await terminal.waitFor("mine was changed while the model worked");
  expect(terminal.text()).not.toMatch(/^widget evil/m);
});

test("a job that runs is not ended by it: it is only said that something has changed", async () => {
  await using program = await converse(
    [
      { toolCalls: [{ name: "bash", arguments: { command: "sleep 60", async: true } }] },
      { text: "It runs." },
    ],
    {
      before: (home) => home.write(PLACE, source("one")),
      config: "tools: { approvalMode: yolo }\n",
    },
  );
  const { terminal, say, home, idle } = program;
  say("go");
  await terminal.waitFor("It runs.");
  await idle();
  await terminal.waitFor("1 job");
  await home.write(PLACE, source("two"));
  await terminal.waitFor("live has changed; /reload loads it, and ends a job that runs.");
  expect(terminal.text()).toContain("widget one");
  expect(terminal.text()).toContain("1 job");
});

const PROJECT = "work/.tau/extensions";

test("what is said after a reload is what was loaded: held back and removed ones are not", async () => {
  const plain = (words: string): string => `export default () => {}; // ${words}\n`;
  await using program = await converse([], {
    before: async (home) => {
      await home.write(PLACE, source("one"));
      await home.write(".tau/agent/extensions/gone.ts", plain("one"));
      await home.write("work/.git/HEAD", "ref: refs/heads/main\n");
      await home.write(`${PROJECT}/theirs.ts`, plain("one"));
      await runTau(["trust", "allow"], { cwd: home.path("work"), home });
    },
    inside: "work",
    rows: 40,
  });
  const { terminal, say, home } = program;
  await terminal.waitFor("widget one");
  say("/extensions");
  await terminal.waitFor("theirs  (project");
  await home.write(`${PROJECT}/theirs.ts`, plain("two"));
  await terminal.waitFor("Not loaded: theirs (the project has changed since you allowed it");
  await terminal.waitFor("so its extension is not loaded");
  await rm(home.path(".tau/agent/extensions/gone.ts"));
  await terminal.waitFor("Removed: gone.");
  expect(terminal.text()).not.toContain("Loaded anew");
  await runTau(["trust", "allow"], { cwd: home.path("work"), home });
  say("/reload");
  await terminal.waitFor("Loaded 2 extensions.");
  await home.write(`${PROJECT}/theirs.ts`, plain("three"));
  await terminal.waitFor(/Not loaded: theirs[^]*Not loaded: theirs/);
  say("/reload");
  await terminal.waitFor("Loaded 1 extension.");
});
