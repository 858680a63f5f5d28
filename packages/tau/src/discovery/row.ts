// What a row of the discovery table says. The engine knows nothing of any tool; everything it does
// is one of these words.

import type { ItemLevel } from "./item.ts";
import type { KindId } from "./kinds.ts";
import type { SourceId } from "../config/sources.ts";

/**
 * Where in a project: in the working directory alone, in every directory from there up to the
 * project's root, or in the nearest of them that has any.
 */
export type ProjectReach = "directory" | "ancestors" | "nearest";

/** What an item is called, from its place in the file system. */
export type NamePart =
  /** The file's name without its ending and without a dot before it. */
  | "stem"
  /** The file's name. */
  | "file"
  /** The name of the directory that holds the file. */
  | "directory"
  /** The way from the pattern's fixed beginning, with colons: `git/commit.md` is `git:commit`. */
  | "path";

/** Patterns of a plugin's row are below its root, and nothing that they find may lead out of it. */
export interface RowPlugin {
  name: string;
  /** Without links. */
  root: string;
  level: ItemLevel;
  /** Its name and a colon come before the name of what it brings. */
  isNamespace: boolean;
  /** What the user has set for it. */
  settings: Readonly<Record<string, string>>;
}

export interface DiscoveryRow {
  source: SourceId;
  kind: KindId;
  /** Patterns that begin with `~/` (the home directory), `@/` (Tau's directory of the user) or `/`. */
  user?: readonly string[];
  /** Patterns below a directory of the project. Segments: a name, a glob, or `**`. */
  project?: readonly string[];
  /** Without it: every ancestor. */
  reach?: ProjectReach;
  name: NamePart;
  /** Whatever the file is called. */
  fixedName?: string;
  /** `name` in the frontmatter comes first. */
  ownName?: true;
  /** The items are the entries of this map in the file; a dotted path, empty for the whole file. */
  members?: string;
  /** The text is under this key of the file (TOML), and the other keys are its frontmatter. */
  bodyKey?: string;
  /** Frontmatter without which it is not used. */
  needs?: readonly string[];
  /** Sets apart what does not compete with the others of its directory. */
  variant?: string;
  /** All of one name count, each in its file: none puts another out of force. */
  addsUp?: true;
  /** Shown, and never used: it is for the other tool alone. */
  isInert?: true;
  plugin?: RowPlugin;
}
