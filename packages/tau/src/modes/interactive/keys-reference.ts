// The page about keys and commands of the conversation, from the tables that they are made of.

import type { KeyAction } from "@tau/tui/keys/key-bindings";
import { ALL_ACTIONS, APP_CONTEXT } from "./app-actions.ts";
import { ALL_COMMANDS } from "./commands/all-commands.ts";
import { QUESTION_CONTEXT } from "./question-actions.ts";
import { SCREEN_CONTEXTS } from "./screens/screen-actions.ts";

const CONTEXTS: Readonly<Record<string, string>> = {
  [APP_CONTEXT]: "Around the prompt",
  [QUESTION_CONTEXT]: "While a question waits",
  editor: "In the prompt",
  "editor.completion": "While completions are offered",
  "editor.search": "While earlier prompts are searched",
  selection: "In lists",
  ...SCREEN_CONTEXTS,
};

const INTRODUCTION = `# Keys and commands

Made from the tables that Tau itself works with. \`/hotkeys\` shows the keys as they are after your
remaps, \`/help\` the commands.

## Remapping

\`~/.tau/agent/keybindings.json\` is one flat object from an action to a key, a list of keys, or \`[]\`
for none. A mistake is told when Tau starts and costs only its own line.

\`\`\`json
{
  "app.model.select": "Ctrl+L",
  "editor.followUp": ["Ctrl+Enter", "Alt+M"],
  "app.suspend": []
}
\`\`\`

Keys are written as they are printed here, in any case. \`Ctrl+Enter\` and the like need a terminal
that knows the Kitty keyboard protocol or sends modified keys; a new line and a message for later have
a second key that any terminal can send.
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
  const rows = ALL_COMMANDS.map(({ name, aliases = [], argument, help }) => {
    const names = [name, ...aliases].map((one) => code(`/${one}`)).join(", ");
    return `| ${names} | ${argument === undefined ? "" : code(argument)} | ${help} |`;
  });
  return [
    "## Commands",
    "",
    "A line that begins with a slash. Prompts and skills that are kept as files are called the same",
    "way, by their names.",
    "",
    "| Command | Takes | What it does |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;
