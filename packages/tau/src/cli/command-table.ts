// The commands of Tau itself and the flags, as data; a feature brings commands of its own (see
// `all-commands.ts`). Parsing, help, did-you-mean, completions and the reference in docs/ are generated
// from these rows; a command's code is imported only when it runs.

import type { FlagRow, Subcommand } from "../feature-api/subcommand.ts";

/** Understood everywhere. */
export const GLOBAL_FLAGS: readonly FlagRow[] = [
  { name: "help", short: "h", summary: "Show this help" },
  { name: "version", short: "V", summary: "Show the version" },
];

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** For whatever loads extensions. */
const EXTENSION_FLAGS: readonly FlagRow[] = [
  {
    name: "extension",
    short: "e",
    value: "path",
    completes: "file",
    repeats: true,
    summary: "Load an extension; may be given more than once",
  },
  {
    name: "hook",
    value: "path",
    completes: "file",
    repeats: true,
    summary: "The same as --extension",
  },
  { name: "no-extensions", summary: "Only those given with --extension" },
];

export const RUN_COMMAND: Subcommand = {
  name: "",
  positionals: "[prompt | @file …]",
  summary: "Start the agent, with a prompt if one is given",
  flags: [
    { name: "print", short: "p", summary: "Print the answer to standard output and exit" },
    {
      name: "model",
      short: "m",
      value: "provider/id",
      summary: "The model to use; tau/demo works offline",
    },
    {
      name: "mode",
      value: "format",
      choices: ["text", "json", "rpc"],
      summary: "Output: the answer, JSON events, or RPC mode",
    },
    {
      name: "agent-events",
      value: "which",
      choices: ["none", "steps", "all"],
      summary: "Events of agents in JSON and RPC output",
    },
    { name: "models", value: "patterns", summary: "Use the first available of these models" },
    { name: "smol", value: "model", summary: "The model for small tasks, for this run" },
    { name: "slow", value: "model", summary: "The model for hard tasks, for this run" },
    { name: "plan", summary: "Begin in plan mode: approve a plan first" },
    { name: "goal", value: "condition", summary: "Work until this condition holds" },
    { name: "plan-model", value: "model", summary: "The model for planning, for this run" },
    { name: "profile", value: "name", summary: "Use a model profile for this run" },
    {
      name: "thinking",
      value: "level",
      choices: ["off", "minimal", "low", "medium", "high", "xhigh"],
      summary: "Thinking level (reasoning effort)",
    },
    { name: "api-key", value: "key", summary: "API key for the model's provider, for this run" },
    {
      name: "system-prompt",
      value: "text",
      summary: "Replace the system prompt; text or a file",
    },
    {
      name: "append-system-prompt",
      value: "text",
      summary: "Add to the system prompt; text or a file",
    },
    {
      name: "approval-mode",
      value: "mode",
      choices: ["always-ask", "write", "auto", "yolo"],
      summary: "Which calls need your approval",
    },
    { name: "yolo", summary: "Approve everything, for this run" },
    {
      name: "config",
      value: "file",
      completes: "file",
      summary: "Extra settings file for this run",
    },
    {
      name: "cwd",
      short: "C",
      value: "directory",
      completes: "directory",
      summary: "Work in this directory",
    },
    { name: "continue", short: "c", summary: "Continue the latest session here" },
    {
      name: "resume",
      short: "r",
      value: "session",
      summary: "Resume a session, by id or path",
    },
    { name: "no-session", summary: "Do not save this session to disk" },
    ...EXTENSION_FLAGS,
    { name: "max-turns", value: "n", summary: "Maximum number of model calls" },
    { name: "quiet", short: "q", summary: "Do not show progress on standard error" },
  ],
  examples: [
    { line: 'tau -p "look around"', what: "one answer, for a script or a pipe" },
    { line: 'tau "explain this" @src/main.ts', what: "start with a prompt and a file" },
    { line: "git diff | tau -p review", what: "piped input becomes part of the prompt" },
  ],
  load: () => import("./commands/run.ts"),
};

