// What the prompt editor can do, as rows for the table of keys. Which Enter sends and
// which breaks the line is decided here and nowhere else.

import type { KeyAction } from "../keys/key-bindings.ts";

export const EDITOR_CONTEXT = "editor";
export const COMPLETION_CONTEXT = "editor.completion";
export const SEARCH_CONTEXT = "editor.search";

/** What remap files of the family call some of them. */
const FORMER_IDS: Readonly<Record<string, readonly string[]>> = {
  "editor.followUp": ["app.message.followUp", "followUp"],
  "editor.searchHistory": ["app.history.search", "searchHistory"],
  "editor.external": ["app.editor.external", "externalEditor"],
};

const row =
  (context: string) =>
  (id: string, description: string, ...defaultKeys: string[]): KeyAction => ({
    id,
    defaultKeys,
    description,
    context,
    formerIds: FORMER_IDS[id],
  });

const editor = row(EDITOR_CONTEXT);
const completion = row(COMPLETION_CONTEXT);
const search = row(SEARCH_CONTEXT);

export const EDITOR_ACTIONS: readonly KeyAction[] = [
  editor("editor.submit", "Send the prompt", "Enter"),
  // Ctrl+J is what a terminal without any key protocol can always send.
  editor("editor.newline", "Insert a new line", "Shift+Enter", "Alt+Enter", "Ctrl+J"),
  // Ctrl+Enter needs a key protocol; Ctrl+Q every terminal can send.
  editor("editor.followUp", "Queue the prompt as a follow-up", "Ctrl+Enter", "Ctrl+Q"),
  editor("editor.escape", "Clear the draft", "Escape"),
  editor("editor.left", "Move left", "Left", "Ctrl+B"),
  editor("editor.right", "Move right", "Right", "Ctrl+F"),
  editor("editor.wordLeft", "Move a word left", "Ctrl+Left", "Alt+Left", "Alt+B"),
  editor("editor.wordRight", "Move a word right", "Ctrl+Right", "Alt+Right", "Alt+F"),
  editor("editor.up", "Move up, then to older prompts", "Up"),
  editor("editor.down", "Move down, then to newer prompts", "Down"),
  editor("editor.pageUp", "Move a page up", "PageUp"),
  editor("editor.pageDown", "Move a page down", "PageDown"),
  editor("editor.rowStart", "To the beginning of the row", "Home"),
  editor("editor.rowEnd", "To the end of the row", "End"),
  editor("editor.lineStart", "To the beginning of the line", "Ctrl+A"),
  editor("editor.lineEnd", "To the end of the line", "Ctrl+E"),
  editor("editor.textStart", "To the beginning of the text", "Ctrl+Home"),
  editor("editor.textEnd", "To the end of the text", "Ctrl+End"),
  editor(
    "editor.deleteBackward",
    "Delete before the caret",
    "Backspace",
    "Shift+Backspace",
    "Ctrl+H",
  ),
  editor("editor.deleteForward", "Delete after the caret", "Delete", "Ctrl+D"),
  editor("editor.killWordBackward", "Cut back to the previous space", "Ctrl+W"),
  editor("editor.killWordStart", "Cut to the start of the word", "Alt+Backspace", "Ctrl+Backspace"),
  editor(
    "editor.killWordForward",
    "Cut to the end of the word",
    "Alt+D",
    "Alt+Delete",
    "Ctrl+Delete",
  ),
  editor("editor.killToEnd", "Cut to the end of the line", "Ctrl+K"),
  editor("editor.killToStart", "Cut to the beginning of the line", "Ctrl+U"),
  editor("editor.yank", "Paste the last cut (yank)", "Ctrl+Y"),
  editor("editor.yankPop", "Replace it with an older cut", "Alt+Y"),
  editor("editor.undo", "Undo", "Ctrl+_", "Ctrl+-"),
  editor("editor.redo", "Redo", "Alt+_", "Alt+-", "Ctrl+Shift+Z"),
  editor("editor.searchHistory", "Search earlier prompts", "Ctrl+R"),
  editor("editor.complete", "Complete the word", "Tab"),
  editor("editor.external", "Edit in your external editor", "Ctrl+G"),
  completion("editor.completion.next", "Next completion", "Down", "Ctrl+N"),
  completion("editor.completion.previous", "Previous completion", "Up", "Ctrl+P"),
  completion("editor.completion.accept", "Accept the completion", "Tab"),
  completion("editor.completion.acceptAndSend", "Accept; send if the line is complete", "Enter"),
  completion("editor.completion.dismiss", "Close the list", "Escape"),
  search("editor.search.older", "Next older match", "Ctrl+R", "Up"),
  search("editor.search.newer", "Next newer match", "Ctrl+S", "Down"),
  search("editor.search.accept", "Accept the match", "Enter", "Tab"),
  search("editor.search.cancel", "Back to the draft", "Escape", "Ctrl+G", "Ctrl+C"),
  search("editor.search.erase", "Delete the last character of the query", "Backspace", "Ctrl+H"),
];
