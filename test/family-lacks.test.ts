// What extensions of the family call and Tau does not have: it is named when it is called, once.

import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { NOBODY } from "@tau/tau/feature-api/user-interface";
import { ActiveSession, userText } from "@tau/tau/sdk";
import { isolatedHome } from "@tau/testkit/scratch";

const CALLER = `
export default (pi) => {
  pi.on("before_agent_start", (_event, ctx) => {
    ctx.ui.setEditorComponent(undefined);
    ctx.ui.setEditorComponent(() => ({}));
    ctx.ui.addAutocompleteProvider(() => ({}));
    ctx.ui.onTerminalInput(() => undefined)();
    pi.setActiveTools(["read", "grep_all"]);
  });
  pi.registerCommand("fresh", { handler: (_args, ctx) => ctx.newSession({ setup: () => {} }) });
};`;

const LACKING = [
  "the extension caller calls ctx.ui.setEditorComponent, which Tau does not have",
  "the extension caller calls ctx.ui.addAutocompleteProvider, which Tau does not have",
  "the extension caller calls ctx.ui.onTerminalInput, which Tau does not have",
];
const UNKNOWN = "the extension caller activates tools that are not there: grep_all";

test.each([
  ["where something is drawn", true, [...LACKING, UNKNOWN]],
  // The family itself has nothing to draw on there.
  ["elsewhere", false, [UNKNOWN]],
])("%s", async (_where, canDraw, expected) => {
  await using home = await isolatedHome();
  const cwd = home.path("work");
  await mkdir(cwd, { recursive: true });
  await home.write("caller.ts", CALLER);
  await using active = await ActiveSession.open({
    cwd,
    env: home.env,
    model: "tau/demo",
    extensions: { paths: [home.path("caller.ts")] },
    ui: { ...NOBODY, canDraw },
  });
  const told: string[] = [];
  active.subscribe((event) => {
    if (event.type === "hook_error") told.push((event.error as Error).message);
  });
  await active.prompt(userText("one"));
  await active.prompt(userText("two"));
  expect(told).toEqual(expected);
  const fresh = active.session.commands.find(({ name }) => name === "fresh")!;
  await fresh.run({} as never, "");
  expect(told.slice(expected.length)).toEqual([
    "the extension caller calls ctx.newSession with setup, which Tau does not have",
  ]);
});
