// The page about keys and commands of the conversation, from the tables that they are made of.

import type { KeyAction } from "@tau/tui/keys/key-bindings";
import { ALL_ACTIONS, APP_CONTEXT } from "./app-actions.ts";
import { ALL_COMMANDS } from "../commands/all-commands.ts";
import { QUESTION_CONTEXT } from "./question-actions.ts";
import { SCREEN_CONTEXTS } from "./screens/screen-actions.ts";

const CONTEXTS: Readonly<Record<string, string>> = {
  [APP_CONTEXT]: "Around the prompt",
  [QUESTION_CONTEXT]: "While a question is waiting",
  editor: "In the prompt",
  "editor.completion": "In the completion list",
  "editor.search": "In the history search",
  selection: "In lists",
  ...SCREEN_CONTEXTS,
};

const INTRODUCTION = `# Keys and commands

This page is generated from the tables that Tau itself uses. \`/hotkeys\` shows the keys with your
remappings, \`/help\` the commands.

## Remapping

\`~/.tau/agent/keybindings.json\` is a flat object that maps an action to a key, a list of keys, or \`[]\`
for none. Invalid entries are reported when Tau starts; the others still apply.

\`\`\`json
{
  "app.model.select": "Ctrl+L",
  "editor.followUp": ["Ctrl+Enter", "Alt+M"],
  "app.suspend": []
}
\`\`\`

Write keys as they are shown here; case does not matter. Keys such as \`Ctrl+Enter\` need a terminal
that supports the Kitty keyboard protocol or reports modified keys; inserting a new line and queueing a
message also have a key that every terminal can send.
`;

export function keysReference(): string {
  const contexts = [...new Set(ALL_ACTIONS.map(({ context }) => context))];
  const sections = contexts.map((context) => {
    const actions = ALL_ACTIONS.filter((action) => action.context === context);
    return `## ${CONTEXTS[context] ?? context}\n\n${keyTable(actions)}`;
  });
  return `${[INTRODUCTION.trimEnd(), ...sections, commandSection()].join("\n\n")}\n`;
}

function keyTable(actions: readonly KeyAction[]): string {
  const rows = actions.map(({ id, defaultKeys, description }) => {
    const keys = defaultKeys.map((key) => code(key)).join(", ");
    return `| ${keys || "none"} | ${description} | ${code(id)} |`;
  });
  return ["| Keys | What they do | Action |", "| --- | --- | --- |", ...rows].join("\n");
}

function commandSection(): string {
  const rows = ALL_COMMANDS.map(({ name, aliases = [], argument, help, run, from }) => {
    const names = [name, ...aliases].map((one) => code(`/${one}`)).join(", ");
    const isAnywhere = run !== undefined && from !== "person" ? "yes" : "";
    return `| ${names} | ${argument === undefined ? "" : code(argument)} | ${help} | ${isAnywhere} |`;
  });
  return [
    "## Commands",
    "",
    "Slash commands: lines that begin with `/`. Prompts and skills in files are called by their names in",
    "the same way. Those marked as prompts also work in `tau -p` and RPC; the others say that they need a",
    "terminal. Tau answers a name that it does not know with the nearest one; a path such as `/etc/hosts`",
    "goes to the model.",
    "",
    "| Command | Argument | What it does | As a prompt |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;
