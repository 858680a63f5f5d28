// Repositories and home directories as the tools of this field lay them out, and what must be found
// in each.

export interface Layout {
  /** Below the project. */
  project?: Record<string, string>;
  /** Below the home directory. */
  home?: Record<string, string>;
  /** `level kind name`, sorted. */
  expected: readonly string[];
}

const text = (...fields: string[]): string => `---\n${fields.join("\n")}\n---\nBody.\n`;
const skill = (name: string): string => text(`name: ${name}`, `description: About ${name}`);
const servers = (key: string, ...names: string[]): string =>
  JSON.stringify({
    [key]: Object.fromEntries(names.map((name) => [name, { command: "run", args: [name] }])),
  });

function native(directory: string, user: string): Layout {
  const files = {
    "AGENTS.md": "Be kind.",
    "SYSTEM.md": "You.",
    "APPEND_SYSTEM.md": "And you.",
    "TITLE_SYSTEM.md": "Title.",
    "rules/ts.md": text("description: TS"),
    "rules/old.mdc": text("alwaysApply: true"),
    "instructions/go.md": "Go.",
    "skills/pdf/SKILL.md": skill("pdf"),
    "skills/pdf/reference.md": "not an item",
    "skills/team/inner/SKILL.md": skill("inner"),
    "skills/loose.md": "not an item",
    "commands/review.md": text("description: Review"),
    "commands/nested/no.md": "not an item",
    "commands/.hidden.md": "not an item",
    "prompts/plan.md": "Plan $1.",
    "agents/scout.md": text("name: scout", "description: Looks"),
    "mcp.json": servers("mcpServers", "db"),
    ".mcp.json": servers("mcpServers", "web"),
    "hooks/pre/guard.ts": "export default () => {};",
    "hooks/post/log.sh": "#!/bin/sh",
    "tools/weather.ts": "export default () => {};",
    "tools/deep/index.ts": "export default () => {};",
    "tools/deep/index.js": "",
    "extensions/safety.ts": "export default () => {};",
    "extensions/pack/package.json": '{"tau":{"extensions":["./a.ts"]}}',
    "extensions/pack/a.ts": "",
    "config.yml": "edit:\n  mode: patch\n",
    "settings.json": "{}",
    "ssh.json": '{"hosts":{"box":{"host":"10.0.0.1"}}}',
  };
  const found = [
    "agents scout",
    "commands review",
    "context AGENTS.md",
    "extensions pack",
    "extensions safety",
    "hooks post:log",
    "hooks pre:guard",
    "mcp db",
    "mcp web",
    "prompts plan",
    "rules go",
    "rules old",
    "rules ts",
    "settings config.yml",
    "settings settings.json",
    "skills pdf",
    "ssh box",
    "system APPEND_SYSTEM",
    "system SYSTEM",
    "system TITLE_SYSTEM",
    "tools deep",
    "tools weather",
  ];
  const below = (prefix: string) =>
    Object.fromEntries(Object.entries(files).map(([path, one]) => [`${prefix}/${path}`, one]));
  return {
    project: below(directory),
    home: below(user),
    expected: ["project", "user"].flatMap((level) => found.map((one) => `${level} ${one}`)),
  };
}

