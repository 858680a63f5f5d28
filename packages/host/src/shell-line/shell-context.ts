// What is known before a command line runs: where it runs, what belongs to whom, and which names
// of the shell mean something else than the programs they look like.

import type { CodeMemory } from "../code-reading/code-memory.ts";

/** The kernels that run code of cells. */
export interface CodeSession {
  python: CodeMemory;
  javascript: CodeMemory;
}

export interface ShellContext {
  /** Absolute, as are all paths here. */
  cwd: string;
  home: string;
  /** What the work is about: changing it is what the agent is for. */
  workspace: string;
  temporary: readonly string[];
  /** Functions and aliases of the shell that will run the line. */
  names?: ReadonlySet<string>;
  /** Values that the shell is known to have, such as TMPDIR. */
  variables?: Readonly<Record<string, string>>;
  /** What a place is that nobody changes unasked, as a noun phrase. */
  guards?: (path: string) => string | undefined;
  /** What a file holds whose reading is reading secrets. */
  secrets?: (path: string) => string | undefined;
  /** The same for a directory that is read with all that is in it. */
  secretsBelow?: (directory: string) => string | undefined;
  /** Where a path leads once links are followed; the path itself need not be tidy. */
  real?: (path: string) => string;
  /** Files that came from the network with earlier lines. */
  downloaded?: ReadonlySet<string>;
  /** What cells have defined, if the code of the line is that of cells. */
  code?: CodeSession;
  /** Whether git runs programs in this directory because the repository's settings say so. */
  repositoryRuns?: (directory: string) => boolean;
}
