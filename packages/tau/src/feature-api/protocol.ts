// What a feature brings to programs at the other end of a pipe (RPC): commands with named fields, and
// what there is to know of its state.

import { valibotParameters, type ToolSchema } from "@tau/agent/tool-schema";
import {
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
}

export interface ProtocolCommand extends ProtocolTraits {
  readonly schema: ToolSchema;
  run(session: Session, params: unknown): Promise<unknown>;
}

/** What is asked for cannot be had here, whatever the fields. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

const ID = optional(union([string(), number()]));

type Fields<E extends ObjectEntries> = InferOutput<StrictObjectSchema<E, undefined>>;

/** The fields' types stay inside the one definition. */
export function defineProtocolCommand<const E extends ObjectEntries>(
  row: ProtocolTraits & {
    fields: E;
    run(session: Session, params: Fields<E>): Promise<unknown>;
  },
): ProtocolCommand {
  const { fields, ...rest } = row;
  const schema = strictObject({ id: ID, type: literal(row.name), ...fields });
  return { ...rest, schema: valibotParameters(schema) } as ProtocolCommand;
}
