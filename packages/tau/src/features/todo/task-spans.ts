// How one task looks, wherever it is shown: a sign for where it stands, and its words.

import type { Span } from "@tau/tui/components/spans";
import type { Theme } from "@tau/tui/theme/theme";
import type { SymbolName } from "@tau/tui/theme/symbols";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import { rowText } from "../../tools/render/clip-text.ts";
import type { TodoStatus, TodoTask } from "./todo-phases.ts";

interface TaskLook {
  sign: SymbolName;
  signToken: ThemeToken;
  words: ThemeToken;
}

const LOOKS: Readonly<Record<TodoStatus, TaskLook>> = {
  pending: { sign: "pending", signToken: "muted", words: "muted" },
  in_progress: { sign: "running", signToken: "accent", words: "text" },
  completed: { sign: "success", signToken: "success", words: "dim" },
  abandoned: { sign: "error", signToken: "muted", words: "dim" },
};

export function taskSpans(
  { content, status }: TodoTask,
  { theme, columns }: { theme: Theme; columns: number },
): Span[] {
  const { sign, signToken, words } = LOOKS[status];
  return [
    { text: `${theme.symbols[sign]} `, paint: theme.style(signToken) },
    { text: rowText(content, columns), paint: theme.style(words) },
  ];
}
