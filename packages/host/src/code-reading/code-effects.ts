// What a piece of Python or JavaScript would do, in the words of `shell-line/command-effects.ts`:
// paths as far as they are known, and the command lines that it starts. Where the paths lead and
// what the commands do is for the judge of command lines, so that there is one judge.

/** A path as the code gives it: its whole text, or how it begins. `~` stands for itself. */
export interface CodePath {
  /** Undefined if it depends on what is only known when the code runs. */
  text: string | undefined;
  /** What it certainly begins with; empty if even that is open. */
  prefix: string;
  /** Some name that the text matches as a pattern of the shell. */
  isPattern?: boolean;
}

export interface CodeEffects {
  reads: CodePath[];
  /** Read with all that is in them. */
  deepReads: CodePath[];
  /** May come to be. */
  writes: CodePath[];
  overwrites: CodePath[];
  deletes: CodePath[];
  /** Other names for the same thing: links that it makes, and what it moves. Absolute or as a path. */
  links: { path: string; target: string }[];
  /** Modules that it loads, as files beside it. */
  loads: CodePath[];
  /** Command lines that it runs, in the order in which they are met. */
  commands: string[];
  network: boolean;
  sends: boolean;
  downloads: boolean;
  downloadsAndExecutes: boolean;
  /** What it puts into files; undefined if that is not known. */
  written: { path: CodePath; text: string | undefined }[];
  /** What came from the network. */
  downloaded: CodePath[];
  /** Secrets that are no files: "the environment", "$GITHUB_TOKEN". */
  readsSecrets: string[];
  /** Why it is critical, and why it cannot be judged; clauses without a subject. */
  critical: string[];
  unknown: string[];
}

/** Characters. Nobody writes more by hand, and reading it would take too long: longer code asks. */
export const MAX_CODE = 200_000;

export function noCodeEffects(): CodeEffects {
  return {
    reads: [],
    deepReads: [],
    writes: [],
    overwrites: [],
    deletes: [],
    links: [],
    loads: [],
    commands: [],
    network: false,
    sends: false,
    downloads: false,
    downloadsAndExecutes: false,
    written: [],
    downloaded: [],
    readsSecrets: [],
    critical: [],
    unknown: [],
  };
}
