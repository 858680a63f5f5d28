// tau trust: what of a project would run or redirect Tau, and the user's word on it.

import { currentDirectory } from "../../base/working-directory.ts";
import { relative } from "node:path";
import { COMMAND } from "../../brand.ts";
import { findCommand } from "../command-table.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { openUserSettings } from "../../features/open-user-settings.ts";
import { agentDirectory, homeOf } from "../../config/places.ts";
import { discover } from "../../discovery/discover.ts";
import type { DiscoveredItem } from "../../discovery/item.ts";
import { KINDS } from "../../discovery/kinds.ts";
import { disabledSourcesFrom } from "../../discovery/settings.ts";
import { wrapped } from "../../trust/show-sources.ts";
import { shownJson, shownText } from "../../discovery/shown-text.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { describeProblem } from "../../base/config-problem.ts";
import { styleFor, type Style } from "../../base/style.ts";
import { decideTrust, projectTrust, type ProjectTrust } from "../../trust/project-trust.ts";
import { subjectEffects } from "../../trust/subject-effects.ts";
import { UsageError, UserError, usageLine } from "../../user-error.ts";
import { directoryArgument } from "./sessions-arguments.ts";
import { TRUST_KINDS } from "../../trust/trust-subject.ts";

export const TRUST_VERBS = ["status", "allow", "deny"] as const;

type Verb = (typeof TRUST_VERBS)[number];

interface Told {
  trust: ProjectTrust;
  /** What stays where it is whatever the user says. */
  refused: readonly DiscoveredItem[];
  effects: ReadonlyMap<string, readonly string[]>;
}

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [word = "status", given, ...more] = positionals;
  const verb = verbOf(word);
  if (more.length > 0) {
    throw new UsageError(`"${more[0]}" is one argument too many`, usage());
  }
  const env = process.env;
  const cwd = directoryArgument(given ?? currentDirectory());
  const settings = await openUserSettings({ env, cwd });
  const place = { cwd, home: homeOf(env), agentDirectory: agentDirectory(env) };
  const { items, problems, places } = await discover({
    ...place,
    kinds: TRUST_KINDS,
    disabledSources: disabledSourcesFrom(settings),
  });
  for (const problem of problems)
    writeError(`${COMMAND}: ${shownText(describeProblem(problem))}\n`);
  const trusting = { root: places.root, agentDirectory: place.agentDirectory };
  let trust = await projectTrust(trusting, items);
  if (verb !== "status") {
    const doubtful = trust.subjects.find(({ unvouchable }) => unvouchable !== undefined);
    if (verb === "allow" && doubtful) {
      const why = `${doubtful.id} cannot be allowed: ${doubtful.unvouchable}; remove it first`;
      throw new UserError(shownText(why));
    }
    // About what was found just now, whatever is written to these files meanwhile.
    await decideTrust(trusting, verb, trust.subjects);
    trust = await projectTrust(trusting, items);
  }
  const effects = new Map<string, readonly string[]>();
  for (const subject of trust.subjects) {
    effects.set(subject.id, await subjectEffects(subject, items, places));
  }
  const refused = items.filter(({ level, heldBack }) => level === "project" && heldBack);
  const told = { trust, refused, effects };
  const style = styleFor(process.stdout, isTerminal(1) ? env : { NO_COLOR: "1" });
  await writeOutput(flags.json ? inJson(told) : inWords(told, style));
  return EXIT.done;
}

function inJson({ trust, refused, effects }: Told): string {
  const { state, root, why, changes, isDenied, subjects } = trust;
  const how = new Map(changes.map((change) => [change.id, change.how]));
  const data = {
    root,
    state,
    why,
    isDenied,
    items: subjects.map(({ id, kind, item, hash, unvouchable }) => ({
      id,
      kind,
      ...(item && { name: item.name, source: item.source, path: item.path }),
      does: effects.get(id) ?? [],
      isHeldBack: state !== "trusted",
      ...(hash !== undefined && { hash }),
      ...(unvouchable !== undefined && { unvouchable }),
      ...(how.has(id) && { change: how.get(id) }),
    })),
    refused: refused.map(({ kind, name, path, heldBack }) => ({ kind, name, path, ...heldBack })),
  };
  return `${shownJson(data)}\n`;
}

function inWords({ trust, refused, effects }: Told, style: Style): string {
  const { state, root, why, changes, subjects } = trust;
  const lines = [`${style.bold(shownText(root))}: ${state}`, ...wrapped(shownText(why), "")];
  if (subjects.length === 0) lines.push("", "Nothing here would run or redirect Tau.");
  else {
    const heading = state === "trusted" ? "In force:" : "Held back:";
    lines.push("", style.bold(heading));
    for (const { id, kind, item } of subjects) {
      const change = changes.find((one) => one.id === id);
      const mark = change ? ` (${change.how})` : "";
      const name = item?.member ? ` ${item.name}` : "";
      lines.push(...wrapped(`${KINDS[kind].one}${shownText(name)}: ${shownText(id)}${mark}`, "  "));
      for (const line of effects.get(id) ?? []) lines.push(...wrapped(shownText(line), "      "));
    }
  }
  if (refused.length > 0) {
    lines.push("", style.bold("Cannot be allowed:"));
    for (const { kind, name, path, heldBack } of refused) {
      const text = `${KINDS[kind].one} ${name}: ${relative(root, path)}: ${heldBack!.why}`;
      lines.push(...wrapped(shownText(text), "  "));
    }
  }
  if (state !== "trusted" && subjects.length > 0) {
    lines.push("", `Allow exactly this with \`${COMMAND} trust allow\`.`);
  }
  return `${lines.join("\n")}\n`;
}

function verbOf(word: string): Verb {
  const verb = TRUST_VERBS.find((known) => known === word);
  if (verb) return verb;
  const near = suggest(word, TRUST_VERBS);
  const hint = near ? `did you mean "${near}"?` : `there are ${TRUST_VERBS.join(", ")}`;
  throw new UsageError(`unknown verb "${word}"; ${hint}`, usage());
}

function usage(): string {
  return usageLine(findCommand("trust")!);
}
