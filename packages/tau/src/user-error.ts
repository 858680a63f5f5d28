// A failure that is the user's to mend: one sentence that says what to do, an exit code,
// no stack trace. Everything else that reaches the front door is a bug and says so.

import { COMMAND } from "./brand.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

export class UserError extends Error {
  override readonly name = "UserError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line makes no sense; `usage` is the line that would. */
export class UsageError extends UserError {
  readonly usage: string | undefined;

  constructor(message: string, usage?: string) {
    super(message, EXIT.usage);
    this.usage = usage;
  }
}

/** How a command is called. */
export function usageLine(command: { name: string; positionals: string }): string {
  return [COMMAND, command.name, "[flags]", command.positionals].filter(Boolean).join(" ");
}
