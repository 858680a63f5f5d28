// Completion scripts, generated from the command table: a flag added there completes
// here without another edit. So do the flags of the extensions that there are when the script is made.

import { ownEnvironment } from "@tau/host/process/own-environment";
import { currentDirectory } from "../../base/working-directory.ts";
import { COMMAND } from "../../brand.ts";
import { openUserSettings } from "../../features/open-user-settings.ts";
import { allCommands } from "../all-commands.ts";
import { findCommand, GLOBAL_FLAGS, RUN_COMMAND, SHELLS } from "../command-table.ts";
import type { Subcommand, FlagRow, ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { UsageError, usageLine } from "../../user-error.ts";

export async function run(args: ParsedArgs): Promise<ExitCode> {
  const [shell] = args.positionals;
  const write = shell === undefined ? undefined : WRITERS[shell as (typeof SHELLS)[number]];
  if (!write) {
    const given = shell === undefined ? "name a shell" : `"${shell}" is not a supported shell`;
    const row = findCommand("completions")!;
    throw new UsageError(`${given}: ${SHELLS.join(", ")}`, usageLine(row));
  }
  await writeOutput(write(await allCommands(), await runCommand(args)));
  return EXIT.done;
}

/** A shell reads the script: what is not plainly the name of a flag is left out. */
const FLAG_NAME = /^[a-zA-Z\d][\w-]*$/;

/** What completes without a command, with what extensions add to it. */
async function runCommand(args: ParsedArgs): Promise<Subcommand> {
  const { extensionWishOf, featuresWithExtensions } = await import("../extension-settings.ts");
  const place = { env: ownEnvironment(), cwd: currentDirectory() };
  const settings = await openUserSettings(place);
  const features = await featuresWithExtensions({ ...place, settings }, extensionWishOf(args));
  const brought = features
    .flatMap(({ flags = [] }) => flags)
    .filter(({ name }) => FLAG_NAME.test(name))
    .map(({ name, value, summary }): FlagRow => {
      const words = summary.replaceAll(/\s+/g, " ").replaceAll(/[\x00-\x1f\x7f]/g, "");
      return { name, value: value === undefined ? undefined : "value", summary: words };
    });
  return { ...RUN_COMMAND, flags: [...RUN_COMMAND.flags, ...brought] };
}

type Writer = (commands: readonly Subcommand[], runCommand: Subcommand) => string;

const WRITERS: Record<(typeof SHELLS)[number], Writer> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function flagsOf(command: Subcommand): FlagRow[] {
  return [...command.flags, ...GLOBAL_FLAGS];
}

function flagWords(command: Subcommand): string[] {
  return flagsOf(command).flatMap(({ name, short }) => [
    `--${name}`,
    ...(short ? [`-${short}`] : []),
  ]);
}

function flagPattern(flag: FlagRow): string {
  return flag.short ? `--${flag.name}|-${flag.short}` : `--${flag.name}`;
}

function bashScript(commands: readonly Subcommand[], runCommand: Subcommand): string {
  const valued = [runCommand, ...commands].flatMap(flagsOf).filter((flag) => flag.value);
  const values = valued.map((flag) => {
    const words =
      flag.completes === "directory"
        ? `$(compgen -d -- "$cur")`
        : flag.completes === "file"
          ? `$(compgen -f -- "$cur")`
          : `$(compgen -W "${(flag.choices ?? []).join(" ")}" -- "$cur")`;
    return `    ${flagPattern(flag)}) COMPREPLY=(${words}); return ;;`;
  });
  const cases = commands.map((command) => {
    const words = [...(command.choices ?? []), ...flagWords(command)].join(" ");
    return `    ${command.name}) words="${words}" ;;`;
  });
  const first = [...commands.map((command) => command.name), ...flagWords(runCommand)].join(" ");
  return `# bash completion for ${COMMAND}
_${COMMAND}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words
  case $prev in
${values.join("\n")}
  esac
  case $cur in
    @*) COMPREPLY=($(compgen -P @ -f -- "\${cur#@}")); return ;;
  esac
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
    *) words="${flagWords(runCommand).join(" ")}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${first}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _${COMMAND} ${COMMAND}
`;
}

function zshScript(commands: readonly Subcommand[], runCommand: Subcommand): string {
  const quote = (text: string): string => text.replaceAll("'", "'\\''").replace(/[[\]:]/g, "\\$&");
  const spec = (flag: FlagRow): string => {
    const action =
      flag.completes === "directory"
        ? "_files -/"
        : flag.completes === "file"
          ? "_files"
          : flag.choices
            ? `(${flag.choices.join(" ")})`
            : " ";
    const value = flag.value ? `:${quote(flag.value)}:${action}` : "";
    const body = `[${quote(flag.summary)}]${value}`;
    const long = `--${flag.name}`;
    return flag.short
      ? `    '(-${flag.short} ${long})'{-${flag.short},${long}}'${body}'`
      : `    '${long}${body}'`;
  };
  const describe = commands.map((row) => `    '${row.name}:${quote(row.summary)}'`);
  const cases = commands.map((row) => {
    const first = row.choices ? ` \\\n    '1: :(${row.choices.join(" ")})'` : "";
    return `  ${row.name})\n    shift words; (( CURRENT-- ))\n    _arguments \\\n${flagsOf(row).map(spec).join(" \\\n")}${first}\n    return ;;`;
  });
  return `#compdef ${COMMAND}
_${COMMAND}() {
  local -a commands=(
${describe.join("\n")}
  )
  case $words[2] in
${cases.join("\n")}
  esac
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
  fi
  if [[ $PREFIX == @* ]]; then
    compset -P @
    _files
    return
  fi
  _arguments \\
${flagsOf(runCommand).map(spec).join(" \\\n")} \\
    '*: :_files'
}
if [ "$funcstack[1]" = "_${COMMAND}" ]; then _${COMMAND} "$@"; else compdef _${COMMAND} ${COMMAND}; fi
`;
}

function fishScript(commands: readonly Subcommand[], runCommand: Subcommand): string {
  const quote = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  const names = commands.map((row) => row.name).join(" ");
  const flagLine = (flag: FlagRow, condition: string): string =>
    [
      `complete -c ${COMMAND} -n '${condition}'`,
      flag.short ? `-s ${flag.short}` : "",
      `-l ${flag.name}`,
      flag.value ? "-r" : "",
      flag.choices ? `-fa '${flag.choices.join(" ")}'` : "",
      flag.completes === "directory" ? "-fa '(__fish_complete_directories)'" : "",
      `-d '${quote(flag.summary)}'`,
    ]
      .filter(Boolean)
      .join(" ");
  const lines = [`# fish completion for ${COMMAND}`];
  const none = `not __fish_seen_subcommand_from ${names}`;
  for (const row of commands) {
    lines.push(
      `complete -c ${COMMAND} -n '__fish_use_subcommand' -a ${row.name} -d '${quote(row.summary)}'`,
    );
    const seen = `__fish_seen_subcommand_from ${row.name}`;
    if (row.choices)
      lines.push(`complete -c ${COMMAND} -n '${seen}' -fa '${row.choices.join(" ")}'`);
    for (const flag of flagsOf(row)) lines.push(flagLine(flag, seen));
  }
  for (const flag of flagsOf(runCommand)) lines.push(flagLine(flag, none));
  return `${lines.join("\n")}\n`;
}
