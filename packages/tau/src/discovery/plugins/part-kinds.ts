// What a plugin may bring, as a table: the key of its manifest, the directory where it stands if no manifest
// says otherwise, and how the files in there are found and named.

import type { DiscoveryRow } from "../row.ts";

/** A row of discovery that still lacks its plugin. */
export interface PluginPart extends Pick<
  DiscoveryRow,
  "kind" | "name" | "fixedName" | "ownName" | "needs" | "members" | "addsUp"
> {
  /** Below the plugin's root. */
  patterns: readonly string[];
  isNamespace: boolean;
}

export interface PartKind {
  /** Of one file that a manifest names. */
  file: Omit<PluginPart, "patterns" | "isNamespace">;
  /** Of what stands in a directory. */
  directory: readonly (Omit<PluginPart, "isNamespace" | "patterns"> & {
    below: readonly string[];
  })[];
  /** It would run inside of Tau: never by the name of a directory alone, in a package written for others. */
  isCode: boolean;
  /** Two plugins often have one of the same name. */
  isNamespace: boolean;
}

const CODE = "*.{ts,js,mjs,mts}";
const INDEX = "*/index.{ts,js}";

const text = (
  kind: "commands" | "prompts" | "rules",
  name: "stem" | "path",
  below: string,
): PartKind => ({
  file: { kind, name: "stem" },
  directory: [{ kind, name, below: [below] }],
  isCode: false,
  isNamespace: false,
});

const SKILL = { kind: "skills", name: "directory", ownName: true, needs: ["description"] } as const;
const AGENT = { kind: "agents", name: "stem", ownName: true, needs: ["description"] } as const;

export const PART_KINDS = {
  extensions: {
    file: { kind: "extensions", name: "stem" },
    directory: [
      { kind: "extensions", name: "stem", below: [CODE] },
      // What a package says of itself comes before what stands in it.
      { kind: "extensions", name: "directory", below: ["*/package.json", INDEX] },
    ],
    isCode: true,
    isNamespace: true,
  },
  tools: {
    file: { kind: "tools", name: "stem" },
    directory: [
      { kind: "tools", name: "stem", below: [CODE] },
      { kind: "tools", name: "directory", below: [INDEX] },
    ],
    isCode: true,
    isNamespace: true,
  },
  hooks: {
    file: { kind: "hooks", name: "stem" },
    directory: [{ kind: "hooks", name: "path", below: [`{pre,post}/${CODE}`] }],
    isCode: true,
    isNamespace: true,
  },
  skills: {
    file: SKILL,
    directory: [{ ...SKILL, below: ["SKILL.md", "*/SKILL.md"] }],
    isCode: false,
    isNamespace: false,
  },
  agents: {
    file: AGENT,
    directory: [{ ...AGENT, below: ["**/*.md"] }],
    isCode: false,
    isNamespace: false,
  },
  commands: text("commands", "path", "**/*.md"),
  prompts: text("prompts", "stem", "*.md"),
  rules: text("rules", "path", "**/*.{md,mdc}"),
  themes: {
    file: { kind: "themes", name: "stem" },
    directory: [{ kind: "themes", name: "stem", below: ["*.json"] }],
    isCode: false,
    isNamespace: false,
  },
} as const satisfies Record<string, PartKind>;

export type PartKey = keyof typeof PART_KINDS;

export const PART_KEYS = Object.keys(PART_KINDS) as PartKey[];
