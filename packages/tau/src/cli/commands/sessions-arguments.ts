// What the verbs of tau sessions have in common: one table of them with what each takes, and
// the sentences for what cannot be meant.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { COMMAND } from "../../brand.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { EXIT } from "../../exit-code.ts";
import { SessionReplaced, UnknownEntry } from "../../session/log/log-error.ts";
import {
  OperationRefused,
  SessionExists,
  SessionMovedOn,
} from "../../session/operations/operation-error.ts";
import type { LogRepair } from "../../session/session-log.ts";
import { explained } from "../../session/session-store.ts";
import { canonicalPath } from "../../base/same-directory.ts";
import { UsageError, UserError } from "../../user-error.ts";

interface VerbRow {
  /** Behind the verb, as help shows it. */
  takes: string;
  flags: readonly string[];
}

export const SESSION_VERBS = {
  list: { takes: "[--all] [--json]", flags: ["all", "json"] },
  show: { takes: "<session>", flags: [] },
  tree: { takes: "<session> [--filter <kind>] [--json]", flags: ["filter", "json"] },
  fork: { takes: "<session> [--to <directory>] [--json]", flags: ["to", "json"] },
  branch: { takes: "<session> <entry> [--to <directory>] [--json]", flags: ["to", "json"] },
  label: { takes: "<session> <entry> [label]", flags: ["json"] },
  rename: { takes: "<session> <title>", flags: ["json"] },
  move: { takes: "<session> <directory>", flags: ["json"] },
  import: { takes: "<file> [--to <directory>] [--new-id]", flags: ["to", "new-id", "json"] },
  export: { takes: "<session> [--format md|html|json]", flags: ["format"] },
  repair: { takes: "<file> [--to <directory>]", flags: ["to", "json"] },
  rm: { takes: "<session> …", flags: ["json"] },
  gc: { takes: "", flags: [] },
} as const satisfies Record<string, VerbRow>;

export type SessionVerb = keyof typeof SESSION_VERBS;

const NAMES = Object.keys(SESSION_VERBS) as SessionVerb[];

/** The verb, with flags that it takes. */
export function readVerb({ flags, positionals }: ParsedArgs): SessionVerb {
  const [name = "list"] = positionals;
  const verb = NAMES.find((known) => known === name);
  if (!verb) {
    const near = suggest(name, NAMES);
    const hint = near ? `did you mean "${near}"?` : `there are ${NAMES.join(", ")}`;
    throw new UsageError(`unknown subcommand "${name}"; ${hint}`, `${COMMAND} sessions <verb> …`);
  }
  const taken: readonly string[] = SESSION_VERBS[verb].flags;
  const stray = Object.keys(flags).find((flag) => !taken.includes(flag));
  if (stray !== undefined) throw wrong(verb, `--${stray} does not apply to ${verb}`);
  return verb;
}

export function wrong(verb: SessionVerb, message: string): UsageError {
  return new UsageError(message, `${COMMAND} sessions ${verb} ${SESSION_VERBS[verb].takes}`.trim());
}

/** The first positional behind the verb; those behind it are the caller's. */
export function sessionArgument(verb: SessionVerb, args: readonly string[]): string {
  const [name] = args;
  if (name === undefined || name === "") throw wrong(verb, "name one session");
  return name;
}

export function noMore(verb: SessionVerb, args: readonly string[], most: number): void {
  if (args.length <= most) return;
  const what = most === 1 ? "name one session" : `"${args[most]}" is one argument too many`;
  throw wrong(verb, what);
}

/** An existing directory, links resolved. */
export function directoryArgument(wanted: string): string {
  const path = resolve(wanted);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    const why = stat ? "is not a directory" : "does not exist";
    throw new UserError(`${path} ${why}; name the directory to work in`, EXIT.usage);
  }
  return canonicalPath(path);
}

const REFUSALS = [SessionExists, OperationRefused, SessionMovedOn, SessionReplaced, UnknownEntry];

/** What an operation refuses is one sentence for the user. */
export function attempted<T>(path: string, work: () => Promise<T>): Promise<T> {
  return explained(path, async () => {
    try {
      return await work();
    } catch (error) {
      const isRefusal = REFUSALS.some((refusal) => error instanceof refusal);
      if (error instanceof Error && isRefusal) throw new UserError(asSentence(error.message));
      throw error;
    }
  });
}

/** As the other sentences at the prompt: they begin small and end without a stop. */
function asSentence(message: string): string {
  const plain = message.replace(/\.$/, "");
  return /^[A-Z][a-z]* /.test(plain) ? plain[0]!.toLowerCase() + plain.slice(1) : plain;
}

export function tellRepairs(repairs: readonly LogRepair[]): void {
  for (const repair of repairs) writeError(`${COMMAND}: ${repair.message}\n`);
}

const ID_CHARACTERS = 8;

/** The beginnings of time-ordered ids are alike; their ends are not. */
export function shortId(id: string): string {
  return id.slice(-ID_CHARACTERS);
}

/** For people, or the same for programs. */
export async function tell(flags: ParsedArgs["flags"], text: string, data: unknown): Promise<void> {
  await writeOutput(flags.json ? `${JSON.stringify(data, null, 2)}\n` : `${text}\n`);
}
