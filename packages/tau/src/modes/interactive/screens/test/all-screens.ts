// Every screen over things that are made up, for tests of what they have in common.

import { FREE } from "@tau/ai/model";
import { OAuthError, type LoginDriver, type LoginResult } from "@tau/ai/oauth/oauth";
import { Settings } from "../../../../config/settings.ts";
import { createMemorySession } from "../../../../session/log/open-session.ts";
import { reply, user } from "../../../../session/log/test/support.ts";
import { readSessionTree } from "../../../../session/operations/session-tree.ts";
import { openTrustQuestion } from "../choice-screens.ts";
import { askToConfirm, askToSelect } from "../extension-question.ts";
import { openHotkeysScreen } from "../hotkeys-screen.ts";
import { openLoginScreen } from "../login-screen.ts";
import { openModelPicker } from "../model-picker.ts";
import { openPluginBrowser } from "../plugin-browser.ts";
import { askQuestions } from "../questions-screen.ts";
import { openSessionPicker } from "../session-picker.ts";
import { openSettingsScreen } from "../settings-screen.ts";
import { openTextScreen } from "../text-screen.ts";
import { openTranscriptViewer } from "../transcript-viewer.ts";
import { openTreeNavigator } from "../tree-navigator.ts";
import type { FakeStage } from "./fake-stage.ts";

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
const { id: first } = await log.append(user("hello"));
await log.append(reply("hi"));
await log.moveLeaf(first, "tree");
await log.append(reply("good day"));
await log.append(user("tell me more"));

const MODEL = {
  provider: "a",
  id: "b",
  name: "B",
  wire: "openai-completions",
  baseUrl: "",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  thinking: ["low", "high"],
  cost: FREE,
} as const;

async function refusedLogin(driver: LoginDriver): Promise<LoginResult> {
  driver.open("https://vendor.test/authorize?state=1", "Log in with your browser:");
  driver.progress("Waiting");
  await driver.ask("Paste the code:", { secret: false });
  throw new OAuthError("that is no code", { definitive: false });
}

export interface TriedScreen {
  open(stage: FakeStage, signal: AbortSignal): Promise<unknown>;
  /** Open something over it. */
  keys: readonly string[];
}

export const ALL_SCREENS: Readonly<Record<string, TriedScreen>> = {
  models: {
    open: (stage, signal) =>
      openModelPicker(stage, {
        load: async () => [
          { model: MODEL, providerName: "A", isAvailable: true },
          { model: { ...MODEL, id: "c" }, providerName: "A", isAvailable: false },
        ],
        current: "a/b",
        roles: { own: "a/c:low" },
        signal,
      }),
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
    open: (stage, signal) =>
      openLoginScreen(stage, {
        // Nothing can be stored there.
        env: { HOME: "/dev/null", TAU_AGENT_DIR: "/dev/null/agent" },
        loadLogin: async (id) => ({ id, name: id, provider: id, login: refusedLogin }),
        openBrowser: () => false,
        signal,
      }),
    keys: ["End", "Enter"],
  },
  plugins: {
    open: (stage, signal) =>
      openPluginBrowser(stage, {
        list: async () => [
          {
            id: "user a",
            name: "a",
            state: "enabled",
            version: "1",
            from: "npm:a",
            description: "",
          },
          { id: "b@m", name: "b", state: "available", version: "", from: "m", description: "B" },
        ],
        describe: async () => ({ lines: ["b", "  runs something"], mayRun: true }),
        install: async () => undefined,
        setEnabled: async () => undefined,
        remove: async () => undefined,
        signal,
      }),
    keys: ["Delete"],
  },
  hotkeys: {
    open: (stage, signal) => openHotkeysScreen(stage, { remapFile: "keybindings.json", signal }),
    keys: [],
  },
  transcript: {
    open: (stage, signal) =>
      openTranscriptViewer(stage, {
        source: {
          length: 40,
          block: (index) => (index % 3 === 0 ? Promise.resolve([`late ${index}`]) : ["hello", ""]),
        },
        signal,
      }),
    keys: ["/"],
  },
  trust: {
    open: (stage, signal) =>
      openTrustQuestion(stage, {
        trust: {
          state: "untrusted",
          root: "/work/cloned",
          subjects: [{ id: ".tau/hooks/a.ts", kind: "hooks", hash: "1" }],
          changes: [],
          isDenied: false,
          why: "Nobody has decided about this project.",
        },
        effects: async () => ["runs"],
        signal,
      }),
    keys: [],
  },
  "an extension's choice": {
    open: (stage, signal) =>
      askToSelect(stage, {
        from: "gate",
        title: "Which of them?",
        message: "one line\n".repeat(60),
        choices: Array.from({ length: 40 }, (_, at) => ({ value: `v${at}`, description: "words" })),
        signal,
      }),
    keys: [],
  },
  "an extension's yes or no": {
    open: async (stage, signal) => {
      const question = { from: "gate", title: "Run this?", message: "rm -rf /", signal };
      return (await askToConfirm(stage, question)) || undefined;
    },
    keys: [],
  },
  "questions of the model": {
    open: (stage, signal) =>
      askQuestions(stage, {
        questions: [
          { id: "one", question: "Which?", options: ["this", "that"], multi: false },
          { id: "more", question: "Which ones?", options: ["these", "those"], multi: true },
        ],
        clock: stage.clock,
        signal,
      }),
    keys: [],
  },
  text: {
    open: (stage, signal) =>
      openTextScreen(stage, { title: "Change it", text: "first\nsecond\n".repeat(20), signal }),
    keys: [],
  },
};
