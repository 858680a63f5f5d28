// What keys do in the screens, as rows for the table of keys: one context for each screen, so
// that a key may mean different things in different ones. Hints and dispatch both ask the
// table, so that a remap shows and works everywhere.

import type { KeyAction } from "@tau/tui/keys/key-bindings";

/** Where typing filters; asked after a screen's own context. */
export const QUERY_CONTEXT = "screen.query";

/** The contexts of the screens, with what people call them. */
export const SCREEN_CONTEXTS = {
  "screen.query": "Typing a filter",
  "screen.models": "Choosing a model",
  "screen.sessions": "Choosing a session",
  "screen.tree": "Session tree",
  "screen.settings": "Settings",
  "screen.plugins": "Plugins",
  "screen.login": "Logging in",
  "screen.transcript": "Transcript",
  "screen.agents": "Agents",
  "screen.agent": "One agent",
} as const;

export type ScreenContext = keyof typeof SCREEN_CONTEXTS;

const rows =
  (context: ScreenContext) =>
  (id: string, description: string, ...defaultKeys: string[]): KeyAction => ({
    id: `${context}.${id}`,
    description,
    defaultKeys,
    context,
  });

const query = rows("screen.query");
const models = rows("screen.models");
const sessions = rows("screen.sessions");
const tree = rows("screen.tree");
const settings = rows("screen.settings");
const plugins = rows("screen.plugins");
const login = rows("screen.login");
const transcript = rows("screen.transcript");
const agents = rows("screen.agents");
const agent = rows("screen.agent");

export const SCREEN_ACTIONS: readonly KeyAction[] = [
  query("clear", "Clear the filter", "Ctrl+U"),
  query("eraseWord", "Delete a word of the filter", "Ctrl+W", "Alt+Backspace"),
  models("role", "Choose for the next role", "Tab"),
  models("previousRole", "Choose for the previous role", "Shift+Tab"),
  models("save", "For this session only, or save as default", "Ctrl+S"),
  models("moreThinking", "Higher thinking level", "Right"),
  models("lessThinking", "Lower thinking level", "Left"),
  models("all", "All models, or only those you enabled", "Ctrl+A"),
  models("refresh", "Ask the providers for their models", "Ctrl+R"),
  sessions("scope", "This directory, or all directories", "Tab"),
  sessions("rename", "Rename the session", "Ctrl+R", "F2"),
  sessions("delete", "Delete the session", "Ctrl+D", "Delete"),
  tree("nextFilter", "Next filter", "Ctrl+O"),
  tree("previousFilter", "Previous filter", "Ctrl+Shift+O"),
  tree("showDefault", "Show the conversation", "Alt+D"),
  tree("showNoTools", "Show it without tool results", "Alt+T"),
  tree("showUser", "Show only your messages", "Alt+U"),
  tree("showLabelled", "Show only labelled entries", "Alt+L"),
  tree("showAll", "Show everything", "Alt+A"),
  tree("label", "Set or remove a label", "Shift+L"),
  settings("nextGroup", "Next group", "Tab"),
  settings("previousGroup", "Previous group", "Shift+Tab"),
  settings("nextValue", "Next value", "Right"),
  settings("previousValue", "Previous value", "Left"),
  settings("reset", "Reset to the default", "Delete", "Ctrl+D"),
  settings("target", "Write to your settings, or to the project's", "Ctrl+T"),
  plugins("toggle", "Enable or disable the plugin", "Ctrl+T"),
  plugins("remove", "Remove the plugin", "Ctrl+D", "Delete"),
  login("logout", "Log out", "Ctrl+D", "Delete"),
  login("copy", "Copy the URL", "Ctrl+Y"),
  transcript("up", "Up one row", "Up", "k"),
  transcript("down", "Down one row", "Down", "j"),
  transcript("pageUp", "Page up", "PageUp", "b"),
  transcript("pageDown", "Page down", "PageDown", "Space"),
  transcript("top", "Go to the beginning", "Home", "g"),
  transcript("bottom", "Go to the end", "End", "Shift+G"),
  transcript("search", "Search", "/"),
  transcript("nextMatch", "Next match", "n"),
  transcript("previousMatch", "Previous match", "Shift+N"),
  transcript("close", "Close", "Escape", "Ctrl+O", "Ctrl+C", "q"),
  agents("scope", "All agents, or those at work", "Tab"),
  agents("stop", "Stop the agent, and those it has started", "Alt+S", "Delete"),
  agents("revive", "Bring back a parked agent", "Ctrl+R"),
  agent("up", "Up one row", "Up"),
  agent("down", "Down one row", "Down"),
  agent("pageUp", "Page up", "PageUp"),
  agent("pageDown", "Page down", "PageDown"),
  agent("top", "Go to the beginning", "Ctrl+Home"),
  agent("bottom", "Go to the end", "Ctrl+End"),
  agent("stop", "Stop the agent, and those it has started", "Alt+S"),
];
