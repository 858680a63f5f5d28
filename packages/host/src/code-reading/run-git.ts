// Libraries that drive git: what they are told is a command line of git.

import type { CodeReader } from "./code-reader.ts";
import { DATA, exactly, list, text, type Args, type Value } from "./code-value.ts";
import { runCommand } from "./run-command.ts";

/** Their methods that change something; others only look. */
export const GIT_METHODS: readonly string[] =
  `push clean reset checkout branch gc rm stash tag fetch pull merge rebase clone
  filter_branch update_ref reflog config remote restore switch prune delete_head delete_tag delete_remote raw execute`.split(
    /\s+/,
  );
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  delete_head: ["branch", "-D"],
  delete_tag: ["tag", "-d"],
  delete_remote: ["remote", "remove"],
  raw: [],
};

/** `repo.git.push("--force")`, `repo.remote().push(force=True)` */
export function runGit(
  reader: CodeReader,
  repository: Value | undefined,
  method: string,
  { positional, named, isOpen }: Args,
): Value {
  const words = OTHER_NAMES[method] ?? [method.replaceAll("_", "-")];
  const options = [...named].flatMap(([name, value]) => {
    const option = text(name.length === 1 ? `-${name}` : `--${name.replaceAll("_", "-")}`);
    return value.kind === "known" ? (value.name === "True" ? [option] : []) : [option, value];
  });
  const given = positional
    .filter(({ kind }) => kind !== "function" && kind !== "record")
    .flatMap((each) => (each.kind === "list" ? each.items : [each]));
  const directory = repository?.kind === "made" ? repository.target : undefined;
  const line =
    method === "execute"
      ? list(given, isOpen)
      : list([text("git"), ...words.map((word) => text(word)), ...options, ...given], isOpen);
  const isHere = directory === undefined || exactly(directory) === ".";
  runCommand(reader, line, isHere ? {} : { directory });
  return repository ?? DATA;
}
