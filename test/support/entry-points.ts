// Every way to start Tau without anybody there to trust anything: each subcommand of the table, print
// mode with a model that uses every kind of helper, JSON and RPC.

import { allCommands } from "../../packages/tau/src/cli/all-commands.ts";

export interface EntryPoint {
  args: readonly string[];
  stdin?: string;
}

const CELLS = [
  { language: "js", code: "1 + 1" },
  { language: "py", code: "1 + 1" },
];

/** What a model calls to have every process of Tau's own started: cells, jobs, shells, helpers. */
export const EVERY_HELPER = [
  { name: "read", arguments: { path: "." } },
  { name: "find", arguments: { paths: ["**/*.ts"] } },
  { name: "search", arguments: { pattern: "needle", paths: ["."] } },
  { name: "ast_grep", arguments: { pat: "export const $A = $B", paths: ["."] } },
  { name: "read", arguments: { path: "sample.db" } },
  { name: "bash", arguments: { command: "true" } },
  { name: "bash", arguments: { command: "true", async: true } },
  { name: "eval", arguments: { cells: CELLS } },
] as const;

const MODEL = ["-m", "openrouter/m"];

/** By subcommand; a new one has no arguments here until somebody gives it some. */
const SUBCOMMANDS: Readonly<Record<string, readonly EntryPoint[]>> = {
  sessions: [{ args: [] }, { args: ["--all"] }],
  config: [{ args: ["list"] }, { args: ["sources"] }, { args: ["explain", "tools.approvalMode"] }],
  trust: [{ args: [] }, { args: ["--json"] }],
  plugin: [{ args: ["list"] }, { args: ["doctor"] }, { args: ["search", "x"] }],
  skill: [{ args: ["list"] }],
  prompt: [{ args: [] }, { args: ["--json"] }],
  // A module that somebody names is run: that is what they asked for. A name that is not there runs nothing.
  extension: [{ args: ["inspect", "nowhere"] }, { args: ["--help"] }],
  agents: [{ args: [] }, { args: ["--all"] }],
  ps: [{ args: [] }],
  history: [{ args: [] }],
  grep: [{ args: ["needle"] }],
  find: [{ args: ["**/*.ts"] }],
  read: [{ args: ["."] }],
  edit: [{ args: ["--dry-run", "-"], stdin: "" }],
  models: [{ args: [] }],
  login: [{ args: ["--help"] }],
  logout: [{ args: ["ollama"] }],
  token: [{ args: ["openrouter"] }],
  usage: [{ args: [] }],
  gallery: [{ args: ["bash"] }],
  completions: [{ args: ["bash"] }],
  help: [{ args: [] }, { args: ["config"] }],
};

export async function entryPoints(): Promise<Map<string, EntryPoint>> {
  const points = new Map<string, EntryPoint>();
  const add = (point: EntryPoint): unknown => points.set(`tau ${point.args.join(" ")}`, point);
  for (const args of [["--version"], ["--help"], ["-p", "look around", "-m", "tau/demo"]])
    add({ args });
  add({ args: [...MODEL, "-p", "go"] });
  add({ args: [...MODEL, "-p", "go", "--mode", "json"] });
  const lines = [
    { id: 1, type: "get_state" },
    { id: 2, type: "prompt", message: "go" },
  ];
  const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
  add({ args: ["--mode", "rpc", ...MODEL], stdin });
  for (const { name } of await allCommands()) {
    const own = SUBCOMMANDS[name];
    if (own === undefined) throw new Error(`say in entry-points.ts how \`tau ${name}\` is started`);
    for (const point of own) add({ ...point, args: [name, ...point.args] });
  }
  return points;
}
