// Commands that look at the connection's state, and those that change how it behaves.

import { array, optional, picklist, string } from "valibot";
import type { ActiveSession } from "../../assembly/active-session.ts";
import { AVAILABLE, type AvailableInstruction } from "../../context/available-instructions.ts";
import { SOURCES } from "../../config/sources.ts";
import { contextTokensOf } from "../../session/spend.ts";
import { AGENT_FEEDS } from "../agent-feed.ts";
import { defineCommand, type CommandRow, type RpcContext } from "./command-row.ts";
import { describeModel } from "./model-commands.ts";

const QUEUE_MODE = picklist(["all", "one-at-a-time"]);

export const STATE_COMMANDS: readonly CommandRow[] = [
  defineCommand({
    name: "get_state",
    summary: "Returns the current state; `include` adds the tools that the model is offered",
    answers: "the [state](rpc.md#state)",
    fields: { include: optional(array(picklist(["tools", "dumpTools"]))) },
    run: async (context, { include = [] }) => ({
      ...stateOf(context),
      dumpTools: include.length === 0 ? undefined : context.active.session.tools.specs(),
    }),
  }),
  defineCommand({
    name: "set_steering_mode",
    summary: "Sets how many queued messages each turn receives",
    fields: { mode: QUEUE_MODE },
    run: async ({ wishes, active }, { mode }) => wishes.setQueueMode("steering", mode, active),
  }),
  defineCommand({
    name: "set_follow_up_mode",
    summary: "The same for follow-up messages, at the end of a run",
    fields: { mode: QUEUE_MODE },
    run: async ({ wishes, active }, { mode }) => wishes.setQueueMode("followUps", mode, active),
  }),
  defineCommand({
    name: "set_interrupt_mode",
    summary: "Sets whether a steering message skips the turn's pending tool calls",
    fields: { mode: picklist(["immediate", "wait"]) },
    run: async ({ wishes, active }, { mode }) => wishes.setInterruptMode(mode, active.settings),
  }),
  defineCommand({
    name: "set_agent_events",
    summary:
      "Sets which events of agents are told, with the agent's name as `agent_id`: `none` (the default), `steps` (all but what streams), or `all`",
    fields: { events: picklist(AGENT_FEEDS) },
    run: async ({ agents }, { events }) => {
      agents.kind = events;
    },
  }),
  defineCommand({
    name: "set_session_name",
    summary: "Renames the session",
    answers: "`name`",
    fields: { name: string() },
    run: async ({ active: { session } }, { name }) => {
      const { tidyTitle } = await import("../../session/operations/name-session.ts");
      const title = session.hide(tidyTitle(name));
      await session.rename(title);
      return { name: title };
    },
  }),
  defineCommand({
    name: "get_commands",
    summary: "Lists what a prompt can call by name: commands, prompts and skills",
    answers: "`commands`: each `name`, `kind`, `description`, `source`",
    fields: {},
    run: async ({ active }) => {
      const instructions = active.part(AVAILABLE);
      await instructions?.refresh();
      return { commands: [...(instructions?.current ?? []), ...sessionCommands(active)] };
    },
  }),
];

/** What the features of the session say of themselves. */
function featureState({ protocols, active }: RpcContext): Record<string, unknown> {
  return Object.assign({}, ...protocols.map(({ state }) => state?.(active.session))) as Record<
    string,
    unknown
  >;
}

/** Those of features; what only a person may say has a command of this protocol, or none. */
function sessionCommands({ session }: ActiveSession): AvailableInstruction[] {
  return session.commands
    .filter(({ from }) => from !== "person")
    .map(({ name, help, argument }) => ({
      kind: "command",
      name,
      description: help,
      argumentHint: argument,
      source: SOURCES.tau.title,
      level: "bundled",
    }));
}

function stateOf(context: RpcContext): Record<string, unknown> {
  const { active, runs, questions, wishes, compactions, agents, settling, cwd } = context;
  const { session, settings } = active;
  const { mailbox, model } = session;
  const { contextWindow } = model;
  const tokens = contextTokensOf(session.messages);
  return {
    model: describeModel(model),
    thinkingLevel: session.thinking ?? "off",
    isStreaming: runs.current !== undefined,
    runId: runs.current ?? null,
    isCompacting: compactions.isAskedFor || (compactions.isTold && session.isBusy),
    steeringMode: mailbox.steering,
    followUpMode: mailbox.followUps,
    interruptMode: wishes.interruptMode(settings),
    ...featureState(context),
    cwd,
    sessionFile: session.log.path ?? null,
    sessionId: session.id,
    sessionName: session.state.title ?? null,
    messageCount: session.messages.length,
    queuedMessageCount: mailbox.queued().length,
    agentEvents: agents.kind,
    pending: settling.pending,
    contextUsage: { tokens, contextWindow, percent: Math.round((tokens / contextWindow) * 100) },
    /** What waits for an answer, as it was asked: a client that lost track finds it here. */
    asks: questions.open,
  };
}
