// What a feature brings to the command line: subcommands (`tau grep`), as rows. Help, completions and the
// reference are made from them; the code of one is loaded only when it runs.

import type { ExitCode } from "../exit-code.ts";

export interface CommandLineFeature {
  readonly subcommands: readonly Subcommand[];
}

export interface FlagRow {
  name: string;
  short?: string;
  /** The placeholder of its value in help; a flag without one takes none. */
  value?: string;
  /** The only values it takes. */
  choices?: readonly string[];
  /** What a shell may complete its value with. */
  completes?: "file" | "directory";
  /** It may be given several times; all values are in `repeated`. */
  repeats?: true;
  summary: string;
}

export interface ParsedArgs {
  flags: Readonly<Record<string, string | true | undefined>>;
  /** Of flags that may be given several times: every value, in order. */
  repeated?: Readonly<Record<string, readonly string[]>>;
  positionals: readonly string[];
}

export interface CommandModule {
  run(args: ParsedArgs): Promise<ExitCode>;
}

export interface Subcommand {
  /** Empty for what runs when no command is named. */
  name: string;
  /** Its positional arguments as help shows them. */
  positionals: string;
  /** Completions for the first positional. */
  choices?: readonly string[];
  summary: string;
  flags: readonly FlagRow[];
  examples?: readonly { line: string; what: string }[];
  load: () => Promise<CommandModule>;
}
