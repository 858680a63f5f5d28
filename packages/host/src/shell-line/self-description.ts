// `--version` and `--help`: a familiar program that is asked nothing else only tells about itself. With
// anything else beside them nobody knows which of the two it does, so the flag counts for nothing.

import { exactText, type Field } from "./field.ts";
import { isLosingWord } from "./programs/losing-words.ts";

const ALONE = /^(?:--version|--help|-version|-help)$/;
const HELP = /^(?:--help|-h)$/;
/** What follows them is somebody else's, and gets the flag. */
const HANDING_ON = /^(?:run|exec|x|dlx|tool|call|shell|ssh|start|test|create|init)$/;
/** A subcommand has a word or two more. */
const MAX_WORDS = 3;

/** `gcc --version` */
export function tellsAboutItself(args: readonly Field[]): boolean {
  return args.length === 1 && ALONE.test(exactText(args[0]) ?? "");
}

/** `terraform plan --help`, of a tool with subcommands. */
export function tellsAboutSubcommand(args: readonly Field[]): boolean {
  const words = args.map((field) => exactText(field) ?? "?");
  const subcommands = words.slice(0, -1);
  return (
    subcommands.length <= MAX_WORDS &&
    HELP.test(words.at(-1) ?? "") &&
    subcommands.every((word) => /^[a-z][a-z0-9-]*$/.test(word) && !isLosingWord(word)) &&
    !subcommands.slice(0, -1).some((word) => HANDING_ON.test(word))
  );
}

/** Shells obey the rest of their arguments as if the flag were not there, as far as anybody can tell. */
export function withoutFlags(name: string, args: readonly Field[]): readonly Field[] {
  if (args.length < 2 || !/^(?:ba|da|z|k|a|fi)?sh$/.test(name)) return args;
  return args.filter((field) => !/^--(?:version|help)$/.test(exactText(field) ?? ""));
}
