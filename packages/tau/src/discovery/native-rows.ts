// The layout of Tau's own directories. The same tree is read from the directory of the family whose
// users walk over, at a lower priority.

import type { DiscoveryRow } from "./row.ts";

/** The nearer to what people call it first. */
const PYTHON_ENVIRONMENTS = [".venv/pyvenv.cfg", "venv/pyvenv.cfg"];

interface NativeSource {
  source: "tau" | "omp";
  /** The directory in a project. */
  project: string;
  /** The beginning of the user's directory. */
  user: string;
}

export function nativeRows({ source, project, user }: NativeSource): DiscoveryRow[] {
  const both = (...patterns: string[]) => ({
    user: patterns.map((pattern) => `${user}/${pattern}`),
    project: patterns.map((pattern) => `${project}/${pattern}`),
  });
  const servers = ["mcp.json", ".mcp.json"];
  const shape = { source } as const;
  return [
    { ...shape, kind: "context", ...both("AGENTS.md"), reach: "nearest", name: "file" },
    {
      ...shape,
      kind: "system",
      ...both("{SYSTEM,APPEND_SYSTEM,TITLE_SYSTEM}.md"),
      reach: "directory",
      name: "stem",
    },
    { ...shape, kind: "rules", ...both("rules/*.{md,mdc}", "instructions/*.md"), name: "stem" },
    {
      ...shape,
      kind: "skills",
      ...both("skills/*/SKILL.md"),
      name: "directory",
      ownName: true,
      needs: ["description"],
    },
    { ...shape, kind: "commands", ...both("commands/*.md"), name: "stem" },
    { ...shape, kind: "prompts", ...both("prompts/*.md"), name: "stem" },
    {
      ...shape,
      kind: "agents",
      ...both("agents/*.md"),
      reach: "nearest",
      name: "stem",
      ownName: true,
      needs: ["description"],
    },
    {
      ...shape,
      kind: "mcp",
      ...both(...servers),
      name: "file",
      members: "mcpServers",
    },
    { ...shape, kind: "hooks", ...both("hooks/{pre,post}/*"), name: "path" },
    {
      ...shape,
      kind: "tools",
      ...both("tools/*.{ts,js,sh,bash,py,json,md}"),
      name: "stem",
    },
    {
      ...shape,
      kind: "tools",
      ...both("tools/*/index.ts", "tools/*/index.js"),
      name: "directory",
    },
    {
      ...shape,
      kind: "extensions",
      ...both("extensions/*.{ts,js}"),
      name: "stem",
    },
    {
      ...shape,
      kind: "extensions",
      // What a package says of itself comes before what stands in it.
      ...both(
        "extensions/*/package.json",
        "extensions/*/index.ts",
        "extensions/*/index.js",
        "extensions/*/gemini-extension.json",
      ),
      name: "directory",
    },
    {
      ...shape,
      kind: "settings",
      ...both("config.yml", "settings.json", "models.yml", "secrets.yml"),
      name: "file",
    },
    ...(source === "tau"
      ? ([
          { ...shape, kind: "env", ...both(".env"), reach: "directory", name: "file" },
          // Commands that run at events, as other tools have them.
          {
            ...shape,
            kind: "hooks",
            ...both("config.yml"),
            name: "file",
            members: "hooks",
            addsUp: true,
          },
          // Where cells in Python find packages; its interpreter is a program of the project's.
          { ...shape, kind: "python", project: PYTHON_ENVIRONMENTS, name: "directory" },
        ] as const)
      : []),
    {
      ...shape,
      kind: "ssh",
      ...both("ssh.json"),
      name: "file",
      members: "hosts",
    },
  ];
}
