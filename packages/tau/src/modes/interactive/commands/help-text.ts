// `/help`: the commands, the keys that matter, and where the rest is.

import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { AppCommand } from "./app-command.ts";

const KEYS: readonly (readonly [action: string, what: string])[] = [
  ["editor.submit", "send; while the model works: steer it"],
  ["editor.followUp", "queue as a follow-up, sent when it is done"],
  ["editor.newline", "insert a new line"],
  ["app.interrupt", "interrupt; clear the draft; twice: open the tree"],
  ["app.tools.expand", "show the full transcript"],
  ["app.model.select", "choose the model"],
  ["app.thinking.cycle", "change the thinking level"],
  ["editor.searchHistory", "search earlier prompts"],
  ["app.exit", "quit"],
];

export function helpText(commands: readonly AppCommand[], bindings: KeyBindings): string {
  const table = (rows: readonly (readonly [string, string])[]): string => {
    const width = Math.max(...rows.map(([left]) => left.length)) + 2;
    return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join("\n");
  };
  const keys = KEYS.flatMap(([action, what]) => {
    const key = bindings.hint(action);
    return key === undefined ? [] : [[key, what] as const];
  });
  const lines = commands.map(
    ({ name, argument, help }) => [`/${name} ${argument ?? ""}`.trim(), help] as const,
  );
  return [
    "Describe what you want done here. @ names a file, ! runs a command, $ runs code.",
    "",
    table(lines),
    "",
    table(keys),
    "",
    "/hotkeys shows all keyboard shortcuts.",
  ].join("\n");
}
