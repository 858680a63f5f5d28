// What an agent's log says of it: who it is, how its task ended, and whether what came of it was told.

import { toolCallsOf } from "@tau/ai/message";
import { PRODUCT } from "../../brand.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { AgentOutcome, AgentRecord } from "./agent.ts";
import { agentNote, type AgentEnded } from "./agent-log.ts";
import { YIELD } from "./agent-tools.ts";

export interface LoggedAgent {
  record: AgentRecord;
  startedAt: number;
  /** Of the last entry. */
  lastAt: number;
  ended: AgentEnded | undefined;
  /** Of a task that is over; absent if it was interrupted. */
  outcome: AgentOutcome | undefined;
  /** Whoever gave the task knows. */
  isTold: boolean;
}

const LOST_TREE = `${PRODUCT} was ended before its changes were merged; they are lost`;

/** Undefined if it is not an agent's. */
export async function readAgentLog(log: SessionLog): Promise<LoggedAgent | undefined> {
  let record: AgentRecord | undefined;
  let ended: AgentEnded | undefined;
  let isTold = false;
  let handedIn: { result: unknown; failed?: unknown } | undefined;
  const calls = new Map<string, Record<string, unknown>>();
  let lastWords = "";
  let lastAt = 0;
  for await (const entry of log.entries()) {
    lastAt = Date.parse(entry.timestamp) || lastAt;
    const note = agentNote(entry);
    if (note?.event === "begun") {
      const { event: _event, ...rest } = note;
      record = rest;
    } else if (note?.event === "ended") {
      ended = note;
      isTold = false;
    } else if (note?.event === "told") isTold = true;
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant") {
      for (const { id, name, arguments: args } of toolCallsOf(message)) {
        if (name === YIELD) calls.set(id, args);
      }
      const words = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
      if (words.length > 0) lastWords = words.join("\n").trim();
    }
    if (message.role === "toolResult" && !message.isError && calls.has(message.toolCallId)) {
      const { result, failed } = calls.get(message.toolCallId)!;
      handedIn = { result, failed };
    }
  }
  if (!record) return undefined;
  const startedAt = Date.parse(log.header.timestamp) || lastAt;
  const outcome = outcomeOf();
  return { record, startedAt, lastAt, ended, outcome, isTold };

  /** It had handed in, and its tree was gone before what it did there was merged. */
  function lostTree(): string | undefined {
    return record?.isIsolated && !ended ? LOST_TREE : undefined;
  }

  function outcomeOf(): AgentOutcome | undefined {
    if (ended?.end === "interrupted" && !handedIn) return undefined;
    if (!ended && !handedIn) return undefined;
    const failure = typeof handedIn?.failed === "string" ? handedIn.failed : lostTree();
    const end = ended?.end ?? (failure === undefined ? "completed" : "failed");
    return {
      end: end === "interrupted" ? "completed" : end,
      result: handedIn ? handedIn.result : lastWords,
      error: ended?.error ?? failure,
      durationMs: ended?.durationMs ?? lastAt - startedAt,
    };
  }
}
