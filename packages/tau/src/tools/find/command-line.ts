// `tau find`, as the command line knows it.

import type { Subcommand } from "../../feature-api/subcommand.ts";

export const FIND: Subcommand = {
  name: "find",
  positionals: "[path | glob]",
  summary: "Find files by glob, newest first",
  flags: [
    { name: "hidden", summary: "Include dotfiles (the default)" },
    { name: "no-hidden", summary: "Exclude dotfiles" },
    { name: "no-ignore", summary: "Include files that .gitignore excludes" },
    {
      name: "limit",
      short: "n",
      value: "n",
      summary: "Maximum number of paths (default: 10000)",
    },
    { name: "null", short: "0", summary: "End each path with a zero byte, for xargs -0" },
    { name: "json", summary: "As JSON" },
  ],
  examples: [
    { line: "tau find '*.ts'", what: "everywhere below this directory" },
    { line: "tau find -n 5", what: "the latest changes" },
    { line: "tau find 'src/*/'", what: "directories only" },
  ],
  load: () => import("./find-command.ts"),
};

export const subcommands: readonly Subcommand[] = [FIND];
