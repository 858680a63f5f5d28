// Everything that is looked for: source × kind × where. A tool or a kind more is a row more.
// Where a tool's own rules differ from one version to the next, all its places are read.

import { CONFIG_DIRECTORY } from "../brand.ts";
import { nativeRows } from "./native-rows.ts";
import type { DiscoveryRow } from "./row.ts";
import type { SourceId } from "../config/sources.ts";

/** The same patterns below the user's and the project's directory of a tool. */
function both(directory: string, ...patterns: string[]) {
  return {
    user: patterns.map((pattern) => `~/${directory}/${pattern}`),
    project: patterns.map((pattern) => `${directory}/${pattern}`),
  };
}

const SKILL = { kind: "skills", name: "directory", ownName: true } as const;
const AGENT = {
  kind: "agents",
  reach: "nearest",
  name: "stem",
  ownName: true,
  needs: ["description"],
} as const;
const SERVERS = { kind: "mcp", name: "file", members: "mcpServers" } as const;
/** Commands that run at events; those of all files run, side by side. */
const COMMAND_HOOKS = { kind: "hooks", name: "file", members: "hooks", addsUp: true } as const;
/** Shell hooks in another tool's words, with that tool's events. */
const FOREIGN_HOOKS = {
  kind: "hooks",
  name: "file",
  members: "hooks",
  isInert: true,
} as const;
const FOREIGN_SETTINGS = {
  kind: "settings",
  name: "file",
  isInert: true,
} as const;
/** What they say about single calls counts here too. */
const PERMISSIONS = { kind: "settings", name: "file" } as const;
const SCRIPTS = "tools/*.{ts,js,sh,bash,py,json,md}";
const SYSTEM = "{SYSTEM,APPEND_SYSTEM,TITLE_SYSTEM}.md";
const SYSTEM_PROMPT = { kind: "system", reach: "directory", name: "stem" } as const;

type Row = Omit<DiscoveryRow, "source">;

