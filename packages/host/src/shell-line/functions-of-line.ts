// Functions that a line defines in the shell that runs it, whatever else happens: what stands in a
// condition, a loop or another function may never come to be, and is not among them.

import { parseShellLine } from "./parse-shell-line.ts";
import type { FunctionDefinition } from "./syntax-tree.ts";

export function functionsOfLine(text: string): Map<string, FunctionDefinition> {
  const found = new Map<string, FunctionDefinition>();
  for (const { command, isBackground } of parseShellLine(text).body.items) {
    if (command.type === "function" && !isBackground) found.set(command.name, command);
  }
  return found;
}
