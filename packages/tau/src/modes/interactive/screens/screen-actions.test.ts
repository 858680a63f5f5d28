import { expect, test } from "bun:test";
import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { KeyBindings } from "@tau/tui/keys/key-bindings";
import { join } from "node:path";
import { SCREEN_ACTIONS, SCREEN_CONTEXTS } from "./screen-actions.ts";

test("no two actions of a screen want the same key", () => {
  expect(new KeyBindings([...SCREEN_ACTIONS, ...SELECTION_ACTIONS]).conflicts).toEqual([]);
  for (const { context } of SCREEN_ACTIONS) expect(SCREEN_CONTEXTS).toHaveProperty([context]);
});

test("the page about screens names every key as it is", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../../../../docs/screens.md")).text();
  const rows = page.split("\n").map((line) => line.replace(/ +/g, " "));
  for (const { id, defaultKeys, description } of SCREEN_ACTIONS) {
    const keys = defaultKeys.map((key) => `\`${key}\``).join(" ");
    expect(rows).toContain(`| \`${id}\` | ${keys} | ${description} |`);
  }
});
