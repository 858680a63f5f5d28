// A scripted model for a conversation with agents: who asks is told apart by what it was told, so that
// each agent, and the user's own session, follows a script of its own.

import { textOf, type Message } from "@tau/ai/message";
import type { RecordedRequest } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";

export type AgentTurn = (request: AgentRequest) => ScriptedTurn | undefined;

export interface AgentRequest {
  /** `Main`, or the agent's name. */
  who: string;
  /** Of this one, from 1. */
  turn: number;
  messages: readonly Message[];
  /** The last message, in words. */
  last: string;
  request: RecordedRequest;
}

/** By name, or by kind of agent; `*` for all others. What answers nothing says `ok`. */
export function agentScript(
  scripts: Readonly<Record<string, AgentTurn>>,
): (request: RecordedRequest) => ScriptedTurn {
  const turns = new Map<string, number>();
  return (request) => {
    const who = whoAsks(request);
    const turn = (turns.get(who) ?? 0) + 1;
    turns.set(who, turn);
    const { messages } = request.decoded;
    const last = messages.length > 0 ? textOf(messages.at(-1)!) : "";
    const script = scripts[who] ?? scripts["*"];
    return script?.({ who, turn, messages, last, request }) ?? { text: "ok" };
  };
}

export function whoAsks({ text }: Pick<RecordedRequest, "text">): string {
  return /You are the agent ([\w.-]+)\. /.exec(text)?.[1] ?? "Main";
}

export const task = (agent: string, ...tasks: object[]) => ({
  name: "task",
  arguments: { agent, tasks },
});

export const handIn = (result: unknown) => ({ name: "yield", arguments: { result } });
