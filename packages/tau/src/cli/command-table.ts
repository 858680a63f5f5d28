// Every command and flag, as data. Parsing, help, did-you-mean, completions and the
// reference in docs/ are generated from these rows; a command's code is imported only
// when it runs.

import type { ExitCode } from "../exit-code.ts";

export interface FlagRow {
  name: string;
  short?: string;
  /** The placeholder of its value in help; a flag without one takes none. */
  value?: string;
  /** The only values it takes. */
  choices?: readonly string[];
  /** What a shell may complete its value with. */
  completes?: "file" | "directory";
  summary: string;
}

export interface ParsedArgs {
  flags: Readonly<Record<string, string | true | undefined>>;
  positionals: readonly string[];
}

export interface CommandModule {
  run(args: ParsedArgs): Promise<ExitCode>;
}

export interface CommandRow {
  /** Empty for what runs when no command is named. */
  name: string;
  /** Its positional arguments as help shows them. */
  positionals: string;
  /** Completions for the first positional. */
  choices?: readonly string[];
  summary: string;
  flags: readonly FlagRow[];
  examples?: readonly { line: string; what: string }[];
  load: () => Promise<CommandModule>;
}

/** Understood everywhere. */
export const GLOBAL_FLAGS: readonly FlagRow[] = [
  { name: "help", short: "h", summary: "Show this help" },
  { name: "version", short: "V", summary: "Show the version" },
];

export const SHELLS = ["bash", "zsh", "fish"] as const;

export const RUN_COMMAND: CommandRow = {
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
      summary: "The answer, every event as JSON, or commands (rpc)",
    },
    { name: "models", value: "patterns", summary: "Take the first available of these models" },
    { name: "profile", value: "name", summary: "Use the models of a profile for this run" },
    {
      name: "thinking",
      value: "level",
      choices: ["off", "minimal", "low", "medium", "high", "xhigh"],
      summary: "How long the model may think first",
    },
    { name: "api-key", value: "key", summary: "Key for the model's provider, for this run only" },
    {
      name: "system-prompt",
      value: "text",
      summary: "Instead of Tau's own instructions; or a file",
    },
    { name: "append-system-prompt", value: "text", summary: "More instructions; or a file" },
    {
      name: "approval-mode",
      value: "mode",
      choices: ["always-ask", "write", "auto", "yolo"],
      summary: "What is asked about before it runs",
    },
    { name: "yolo", summary: "Ask about nothing, for this run" },
    {
      name: "config",
      value: "file",
      completes: "file",
      summary: "Settings for this run, on top of your own",
    },
    {
      name: "cwd",
      short: "C",
      value: "directory",
      completes: "directory",
      summary: "Work in this directory",
    },
    { name: "continue", short: "c", summary: "Go on with the latest session here" },
    {
      name: "resume",
      short: "r",
      value: "session",
      summary: "Go on with a session, by id or path",
    },
    { name: "no-session", summary: "Keep nothing of this session on disk" },
    { name: "max-turns", value: "n", summary: "Stop after this many model calls" },
    { name: "quiet", short: "q", summary: "No progress on standard error" },
  ],
  examples: [
    { line: 'tau -p "look around"', what: "one answer, for a script or a pipe" },
    { line: 'tau "explain this" @src/main.ts', what: "start with a prompt and a file" },
    { line: "git diff | tau -p review", what: "what is piped in becomes part of the prompt" },
  ],
  load: () => import("./commands/run.ts"),
};

