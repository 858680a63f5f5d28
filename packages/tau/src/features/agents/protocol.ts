// Agents for programs that speak the protocol.

import { integer, minValue, nonEmpty, number, optional, pipe, string, trim } from "valibot";
import {
  defineProtocolCommand,
  Unsupported,
  type FeatureProtocol,
} from "../../feature-api/protocol.ts";
import { AGENTS, type Agents } from "../../feature-api/agents.ts";
import type { Session } from "../../session/session.ts";

const AGENT_ID = { agent_id: pipe(string(), trim(), nonEmpty()) };
const COUNT = optional(pipe(number(), integer(), minValue(0)));

export const commands: FeatureProtocol["commands"] = [
  defineProtocolCommand({
    name: "agents_list",
    summary: "Lists the agents that work, or have worked, for the session",
    answers:
      "`agents`: each `id`, `parent`, `kind`, `state`, `doing`, `requests`, `tokens`, `costUsd` and more; `pending`",
    order: "at_once",
    fields: {},
    run: async (session) => {
      const agents = agentsOf(session);
      return { agents: agents.list(), pending: agents.pending };
    },
  }),
  defineProtocolCommand({
    name: "agent_message",
    summary:
      "Says something to an agent, as the user: into its run, or as a run of its own; one that is parked comes back",
    fields: { ...AGENT_ID, message: pipe(string(), nonEmpty()) },
    run: async (session, { agent_id: id, message }) => agentsOf(session).message(id, message),
  }),
  defineProtocolCommand({
    name: "agent_stop",
    summary: "Stops an agent and all that it has started, for good",
    order: "at_once",
    fields: AGENT_ID,
    run: async (session, { agent_id: id }) => agentsOf(session).stop(id),
  }),
  defineProtocolCommand({
    name: "agent_revive",
    summary: "Brings back an agent that is parked; one that was interrupted continues its task",
    fields: AGENT_ID,
    run: async (session, { agent_id: id }) => agentsOf(session).revive(id),
  }),
  defineProtocolCommand({
    name: "agent_transcript",
    summary:
      "Returns messages of an agent's conversation: the last 50, or those that `offset` and `limit` select; at most 1 MB of them",
    answers: "`messages`, `offset` (of the first of them), `total`",
    fields: { ...AGENT_ID, offset: COUNT, limit: COUNT },
    run: async (session, { agent_id: id, offset, limit }) =>
      agentsOf(session).messages(id, { offset, limit }),
  }),
];

function agentsOf(session: Session): Agents {
  const agents = session.part(AGENTS);
  if (!agents) throw new Unsupported("this session cannot have agents");
  return agents;
}
