// One command that runs at an event, and whose it is.

import type { HookEvent } from "./hook-events.ts";

export interface HookOrigin {
  /** The file that it stands in, as people see it. */
  file: string;
  /** A project's hooks can refuse; they never allow anything. */
  level: "user" | "project";
  /** What `CLAUDE_PROJECT_DIR` is. */
  projectDirectory: string;
  /** What `CLAUDE_PLUGIN_ROOT` is, for the hooks of a plugin. */
  pluginRoot?: string;
}

export interface CommandHook {
  event: HookEvent;
  /** Undefined for all. */
  matcher: string | undefined;
  command: string;
  timeoutMs: number;
  /** Nobody waits for it, and what it says decides nothing. */
  isAsync: boolean;
  origin: HookOrigin;
  /** It cannot be run: why. */
  broken?: string;
}

/** In a sentence. */
export function nameOf({ command, origin }: Pick<CommandHook, "command" | "origin">): string {
  const line = command.replaceAll(/\s+/g, " ").trim();
  const shown = line.length > MAX_NAME_CHARACTERS ? `${line.slice(0, MAX_NAME_CHARACTERS)}…` : line;
  return `the hook \`${shown}\` (${origin.file})`;
}

/** Enough to recognise it by. */
const MAX_NAME_CHARACTERS = 80;
