// What is known before a command line runs: where it runs, what belongs to whom, and which names
// of the shell mean something else than the programs they look like.

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
}
