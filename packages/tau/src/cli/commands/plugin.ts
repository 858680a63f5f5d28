// `tau plugin`: packages that bring extensions, skills, commands, agents, rules, hooks and servers.

import { suggest } from "../../base/suggest.ts";
import type { ExitCode } from "../../exit-code.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { UsageError, usageLine } from "../../user-error.ts";
import { findCommand } from "../command-table.ts";
import { pluginCommand, type PluginCommand } from "../plugin/plugin-place.ts";

/** `alias` is what other programs of this kind call it. */
type Verb = (command: PluginCommand, args: readonly string[]) => Promise<ExitCode>;

const manage = () => import("../plugin/manage-command.ts");
const installing = () => import("../plugin/install-command.ts");
const markets = () => import("../plugin/marketplace-command.ts");

export const VERBS: Readonly<Record<string, Verb>> = {
  install: async (command, args) => {
    // Without a name: what the lockfile has.
    if (args.length === 0) return (await import("../plugin/restore-command.ts")).restore(command);
    const { install } = await installing();
    return install(command, one(args, "install"));
  },
  remove: async (command, args) => {
    const { remove } = await manage();
    one(args.slice(0, 1), "remove");
    return remove(command, args);
  },
  list: async (command) => (await manage()).list(command),
  update: async (command, args) => (await installing()).update(command, args),
  enable: async (command, args) => (await manage()).setEnabled(command, one(args, "enable"), true),
  disable: async (command, args) =>
    (await manage()).setEnabled(command, one(args, "disable"), false),
  link: async (command, args) => (await manage()).link(command, one(args, "link")),
  config: async (command, [name, ...args]) =>
    (await manage()).configure(command, one(name === undefined ? [] : [name], "config"), args),
  doctor: async (command) => (await manage()).doctor(command),
  show: async (command, args) => (await installing()).show(command, one(args, "show")),
  search: async (command, args) => (await markets()).search(command, args),
  marketplace: async (command, args) => (await markets()).marketplace(command, args),
};

export async function run(args: ParsedArgs): Promise<ExitCode> {
  const [word = "list", ...rest] = args.positionals;
  const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
  if (!verb) throw unknownVerb(word, "plugin", Object.keys(VERBS));
  return verb(await pluginCommand(args), rest);
}

export function unknownVerb(word: string, command: string, verbs: readonly string[]): UsageError {
  const near = suggest(word, verbs);
  const hint = near ? `did you mean "${near}"?` : `there are ${verbs.join(", ")}`;
  return new UsageError(`unknown verb "${word}"; ${hint}`, usageLine(findCommand(command)!));
}

function one(args: readonly string[], verb: string): string {
  const [first, second] = args;
  if (first !== undefined && second === undefined) return first;
  const problem = first === undefined ? "needs a name" : "takes one name";
  throw new UsageError(`tau plugin ${verb} ${problem}`, usageLine(findCommand("plugin")!));
}
