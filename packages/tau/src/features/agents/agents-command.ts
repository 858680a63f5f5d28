// tau agents: who works for the sessions of this directory, and what came of the others. It only reads.

import { padRow, sanitize } from "@tau/tui/width";
import { isTerminal } from "../../base/is-terminal.ts";
import { writeError, writeOutput } from "../../base/output.ts";
import { suggest } from "../../base/suggest.ts";
import { currentDirectory } from "../../base/working-directory.ts";
import { COMMAND } from "../../brand.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import type { ParsedArgs } from "../../feature-api/subcommand.ts";
import { findSession } from "../../session/listing/find-session.ts";
import { listSessions } from "../../session/listing/list-sessions.ts";
import { readSessionInfo } from "../../session/listing/session-info.ts";
import { openSession } from "../../session/log/open-session.ts";
import { SessionStore } from "../../session/session-store.ts";
import { counted } from "../../tools/render/call-values.ts";
import { wholeSeconds } from "../../tools/render/seconds.ts";
import { UsageError, usageLine, UserError } from "../../user-error.ts";
import { AGENTS_COMMAND } from "./command-line.ts";
import { listAgents, type ListedAgent } from "./list-logged.ts";

/** As `tau sessions` shows them. */
const ID_CHARACTERS = 8;

interface Listed {
  id: string;
  name: string;
  agents: readonly ListedAgent[];
}

export async function run({ flags, positionals }: ParsedArgs): Promise<ExitCode> {
  const [verb, name, ...more] = positionals;
  if (verb !== undefined && verb !== "show") throw wrong(`there is no "${verb}"`);
  if (verb === "show" && name === undefined) throw wrong("say which agent to show");
  if (more.length > 0) throw wrong(`"${more[0]}" is too much`);
  if (flags.all === true && flags.session !== undefined) {
    throw wrong("--all and --session exclude one another");
  }
  const store = new SessionStore({ env: process.env, cwd: currentDirectory() });
  const isOfAll = flags.all === true || verb === "show";
  const sessions = await choose(store, flags.session, isOfAll);
  if (verb === "show") return show(store, sessions, name!);
  if (flags.json === true) {
    await writeOutput(
      `${JSON.stringify(
        sessions.flatMap(({ agents }) => agents),
        null,
        2,
      )}\n`,
    );
    return EXIT.done;
  }
  if (sessions.every(({ agents }) => agents.length === 0)) {
    const where =
      flags.session === undefined ? "in the sessions of this directory" : "in this session";
    writeError(`${COMMAND}: no agents ${where}\n`);
    return EXIT.done;
  }
  const text = sessions.map(tableOf).join("\n");
  await writeOutput(isTerminal(1) ? sanitize(text) : text);
  return EXIT.done;
}

/** One that is named, all of this directory, or the newest of those that have agents. */
async function choose(
  store: SessionStore,
  wanted: string | true | undefined,
  isOfAll: boolean,
): Promise<Listed[]> {
  const all =
    typeof wanted === "string"
      ? [await readSessionInfo(await findSession(wanted, store.places))]
      : await listSessions(store.places.directory);
  const found: Listed[] = [];
  for (const info of all) {
    if (!info) continue;
    const { agents, problems } = await listAgents(info, store);
    for (const { log, why } of problems) writeError(`${COMMAND}: ${log} cannot be read: ${why}\n`);
    if (agents.length === 0) continue;
    found.push({ id: info.id, name: info.name, agents });
    if (!isOfAll) break;
  }
  return found;
}

async function show(
  store: SessionStore,
  sessions: readonly Listed[],
  wanted: string,
): Promise<ExitCode> {
  const agents = sessions.flatMap((session) => session.agents);
  const lower = wanted.toLowerCase();
  const found = agents.find(({ id }) => id.toLowerCase() === lower);
  if (!found) {
    const names = agents.map(({ id }) => id);
    const near = suggest(wanted, names);
    const hint = near ? `did you mean ${near}?` : `there are ${names.join(", ") || "none"}`;
    throw new UserError(`there is no agent "${wanted}"; ${hint}`, EXIT.usage);
  }
  const [{ registerRows }, { BUILT_IN }, { openRedactor }, { collectSession }, { exportMarkdown }] =
    await Promise.all([
      import("../register-rows.ts"),
      import("../built-in.ts"),
      import("../open-redactor.ts"),
      import("../../session/export/exported-session.ts"),
      import("../../session/export/export-markdown.ts"),
    ]);
  registerRows(BUILT_IN);
  await using log = await openSession(found.log, { ...store.surroundings, mode: "read" });
  const redactor = await openRedactor(store.places.cwd, process.env);
  const text = exportMarkdown(await collectSession(log, redactor));
  await writeOutput(isTerminal(1) ? sanitize(text) : text);
  return EXIT.done;
}

const WORDS: Readonly<Record<ListedAgent["state"], string>> = {
  running: "running",
  idle: "idle",
  completed: "finished",
  failed: "failed",
  aborted: "stopped",
  interrupted: "interrupted",
};

function tableOf({ id, name, agents }: Listed): string {
  const known = new Map(agents.map((agent) => [agent.id, agent]));
  const depthOf = (agent: ListedAgent): number => {
    const parent = known.get(agent.parent);
    return parent === undefined || parent === agent ? 0 : 1 + depthOf(parent);
  };
  const rows = inTree(agents).map((agent) => [
    "  ".repeat(depthOf(agent)) + agent.id,
    agent.kind,
    WORDS[agent.state],
    wholeSeconds(agent.lastAt - agent.startedAt),
    counted(agent.requests, "call"),
    (agent.error ?? agent.description ?? "").replaceAll(/\s+/g, " "),
  ]);
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => Bun.stringWidth(row[at]!))));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => padRow(cell, widths[at]!))
      .join("  ")
      .trimEnd(),
  );
  return `${[`${id.slice(-ID_CHARACTERS)}  ${name}`, ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}

/** Each after whoever has started it. */
function inTree(agents: readonly ListedAgent[]): ListedAgent[] {
  const ids = new Set(agents.map(({ id }) => id));
  const below = (parent: string | undefined): ListedAgent[] =>
    agents
      .filter((agent) => (parent === undefined ? !ids.has(agent.parent) : agent.parent === parent))
      .flatMap((agent) => [agent, ...below(agent.id)]);
  return below(undefined);
}

function wrong(problem: string): UsageError {
  return new UsageError(problem, usageLine(AGENTS_COMMAND));
}
