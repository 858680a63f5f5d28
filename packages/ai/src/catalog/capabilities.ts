// What is known of model families, whoever serves them: what they read, whether and how
// they think, how much they say. Ordered rules; each that matches adds to those before
// it. The catalog is generated with them, and they are asked again for models that are
// discovered or that nobody has heard of.

import type { ThinkingLevel } from "../model.ts";
import type { WireId } from "../wire.ts";
import { CAPABILITY_RULES } from "./capability-rules.ts";
import { plainName } from "./model-name.ts";
import { UNKNOWN_MODEL, type Capabilities, type Modality } from "./unknown-model.ts";

/** Wires that share their quirks' names. */
export type WireFamily = "anthropic" | "google" | "completions" | "responses";

const FAMILIES: Partial<Record<WireId, readonly WireFamily[]>> = {
  "anthropic-messages": ["anthropic"],
  "bedrock-converse-stream": ["anthropic"],
  "google-generative-ai": ["google"],
  "google-vertex": ["google", "anthropic"],
  "openai-completions": ["completions"],
  "openai-responses": ["responses"],
  "openai-codex-responses": ["responses"],
  "azure-openai-responses": ["responses"],
};

type Quirks = Readonly<Record<string, unknown>>;

export interface ModelFacts {
  input?: readonly Modality[];
  /** The levels it accepts besides `off`; null for a model that does not think. */
  thinking?: readonly ThinkingLevel[] | null;
  /** Tokens. */
  maxOutput?: number;
  quirks?: Readonly<Partial<Record<WireFamily, Quirks>>>;
}

export interface CapabilityRule {
  /** Matched against the plain name; its first group, where there is one, is the version. */
  match: RegExp;
  /** Applies from this version on, as [major, minor]. */
  from?: readonly [number, number];
  /** And only below this one. */
  below?: readonly [number, number];
  facts: ModelFacts;
}

const known = new Map<string, ModelFacts>();

export function factsOf(id: string): ModelFacts {
  let facts = known.get(id);
  if (!facts) {
    facts = {};
    const name = plainName(id);
    for (const rule of CAPABILITY_RULES) {
      if (!applies(rule, name)) continue;
      facts = { ...facts, ...rule.facts, ...mergedQuirks(facts, rule.facts) };
    }
    known.set(id, facts);
  }
  return facts;
}

/**
 * Everything about a model of that name, assumptions included. Without a wire the quirks
 * are those for all of them; each wire ignores another's.
 */
export function capabilitiesOf(id: string, wire?: WireId): Capabilities {
  const facts = factsOf(id);
  const quirks = wire
    ? quirksFor(facts, wire)
    : facts.quirks && Object.assign({}, ...Object.values(facts.quirks));
  return {
    ...UNKNOWN_MODEL,
    maxOutput: facts.maxOutput ?? UNKNOWN_MODEL.maxOutput,
    input: facts.input ?? UNKNOWN_MODEL.input,
    thinking: facts.thinking ?? UNKNOWN_MODEL.thinking,
    quirks,
  };
}

/** What the rules say for one wire. */
function quirksFor({ quirks = {} }: ModelFacts, wire: WireId): Quirks | undefined {
  const said = (FAMILIES[wire] ?? []).flatMap((family) => quirks[family] ?? []);
  return said.length === 0 ? undefined : Object.assign({}, ...said);
}

function applies({ match, from, below }: CapabilityRule, name: string): boolean {
  const found = match.exec(name);
  if (!found) return false;
  if (!from && !below) return true;
  const [major = 0, minor = 0] = (found[1] ?? "").split(".").map(Number);
  const isAtLeast = ([a, b]: readonly [number, number]): boolean =>
    major > a || (major === a && minor >= b);
  return (!from || isAtLeast(from)) && (!below || !isAtLeast(below));
}

function mergedQuirks(below: ModelFacts, above: ModelFacts): Pick<ModelFacts, "quirks"> {
  if (!below.quirks || !above.quirks) return {};
  const quirks: NonNullable<ModelFacts["quirks"]> = { ...below.quirks };
  for (const family of Object.keys(above.quirks) as WireFamily[]) {
    Object.assign(quirks, { [family]: { ...below.quirks[family], ...above.quirks[family] } });
  }
  return { quirks };
}
