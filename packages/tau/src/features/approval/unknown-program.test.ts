// A program that nobody knows asks in `auto` with a reason that names it, and consent to it holds.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { assessCommand } from "../../tools/bash/assess-command.ts";
import { Workspace } from "../../tools/workspace.ts";
import { parseRule } from "./approval-rule.ts";
import { decide } from "./decide.ts";

async function decided(command: string, rules: readonly string[] = []) {
  await using home = await isolatedHome();
  await home.write("work/scripts/build.sh", "");
  await home.write("work/node_modules/.bin/gadget", "");
  await using workspace = new Workspace({ cwd: home.path("work"), env: home.env });
  const call = await assessCommand(workspace, { command }, workspace.cwd);
  const parsed = rules.map((rule) => parseRule(rule)!);
  return decide("bash", call, { mode: "auto", policies: {}, rules: parsed });
}

test("it asks by its name", async () => {
  expect(await decided("frobnicate --all")).toEqual({
    type: "ask",
    reason: "it cannot be judged: it is not known what frobnicate does",
  });
});

test("a rule for it is consent, also beside what needs none", async () => {
  const rules = ["allow bash(frobnicate *)"];
  expect(await decided("frobnicate --all", rules)).toEqual({ type: "allow" });
  expect(await decided("frobnicate --all; other-tool x", rules)).toMatchObject({ type: "ask" });
  expect(await decided("frobnicate --all", ["allow bash(frobnicate --all)"])).toEqual({
    type: "allow",
  });
});

test("what belongs to the project does not ask", async () => {
  for (const command of ["scripts/build.sh", "./scripts/build.sh x", "npx gadget", "npm test"])
    expect({ command, ...(await decided(command)) }).toEqual({ command, type: "allow" });
});
