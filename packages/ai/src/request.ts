// The neutral request: everything a wire encoder turns into one HTTP body. A field that
// is absent is not sent.

import type { Message } from "./message.ts";
import type { Model, ThinkingLevel } from "./model.ts";

export type JsonSchema = { readonly [key: string]: unknown };

export interface ToolSpec {
  name: string;
  description: string;
  parameters: JsonSchema;
}

export type ToolChoice = "auto" | "none" | "required" | { name: string };

export const SERVICE_TIERS = ["auto", "default", "flex", "scale", "priority"] as const;
export type ServiceTier = (typeof SERVICE_TIERS)[number];

export function asServiceTier(value: unknown): ServiceTier | undefined {
  return SERVICE_TIERS.find((tier) => tier === value);
}

export interface ModelRequest {
  model: Model;
  /** Stable blocks, in order; joined or kept apart as the wire allows. */
  system: readonly string[];
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  toolChoice?: ToolChoice;
  maxOutput?: number;
  temperature?: number;
  topP?: number;
  thinking?: ThinkingLevel;
  /** Constant per session: keeps a vendor's prompt cache and routing sticky. */
  cacheKey?: string;
  /** How long the vendor should keep the prompt cached; its own default where absent. */
  cacheRetention?: "none" | "short" | "long";
  /** How urgent it is, for vendors that sell speed or patience. */
  serviceTier?: ServiceTier;
  /** False asks for one whole reply; the events are the same. */
  stream: boolean;
  /** A last look at the body as the wire has it; what it gives back is sent instead. */
  onPayload?: (body: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>;
  /** Told what a server answers with, before its words are read. */
  onResponse?: (response: { status: number; headers: Headers }) => Promise<void>;
}
