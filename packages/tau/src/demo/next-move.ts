// Decides what the demo does next, from the conversation alone: the last user message
// chooses a plan, the tool results since then say how far the plan has come.

import { textOf, type Message } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import { INTENTS } from "./intents.ts";
import { introduce } from "./intents/introduction.ts";
import { prose } from "./markdown.ts";
import type { Outcome, Plan, ToolUse } from "./plan.ts";
import { readUtterance } from "./utterance.ts";

/** Longer is pasted text rather than a request, and would make the patterns slow. */
const MAX_REQUEST_CHARACTERS = 8_192;
/** No plan needs more; a request can never make the demo go round in circles. */
export const MAX_TOOL_CALLS = 6;

export type Move = { call: ToolUse & { id: string } } | { answer: string };

export function nextMove(request: Pick<ModelRequest, "messages" | "tools" | "toolChoice">): Move {
  const { messages } = request;
  const asked = messages.findLastIndex((message) => message.role === "user");
  const blocks = asked < 0 ? [] : textBlocksOf(messages[asked]!);
  const since = messages.slice(asked + 1);
  const turn = turnIn(since) ?? (turnIn(messages.slice(0, asked + 1)) ?? 0) + 1;
  const offered = new Set(
    request.toolChoice === "none" ? [] : request.tools.map((tool) => tool.name),
  );
  return replay(planFor(blocks), { turn, offered, results: resultsIn(since) });
}

function textBlocksOf(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

function planFor(blocks: readonly string[]): Plan {
  const utterance = readUtterance(blocks, { most: MAX_REQUEST_CHARACTERS });
  // No command, path or file that a plan could make of it can carry a NUL.
  if (utterance.whole && !utterance.raw.includes("\0")) {
    for (const intent of INTENTS) {
      const plan = intent.match(utterance);
      if (plan !== undefined) return plan;
    }
  }
  return introduce(utterance, INTENTS);
}

interface Progress {
  turn: number;
  offered: ReadonlySet<string>;
  results: ReadonlyMap<number, Outcome>;
}

function replay(plan: Plan, { turn, offered, results }: Progress): Move {
  let state = plan.next();
  for (let step = 1; step <= MAX_TOOL_CALLS; step++) {
    if (state.done) return { answer: state.value };
    const use = state.value;
    const outcome = results.get(step);
    if (outcome !== undefined) state = plan.next(outcome);
    else if (offered.has(use.tool)) return { call: { ...use, id: callId(turn, step) } };
    else state = plan.next({ ok: false, text: "", absent: true });
  }
  if (state.done) return { answer: state.value };
  return { answer: prose(`I stopped after ${MAX_TOOL_CALLS} tool calls without an answer.`) };
}

// A turn's number is one more than the highest that is still in view, rather than a
// count of messages: after compaction a count could repeat an id that is still there.
const CALL_ID = /^demo_(\d+)_(\d+)$/;

function callId(turn: number, step: number): string {
  return `demo_${turn}_${step}`;
}

function turnIn(messages: readonly Message[]): number | undefined {
  let turn: number | undefined;
  for (const message of messages) {
    for (const id of callIdsOf(message)) {
      const match = CALL_ID.exec(id);
      if (match !== null) turn = Math.max(turn ?? 0, Number(match[1]));
    }
  }
  return turn;
}

function callIdsOf(message: Message): string[] {
  if (message.role === "toolResult") return [message.toolCallId];
  if (message.role !== "assistant") return [];
  return message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
}

function resultsIn(messages: readonly Message[]): Map<number, Outcome> {
  const results = new Map<number, Outcome>();
  for (const message of messages) {
    if (message.role !== "toolResult") continue;
    const match = CALL_ID.exec(message.toolCallId);
    if (match === null) continue;
    const text = textOf(message);
    results.set(
      Number(match[2]),
      message.isError ? { ok: false, text, absent: false } : { ok: true, text },
    );
  }
  return results;
}
