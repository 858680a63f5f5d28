// `cmake -E` is a box of file commands, `cmake -P` runs a script, and some definitions are programs.

import type { CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { judgeProgramValue } from "../judge-unknown.ts";

/** The command of the shell that does the same. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  remove: ["rm", "-f"],
  remove_directory: ["rm", "-rf"],
  rm: ["rm"],
  rename: ["mv"],
  copy: ["cp"],
  copy_if_different: ["cp"],
  copy_if_newer: ["cp"],
  copy_directory: ["cp", "-r"],
  copy_directory_if_different: ["cp", "-r"],
  make_directory: ["mkdir", "-p"],
  create_symlink: ["ln", "-s"],
  create_hardlink: ["ln"],
  touch: ["touch"],
  touch_nocreate: ["touch"],
  tar: ["tar"],
  env: ["env"],
  time: ["time"],
  cat: ["cat"],
  echo: ["echo"],
};
const WRITING =
  /\b(?:file\s*\(\s*(?:REMOVE|WRITE|APPEND|RENAME|COPY|INSTALL|DOWNLOAD|UPLOAD|CREATE_LINK|ARCHIVE|CHMOD|TOUCH|GENERATE|MAKE_DIRECTORY)\w*|execute_process|exec_program|configure_file|include\s*\(\s*["']?[/~]|write_file|try_run|cmake_language\s*\(\s*EVAL|set\s*\(\s*ENV)/i;

export function judgeCmake(call: CommandCall): void {
  const { args, effects, input } = call;
  const at = args.findIndex(({ text }) => text === "-E");
  if (at >= 0) judgeBox(call, args[at + 1], args.slice(at + 2));
  const script = args.findIndex(({ text }) => text === "-P");
  if (script >= 0 && /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(args[script + 1]?.text ?? "")) {
    if (input.text === undefined ? input.isPresent : WRITING.test(input.text))
      effects.unknown.push("its script may delete, write or run something");
  }
  args.forEach(({ text = "" }, index) => {
    const glued = /^-D(.+)$/s.exec(text)?.[1];
    const definition = glued ?? (args[index - 1]?.text === "-D" ? text : undefined);
    const [, name, value] = /^([\w.]+)(?::\w+)?=(.*)$/s.exec(definition ?? "") ?? [];
    if (name === undefined || value === undefined || value === "") return;
    if (
      /_(?:LAUNCHER|EMULATOR|LINKER_LAUNCHER)$|^CMAKE_\w*(?:RULE_LAUNCH\w*|CPPCHECK|CLANG_TIDY|INCLUDE_WHAT_YOU_USE|LINK_WHAT_YOU_USE)$/.test(
        name,
      )
    )
      judgeProgramValue(call, knownField(value.replaceAll(";", " ")));
  });
}

function judgeBox(call: CommandCall, verb: Field | undefined, rest: readonly Field[]): void {
  const name = verb?.text ?? "";
  if (name === "chdir") {
    const directory = rest[0]?.text;
    const words = rest.slice(1).map(({ text }) => text);
    if (directory === undefined || words.includes(undefined))
      call.effects.unknown.push("its command is only known when it runs");
    else
      call.walk.runText(
        call,
        [`cd ${quoted(directory)} &&`, ...words.map((word) => quoted(word!))].join(" "),
      );
  } else if (Object.hasOwn(SAME, name))
    call.walk.runArguments(call, [...SAME[name]!.map((word) => knownField(word)), ...rest]);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
