import { expect, test } from "bun:test";
import { openPluginBrowser, type BrowsedPlugin, type PluginBrowserDeps } from "./plugin-browser.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";

const GUARD: BrowsedPlugin = {
  id: "user guard",
  name: "guard",
  state: "enabled",
  version: "1.2.0",
  from: "npm:guard",
  description: "",
};
const OFFERED: BrowsedPlugin = {
  id: "formatter@market",
  name: "formatter",
  state: "available",
  version: "",
  from: "market",
  description: "Formats what was written",
};

interface Told {
  deps: PluginBrowserDeps;
  calls: string[];
}

function told(more: Partial<PluginBrowserDeps> = {}): Told {
  const calls: string[] = [];
  const deps: PluginBrowserDeps = {
    list: async () => [GUARD, OFFERED],
    describe: async ({ name }) => ({
      lines: [name, "It may run", "  hook PreToolUse: sh guard.sh"],
      mayRun: true,
    }),
    install: async ({ id }) => void calls.push(`install ${id}`),
    setEnabled: async ({ id }, isEnabled) => void calls.push(`${isEnabled} ${id}`),
    remove: async ({ id }) => void calls.push(`remove ${id}`),
    ...more,
  };
  return { deps, calls };
}

test("what is installed and what is offered; details, then a question, then it is installed", async () => {
  const stage = new FakeStage();
  const { deps, calls } = told();
  const done = openPluginBrowser(stage, deps);
  await settled();
  expect(stage.picture()).toContain("Installed");
  expect(stage.picture()).toContain("Available");
  stage.press("Down", "Enter");
  await settled();
  expect(stage.picture()).toContain("hook PreToolUse: sh guard.sh");
  expect(calls).toEqual([]);
  stage.press("Enter");
  await settled();
  expect(stage.picture()).toContain("Install formatter?");
  expect(calls).toEqual([]);
  stage.rest();
  stage.press("y", "Enter");
  await settled();
  expect(calls).toEqual(["install formatter@market"]);
  stage.press("Escape");
  expect(await done).toEqual(["formatter"]);
});

test("enabling, disabling and removing; a failure is said and nothing counts as changed", async () => {
  const stage = new FakeStage();
  const { deps, calls } = told({
    remove: async () => {
      throw new Error("the disk is full");
    },
  });
  const done = openPluginBrowser(stage, deps);
  await settled();
  stage.press("Down", "Ctrl+T");
  await settled();
  expect(stage.picture()).toContain("It is not installed; Enter shows it.");
  stage.press("Up", "Delete");
  await settled();
  stage.rest();
  stage.press("y", "Enter");
  await settled();
  expect(stage.picture()).toContain("the disk is full");
  stage.press("Escape");
  expect(await done).toEqual([]);
  expect(calls).toEqual([]);
  const again = openPluginBrowser(stage, deps);
  await settled();
  stage.press("Ctrl+T");
  await settled();
  expect(calls).toEqual(["false user guard"]);
  stage.press("Escape");
  expect(await again).toEqual(["guard"]);
});

test("words of strangers, also in the details", async () => {
  const stage = new FakeStage();
  const { deps } = told({
    list: async () => [{ ...OFFERED, name: NASTY, description: NASTY, from: NASTY }],
    describe: async () => ({ lines: [NASTY, NASTY], mayRun: true }),
  });
  void openPluginBrowser(stage, deps);
  await settled();
  expectLawful(stage);
  stage.press("Enter");
  await settled();
  expectLawful(stage);
});