export const COMMANDS: readonly Subcommand[] = [
  {
    name: "sessions",
    positionals: "[verb …]",
    choices: [
      "list",
      "show",
      "tree",
      "fork",
      "branch",
      "label",
      "rename",
      "move",
      "import",
      "export",
      "repair",
      "rm",
      "gc",
    ],
    summary: "List, show, branch, export and remove sessions",
    flags: [
      { name: "all", short: "a", summary: "Those of every directory" },
      { name: "json", summary: "As JSON" },
      {
        name: "format",
        value: "format",
        choices: ["md", "html", "json"],
        summary: "Export format",
      },
      {
        name: "filter",
        value: "kind",
        choices: ["default", "no-tools", "user-only", "labeled-only", "all"],
        summary: "Which entries a tree shows",
      },
      {
        name: "to",
        value: "directory",
        completes: "directory",
        summary: "Working directory of the copy",
      },
      { name: "new-id", summary: "Import under a new id" },
    ],
    examples: [
      { line: "tau sessions show 4f2a", what: "show one, by the start or end of its id" },
      { line: "tau sessions tree 4f2a", what: "its entries and branches" },
      { line: "tau sessions branch 4f2a 9c1e0", what: "a new session from an entry" },
      { line: "tau sessions fork 4f2a --to ../other", what: "a copy, for another directory" },
      { line: "tau sessions label 4f2a 9c1e0 works", what: "label an entry" },
      { line: "tau sessions move 4f2a ~/renamed", what: "follow a renamed directory" },
      { line: "tau sessions import talk.jsonl", what: "a session from elsewhere" },
      { line: "tau sessions export 4f2a --format html", what: "one file, to share" },
      { line: "tau sessions repair FILE", what: "rebuild a damaged beginning" },
      { line: "tau sessions gc", what: "remove files that no session uses" },
    ],
    load: () => import("./commands/sessions.ts"),
  },
  {
    name: "config",
    positionals: "[verb …]",
    choices: ["list", "get", "set", "unset", "reset", "explain", "migrate", "path", "sources"],
    summary: "Show and change settings",
    flags: [
      { name: "json", summary: "As JSON" },
      { name: "project", summary: "Change the project's settings instead of your own" },
    ],
    examples: [
      { line: "tau config list", what: "all settings with their values" },
      { line: "tau config set compaction.strategy prune", what: "change one" },
      { line: "tau config explain compaction.strategy", what: "where its value comes from" },
      { line: "tau config sources skills", what: "which skills were found, and where" },
    ],
    load: () => import("./commands/config.ts"),
  },
  {
    name: "trust",
    positionals: "[verb …]",
    choices: ["status", "allow", "deny"],
    summary: "Show what a project would run; allow or deny it",
    flags: [{ name: "json", summary: "As JSON" }],
    examples: [
      { line: "tau trust", what: "what is held back in this project" },
      { line: "tau trust allow", what: "allow exactly this, until it changes" },
      { line: "tau trust deny ~/cloned", what: "deny it, and do not ask again" },
    ],
    load: () => import("./commands/trust.ts"),
  },
  {
    name: "extension",
    positionals: "<verb> [path | name]",
    choices: ["inspect", "new", "test"],
    summary: "Make, test and inspect extensions",
    flags: [{ name: "json", summary: "As JSON" }],
    examples: [
      { line: "tau extension new guard", what: "a working one, with a test" },
      { line: "tau extension test ./guard", what: "run its tests, with a scripted model" },
      { line: "tau extension inspect ./guard", what: "its tools, commands and hooks" },
    ],
    load: () => import("./commands/extension.ts"),
  },
  {
    name: "plugin",
    positionals: "<verb> [source | name] …",
    choices: [
      "install",
      "remove",
      "list",
      "update",
      "enable",
      "disable",
      "link",
      "config",
      "doctor",
      "show",
      "search",
      "marketplace",
    ],
    summary: "Install and manage plugins and marketplaces",
    flags: [
      { name: "project", summary: "For this project, in .tau/plugins" },
      { name: "feature", value: "name", repeats: true, summary: "A feature of the plugin" },
      { name: "yes", short: "y", summary: "Install and enable without asking" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau plugin marketplace add github:owner/repo", what: "a catalog to choose from" },
      { line: "tau plugin show formatter@market", what: "what it brings, may run and costs" },
      { line: "tau plugin install formatter@market", what: "or a package, a repository, a path" },
      { line: "tau plugin install", what: "what the lockfile names and is not there" },
    ],
    load: () => import("./commands/plugin.ts"),
  },
  {
    name: "skill",
    positionals: "<verb> [source | name]",
    choices: ["install", "list", "remove", "update", "show"],
    summary: "Install and manage packages of skills",
    flags: [
      { name: "project", summary: "For this project, in .tau/plugins" },
      { name: "yes", short: "y", summary: "Install without asking" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau skill install github:owner/skills", what: "all skills of a repository" },
    ],
    load: () => import("./commands/skill.ts"),
  },
  {
    name: "prompt",
    positionals: "",
    summary: "Show the system prompt",
    flags: [
      { name: "model", short: "m", value: "model", summary: "For this model" },
      { name: "tokens", summary: "Only the token count of each part" },
      { name: "json", summary: "As JSON" },
    ],
    load: () => import("./commands/prompt.ts"),
  },
  {
    name: "ps",
    positionals: "",
    summary: "List the processes that Tau has started",
    flags: [{ name: "json", summary: "As JSON" }],
    load: () => import("./commands/ps.ts"),
  },
  {
    name: "history",
    positionals: "[query]",
    summary: "Search earlier prompts",
    flags: [
      { name: "all", short: "a", summary: "Those of every directory" },
      { name: "limit", short: "n", value: "n", summary: "Maximum number of prompts (default: 20)" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau history", what: "prompts in this directory, newest first" },
      { line: "tau history --all flaky test", what: "prompts with these words, anywhere" },
    ],
    load: () => import("./commands/history.ts"),
  },
  {
    name: "models",
    positionals: "[query]",
    choices: ["explain", "canonical", "refresh"],
    summary: "List models, or explain how a name resolves",
    flags: [
      { name: "all", short: "a", summary: "Include providers that are not connected" },
      { name: "json", summary: "As JSON" },
      ...EXTENSION_FLAGS,
    ],
    examples: [
      { line: "tau models opus", what: "models with “opus” in their names" },
      { line: "tau models explain sonnet:high", what: "which model it selects, and why" },
      { line: "tau models canonical", what: "models that several providers offer" },
      { line: "tau models refresh", what: "ask local servers for their models" },
    ],
    load: () => import("./commands/models.ts"),
  },
  {
    name: "login",
    positionals: "[provider]",
    summary: "Log in to a provider, or store an API key",
    flags: [
      { name: "key-stdin", summary: "Store an API key from standard input" },
      { name: "account", value: "name", summary: "Account name, to store several" },
    ],
    examples: [
      { line: "tau login anthropic", what: "Claude Pro or Max, in your browser" },
      { line: "tau login openrouter --key-stdin < key.txt", what: "an API key, from a script" },
    ],
    load: () => import("./commands/login.ts"),
  },
  {
    name: "logout",
    positionals: "[provider]",
    summary: "Remove a provider's stored credentials",
    flags: [{ name: "account", value: "name", summary: "Only this account" }],
    load: () => import("./commands/logout.ts"),
  },
  {
    name: "token",
    positionals: "<provider>",
    summary: "Print the API key or access token in use",
    flags: [],
    examples: [
      {
        line: 'curl -H "authorization: Bearer $(tau token openai)" …',
        what: "for another program",
      },
    ],
    load: () => import("./commands/token.ts"),
  },
  {
    name: "usage",
    positionals: "",
    summary: "Show stored credentials and plan usage",
    flags: [{ name: "json", summary: "As JSON" }],
    load: () => import("./commands/usage.ts"),
  },
  {
    name: "gallery",
    positionals: "",
    summary: "Show samples of everything that Tau draws",
    flags: [
      { name: "list", summary: "List the names only" },
      { name: "only", value: "name", summary: "Only one section, or one item" },
      { name: "width", value: "columns", summary: "Width, instead of the terminal's" },
      { name: "theme", value: "name", summary: "Theme to use" },
      { name: "plain", summary: "Without colours" },
    ],
    examples: [
      { line: "tau gallery --only tools/bash", what: "a command in all its states" },
      { line: "tau gallery --theme solarized-dark", what: "how a theme looks" },
    ],
    load: () => import("./commands/gallery.ts"),
  },
  {
    name: "completions",
    positionals: "<shell>",
    choices: SHELLS,
    summary: "Print a completion script for bash, zsh or fish",
    flags: EXTENSION_FLAGS,
    examples: [
      { line: "tau completions fish > ~/.config/fish/completions/tau.fish", what: "for fish" },
    ],
    load: () => import("./commands/completions.ts"),
  },
  {
    name: "help",
    positionals: "[command]",
    summary: "Show help for Tau or for one of its commands",
    flags: [],
    load: () => import("./commands/help.ts"),
  },
];

/** What a command may be called: the first word of a line that is not like this begins a prompt. */
export const COMMAND_NAME = /^[a-z][a-z\d-]*$/;

export function findCommand(
  name: string,
  commands: readonly Subcommand[] = COMMANDS,
): Subcommand | undefined {
  return commands.find((command) => command.name === name);
}
