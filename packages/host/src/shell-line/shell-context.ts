// What is known before a command line runs: where it runs, what belongs to whom, and which names
// of the shell mean something else than the programs they look like.

import type { CodeMemory } from "../code-reading/code-memory.ts";
import type { FunctionDefinition } from "./syntax-tree.ts";

/** The text of a file, or why it cannot be had. */
export type FileContent = { text: string } | { problem: "binary" | "too long" };

export interface ShellDefinition {
  kind: "alias" | "function";
  text: string;
}

/** The kernels that run code of cells. */
export interface CodeSession {
  python: CodeMemory;
  javascript: CodeMemory;
}

/** What earlier lines have left that changes what a later one does. */
export interface LeftByLines {
  /** IFS is not what it was: nobody knows how values are split. */
  isSplittingOdd: boolean;
  /** Remotes of git that were added or pointed elsewhere; "" is the one that is meant without a name. */
  remotes: ReadonlySet<string>;
  /** Secrets that were put into the repository, and go with a push. */
  kept: ReadonlySet<string>;
  /** Files that hold secrets because of what was put there. */
  carried: ReadonlyMap<string, readonly string[]>;
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
  /** Functions of that shell whose text is known; they are not among `names`. */
  functions?: ReadonlyMap<string, FunctionDefinition>;
  /** Of those that are no programs: aliases as they stand, functions with their definitions. */
  definitions?: ReadonlyMap<string, ShellDefinition>;
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
  /** Whether there is such a file. */
  exists?: (path: string) => boolean;
  /** Files that came from the network with earlier lines. */
  downloaded?: ReadonlySet<string>;
  left?: LeftByLines;
  /** Files of this name that the session has written, if its PATH may lead to them. */
  writtenNamed?: (name: string) => readonly string[];
  /** Those that the session has written and whose paths begin so: what a pattern may mean. */
  writtenBelow?: (prefix: string) => readonly string[];
  /** Whether this session has written the file, so that nobody else has read what is in it. */
  isWritten?: (path: string) => boolean;
  /** What is in a file now; undefined if it is not there. */
  contentOf?: (path: string) => FileContent | undefined;
  /** What cells have defined, if the code of the line is that of cells. */
  code?: CodeSession;
  /** Whether git runs programs in this directory because the repository's settings say so. */
  repositoryRuns?: (directory: string) => boolean;
}
