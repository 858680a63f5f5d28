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
  "screen.tree": "The session's tree",
  "screen.settings": "Settings",
  "screen.login": "Logging in",
  "screen.transcript": "The whole conversation",
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
const login = rows("screen.login");
const transcript = rows("screen.transcript");

export const SCREEN_ACTIONS: readonly KeyAction[] = [
  query("clear", "Clear the filter", "Ctrl+U"),
  query("eraseWord", "Erase a word of the filter", "Ctrl+W", "Alt+Backspace"),
  models("role", "Choose for the next role", "Tab"),
  models("previousRole", "Choose for the previous role", "Shift+Tab"),
  models("save", "Only for this session, or for good", "Ctrl+S"),
  models("moreThinking", "Think more", "Right"),
  models("lessThinking", "Think less", "Left"),
  models("all", "All models, or those of your settings", "Ctrl+A"),
  models("refresh", "Ask the providers for their models", "Ctrl+R"),
  sessions("scope", "This directory, or all of them", "Tab"),
  sessions("rename", "Give it another title", "Ctrl+R", "F2"),
  sessions("delete", "Delete it", "Ctrl+D", "Delete"),
  tree("nextFilter", "Show the next kind of entries", "Ctrl+O"),
  tree("previousFilter", "Show the previous kind of entries", "Ctrl+Shift+O"),
  tree("showDefault", "Show the conversation", "Alt+D"),
  tree("showNoTools", "Show it without tool results", "Alt+T"),
  tree("showUser", "Show your own messages only", "Alt+U"),
  tree("showLabelled", "Show what has a label only", "Alt+L"),
  tree("showAll", "Show everything", "Alt+A"),
  tree("label", "Set or remove a label", "Shift+L"),
  settings("nextGroup", "Next group", "Tab"),
  settings("previousGroup", "Previous group", "Shift+Tab"),
  settings("nextValue", "Next value", "Right"),
  settings("previousValue", "Previous value", "Left"),
  settings("reset", "Back to the default", "Delete", "Ctrl+D"),
  settings("target", "Write to your file, or to the project's", "Ctrl+T"),
  login("logout", "Log out", "Ctrl+D", "Delete"),
  login("copy", "Copy the address", "Ctrl+Y"),
  transcript("up", "A row up", "Up", "k"),
  transcript("down", "A row down", "Down", "j"),
  transcript("pageUp", "A page up", "PageUp", "b"),
  transcript("pageDown", "A page down", "PageDown", "Space"),
  transcript("top", "To the beginning", "Home", "g"),
  transcript("bottom", "To the end", "End", "Shift+G"),
  transcript("search", "Search", "/"),
  transcript("nextMatch", "Next match", "n"),
  transcript("previousMatch", "Previous match", "Shift+N"),
  transcript("close", "Close", "Escape", "Ctrl+O", "Ctrl+C", "q"),
];