export const COMMANDS: readonly CommandRow[] = [
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
      "rm",
      "gc",
    ],
    summary: "List earlier sessions; read, branch, move, remove them",
    flags: [
      { name: "all", short: "a", summary: "Those of every directory" },
      { name: "json", summary: "As JSON" },
      {
        name: "format",
        value: "format",
        choices: ["md", "html", "json"],
        summary: "What to export to",
      },
      {
        name: "filter",
        value: "kind",
        choices: ["default", "no-tools", "user-only", "labeled-only", "all"],
        summary: "What a tree shows",
      },
      {
        name: "to",
        value: "directory",
        completes: "directory",
        summary: "The directory that a copy is about",
      },
      { name: "new-id", summary: "Import as another session" },
    ],
    examples: [
      { line: "tau sessions show 4f2a", what: "read one, by either end of its id" },
      { line: "tau sessions tree 4f2a", what: "its entries and branches" },
      { line: "tau sessions branch 4f2a 9c1e0", what: "a new one from an entry on" },
      { line: "tau sessions fork 4f2a --to ../other", what: "a copy, for another directory" },
      { line: "tau sessions label 4f2a 9c1e0 works", what: "name an entry" },
      { line: "tau sessions move 4f2a ~/renamed", what: "follow a renamed directory" },
      { line: "tau sessions import talk.jsonl", what: "one from elsewhere" },
      { line: "tau sessions export 4f2a --format html", what: "one file, to hand on" },
      { line: "tau sessions gc", what: "remove what no session has any more" },
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
      { line: "tau config explain compaction.strategy", what: "where its value is from" },
      { line: "tau config sources skills", what: "the skills that were found, and where" },
    ],
    load: () => import("./commands/config.ts"),
  },
  {
    name: "trust",
    positionals: "[verb …]",
    choices: ["status", "allow", "deny"],
    summary: "Show what of a project would run, and allow or deny it",
    flags: [{ name: "json", summary: "As JSON" }],
    examples: [
      { line: "tau trust", what: "what of this project is held back" },
      { line: "tau trust allow", what: "exactly this may run, until it changes" },
      { line: "tau trust deny ~/cloned", what: "never, and do not ask" },
    ],
    load: () => import("./commands/trust.ts"),
  },
  {
    name: "prompt",
    positionals: "",
    summary: "Show what the model is told before anything else",
    flags: [
      { name: "model", short: "m", value: "model", summary: "For this model" },
      { name: "tokens", summary: "Only how many tokens each part takes" },
      { name: "json", summary: "As JSON" },
    ],
    load: () => import("./commands/prompt.ts"),
  },
  {
    name: "ps",
    positionals: "",
    summary: "Show what runs for Tau on this machine",
    flags: [{ name: "json", summary: "As JSON" }],
    load: () => import("./commands/ps.ts"),
  },
  {
    name: "history",
    positionals: "[query]",
    summary: "Find earlier prompts",
    flags: [
      { name: "all", short: "a", summary: "Those of every directory" },
      { name: "limit", short: "n", value: "n", summary: "At most so many; 20 without" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau history", what: "what was asked here, newest first" },
      { line: "tau history --all flaky test", what: "prompts with these words, anywhere" },
    ],
    load: () => import("./commands/history.ts"),
  },
  {
    name: "grep",
    positionals: "<regex> [path]",
    summary: "Search files, globs and archives, as the model does",
    flags: [
      { name: "ignore-case", short: "i", summary: "Upper and lower case are the same" },
      { name: "no-ignore", summary: "Also what .gitignore leaves out" },
      { name: "context", short: "C", value: "n", summary: "Lines around each match" },
      { name: "after-context", short: "A", value: "n", summary: "Lines after each match" },
      { name: "before-context", short: "B", value: "n", summary: "Lines before each match" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau grep TODO", what: "everywhere below this directory" },
      { line: "tau grep -i 'get.*name' 'src/**/*.ts' docs", what: "in several places" },
      { line: "tau grep -C 2 main src/main.ts:1-80", what: "in some lines of a file" },
    ],
    load: () => import("./commands/grep.ts"),
  },
  {
    name: "find",
    positionals: "[path | glob]",
    summary: "Find paths by glob, the newest first",
    flags: [
      { name: "hidden", summary: "Also dotfiles, as without this flag" },
      { name: "no-hidden", summary: "Without dotfiles" },
      { name: "no-ignore", summary: "Also what .gitignore leaves out" },
      { name: "limit", short: "n", value: "n", summary: "At most so many; 10000 without" },
      { name: "null", short: "0", summary: "A zero byte after each, for xargs -0" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau find '*.ts'", what: "everywhere below this directory" },
      { line: "tau find -n 5", what: "what was changed last" },
      { line: "tau find 'src/*/'", what: "directories only" },
    ],
    load: () => import("./commands/find.ts"),
  },
  {
    name: "read",
    positionals: "<path>",
    summary: "Show a file or a directory as the model sees it",
    flags: [{ name: "plain", summary: "The text alone, without tags and numbers" }],
    examples: [
      { line: "tau read src/main.ts:10-40", what: "some lines, and a few around them" },
      { line: "tau read --plain notes.md", what: "nothing but the text" },
    ],
    load: () => import("./commands/read.ts"),
  },
  {
    name: "edit",
    positionals: "<patch | ->",
    summary: "Apply a patch to files here: all of it, or nothing",
    flags: [
      { name: "dry-run", short: "n", summary: "Show the changes, make none" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau edit fix.patch", what: "a unified diff, apply_patch or hashline patch" },
      {
        line: "git diff main topic | tau edit --dry-run -",
        what: "what it would change, from a pipe",
      },
    ],
    load: () => import("./commands/edit.ts"),
  },
  {
    name: "models",
    positionals: "[query]",
    choices: ["explain", "canonical", "refresh"],
    summary: "List models, or explain which one a name means",
    flags: [
      { name: "all", short: "a", summary: "Also models of providers that are not connected" },
      { name: "json", summary: "As JSON" },
    ],
    examples: [
      { line: "tau models opus", what: "every model with that in its name" },
      { line: "tau models explain sonnet:high", what: "which one, how it is called, and why" },
      { line: "tau models canonical", what: "which models are the same at several providers" },
      { line: "tau models refresh", what: "ask local servers what they have" },
    ],
    load: () => import("./commands/models.ts"),
  },
  {
    name: "login",
    positionals: "[provider]",
    summary: "Log in at a provider, or store a key for it",
    flags: [
      { name: "key-stdin", summary: "Store a key, read from standard input" },
      { name: "account", value: "name", summary: "What to call it, to keep several" },
    ],
    examples: [
      { line: "tau login anthropic", what: "Claude Pro or Max, in your browser" },
      { line: "tau login openrouter --key-stdin < key.txt", what: "a key, from a script" },
    ],
    load: () => import("./commands/login.ts"),
  },
  {
    name: "logout",
    positionals: "[provider]",
    summary: "Remove what is stored for a provider",
    flags: [{ name: "account", value: "name", summary: "Only this one of several" }],
    load: () => import("./commands/logout.ts"),
  },
  {
    name: "token",
    positionals: "<provider>",
    summary: "Print the key or access token that a run would use",
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
    summary: "Show stored credentials and how much of each plan is used",
    flags: [{ name: "json", summary: "As JSON" }],
    load: () => import("./commands/usage.ts"),
  },
  {
    name: "gallery",
    positionals: "",
    summary: "Show everything that Tau can draw, from samples",
    flags: [
      { name: "list", summary: "Only the names" },
      { name: "only", value: "name", summary: "One section, or one item of it" },
      { name: "width", value: "columns", summary: "As wide as this, not as the terminal" },
      { name: "theme", value: "name", summary: "In this theme" },
      { name: "plain", summary: "Without colours" },
    ],
    examples: [
      { line: "tau gallery --only tools/bash", what: "a command in all its phases" },
      { line: "tau gallery --theme solarized-dark", what: "how a theme looks" },
    ],
    load: () => import("./commands/gallery.ts"),
  },
  {
    name: "completions",
    positionals: "<shell>",
    choices: SHELLS,
    summary: "Print a completion script for bash, zsh or fish",
    flags: [],
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

export function findCommand(name: string): CommandRow | undefined {
  return COMMANDS.find((command) => command.name === name);
}