const ROWS: Readonly<Record<Exclude<SourceId, "tau" | "omp" | "plugin">, readonly Row[]>> = {
  "agents-md": [{ kind: "context", project: ["AGENTS.md"], name: "file" }],

  claude: [
    {
      kind: "context",
      user: ["~/.claude/CLAUDE.md"],
      project: ["CLAUDE.md", ".claude/CLAUDE.md"],
      name: "file",
    },
    { kind: "context", project: ["CLAUDE.local.md"], name: "file", variant: "local" },
    { ...SYSTEM_PROMPT, ...both(".claude", SYSTEM) },
    { kind: "rules", ...both(".claude", "rules/**/*.md"), name: "path" },
    { ...SKILL, ...both(".claude", "skills/*/SKILL.md") },
    { kind: "commands", ...both(".claude", "commands/**/*.md"), name: "path" },
    { ...AGENT, ...both(".claude", "agents/**/*.md") },
    { ...SERVERS, user: ["~/.claude.json"], project: [".mcp.json"] },
    { kind: "tools", ...both(".claude", SCRIPTS), name: "stem" },
    {
      ...COMMAND_HOOKS,
      user: ["~/.claude/settings.json"],
      project: [".claude/settings.json", ".claude/settings.local.json"],
    },
    { ...PERMISSIONS, ...both(".claude", "settings.json", "settings.local.json") },
  ],

  agents: [
    {
      kind: "context",
      user: ["~/.agents/AGENTS.md", "~/.agent/AGENTS.md"],
      project: [".agents/AGENTS.md", ".agent/AGENTS.md"],
      reach: "nearest",
      name: "file",
    },
    { kind: "rules", ...both("{.agents,.agent}", "rules/*.{md,mdc}"), name: "stem" },
    { ...SKILL, ...both("{.agents,.agent}", "skills/*/SKILL.md") },
    { kind: "commands", ...both("{.agents,.agent}", "commands/*.md"), name: "stem" },
    { kind: "commands", ...both("{.agents,.agent}", "workflows/*.md"), name: "stem" },
    { kind: "prompts", ...both("{.agents,.agent}", "prompts/*.md"), name: "stem" },
    { ...AGENT, ...both("{.agents,.agent}", "agents/*.md") },
  ],

  codex: [
    {
      kind: "context",
      user: ["~/.codex/AGENTS.override.md", "~/.codex/AGENTS.md"],
      project: [".codex/AGENTS.md"],
      name: "file",
    },
    { ...SYSTEM_PROMPT, ...both(".codex", SYSTEM) },
    { ...SKILL, ...both(".codex", "skills/*/SKILL.md") },
    { kind: "commands", ...both(".codex", "commands/*.md"), name: "stem", ownName: true },
    { kind: "prompts", ...both(".codex", "prompts/*.md"), name: "stem" },
    { ...AGENT, ...both(".codex", "agents/*.md") },
    { ...AGENT, ...both(".codex", "agents/*.toml"), bodyKey: "developer_instructions" },
    { ...SERVERS, ...both(".codex", "config.toml"), members: "mcp_servers" },
    { kind: "tools", ...both(".codex", SCRIPTS), name: "stem" },
    { ...COMMAND_HOOKS, ...both(".codex", "hooks.json", "config.toml") },
    { ...FOREIGN_SETTINGS, ...both(".codex", "config.toml") },
  ],

  gemini: [
    {
      kind: "context",
      user: ["~/.gemini/GEMINI.md"],
      project: ["GEMINI.md", ".gemini/GEMINI.md"],
      name: "file",
    },
    { ...SYSTEM_PROMPT, ...both(".gemini", SYSTEM) },
    { ...SKILL, ...both(".gemini", "skills/*/SKILL.md") },
    { kind: "commands", ...both(".gemini", "commands/**/*.toml"), name: "path", bodyKey: "prompt" },
    { ...AGENT, ...both(".gemini", "agents/*.md") },
    { ...SERVERS, ...both(".gemini", "settings.json") },
    {
      kind: "extensions",
      ...both(".gemini", "extensions/*/gemini-extension.json"),
      name: "directory",
      isInert: true,
    },
    { ...FOREIGN_HOOKS, ...both(".gemini", "settings.json") },
    { ...FOREIGN_SETTINGS, ...both(".gemini", "settings.json") },
  ],

  opencode: [
    { kind: "context", user: ["~/.config/opencode/AGENTS.md"], name: "file" },
    ...[
      { ...SKILL, patterns: ["{skills,skill}/*/SKILL.md"] },
      {
        kind: "commands",
        name: "path",
        ownName: true,
        patterns: ["commands/**/*.md", "command/**/*.md"],
      } as const,
      { ...AGENT, patterns: ["{agents,agent}/**/*.md"] },
      {
        kind: "tools",
        name: "stem",
        isInert: true,
        patterns: ["{tools,tool}/*.{ts,js}"],
      } as const,
      {
        kind: "extensions",
        name: "stem",
        isInert: true,
        patterns: ["{plugins,plugin}/*.{ts,js}"],
      } as const,
    ].map(({ patterns, ...row }): Row => ({
      ...row,
      user: patterns.map((pattern) => `~/.config/opencode/${pattern}`),
      project: patterns.map((pattern) => `.opencode/${pattern}`),
    })),
    {
      ...SERVERS,
      user: ["~/.config/opencode/opencode.{json,jsonc}"],
      project: ["opencode.json", "opencode.jsonc", ".opencode/opencode.{json,jsonc}"],
      members: "mcp",
    },
    {
      ...PERMISSIONS,
      user: ["~/.config/opencode/opencode.{json,jsonc}"],
      project: ["opencode.json", "opencode.jsonc", ".opencode/opencode.{json,jsonc}"],
    },
  ],

  cursor: [
    { kind: "rules", ...both(".cursor", "rules/**/*.{mdc,md}"), name: "path" },
    { kind: "rules", project: [".cursorrules"], name: "stem" },
    { ...SKILL, ...both(".cursor", "skills/*/SKILL.md") },
    { kind: "commands", ...both(".cursor", "commands/*.md"), name: "stem" },
    { ...AGENT, ...both(".cursor", "agents/*.md") },
    { ...SERVERS, ...both(".cursor", "mcp.json") },
    { ...FOREIGN_HOOKS, ...both(".cursor", "hooks.json") },
  ],

  windsurf: [
    {
      kind: "rules",
      user: ["~/.codeium/windsurf/memories/global_rules.md"],
      project: [".windsurf/rules/*.md"],
      name: "stem",
    },
    { kind: "rules", project: [".windsurfrules"], name: "stem" },
    { ...SKILL, project: [".windsurf/skills/*/SKILL.md"] },
    {
      kind: "commands",
      user: ["~/.codeium/windsurf/global_workflows/*.md"],
      project: [".windsurf/workflows/*.md"],
      name: "stem",
    },
    { ...SERVERS, user: ["~/.codeium/windsurf/mcp_config.json"] },
    { ...FOREIGN_HOOKS, project: [".windsurf/hooks.json"] },
  ],

  cline: [
    {
      kind: "rules",
      user: ["~/Documents/Cline/Rules/*.{md,txt}"],
      project: [".clinerules", ".clinerules/*.{md,txt}"],
      reach: "nearest",
      name: "stem",
    },
    { ...SKILL, ...both(".cline", "skills/*/SKILL.md") },
    {
      kind: "commands",
      user: ["~/Documents/Cline/Workflows/*.md"],
      project: [".clinerules/workflows/*.md"],
      name: "stem",
    },
  ],

  github: [
    { kind: "context", project: [".github/copilot-instructions.md"], name: "file" },
    { kind: "rules", project: [".github/instructions/**/*.instructions.md"], name: "path" },
    { ...SKILL, project: [".github/skills/*/SKILL.md"], needs: ["description"] },
    { kind: "prompts", project: [".github/prompts/*.prompt.md"], name: "stem" },
    { ...AGENT, project: [".github/agents/*.{agent.md,md}"] },
    { ...AGENT, project: [".github/chatmodes/*.chatmode.md"] },
    { ...SERVERS, project: [".vscode/mcp.json"], members: "servers" },
    { ...FOREIGN_HOOKS, project: [".github/hooks/*.json"] },
  ],

  root: [
    { ...SERVERS, project: ["mcp.json"] },
    {
      kind: "ssh",
      project: ["ssh.json", ".ssh.json"],
      name: "file",
      members: "hosts",
    },
    { kind: "env", project: [".env"], reach: "directory", name: "file" },
    { kind: "env", project: [".env.local"], reach: "directory", name: "file", isInert: true },
  ],
};

export const DISCOVERY_TABLE: readonly DiscoveryRow[] = [
  ...nativeRows({ source: "tau", project: CONFIG_DIRECTORY, user: "@" }),
  ...nativeRows({ source: "omp", project: ".omp", user: "~/.omp/agent" }),
  ...Object.entries(ROWS).flatMap(([source, rows]) =>
    rows.map((row): DiscoveryRow => ({ source: source as SourceId, ...row })),
  ),
];
