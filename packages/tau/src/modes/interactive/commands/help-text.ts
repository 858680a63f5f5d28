// `/help`: the commands, the keys that matter, and where the rest is.

import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { AppCommand } from "./app-command.ts";

const KEYS: readonly (readonly [action: string, what: string])[] = [
  ["editor.submit", "send; while it works: the next thing it hears"],
  ["editor.followUp", "send when it is done"],
  ["editor.newline", "a new line"],
  ["app.interrupt", "stop, then clear, twice: the tree"],
  ["app.tools.expand", "the whole conversation in full"],
  ["app.model.select", "choose the model"],
  ["app.thinking.cycle", "how hard it thinks"],
  ["editor.searchHistory", "search earlier prompts"],
  ["app.exit", "leave"],
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
    "Say what you want done in this directory. @ names a file, ! runs a command, $ runs code.",
    "",
    table(lines),
    "",
    table(keys),
    "",
    "/hotkeys has every key.",
  ].join("\n");
}
