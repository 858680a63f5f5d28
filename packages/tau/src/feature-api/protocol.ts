// What a feature brings to programs at the other end of a pipe (RPC): commands with named fields, and
// what there is to know of its state.

import { valibotParameters, type ToolSchema } from "@tau/agent/tool-schema";
import {
  boolean,
  literal,
  number,
  optional,
  strictObject,
  string,
  union,
  type InferOutput,
  type ObjectEntries,
  type StrictObjectSchema,
} from "valibot";
import type { Session } from "../session/session.ts";

export interface FeatureProtocol {
  readonly commands?: readonly ProtocolCommand[];
  /** Fields of the connection's state. */
  state?(session: Session): Readonly<Record<string, unknown>>;
}

interface ProtocolTraits {
  readonly name: string;
  /** What it does, for the reference. */
  readonly summary: string;
  /** What the response's `data` holds, for the reference. */
  readonly answers?: string;
  /** Said again to every later session of the connection. */
  readonly lasts?: boolean;
  /** One after the other if absent. */
  readonly order?: CommandOrder;
}

/**
 * `in_turn`: one after the other, in the order they came. `beside`: begun in its turn, and not waited
 * for by the next. `at_once`: not even waiting for those that came before.
 */
export type CommandOrder = "in_turn" | "beside" | "at_once";

/** One call of a command. */
export interface ProtocolCall {
  /** Aborts when the command is to be left undone. */
  readonly signal: AbortSignal;
}

export interface ProtocolCommand extends ProtocolTraits {
  readonly schema: ToolSchema;
  run(session: Session, params: unknown, call: ProtocolCall): Promise<unknown>;
}

/** What is asked for cannot be had here, whatever the fields. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

const ID = optional(union([string(), number()]));

/** What the fields hold, beside the id that a client may send with every command. */
export type CommandFields<E extends ObjectEntries> = InferOutput<
  StrictObjectSchema<E, undefined>
> & { id?: string | number };

/** Of every command of the protocol: its name, an id, its own fields, and no others. */
export function commandSchema(name: string, fields: ObjectEntries): ToolSchema {
  return valibotParameters(strictObject({ id: ID, type: literal(name), ...fields }));
}

/** The fields' types stay inside the one definition. */
export function defineProtocolCommand<const E extends ObjectEntries>(
  row: ProtocolTraits & {
    fields: E;
    run(session: Session, params: CommandFields<E>, call: ProtocolCall): Promise<unknown>;
  },
): ProtocolCommand {
  const { fields, ...rest } = row;
  return { ...rest, schema: commandSchema(row.name, fields) } as ProtocolCommand;
}

/** Something that happens by itself unless the settings, or for a while the client, are against it. */
export interface Automatism {
  readonly isEnabled: boolean;
  isPaused: boolean;
}

/** The command that pauses an automatism; what the settings switch off it cannot switch on. */
export function pauseCommand(
  traits: Pick<ProtocolTraits, "name" | "summary"> & {
    /** The setting that it goes by. */
    setting: string;
    of(session: Session): Automatism;
  },
): ProtocolCommand {
  const { name, summary, setting, of } = traits;
  return defineProtocolCommand({
    name,
    summary,
    fields: { enabled: boolean() },
    lasts: true,
    run: async (session, { enabled }) => {
      const automatism = of(session);
      if (enabled && !automatism.isEnabled) {
        throw new Unsupported(`${setting} is off in the settings; start with it on`);
      }
      automatism.isPaused = !enabled;
    },
  });
}
