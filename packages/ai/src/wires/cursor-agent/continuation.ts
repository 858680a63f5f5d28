// Whether a request goes on with a run that waits for results: the same conversation, then the reply
// with the calls that wait, then a result for each, and nothing else. Whatever differs (an earlier
// message that was summarised, a word of the user's, an image in a result) begins a new run, which
// is given the conversation as it is now.

import type { AgentBody, PromptResult } from "./agent-body.ts";
import type { TOOL_RESULT } from "./messages.ts";
import type { Value } from "./protobuf.ts";

export interface WaitingCall {
  id: number;
  execId: string;
  name: string;
}

interface ReadyResult {
  id: number;
  execId: string;
  result: Value<typeof TOOL_RESULT>;
}

export function resultsFor(
  waiting: readonly WaitingCall[],
  before: AgentBody,
  now: AgentBody,
): ReadyResult[] | undefined {
  if (waiting.length === 0 || !isSame(aboutMessages(before), aboutMessages(now))) return undefined;
  const { length } = before.messages;
  if (!isSame(before.messages, now.messages.slice(0, length))) return undefined;
  const [reply, ...results] = now.messages.slice(length);
  const calls = reply?.role === "assistant" ? reply.content.filter(isCall) : [];
  const names = calls.map(({ toolName }) => toolName);
  const wanted = waiting.map(({ name }) => name);
  if (!isSame(names, wanted)) return undefined;
  const told = results.flatMap((message) => (message.role === "tool" ? message.content : []));
  if (told.length !== results.length || told.length !== calls.length) return undefined;
  const byCall = new Map(told.map((one) => [one.toolCallId, one]));
  if (!calls.every(({ toolCallId }) => byCall.has(toolCallId))) return undefined;
  return calls.map(({ toolCallId }, at) => {
    const { id, execId } = waiting[at]!;
    return { id, execId, result: resultOf(byCall.get(toolCallId)!) };
  });
}

function resultOf({ result, isError }: PromptResult): Value<typeof TOOL_RESULT> {
  return { success: { content: [{ text: { text: result } }], isError: isError ?? false } };
}

function aboutMessages({ messages: _these, ...rest }: AgentBody): unknown {
  return rest;
}

function isCall<Part extends { type: string }>(
  part: Part,
): part is Extract<Part, { type: "tool-call" }> {
  return part.type === "tool-call";
}

/** Both were read from JSON, in which the same comes out the same. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
