// Whoever opened a screen may close it: then it is gone with all that it opened, at once.

import { expect, test } from "bun:test";
import { Settings } from "../../../config/settings.ts";
import { createMemorySession } from "../../../session/log/open-session.ts";
import { user } from "../../../session/log/test/support.ts";
import { readSessionTree } from "../../../session/operations/session-tree.ts";
import { openHotkeysScreen } from "./hotkeys-screen.ts";
import { openLoginScreen } from "./login-screen.ts";
import { openModelPicker } from "./model-picker.ts";
import { openSessionPicker } from "./session-picker.ts";
import { openSettingsScreen } from "./settings-screen.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { openTranscriptViewer } from "./transcript-viewer.ts";
import { openTreeNavigator } from "./tree-navigator.ts";

const SESSION = {
  path: "/s.jsonl",
  id: "s",
  cwd: "/",
  name: "A session",
  isNamed: true,
  status: "answered",
  createdAt: 0,
  modifiedAt: 0,
  bytes: 1,
} as const;

const log = createMemorySession({ cwd: "/" });
await log.append(user("hello"));

/** How each is opened, and the keys that open something over it. */
const SCREENS: Record<
  string,
  { open(stage: FakeStage, signal: AbortSignal): Promise<unknown>; keys: readonly string[] }
> = {
  models: {
    open: (stage, signal) =>
      openModelPicker(stage, { load: async () => [], current: "a/b", roles: {}, signal }),
    keys: [],
  },
  sessions: {
    open: (stage, signal) =>
      openSessionPicker(stage, {
        list: async () => [SESSION],
        search: async () => undefined,
        lastExchange: async () => ({}),
        rename: async () => undefined,
        remove: async () => undefined,
        signal,
      }),
    keys: ["Delete"],
  },
  tree: {
    open: (stage, signal) =>
      openTreeNavigator(stage, {
        read: (options) => readSessionTree(log.entries(), { leafId: log.leafId, ...options }),
        label: async () => undefined,
        summaries: "ask",
        signal,
      }),
    keys: ["Shift+L"],
  },
  settings: {
    open: (stage, signal) =>
      openSettingsScreen(stage, {
        load: async () => new Settings(),
        write: async () => undefined,
        userFile: "config.yml",
        project: { why: "There is none." },
        signal,
      }),
    keys: ["End", "Enter"],
  },
  login: {
    open: (stage, signal) => openLoginScreen(stage, { env: { HOME: "/nowhere" }, signal }),
    keys: ["End", "Enter"],
  },
  hotkeys: {
    open: (stage, signal) => openHotkeysScreen(stage, { remapFile: "keybindings.json", signal }),
    keys: [],
  },
  transcript: {
    open: (stage, signal) =>
      openTranscriptViewer(stage, { source: { length: 1, block: () => ["hello"] }, signal }),
    keys: ["/"],
  },
};

for (const [name, { open, keys }] of Object.entries(SCREENS)) {
  test(`${name}: closed from outside, with what stands over it`, async () => {
    const stage = new FakeStage();
    const closing = new AbortController();
    const answer = open(stage, closing.signal);
    await settled();
    stage.press(...keys);
    await settled();
    if (keys.length > 0 && name !== "transcript") expect(stage.depth).toBe(2);
    closing.abort();
    await settled();
    expect(stage.depth).toBe(0);
    expect((await answer) ?? []).toEqual([]);
  });
}
