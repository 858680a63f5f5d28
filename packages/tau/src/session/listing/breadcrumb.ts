// Which session a terminal was last in, so that "continue" means this terminal's own
// conversation and not its neighbour's. Best effort: a terminal that cannot be told apart
// simply has none.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";

const TERMINAL_VARIABLES = [
  "TMUX_PANE",
  "CMUX_SURFACE_ID",
  "KITTY_WINDOW_ID",
  "TERM_SESSION_ID",
  "WT_SESSION",
] as const;

export interface Breadcrumb {
  cwd: string;
  sessionPath: string;
}

/** `tty` is the terminal's device, where it is known. */
export function terminalId(env: Environment, tty: string | undefined): string | undefined {
  // Multiplexers reuse devices for their panes, and name the panes better.
  for (const name of TERMINAL_VARIABLES) if (env[name]) return flat(`${name}-${env[name]}`);
  return tty === undefined ? undefined : flat(tty);
}

function flat(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+/, "");
}

export function dropBreadcrumb(agentDirectory: string, terminal: string, crumb: Breadcrumb): void {
  const directory = join(agentDirectory, "terminal-sessions");
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(directory, terminal), `${crumb.cwd}\n${crumb.sessionPath}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    // A full or read-only disk costs the convenience, not the run.
    if (typeof (error as { code?: unknown }).code !== "string") throw error;
  }
}

export function findBreadcrumb(agentDirectory: string, terminal: string): Breadcrumb | undefined {
  try {
    const text = readFileSync(join(agentDirectory, "terminal-sessions", terminal), "utf8");
    const [cwd, sessionPath] = text.split("\n");
    return cwd && sessionPath ? { cwd, sessionPath } : undefined;
  } catch (error) {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}
