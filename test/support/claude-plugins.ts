// Ten plugins for Claude Code, each with parts of that format that the others do not have, and a catalog that
// names them in every way it knows.

export type PluginFiles = Readonly<Record<string, string>>;

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const manifest = (value: Readonly<Record<string, unknown>>): PluginFiles => ({
  ".claude-plugin/plugin.json": json(value),
});
const described = (fields: string, body: string): string => `---\n${fields}\n---\n\n${body}\n`;

export const CLAUDE_PLUGINS: Readonly<Record<string, PluginFiles>> = {
  // Commands in directories, with arguments and frontmatter.
  "commit-tools": {
    ...manifest({ name: "commit-tools", version: "1.0.0", author: { name: "A" } }),
    "commands/commit.md": described(
      "description: Make a commit\nallowed-tools: Bash(git add:*)\nargument-hint: [message]",
      "Commit with the message $ARGUMENTS.",
    ),
    "commands/git/undo.md": "Undo $1 in ${CLAUDE_PLUGIN_ROOT}.",
  },
  // Agents of the usual directory, and a name of their own.
  reviewers: {
    ...manifest({ name: "reviewers", keywords: ["review"] }),
    "agents/security.md": described(
      "name: security-reviewer\ndescription: Finds holes\nmodel: sonnet\ntools: Read, Grep",
      "Look for holes.",
    ),
    "agents/style.md": described("description: Reads for style", "Read for style."),
  },
  // Skills with files beside them.
  "pdf-skills": {
    ...manifest({ name: "pdf-skills", version: "0.3.1" }),
    "skills/pdf/SKILL.md": described("name: pdf\ndescription: Reads PDFs", "Use pdftotext."),
    "skills/pdf/references/forms.md": "Forms.",
    "skills/forms/SKILL.md": described("description: Fills forms", "Use a form library."),
  },
  // Hooks in the usual file, with the plugin's own script.
  "guard-hooks": {
    ...manifest({ name: "guard-hooks", version: "1.0.0" }),
    "hooks/hooks.json": json({
      description: "Guards",
      hooks: {
        PreToolUse: [
          {
            matcher: "Bash",
            hooks: [
              {
                type: "command",
                command: 'sh "${CLAUDE_PLUGIN_ROOT}/scripts/guard.sh"',
                timeout: 10,
              },
            ],
          },
        ],
      },
    }),
    "scripts/guard.sh":
      'if grep -q "rm -rf"; then echo "the plugin at $CLAUDE_PLUGIN_ROOT says no" >&2; exit 2; fi\n',
  },
  // Servers in a file that has nothing else in it.
  "flat-servers": {
    ...manifest({ name: "flat-servers" }),
    ".mcp.json": json({ docs: { command: "npx", args: ["-y", "docs-server"] } }),
  },
  // Servers under their key, and one on the web.
  "keyed-servers": {
    ...manifest({ name: "keyed-servers", mcpServers: "./config/servers.json" }),
    "config/servers.json": json({
      mcpServers: {
        board: { type: "http", url: "https://board.test/mcp", headers: { Authorization: "x" } },
        local: { command: "${CLAUDE_PLUGIN_ROOT}/bin/serve", env: { TOKEN: "t" } },
      },
    }),
  },
  // Everything in the manifest, and paths of its own in place of the usual ones.
  "all-inline": {
    ...manifest({
      name: "all-inline",
      commands: ["./extra/deploy.md", "./more"],
      agents: "./people",
      skills: ["./abilities"],
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: "echo begun" }] }] },
      mcpServers: { db: { command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/db.js"] } },
      lspServers: { go: { command: "gopls", extensionToLanguage: { ".go": "go" } } },
      outputStyles: "./styles",
    }),
    "commands/not-wanted.md": "Replaced.",
    "extra/deploy.md": "Deploy.",
    "more/rollback.md": "Roll back.",
    "people/ops.md": described("description: Runs things", "Run."),
    "abilities/tracing/SKILL.md": described("description: Traces calls", "Trace."),
    "db.js": "",
  },
  // A language server in its own file.
  "python-language": {
    ...manifest({ name: "python-language" }),
    ".lsp.json": json({
      pyright: {
        command: "pyright-langserver",
        args: ["--stdio"],
        extensionToLanguage: { ".py": "python" },
      },
    }),
  },
  // No manifest: the catalog says all of it.
  "catalog-only": { "README.md": "Nothing but what the catalog says." },
  // One skill, without a manifest, and commands by a map.
  mapped: {
    ...manifest({
      name: "mapped",
      commands: { status: { source: "./docs/status.md", description: "Says how it is" } },
    }),
    "docs/status.md": "Tell the status.",
    "SKILL.md": described("name: mapping\ndescription: Reads maps", "Unfold it."),
  },
};

/** What discovery is to find of them: kind and name, by plugin. */
export const BROUGHT: Readonly<Record<string, readonly string[]>> = {
  "commit-tools": ["commands commit-tools:commit", "commands commit-tools:git:undo"],
  reviewers: ["agents security-reviewer", "agents style"],
  "pdf-skills": ["skills forms", "skills pdf"],
  "guard-hooks": ["hooks PreToolUse"],
  "flat-servers": ["mcp docs"],
  "keyed-servers": ["mcp board", "mcp local"],
  "all-inline": [
    "agents ops",
    "commands all-inline:deploy",
    "commands all-inline:rollback",
    "hooks SessionStart",
    "lsp go",
    "mcp db",
    "skills tracing",
  ],
  "python-language": ["lsp pyright"],
  "catalog-only": ["lsp lua", "mcp catalogued"],
  mapped: ["commands mapped:status", "skills mapping"],
};

export interface CatalogPlaces {
  /** Repositories of their own, by plugin. */
  repositories: Readonly<
    Record<string, { url: string; sha?: string; ref?: string; path?: string }>
  >;
}

/** Those without a repository are directories beside the catalog. */
export function catalogOf({ repositories }: CatalogPlaces): string {
  const plugins = Object.keys(CLAUDE_PLUGINS).map((name) => {
    const place = repositories[name];
    const about = { name, description: `The plugin ${name}`, category: "testing", tags: ["ten"] };
    if (name === "catalog-only") {
      return {
        ...about,
        version: "2.0.0",
        source: `./plugins/${name}`,
        strict: false,
        lspServers: {
          lua: { command: "lua-language-server", extensionToLanguage: { ".lua": "lua" } },
        },
        mcpServers: { catalogued: { command: "node", args: ["x.js"] } },
      };
    }
    if (!place) return { ...about, source: `./plugins/${name}` };
    const kind = place.path === undefined ? "url" : "git-subdir";
    return { ...about, source: { source: kind, ...place } };
  });
  return json({
    name: "ten-plugins",
    owner: { name: "Tester" },
    metadata: { version: "1" },
    plugins,
  });
}
