// From argv to an exit code. The only place that turns an error into words for a user:
// one sentence for what they can mend, a report for what only we can.

import { keepEnvironment, ownEnvironment } from "@tau/host/process/own-environment";
import { isExpectedFailure } from "../base/expected-failure.ts";
import { resolve } from "node:path";
import { COMMAND, PRODUCT, VERSION } from "../brand.ts";
import { isSwitchedOn } from "../config/environment-value.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { UsageError, UserError } from "../user-error.ts";
import type { FlagRow, ParsedArgs, Subcommand } from "../feature-api/subcommand.ts";
import { COMMAND_NAME, COMMANDS, findCommand } from "./command-table.ts";
import { writeError, writeOutput } from "../base/output.ts";
import { parseCommandLine, UnknownFlag, type ParsedLine } from "./parse.ts";
import { markAsProgram } from "../base/self-command.ts";

export async function enter(argv: readonly string[]): Promise<ExitCode> {
  markAsProgram();
  // Before a flag can be a reason to load an extension.
  keepEnvironment(process.env);
  try {
    const { command, args, brought } = await parsed(argv);
    if (args.flags.version) {
      await writeOutput(`${COMMAND} ${VERSION}\n`);
      return EXIT.done;
    }
    if (args.flags.help) {
      const { commandHelp, generalHelp } = await import("./help.ts");
      await writeOutput(
        command.name === ""
          ? await generalHelp(brought ?? (await helpFlags(args, argv)))
          : commandHelp(command),
      );
      return EXIT.done;
    }
    await adoptEnvironment(args);
    return await (await command.load()).run(args);
  } catch (error) {
    return report(error);
  }
}

/** A flag that Tau does not have may be an extension's: only then is it looked for there. */
async function parsed(
  argv: readonly string[],
): Promise<ParsedLine & { brought?: readonly FlagRow[] }> {
  const commands = await commandsFor(argv);
  try {
    return parseCommandLine(argv, commands);
  } catch (error) {
    if (!(error instanceof UnknownFlag)) throw error;
    const { extensionFlags } = await import("./extension-flags.ts");
    const flags = await extensionFlags(argv);
    if (flags.length === 0) throw error;
    return { ...parseCommandLine(argv, commands, flags), brought: flags };
  }
}

async function helpFlags(
  { flags }: ParsedArgs,
  argv: readonly string[],
): Promise<readonly FlagRow[]> {
  if (flags.extension === undefined && flags.hook === undefined) return [];
  const { namedExtensionFlags } = await import("./extension-flags.ts");
  return namedExtensionFlags(argv);
}

/** Features are asked only about a word that could be a command of theirs: a prompt has no need of them. */
async function commandsFor([word = ""]: readonly string[]): Promise<readonly Subcommand[]> {
  if (findCommand(word) || !COMMAND_NAME.test(word)) return COMMANDS;
  const { allCommands } = await import("./all-commands.ts");
  return allCommands();
}

/** Before any command looks at it: from here on `process.env` is what the user means. */
async function adoptEnvironment({ flags }: ParsedArgs): Promise<void> {
  const { openEnvironment } = await import("../config/open-environment.ts");
  const { env, notices } = await openEnvironment({
    env: ownEnvironment(),
    cwd: directoryIn(flags),
    trustOf: async (cwd, env) => (await import("../trust/project-standing.ts")).trustOf(cwd, env),
    variables: async () => (await import("../features/variables-table.ts")).VARIABLES,
    settings: async () => (await import("../features/settings-table.ts")).SETTINGS_TABLE,
  });
  for (const notice of notices) writeError(`${COMMAND}: ${notice}\n`);
  const before = ownEnvironment();
  if (env === before) return;
  keepEnvironment(env);
  for (const name of Object.keys(before)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && before[name] !== value) process.env[name] = value;
  }
}

/** Undefined where it is gone: whoever needs it says so. */
function directoryIn({ cwd }: ParsedArgs["flags"]): string | undefined {
  try {
    return resolve(typeof cwd === "string" ? cwd : ".");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return undefined;
    throw error;
  }
}

function report(error: unknown): ExitCode {
  if (error instanceof UserError) {
    writeError(`${COMMAND}: ${error.message}\n`);
    if (error instanceof UsageError && error.usage !== undefined) {
      writeError(`usage: ${error.usage}\n       ${COMMAND} --help\n`);
    }
    return error.exitCode;
  }
  if (isExpectedFailure(error)) {
    writeError(`${COMMAND}: ${error.message}\n`);
    return EXIT.failed;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  writeError(`${COMMAND}: a bug in ${PRODUCT}: ${message}\n`);
  if (isSwitchedOn(process.env, "TAU_DEBUG")) writeError(`${stack ?? ""}\n`);
  else writeError(`       set TAU_DEBUG=1 to see where it happened\n`);
  return EXIT.failed;
}
