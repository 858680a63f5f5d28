// A part of an agent's conversation, from its log: as much as a program can take at once.

import { existsSync } from "node:fs";
import type { Message } from "@tau/ai/message";
import type { AgentMessages, MessagesPart } from "../../feature-api/agents.ts";
import { openSession } from "../../session/log/open-session.ts";
import type { SessionLog } from "../../session/session-log.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { agentFiles } from "./agent-files.ts";
import type { AgentRegistry } from "./registry.ts";

/** A screen or two. */
const USUAL_MESSAGES = 50;
/** Of all messages of an answer; what is left out can be asked for. The first is always among them. */
const MAX_CHARACTERS = 1024 * 1024;

/** Rejects with `UnknownAgent`. */
export async function readMessages(
  registry: AgentRegistry,
  { surroundings }: Pick<SessionStore, "surroundings">,
  { id, ...part }: MessagesPart & { id: string },
): Promise<AgentMessages> {
  const agent = registry.need(id);
  const live = agent.session?.log;
  if (live) return cut(await messagesOf(live), part);
  const path = agentFiles(registry.main.log)?.log(agent.id);
  // One that waits for its turn, or could not be started, has said nothing yet.
  if (path === undefined || !existsSync(path)) return cut([], part);
  await using log = await openSession(path, { ...surroundings, mode: "read" });
  return cut(await messagesOf(log), part);
}

async function messagesOf(log: Pick<SessionLog, "branch">): Promise<Message[]> {
  const entries = await log.branch();
  return entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
}

function cut(all: readonly Message[], part: MessagesPart): AgentMessages {
  const { limit = USUAL_MESSAGES } = part;
  const total = all.length;
  if (part.offset === undefined) {
    const count = fitting(all.slice(Math.max(0, total - limit)).toReversed());
    return { messages: all.slice(total - count), offset: total - count, total };
  }
  const offset = Math.min(part.offset, total);
  const wanted = all.slice(offset, offset + limit);
  return { messages: wanted.slice(0, fitting(wanted)), offset, total };
}

/** How many of them an answer can hold. */
function fitting(messages: readonly Message[]): number {
  let characters = 0;
  const past = messages.findIndex((message, at) => {
    characters += JSON.stringify(message).length;
    return at > 0 && characters > MAX_CHARACTERS;
  });
  return past < 0 ? messages.length : past;
}
