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
  row("interrupt", "Stop what runs; clear the draft; twice: the tree", "Escape"),
  row("clear", "Clear the draft or stop; twice: leave", "Ctrl+C"),
  row("exit", "Leave, on an empty prompt", "Ctrl+D"),
  row("suspend", "Put it to sleep; `fg` brings it back", "Ctrl+Z"),
  row("model.select", "Choose the model", "Ctrl+L"),
  row("model.selectTemporary", "Choose the model for this session", "Alt+P"),
  row("model.cycleForward", "Next model of your roles", "Ctrl+P"),
  row("model.cycleBackward", "Previous model of your roles", "Ctrl+Shift+P"),
  row("thinking.cycle", "Next thinking level", "Shift+Tab"),
  row("thinking.toggle", "Show or hide thinking", "Ctrl+T"),
  row("tools.expand", "See the whole conversation in full", "Ctrl+O"),
  row("message.dequeue", "Take the last waiting message back", "Alt+Up"),
  row("clipboard.pasteImage", "Attach the picture in the clipboard", "Ctrl+V"),
  row("clipboard.copyLine", "Copy the line", "Alt+Shift+L"),
  row("clipboard.copyPrompt", "Copy the whole prompt", "Alt+Shift+C"),
  row("session.new", "Begin a new session"),
  row("session.resume", "Go to another session"),
  row("session.tree", "Move in the tree of the session"),
  row("session.fork", "Go on in a copy of the session"),
  row("display.redraw", "Draw the screen anew", "Alt+L"),
] as const satisfies readonly KeyAction[];

export const ALL_ACTIONS: readonly KeyAction[] = [
  ...APP_ACTIONS,
  ...QUESTION_ACTIONS,
  ...SCREEN_ACTIONS,
  ...EDITOR_ACTIONS,
  ...SELECTION_ACTIONS,
];
