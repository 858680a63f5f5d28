// Methods of the family's `ctx.ui` that do nothing in Tau, and what to do instead: said when an extension is
// loaded whose code calls one, and once more where it does.

export const IDLE_METHODS: Readonly<Record<string, string>> = {
  setEditorComponent: "the prompt is drawn by Tau; show a screen with ctx.ui.custom",
  addAutocompleteProvider: "give a command getArgumentCompletions",
  onTerminalInput:
    "keys go to Tau first; use registerShortcut, or a screen with ctx.ui.custom, which gets every key",
};
