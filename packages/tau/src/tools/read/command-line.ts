// `tau read`, as the command line knows it.

import type { Subcommand } from "../../feature-api/subcommand.ts";

export const READ: Subcommand = {
  name: "read",
  positionals: "<path>",
  summary: "Show a file or a directory as the model sees it",
  flags: [{ name: "plain", summary: "Only the text, without tags and line numbers" }],
  examples: [
    { line: "tau read src/main.ts:10-40", what: "a range of lines, with some context" },
    { line: "tau read --plain notes.md", what: "only the text" },
  ],
  load: () => import("./read-command.ts"),
};

export const subcommands: readonly Subcommand[] = [READ];
