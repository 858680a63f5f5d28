// `tau agents`, as the command line knows it.

import type { Subcommand } from "../../feature-api/subcommand.ts";

export const AGENTS_COMMAND: Subcommand = {
  name: "agents",
  positionals: "[show …]",
  choices: ["show"],
  summary: "List the agents of a session, or show what one did",
  flags: [
    { name: "session", value: "id", summary: "Of this session, instead of the newest with agents" },
    { name: "all", summary: "Of all sessions of this directory" },
    { name: "json", summary: "As JSON" },
  ],
  examples: [
    { line: "tau agents", what: "who works, and what came of the others" },
    { line: "tau agents show SwiftOtter", what: "everything that one did" },
  ],
  load: () => import("./agents-command.ts"),
};

export const subcommands: readonly Subcommand[] = [AGENTS_COMMAND];
