import { expect, test } from "bun:test";
import { openHotkeysScreen } from "./hotkeys-screen.ts";
import { FakeStage } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";

const remapFile = "~/.tau/agent/keybindings.json";

test("remaps are marked, disabled keys say so, and conflicts come first", async () => {
  const remaps = new Map([
    ["screen.tree.label", [["ctrl+o"]]],
    ["screen.tree.showAll", []],
  ]);
  const stage = new FakeStage({ remaps });
  const answer = openHotkeysScreen(stage, { remapFile });
  expect(stage.picture()).toContain(
    "! Ctrl+O is bound to screen.tree.label and screen.tree.nextFilter",
  );
  expect(stage.picture()).toContain("gets it. Remap one of them.");
  stage.type("screen.tree");
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Ctrl+U");
  stage.type("label remov");
  expect(stage.picture()).toContain("! Ctrl+O");
  expect(stage.picture()).toContain("screen.tree.label; without your remap: Shift+L");
  stage.press("Ctrl+U");
  stage.type("showall");
  expect(stage.picture()).toContain("● none");
  stage.press("Enter", "Escape", "Escape");
  expect(await answer).toBeUndefined();
});

test("all of the keys can be reached, at any size", () => {
  const stage = new FakeStage();
  void openHotkeysScreen(stage, { remapFile: NASTY, problems: [`${NASTY} is wrong`] });
  expect(stage.picture()).toContain("Writing a prompt");
  expectLawful(stage);
  stage.press("End");
  expect(stage.picture()).toContain("One agent");
  stage.size = { columns: 200, rows: 50 };
  expectLawful(stage);
});
