// `tau edit`, as the command line knows it.

import type { Subcommand } from "../../feature-api/subcommand.ts";

export const EDIT: Subcommand = {
  name: "edit",
  positionals: "<patch | ->",
  summary: "Apply a patch to files here, all or nothing",
  flags: [
    { name: "dry-run", short: "n", summary: "Show the changes without making them" },
    { name: "json", summary: "As JSON" },
  ],
  examples: [
    { line: "tau edit fix.patch", what: "a unified diff, apply_patch or hashline patch" },
    {
      line: "git diff main topic | tau edit --dry-run -",
      what: "what it would change, from a pipe",
    },
  ],
  load: () => import("./edit-command.ts"),
};

export const subcommands: readonly Subcommand[] = [EDIT];
