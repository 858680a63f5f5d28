// A copy of the whole project that goes to another machine, with whatever nobody else is to see. Whoever
// leaves something out has thought about what goes along.

import { targetsOf, type CommandCall } from "./command-call.ts";
import type { Field } from "./field.ts";
import { isOwnMachine } from "./own-machine.ts";

const ALL = "the whole project, with the secrets that may be in it";
const SPARING =
  /^(?:--(?:exclude|include|filter|files-from|cvs-exclude|ignore|dry-run|list-only|delete)\S*|-[a-zA-Z]*[CFn][a-zA-Z]*)$/;

export function noteWholeProject(call: CommandCall, sources: readonly Field[]): void {
  const { args, effects } = call;
  if (args.some(({ text }) => SPARING.test(text ?? ""))) return;
  const host = args.at(-1)?.prefix.replace(/^\w+@/, "").replace(/:.*$/s, "");
  if (host !== undefined && isOwnMachine(host)) return;
  const isWhole = sources.some((field) =>
    targetsOf(call, field).some(({ place, isRoot }) => place === "inside" && isRoot),
  );
  if (!isWhole) return;
  effects.network = true;
  effects.sends = true;
  if (!effects.readsSecrets.includes(ALL)) effects.readsSecrets.push(ALL);
}
