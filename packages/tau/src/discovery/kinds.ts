// The kinds of things that people leave lying around for coding agents, as data: what two of a kind
// being the same means, and whether one of them would run something or lead Tau elsewhere.

export interface KindRow {
  /** A heading. */
  title: string;
  /** One of them, in a sentence. */
  one: string;
  /**
   * When two are the same, so that only one of them counts: they have one name; they stand in one
   * directory and say the same to different tools; or never, because they add up.
   */
  same: "name" | "directory" | "never";
  /**
   * Would run code in Tau, start programs, change where requests go and what is asked, or take the
   * place of what Tau itself tells the model.
   */
  executes: boolean;
}

const TEXT = { same: "name", executes: false } as const;
const CODE = { same: "name", executes: true } as const;

export const KINDS = {
  context: { title: "Context files", one: "context file", same: "directory", executes: false },
  system: { title: "System prompts", one: "system prompt", ...CODE },
  rules: { title: "Rules", one: "rule", ...TEXT },
  skills: { title: "Skills", one: "skill", ...TEXT },
  commands: { title: "Commands", one: "command", ...TEXT },
  prompts: { title: "Prompts", one: "prompt", ...TEXT },
  agents: { title: "Agents", one: "agent", ...TEXT },
  mcp: { title: "MCP servers", one: "MCP server", ...CODE },
  lsp: { title: "Language servers", one: "language server", ...CODE },
  hooks: { title: "Hooks", one: "hook", ...CODE },
  tools: { title: "Tools", one: "tool", ...CODE },
  extensions: { title: "Extensions", one: "extension", ...CODE },
  themes: { title: "Themes", one: "theme", ...TEXT },
  settings: { title: "Settings files", one: "settings file", same: "never", executes: true },
  ssh: { title: "SSH hosts", one: "SSH host", ...CODE },
  env: { title: "Environment files", one: "environment file", same: "never", executes: true },
  python: {
    title: "Python environments",
    one: "Python environment",
    same: "never",
    executes: true,
  },
} as const satisfies Record<string, KindRow>;

export type KindId = keyof typeof KINDS;

export const KIND_IDS = Object.keys(KINDS) as KindId[];
