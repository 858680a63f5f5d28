// What a server told of one of its models, and the model that makes. What it did not tell
// comes from what is known of the name.

import { capabilitiesOf } from "../catalog/capabilities.ts";
import type { Environment } from "../environment.ts";
import { FREE, type Model, type ThinkingLevel } from "../model.ts";
import type { ProviderRow } from "../provider-row.ts";
import { placementOf } from "../providers/placement.ts";
import { mergeQuirks } from "../providers/quirk-merge.ts";
import type { WireId } from "../wire.ts";

/** Plain data: it is kept in a cache between runs. */
export interface DiscoveredModel {
  id: string;
  name?: string;
  /** Tokens. */
  contextWindow?: number;
  /** Tokens. */
  maxOutput?: number;
  input?: readonly ("text" | "image")[];
  /** False where the server says that it does not think. */
  thinks?: boolean;
  /** Where servers serve several. */
  wire?: WireId;
  /** What the server says of how this one wants to be asked. */
  quirks?: Readonly<Record<string, unknown>>;
}

/** What a thinking model of an unknown family is taken to accept: on, or off. */
const ON_OR_OFF: readonly ThinkingLevel[] = ["high"];

export function modelFromDiscovery(
  row: ProviderRow,
  found: DiscoveredModel,
  env: Environment,
): Model {
  const placement = placementOf(row, found.id, env);
  const wire = found.wire ?? placement.wire;
  const known = capabilitiesOf(found.id, wire);
  const contextWindow = told(row, env) ?? found.contextWindow ?? known.contextWindow;
  const thinking = found.thinks === false ? undefined : known.thinking;
  const levels = thinking ?? (found.thinks ? ON_OR_OFF : undefined);
  const quirks = mergeQuirks(mergeQuirks(known.quirks, placement.quirks), found.quirks);
  return {
    ...placement,
    wire,
    auth: found.wire === "anthropic-messages" ? "x-api-key" : placement.auth,
    id: found.id,
    name: found.name ?? found.id,
    contextWindow,
    maxOutput: Math.min(found.maxOutput ?? known.maxOutput, contextWindow),
    input: found.input ?? known.input,
    thinking: levels,
    cost: FREE,
    quirks,
  };
}

function told({ contextEnv }: ProviderRow, env: Environment): number | undefined {
  const tokens = contextEnv === undefined ? undefined : Number(env[contextEnv]);
  return tokens !== undefined && Number.isInteger(tokens) && tokens > 0 ? tokens : undefined;
}
