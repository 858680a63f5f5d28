// Agents of an earlier run of Tau: each is there again, parked, with what its log acknowledges. A result
// that never reached whoever wanted it is told now, once; of one that was interrupted the model hears
// with the next prompt.

import { readdir } from "node:fs/promises";
import { systemCode } from "@tau/host/storage-error";
import { developerText } from "@tau/ai/message";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { PRODUCT } from "../../brand.ts";
import { openSession } from "../../session/log/open-session.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { SessionSurroundings } from "../../session/log/session-surroundings.ts";
import type { Agent, AgentOutcome } from "./agent.ts";
import { freeLocks } from "./free-locks.ts";
import { agentOfLog, type AgentFiles } from "./agent-files.ts";
import { agentEntry } from "./agent-log.ts";
import { MAIN } from "./agent-names.ts";
import { readAgentLog, type LoggedAgent } from "./read-agent-log.ts";
import type { AgentRegistry } from "./registry.ts";
import { resultMailId, type TaskRunner } from "./task-runner.ts";

export interface RestoringPlace {
  host: Pick<FeatureHost, "log" | "mailbox" | "hide" | "notify" | "tell">;
  registry: AgentRegistry;
  runner: TaskRunner;
  files: AgentFiles;
  surroundings: SessionSurroundings;
}

interface Restored {
  agent: Agent;
  logged: LoggedAgent;
}

export async function restoreAgents(place: RestoringPlace): Promise<void> {
  const restored: Restored[] = [];
  for (const id of await logsIn(place.files.directory)) {
    if (place.registry.get(id)) continue;
    const logged = await readLog(id, place);
    if (!logged) continue;
    const { record, startedAt, ended, outcome } = logged;
    const end = outcome?.end ?? ended?.end;
    const earlier = { startedAt, end, activity: ended, error: outcome?.error ?? ended?.error };
    const agent = place.registry.restore(record, earlier);
    if (record.isIsolated && agent.end !== "interrupted") {
      agent.goneBecause = "it worked in a tree of its own, which is gone";
    }
    restored.push({ agent, logged });
  }
  await tellResults(restored, place);
  await tellInterrupted(
    restored.filter(({ agent, logged }) => agent.end === "interrupted" && !logged.isTold),
    place,
  );
  const { files, surroundings } = place;
  await freeLocks(
    restored.map(({ agent }) => files.log(agent.id)),
    surroundings,
  );
}

async function logsIn(directory: string): Promise<string[]> {
  try {
    const names = await readdir(directory);
    return names.flatMap((name) => agentOfLog(name) ?? []).toSorted();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** One that cannot be read is told of, and hides none of the others. */
async function readLog(
  id: string,
  { files, surroundings, host }: RestoringPlace,
): Promise<LoggedAgent | undefined> {
  try {
    await using log = await openSession(files.log(id), { ...surroundings, mode: "read" });
    return await readAgentLog(log);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    host.tell(`the agent ${id} cannot be read (${words}); its log is ${files.log(id)}`);
    return undefined;
  }
}

async function tellResults(restored: readonly Restored[], place: RestoringPlace): Promise<void> {
  const unsure = restored.filter(
    ({ logged }) => logged.outcome && !logged.isTold && logged.record.parent === MAIN,
  );
  if (unsure.length === 0) return;
  const known = await toldIn(
    place.host.log,
    unsure.map(({ agent }) => agent),
  );
  for (const { agent, logged } of unsure) {
    if (!known.has(agent.id)) await place.runner.deliver(agent, logged.outcome!);
    const end = logged.ended ? [] : [endedNote(agent, logged.outcome!)];
    await append(agent, [...end, agentEntry({ event: "told" })], place);
  }
}

function endedNote(agent: Agent, { end, durationMs, error }: AgentOutcome) {
  const { requests, tokens, costUsd } = agent.activity;
  return agentEntry({ event: "ended", end, durationMs, error, requests, tokens, costUsd });
}

/** Of these, those whose result the conversation has: as mail, or because somebody asked for it. */
async function toldIn(log: SessionLog, agents: readonly Agent[]): Promise<Set<string>> {
  const mails = new Map(agents.map((agent) => [resultMailId(agent), agent.id]));
  const ids = new Set(agents.map(({ id }) => id));
  const told = new Set<string>();
  for await (const entry of log.entries()) {
    if (entry.type === "mail") {
      const id = mails.get(entry.mailId);
      if (id !== undefined) told.add(id);
    }
    if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
    const { jobs } = (entry.ran?.details ?? {}) as { jobs?: unknown };
    if (!Array.isArray(jobs)) continue;
    for (const { id, status } of jobs as readonly { id?: unknown; status?: unknown }[]) {
      if (typeof id === "string" && ids.has(id) && status !== "running") told.add(id);
    }
  }
  return told;
}

async function tellInterrupted(
  restored: readonly Restored[],
  place: RestoringPlace,
): Promise<void> {
  if (restored.length === 0) return;
  const { host } = place;
  const rows = restored.map(({ agent: { id, record } }) => {
    const about = record.description ? `: ${record.description}` : "";
    return `- ${id} (${record.kind})${about}`;
  });
  const text = [
    `[these agents were interrupted when ${PRODUCT} ended; each goes on where it was if it is written to with irc]`,
    ...rows,
  ].join("\n");
  const message = host.hide(developerText(text));
  await host.mailbox.post(message, { sender: "agents", isDurable: true, delivery: "nextTurn" });
  for (const { agent, logged } of restored) {
    const { id, record } = agent;
    const about = { id, kind: record.kind, description: record.description };
    const durationMs = logged.lastAt - logged.startedAt;
    host.notify(host.hide({ type: "task_end" as const, ...about, end: "interrupted", durationMs }));
    await append(agent, [agentEntry({ event: "told" })], place);
  }
}

/** Where it is already open, somebody else looks after it. */
async function append(
  { id }: Agent,
  entries: Parameters<SessionLog["appendAll"]>[0],
  { files, surroundings }: RestoringPlace,
): Promise<void> {
  const log = await openSession(files.log(id), { ...surroundings, mode: "write" });
  try {
    await log.appendAll(entries);
  } finally {
    await log.close();
  }
}
