// A program for tests: opens one screen on its terminal over real files, and prints what came
// of it. Arguments: which screen, the directory to work in.

import { userSettingsFile } from "../../../../config/open-settings.ts";
import { openUserSettings } from "../../../../features/open-user-settings.ts";
import { writeSetting } from "../../../../config/write-setting.ts";
import { openModels } from "../../../../features/open-models.ts";
import { labelEntry } from "../../../../session/operations/name-session.ts";
import { readSessionTree } from "../../../../session/operations/session-tree.ts";
import { SessionStore } from "../../../../session/session-store.ts";
import { openHotkeysScreen } from "../hotkeys-screen.ts";
import { openLoginScreen } from "../login-screen.ts";
import { openModelPicker } from "../model-picker.ts";
import { pickableModels } from "../pickable-models.ts";
import { openSessionPicker } from "../session-picker.ts";
import { sessionSource } from "../session-source.ts";
import { openSettingsScreen } from "../settings-screen.ts";
import { openTranscriptViewer } from "../transcript-viewer.ts";
import { openTreeNavigator } from "../tree-navigator.ts";
import { TerminalStage } from "./terminal-stage.ts";

const [which = "models", root = "."] = process.argv.slice(2);
const env = { HOME: root, TAU_AGENT_DIR: `${root}/agent` };
const stage = new TerminalStage(["what was said before", "> a draft"]);
const store = new SessionStore({ env, cwd: root });

const screens: Record<string, () => Promise<unknown>> = {
  models: async () => {
    const access = await openModels({ env, cwd: root });
    return openModelPicker(stage, {
      load: () => pickableModels(access),
      current: "tau/demo",
      roles: {},
    });
  },
  sessions: async () => (await openSessionPicker(stage, sessionSource({ store })))?.id,
  tree: async () => {
    await using log = await store.open({ kind: "continue" });
    return await openTreeNavigator(stage, {
      read: (options) => readSessionTree(log.entries(), { leafId: log.leafId, ...options }),
      label: async (id, label) => void (await labelEntry(log, id, label)),
      summaries: "ask",
    });
  },
  settings: () =>
    openSettingsScreen(stage, {
      load: () => openUserSettings({ env, cwd: root }),
      write: (_target, key, value) => writeSetting(userSettingsFile(env), key, value),
      userFile: userSettingsFile(env),
      project: { why: "There is no project here." },
    }),
  login: () => openLoginScreen(stage, { env, openBrowser: () => false }),
  hotkeys: () => openHotkeysScreen(stage, { remapFile: "keybindings.json" }),
  transcript: () =>
    openTranscriptViewer(stage, {
      source: { length: 500, block: (index) => [`block ${index}`, "  its text", ""] },
    }),
};

stage.start();
const answer = await screens[which]!();
await stage.stop();
process.stdout.write(`answer: ${JSON.stringify(answer ?? null)}\n`);
process.exit(0);
