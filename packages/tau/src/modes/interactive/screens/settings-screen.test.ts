import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { existsSync } from "node:fs";
import { KnownVariables } from "../../../config/known-variables.ts";
import { amount, flag, list, oneOf, text, type SettingRow } from "../../../config/setting.ts";
import { settingGroup } from "../../../config/setting-group.ts";
import { readLayer } from "../../../config/settings-layer.ts";
import { Settings } from "../../../config/settings.ts";
import { SETTING_GROUPS, SETTINGS_TABLE } from "../../../features/settings-table.ts";
import { writeSetting } from "../../../config/write-setting.ts";
import { openSettingsScreen, type SettingsScreenDeps } from "./settings-screen.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful } from "./test/laws.ts";

const GROUPS = [
  settingGroup("look", "Looks", {
    theme: oneOf(["dark", "light", "high-contrast"], "dark", "Which colours are used"),
    icons: flag(true, "Whether signs are drawn"),
  }),
  settingGroup("model", "Models", {
    maxTokens: amount(4096, "How long a reply may be", { min: 1, max: 100_000, unit: "tokens" }),
    name: text("", "What the model is called", { scope: "user" }),
    fallbacks: list("Models to fall back to"),
  }),
];

const ROWS = new Map<string, SettingRow>(
  GROUPS.flatMap(({ prefix, rows }) =>
    Object.entries(rows).map(([name, row]) => [`${prefix}.${name}`, row] as const),
  ),
);
const TABLE = {
  row: (key: string) => ROWS.get(key),
  keys: () => [...ROWS.keys()],
  variables: new KnownVariables(),
};

/** Real files, read and written as the program does it. */
async function fixture(more: Partial<SettingsScreenDeps> = {}) {
  const scratch = await createScratchDirectory();
  const files = { user: scratch.path("user.yml"), project: scratch.path("project.yml") };
  const read = async (name: "user" | "project") =>
    existsSync(files[name])
      ? [await readLayer(name, files[name], await Bun.file(files[name]).text(), TABLE)]
      : [];
  const deps: SettingsScreenDeps = {
    load: async () => new Settings([...(await read("user")), ...(await read("project"))]),
    write: (target, key, value) => writeSetting(files[target], key, value),
    userFile: "~/.tau/agent/config.yml",
    project: { file: ".tau/config.yml" },
    groups: GROUPS,
    ...more,
  };
  return { deps, files, scratch, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
}

/** A write locks, syncs and reads again: as long as that takes. */
async function until(stage: FakeStage, words: string): Promise<void> {
  for (let turn = 0; turn < 500 && !stage.picture().includes(words); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(stage.picture()).toContain(words);
}

test("groups stand as tabs, and the chosen setting is described", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  void openSettingsScreen(stage, given.deps);
  await until(stage, "look.icons");
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Tab");
  expect(stage.picture()).toMatchSnapshot();
  expectLawful(stage);
  stage.size = { columns: 200, rows: 50 };
  expect(stage.picture()).toMatchSnapshot();
});

test("a switch is turned and written; what was written is said", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  const answer = openSettingsScreen(stage, given.deps);
  await until(stage, "look.icons");
  stage.press("Down", "Enter");
  await until(stage, "Saved in ~/.tau/agent/config.yml");
  expect(await Bun.file(given.files.user).text()).toBe("look:\n  icons: false\n");
  stage.press("Delete");
  await until(stage, "Removed from");
  expect(await Bun.file(given.files.user).text()).not.toContain("icons");
  stage.press("Escape");
  expect(await answer).toEqual(["look.icons"]);
});

test("moving over values previews them; cancelling brings back what was", async () => {
  const seen: unknown[] = [];
  await using given = await fixture({ onPreview: (_key, value) => void seen.push(value) });
  const stage = new FakeStage();
  void openSettingsScreen(stage, given.deps);
  await until(stage, "look.theme");
  stage.press("Enter", "Down", "Down");
  expect(seen).toEqual(["light", "high-contrast"]);
  stage.press("Escape");
  await settled();
  expect(seen).toEqual(["light", "high-contrast", "dark"]);
  expect(existsSync(given.files.user)).toBe(false);
});

test("a number is checked before it is written", async () => {
  await using given = await fixture();
  const stage = new FakeStage();
  void openSettingsScreen(stage, given.deps);
  await until(stage, "look.theme");
  stage.press("Tab", "Enter", "Ctrl+U");
  stage.type("lots");
  stage.press("Enter");
  expect(stage.picture()).toContain("expected a number");
  stage.press("Ctrl+U");
  stage.type("900");
  stage.press("Enter");
  await until(stage, "Saved in");
  expect(await Bun.file(given.files.user).text()).toContain("maxTokens: 900");
});

test("who decides over a value is said; a project has no say in some", async () => {
  await using given = await fixture();
  await Bun.write(given.files.project, "look:\n  theme: light\n");
  const stage = new FakeStage();
  void openSettingsScreen(stage, given.deps);
  await until(stage, "look.theme");
  stage.press("Right");
  await until(stage, "Written, but project overrides it");
  stage.press("Ctrl+T", "Right");
  await until(stage, "Saved in .tau/config.yml");
  stage.press("Tab", "Down", "Enter");
  stage.type("x");
  stage.press("Enter");
  await settled();
  expect(stage.picture()).toContain("A project cannot set this one");
});

test("without a project's file it is said why; lists name their command", async () => {
  await using given = await fixture({ project: { why: "This project is not trusted." } });
  const stage = new FakeStage();
  void openSettingsScreen(stage, given.deps);
  await until(stage, "look.theme");
  stage.press("Ctrl+T");
  expect(stage.picture()).toContain("This project is not trusted.");
  stage.type("fall back");
  stage.press("Enter");
  expect(stage.picture()).toContain(`tau config set model.fallbacks '["…"]'`);
});

test("a file that cannot be understood stays as it is, and it is said", async () => {
  await using given = await fixture();
  await Bun.write(given.files.user, "look: [\n");
  const stage = new FakeStage();
  void openSettingsScreen(stage, given.deps);
  await until(stage, "look.theme");
  stage.press("Right");
  await until(stage, "Not changed:");
  expect(await Bun.file(given.files.user).text()).toBe("look: [\n");
});

test("every setting of the program has a row, at any width", async () => {
  const stage = new FakeStage();
  const deps: SettingsScreenDeps = {
    load: async () => new Settings(),
    write: () => Promise.reject(new Error("not here")),
    userFile: "~/.tau/agent/config.yml",
    project: { why: "There is no project." },
  };
  void openSettingsScreen(stage, deps);
  await settled();
  for (const { title, prefix } of SETTING_GROUPS) {
    expect(stage.picture()).toContain(`[${title}]`);
    if (prefix !== "") expect(stage.picture()).toContain(`${prefix}.`);
    expectLawful(stage);
    stage.press("Tab");
  }
  stage.type("e");
  expect(SETTINGS_TABLE.keys().length).toBeGreaterThan(50);
  expect(stage.picture()).toMatch(/1 of \d\d/);
});
