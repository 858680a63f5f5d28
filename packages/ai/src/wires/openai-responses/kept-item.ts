// What this wire keeps in `opaque`: the parts of an output item that the vendor wants
// back. Also how a server of ours carries another vendor's bytes through a client that
// only knows `encrypted_content`.

import type { Opaque } from "../../message.ts";
import { asArray, asObject, asString, parseObject, type Json } from "../json.ts";

export const WIRE = "openai-responses";

/** In front of bytes of another wire; OpenAI's own encrypted reasoning never begins so. */
const ENVELOPE = "tau-opaque:";

export interface KeptReasoning {
  id: string;
  summary: Json[];
  content?: Json[];
  encrypted_content?: string;
}

export interface KeptMessage {
  id?: string;
  /** Newer models mark commentary and final answer and want the mark back. */
  phase?: string;
}

export function keepReasoning(item: Json): string | undefined {
  const id = asString(item.id);
  if (!id) return undefined;
  const kept: KeptReasoning = { id, summary: partsOf(item.summary) };
  const content = partsOf(item.content);
  if (content.length > 0) kept.content = content;
  const encrypted = asString(item.encrypted_content);
  if (encrypted) kept.encrypted_content = encrypted;
  return JSON.stringify(kept);
}

/** For bytes that are this wire's own, or of a vendor that speaks it under another name. */
export function keptReasoning(opaque: Opaque | undefined): KeptReasoning | undefined {
  const kept = opaque && parseObject(opaque.data);
  const id = asString(kept?.id);
  if (!kept || !id) return undefined;
  const encrypted = asString(kept.encrypted_content);
  const content = partsOf(kept.content);
  return {
    id,
    summary: partsOf(kept.summary),
    content: content.length > 0 ? content : undefined,
    encrypted_content: encrypted || undefined,
  };
}

export function keepMessage(item: Json): string | undefined {
  const id = asString(item.id);
  const phase = asString(item.phase);
  if (!id && !phase) return undefined;
  return JSON.stringify({ id: id || undefined, phase: phase || undefined });
}

export function keptMessage(opaque: Opaque | undefined): KeptMessage {
  const kept = opaque && parseObject(opaque.data);
  const id = asString(kept?.id);
  const phase = asString(kept?.phase);
  return { id: id || undefined, phase: phase || undefined };
}

export function wrapForeign(opaque: Opaque): string {
  return ENVELOPE + JSON.stringify(opaque);
}

export function unwrapForeign(encrypted: string): Opaque | undefined {
  if (!encrypted.startsWith(ENVELOPE)) return undefined;
  const opaque = parseObject(encrypted.slice(ENVELOPE.length));
  const wire = asString(opaque?.wire) as Opaque["wire"] | undefined;
  const model = asString(opaque?.model);
  const data = asString(opaque?.data);
  if (wire === undefined || model === undefined || data === undefined) return undefined;
  return { wire, model, data };
}

/** The texts of a reasoning item, in the order a reader sees them. */
export function reasoningText(item: Json): string {
  return [...partsOf(item.summary), ...partsOf(item.content)]
    .map((part) => asString(part.text) ?? "")
    .filter((text) => text !== "")
    .join(PART_SEPARATOR);
}

/** Summary parts are paragraphs of their own. */
export const PART_SEPARATOR = "\n\n";

function partsOf(value: unknown): Json[] {
  return asArray(value).filter((part): part is Json => asObject(part) !== undefined);
}
