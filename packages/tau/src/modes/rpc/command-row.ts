// What a command is: a name, the fields it takes, one line about it, and what it does. Parsing,
// errors and the reference are made from these rows.

import type { Environment } from "@tau/ai/environment";
import type { ToolSchema } from "@tau/agent/tool-schema";
import type { ObjectEntries } from "valibot";
import type { ActiveSession } from "../../assembly/active-session.ts";
import {
  commandSchema,
  type CommandFields,
  type CommandOrder,
  type FeatureProtocol,
  type ProtocolCall,
  type ProtocolCommand,
} from "../../feature-api/protocol.ts";
import type { AgentFeed } from "../agent-feed.ts";
import type { Questions } from "./questions.ts";
import type { Runs } from "./runs.ts";
import type { Settling } from "./settling.ts";
import type { SessionWishes } from "./session-wishes.ts";

/** What the commands work on. */
export interface RpcContext {
  readonly active: ActiveSession;
  readonly runs: Runs;
  readonly questions: Questions;
  readonly wishes: SessionWishes;
  readonly agents: AgentFeed;
  readonly settling: Settling;
  readonly compactions: Compactions;
  /** What the features of this connection's sessions bring to it. */
  readonly protocols: readonly FeatureProtocol[];
  readonly cwd: string;
  readonly env: Environment;
  /** Resolves when the client has read enough for a response to be made. */
  whenRead(signal: AbortSignal): Promise<void>;
  /** Ends what runs, and drops what was to run and has not begun; `agents`: ends all of them, too. */
  stop(what?: { agents?: boolean }): Promise<void>;
  /** For a failure that no response can tell any more. */
  report(error: unknown): void;
}

/** Whether the conversation is being made shorter. */
export interface Compactions {
  /** On the client's wish: until it is over the session may become another one. */
  isAskedFor: boolean;
  /** As the events tell it. */
  isTold: boolean;
}

export interface RpcCall extends ProtocolCall {
  /** Answers before the command is done; only the first answer counts. */
  reply(data?: unknown): void;
}

interface CommandTraits {
  name: string;
  /** What it does, for the reference. */
  summary: string;
  /** What the response's `data` holds, for the reference. */
  answers?: string;
  order?: CommandOrder;
  /** `work`: an abort drops it while it waits. */
  kind?: "work";
}

export interface CommandRow extends CommandTraits {
  schema: ToolSchema;
  run(context: RpcContext, params: unknown, call: RpcCall): Promise<unknown>;
}

/** The fields' types stay inside the one definition. */
export function defineCommand<const E extends ObjectEntries>(
  row: CommandTraits & {
    fields: E;
    run(context: RpcContext, params: CommandFields<E>, call: RpcCall): Promise<unknown>;
  },
): CommandRow {
  const { fields, ...rest } = row;
  return { ...rest, schema: commandSchema(row.name, fields) } as CommandRow;
}

/** A feature's command as one of the mode's. */
export function fromProtocol(command: ProtocolCommand): CommandRow {
  return {
    ...command,
    run: async ({ active, wishes }, params, call) => {
      const answer = await command.run(active.session, params, call);
      if (command.lasts) wishes.keep(command, params);
      return answer;
    },
  };
}
