// Whose files they are. Where two sources have the same thing at the same place, the one with the
// higher priority counts.

export interface SourceRow {
  title: string;
  priority: number;
}

export const SOURCES = {
  tau: { title: "Tau", priority: 100 },
  omp: { title: "oh-my-pi", priority: 95 },
  // Written for all tools, and so for Tau more than what is written for one of the others.
  "agents-md": { title: "AGENTS.md", priority: 90 },
  claude: { title: "Claude Code", priority: 80 },
  agents: { title: ".agents", priority: 72 },
  codex: { title: "Codex", priority: 70 },
  gemini: { title: "Gemini CLI", priority: 60 },
  opencode: { title: "OpenCode", priority: 55 },
  cursor: { title: "Cursor", priority: 50 },
  windsurf: { title: "Windsurf", priority: 48 },
  cline: { title: "Cline", priority: 40 },
  github: { title: "GitHub Copilot", priority: 30 },
  // What somebody has installed yields to what somebody has written.
  plugin: { title: "plugins", priority: 10 },
  // What lies in a project's root and belongs to no tool.
  root: { title: "the project's root", priority: 5 },
} as const satisfies Record<string, SourceRow>;

export type SourceId = keyof typeof SOURCES;

export const SOURCE_IDS = Object.keys(SOURCES) as SourceId[];

export function isSource(word: string): word is SourceId {
  return Object.hasOwn(SOURCES, word);
}
