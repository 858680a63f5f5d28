// What keys do around the prompt, as rows for the table of keys: dispatch, hints, `/hotkeys` and
// the remap file all follow from here.

import { SELECTION_ACTIONS } from "@tau/tui/components/selection-actions";
import { EDITOR_ACTIONS } from "@tau/tui/editor/editor-actions";
import type { KeyAction } from "@tau/tui/keys/key-bindings";
import { QUESTION_ACTIONS } from "./question-actions.ts";
import { SCREEN_ACTIONS } from "./screens/screen-actions.ts";

export const APP_CONTEXT = "app";

const row = (id: string, description: string, ...defaultKeys: string[]): KeyAction => ({
  id: `app.${id}`,
  description,
  defaultKeys,
  context: APP_CONTEXT,
  // What the remap files of older versions call it.
  formerIds: [id.replace(/^.*\./, "")],
});

export const APP_ACTIONS = [
  row("interrupt", "Interrupt; clear the draft; twice: open the tree", "Escape"),
  row("clear", "Clear the draft or interrupt; twice: quit", "Ctrl+C"),
  row("exit", "Quit, if the prompt is empty", "Ctrl+D"),
  row("suspend", "Suspend; `fg` brings Tau back", "Ctrl+Z"),
  row("model.select", "Choose the model", "Ctrl+L"),
  row("model.selectTemporary", "Choose the model for this session", "Alt+P"),
  row("model.cycleForward", "Next model in your roles", "Ctrl+P"),
  row("model.cycleBackward", "Previous model in your roles", "Ctrl+Shift+P"),
  row("thinking.cycle", "Next thinking level", "Shift+Tab"),
  row("thinking.toggle", "Show or hide thinking", "Ctrl+T"),
  row("tools.expand", "Show the full transcript", "Ctrl+O"),
  row("agents.hub", "Show the agents", "Alt+A"),
  row("message.dequeue", "Take back the last queued message", "Alt+Up"),
  row("clipboard.pasteImage", "Attach the image in the clipboard", "Ctrl+V"),
  row("clipboard.copyLine", "Copy the line", "Alt+Shift+L"),
  row("clipboard.copyPrompt", "Copy the whole prompt", "Alt+Shift+C"),
  row("session.new", "Start a new session"),
  row("session.resume", "Resume another session"),
  row("session.tree", "Open the session tree"),
  row("session.fork", "Fork: continue in a copy of the session"),
  row("display.redraw", "Redraw the screen", "Alt+L"),
] as const satisfies readonly KeyAction[];

export const ALL_ACTIONS: readonly KeyAction[] = [
  ...APP_ACTIONS,
  ...QUESTION_ACTIONS,
  ...SCREEN_ACTIONS,
  ...EDITOR_ACTIONS,
  ...SELECTION_ACTIONS,
];
