// `tau grep`, as the command line knows it.

import type { Subcommand } from "../../feature-api/subcommand.ts";

export const GREP: Subcommand = {
  name: "grep",
  positionals: "<regex> [path]",
  summary: "Search file contents as the model does",
  flags: [
    { name: "ignore-case", short: "i", summary: "Ignore case" },
    { name: "no-ignore", summary: "Include files that .gitignore excludes" },
    { name: "context", short: "C", value: "n", summary: "Lines around each match" },
    { name: "after-context", short: "A", value: "n", summary: "Lines after each match" },
    { name: "before-context", short: "B", value: "n", summary: "Lines before each match" },
    { name: "json", summary: "As JSON" },
  ],
  examples: [
    { line: "tau grep TODO", what: "everywhere below this directory" },
    { line: "tau grep -i 'get.*name' 'src/**/*.ts' docs", what: "in several places" },
    { line: "tau grep -C 2 main src/main.ts:1-80", what: "in a range of lines" },
  ],
  load: () => import("./grep-command.ts"),
};

export const subcommands: readonly Subcommand[] = [GREP];
