// `/help`: the commands that there are here, the keys that matter, and where the rest is.

import type { KeyBindings } from "@tau/tui/keys/key-bindings";
import type { Command, FrontEnd } from "./command.ts";

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

type Row = readonly [left: string, right: string];

export function helpText(commands: readonly Command[], { app, by }: FrontEnd): string {
  if (app) return interactiveHelp(commands, app.surface.bindings);
  const isHere = ({ run, from }: Command): boolean =>
    run !== undefined && (from !== "person" || by === "person");
  const rows = commands.filter(isHere).map(commandRow);
  if (by === "anyone") return table(rows);
  const keys: Row[] = [
    ["/exit", "quit (also Ctrl-D)"],
    ["Ctrl-C", "interrupt the current answer"],
  ];
  return ["Describe what you want done in this directory.", table([...rows, ...keys])].join("\n");
}

function interactiveHelp(commands: readonly Command[], bindings: KeyBindings): string {
  const keys = KEYS.flatMap(([action, what]): Row[] => {
    const key = bindings.hint(action);
    return key === undefined ? [] : [[key, what]];
  });
  return [
    "Describe what you want done here. @ names a file, ! runs a command, $ runs code.",
    "",
    table(commands.map(commandRow)),
    "",
    table(keys),
    "",
    "/hotkeys shows all keyboard shortcuts.",
  ].join("\n");
}

function commandRow({ name, argument, help }: Command): Row {
  return [`/${name} ${argument ?? ""}`.trim(), help];
}

function table(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join("\n");
}
