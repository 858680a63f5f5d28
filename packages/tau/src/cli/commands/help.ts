import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { allCommands } from "../all-commands.ts";
import { findCommand } from "../command-table.ts";
import { commandHelp, generalHelp } from "../help.ts";
import { writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { UsageError } from "../../user-error.ts";

export async function run(args: ParsedArgs): Promise<ExitCode> {
  const [name] = args.positionals;
  const commands = await allCommands();
  const command = name === undefined ? undefined : findCommand(name, commands);
  if (name !== undefined && !command) {
    const names = commands.map((row) => row.name);
    const near = suggest(name, names);
    const hint = near ? `did you mean "${near}"?` : `the commands are ${names.join(", ")}`;
    throw new UsageError(`unknown command "${name}"; ${hint}`);
  }
  await writeOutput(command ? commandHelp(command) : await generalHelp());
  return EXIT.done;
}