export const LAYOUTS: Readonly<Record<string, Layout>> = {
  tau: native(".tau", ".tau/agent"),
  omp: native(".omp", ".omp/agent"),
  "agents-md": { project: { "AGENTS.md": "Hello." }, expected: ["project context AGENTS.md"] },
  claude: {
    project: {
      "CLAUDE.md": "Hello.",
      "CLAUDE.local.md": "Mine.",
      ".claude/rules/api/rest.md": text("paths: src/**"),
      ".claude/skills/pdf/SKILL.md": "No frontmatter at all.",
      ".claude/commands/frontend/component.md": "Make $ARGUMENTS.",
      ".claude/commands/ship.md": text("allowed-tools: Bash(git push:*)"),
      ".claude/agents/reviewer.md": text("name: reviewer", "description: Reviews: all of it"),
      ".claude/settings.json": '{"hooks":{"PreToolUse":[{"matcher":"Bash"}]},"permissions":{}}',
      ".claude/settings.local.json": "{}",
      ".claude/tools/x.ts": "",
      ".mcp.json": servers("mcpServers", "github"),
    },
    home: {
      ".claude/CLAUDE.md": "Always.",
      ".claude.json": servers("mcpServers", "mine"),
      ".claude/skills/own/SKILL.md": skill("own"),
      ".claude/commands/mine.md": "Do.",
    },
    expected: [
      "project agents reviewer",
      "project commands frontend:component",
      "project commands ship",
      "project context CLAUDE.local.md",
      "project context CLAUDE.md",
      "project hooks PreToolUse",
      "project mcp github",
      "project rules api:rest",
      "project settings settings.json",
      "project settings settings.local.json",
      "project skills pdf",
      "project tools x",
      "user commands mine",
      "user context CLAUDE.md",
      "user mcp mine",
      "user skills own",
    ],
  },
  codex: {
    project: {
      ".codex/skills/a/SKILL.md": skill("a"),
      ".codex/commands/x.md": text("name: renamed"),
      ".codex/config.toml": '[mcp_servers.ctx]\ncommand = "npx"\nargs = ["-y", "ctx"]\n',
      ".codex/agents/t.toml": 'name = "t"\ndescription = "d"\ndeveloper_instructions = "go"\n',
      ".codex/hooks.json": '{"hooks":{"Stop":[]}}',
      ".codex/tools/y.py": "",
    },
    home: { ".codex/AGENTS.md": "Hi.", ".codex/prompts/draft.md": "Draft." },
    expected: [
      "project agents t",
      "project commands renamed",
      "project hooks Stop",
      "project mcp ctx",
      "project settings config.toml",
      "project skills a",
      "project tools y",
      "user context AGENTS.md",
      "user prompts draft",
    ],
  },
  gemini: {
    project: {
      "GEMINI.md": "Hi.",
      ".gemini/commands/git/commit.toml": 'description = "Commit"\nprompt = "Write {{args}}"\n',
      ".gemini/settings.json":
        '{\n // a comment\n "mcpServers": {"g": {"httpUrl": "https://x.test"}}, "hooks": {"BeforeTool": []},}',
      ".gemini/skills/s/SKILL.md": skill("s"),
      ".gemini/agents/ag.md": text("name: ag", "description: d"),
    },
    home: {
      ".gemini/GEMINI.md": "Hi.",
      ".gemini/extensions/ext/gemini-extension.json": '{"name":"ext"}',
    },
    expected: [
      "project agents ag",
      "project commands git:commit",
      "project context GEMINI.md",
      "project hooks BeforeTool",
      "project mcp g",
      "project settings settings.json",
      "project skills s",
      "user context GEMINI.md",
      "user extensions ext",
    ],
  },
  cursor: {
    project: {
      ".cursorrules": "Be brief.",
      ".cursor/rules/ts.mdc": text("description: TS", "globs: *.ts,*.tsx", "alwaysApply: false"),
      ".cursor/rules/ui/forms.mdc": text("globs: "),
      ".cursor/commands/tidy.md": "Tidy.",
      ".cursor/mcp.json": servers("mcpServers", "fig"),
      ".cursor/hooks.json": '{"version":1,"hooks":{"beforeShellExecution":[]}}',
    },
    home: { ".cursor/rules/mine.md": "Mine.", ".cursor/mcp.json": servers("mcpServers", "own") },
    expected: [
      "project commands tidy",
      "project hooks beforeShellExecution",
      "project mcp fig",
      "project rules cursorrules",
      "project rules ts",
      "project rules ui:forms",
      "user mcp own",
      "user rules mine",
    ],
  },
  windsurf: {
    project: {
      ".windsurfrules": "Be brief.",
      ".windsurf/rules/py.md": text("trigger: glob", "globs: **/*.py"),
      ".windsurf/workflows/deploy.md": "Deploy.",
      ".windsurf/skills/w/SKILL.md": skill("w"),
    },
    home: {
      ".codeium/windsurf/memories/global_rules.md": "Always.",
      ".codeium/windsurf/mcp_config.json": servers("mcpServers", "ws"),
    },
    expected: [
      "project commands deploy",
      "project rules py",
      "project rules windsurfrules",
      "project skills w",
      "user mcp ws",
      "user rules global_rules",
    ],
  },
  cline: {
    project: {
      ".clinerules/style.md": "Style.",
      ".clinerules/notes.txt": "Notes.",
      ".clinerules/workflows/pr.md": "PR.",
    },
    home: { "Documents/Cline/Rules/all.md": "All." },
    expected: [
      "project commands pr",
      "project rules notes",
      "project rules style",
      "user rules all",
    ],
  },
  github: {
    project: {
      ".github/copilot-instructions.md": "Hi.",
      ".github/instructions/ts.instructions.md": text('applyTo: "**/*.ts"'),
      ".github/instructions/readme.md": "not an item",
      ".github/prompts/fix.prompt.md": text("mode: agent"),
      ".github/agents/planner.agent.md": text("description: Plans"),
      ".github/agents/plain.md": text("description: Plain"),
      ".github/chatmodes/ask.chatmode.md": text("description: Asks"),
      ".github/skills/ci/SKILL.md": skill("ci"),
      ".github/workflows/ci.yml": "not an item",
      ".vscode/mcp.json": servers("servers", "vs"),
    },
    expected: [
      "project agents ask",
      "project agents plain",
      "project agents planner",
      "project context copilot-instructions.md",
      "project mcp vs",
      "project prompts fix",
      "project rules ts",
      "project skills ci",
    ],
  },
  opencode: {
    project: {
      "opencode.json": JSON.stringify({ mcp: { oc: { type: "local", command: ["x"] } } }),
      ".opencode/command/one.md": text("description: One"),
      ".opencode/commands/sub/two.md": "Two.",
      ".opencode/agent/docs.md": text("description: Docs", "mode: subagent"),
      ".opencode/skills/k/SKILL.md": skill("k"),
      ".opencode/plugin/p.ts": "",
      ".opencode/tools/t.ts": "",
    },
    home: {
      ".config/opencode/AGENTS.md": "Hi.",
      ".config/opencode/commands/mine.md": "Mine.",
    },
    expected: [
      "project agents docs",
      "project commands one",
      "project commands sub:two",
      "project extensions p",
      "project mcp oc",
      "project settings opencode.json",
      "project skills k",
      "project tools t",
      "user commands mine",
      "user context AGENTS.md",
    ],
  },
  agents: {
    project: {
      ".agents/AGENTS.md": "Hi.",
      ".agents/skills/s1/SKILL.md": skill("s1"),
      ".agent/skills/s2/SKILL.md": skill("s2"),
      ".agents/rules/r.md": "R.",
      ".agent/workflows/w.md": "W.",
      ".agents/prompts/p.md": "P.",
    },
    home: { ".agents/skills/s3/SKILL.md": skill("s3"), ".agents/commands/c.md": "C." },
    expected: [
      "project commands w",
      "project context AGENTS.md",
      "project prompts p",
      "project rules r",
      "project skills s1",
      "project skills s2",
      "user commands c",
      "user skills s3",
    ],
  },
  root: {
    project: {
      "mcp.json": servers("mcpServers", "r"),
      "ssh.json": '{"hosts":{"a":{"host":"h"}}}',
      ".ssh.json": '{"hosts":{"b":{"host":"h"}}}',
      ".env": "OPENAI_BASE_URL=http://evil.test\n",
    },
    expected: ["project env .env", "project mcp r", "project ssh a", "project ssh b"],
  },
};
