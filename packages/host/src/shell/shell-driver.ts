// What a shell must be able to be told, whichever it is. Everything above (sessions, pools, the
// tools) is the same for bash, PowerShell and cmd; they differ in these words only.

/** In the environment of everything that one shell starts; each shell has a value of its own. */
export const SHELL_MARK_VARIABLE = "TAU_SHELL";

export interface CommandPlace {
  /** For this command only. */
  cwd?: string;
  /** Wherever the command goes, the shell is back afterwards. Bash only. */
  returns?: boolean;
  env?: Readonly<Record<string, string>>;
}

export interface ShellDriver {
  readonly name: "bash" | "powershell" | "cmd";
  /** Where it is looked for when nobody names a program. */
  readonly program: string;
  /** Behind the program: no startup files, no questions, commands from standard input. */
  readonly arguments: readonly string[];
  /**
   * `session`: one process runs command after command. `command`: a process each, where a shell's
   * own input is also that of what it runs; directory and variables are carried over.
   */
  readonly lifetime: "session" | "command";
  /** Longer commands go through a file. */
  readonly maxInlineCharacters: number;
  /** How the names of what it reads end. */
  readonly fileSuffix: string;
  /** Its last line: without it what a shell wrote down is not whole and not used. */
  readonly stateEnd: string;
  /** Has the shell write down what it is, for others that begin like it; empty where it does so itself. */
  readonly keepLine: string;
  /** It is what it is to be: from now on it may write down what it is. */
  readonly readyLine: string;
  /** Read by the shell when it starts. It writes down what it is beside `statePath`, as `.new`. */
  setup(statePath: string): string;
  /** Goes on from what a shell wrote down. */
  restore(statePath: string): string;
  enter(directory: string): string;
  /** Makes a file whatever the shell was told to do before its commands; absent if none can be kept from running. */
  probe?(path: string): string;
  /** One command; `token` stands behind its output, then the status, the directory and `\x1e`. */
  command(command: string, token: string, place?: CommandPlace): string;
  /** One whose text is in a file. */
  fileCommand(path: string, token: string, place?: CommandPlace): string;
}
