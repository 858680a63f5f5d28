// A repaired conversation → Gemini `contents`. The rules that shape it: user and model
// alternate, the user begins and has the last word; a step of calls is answered right
// behind it by as many responses; a signature goes back on the part it came with.

import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
} from "../../message.ts";
import { textOf } from "../../message.ts";
import type { Model } from "../../model.ts";
import { repairConversation } from "../../repair.ts";
import type { Json } from "../json.ts";
import { isMinted } from "./call-ids.ts";
import type { GoogleQuirks } from "./quirks.ts";

export interface WireContent {
  role: "user" | "model";
  parts: Json[];
}

/** What the vendor documents for calls that its own models did not make. */
export const UNSIGNED_CALL = "skip_thought_signature_validator";

const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"]);
const NOTHING_SAID = "(The conversation continues from here.)";
const GO_ON = "(Continue.)";

export function encodeContents(
  messages: readonly Message[],
  model: Model,
  quirks: GoogleQuirks,
): WireContent[] {
  const history = repairConversation(messages, { model, userFirst: true });
  const out: WireContent[] = [];
  for (let at = 0; at < history.length; at++) {
    const message = history[at]!;
    if (message.role === "assistant") {
      const sentIds = idsToSend(message, model);
      add(out, "model", encodeReply(message, sentIds, quirks));
      at = encodeResults(history, at + 1, { message, sentIds }, out) - 1;
    } else if (message.role !== "toolResult") add(out, "user", encodeContent(message.content));
  }
  if (out.length === 0) add(out, "user", [{ text: NOTHING_SAID }]);
  if (out.at(-1)!.role === "model") add(out, "user", [{ text: GO_ON }]);
  return out;
}

function add(out: WireContent[], role: WireContent["role"], parts: Json[]): void {
  if (parts.length === 0) return;
  const last = out.at(-1);
  if (last?.role === role) last.parts.push(...parts);
  else out.push({ role, parts });
}

/**
 * The model's own ids go back to it. Ours (where it gave none) and other vendors' stay at
 * home: responses then pair with their calls by order, as they do for the model itself.
 */
function idsToSend(message: AssistantMessage, model: Model): Set<ToolCallBlock> {
  const sent = new Set<ToolCallBlock>();
  const seen = new Set<string>();
  for (const block of message.content) {
    if (block.type !== "toolCall" || message.wire !== model.wire) continue;
    if (block.id === "" || isMinted(block.id) || seen.has(block.id)) continue;
    seen.add(block.id);
    sent.add(block);
  }
  return sent;
}

function encodeReply(
  message: AssistantMessage,
  sentIds: ReadonlySet<ToolCallBlock>,
  quirks: GoogleQuirks,
): Json[] {
  const parts: Json[] = [];
  let firstCall = true;
  for (const block of message.content) {
    if (block.type === "toolCall") {
      const functionCall = { ...callHead(block, sentIds), args: block.arguments };
      const stamp = quirks.signedCalls && firstCall ? UNSIGNED_CALL : undefined;
      parts.push({ functionCall, thoughtSignature: block.opaque?.data ?? stamp });
      firstCall = false;
    } else if (block.type === "text")
      parts.push({ text: block.text, thoughtSignature: block.opaque?.data });
    // A thought is of use to the model only with its signature.
    else if (block.opaque) {
      parts.push({ text: block.text, thought: true, thoughtSignature: block.opaque.data });
    }
  }
  return parts;
}

function callHead(call: ToolCallBlock, sentIds: ReadonlySet<ToolCallBlock>): Json {
  return { id: sentIds.has(call) ? call.id : undefined, name: safeName(call.name) };
}

/** The responses of one step, in the order of its calls; pictures follow them all. */
function encodeResults(
  history: readonly Message[],
  first: number,
  step: { message: AssistantMessage; sentIds: ReadonlySet<ToolCallBlock> },
  out: WireContent[],
): number {
  const calls = step.message.content.filter((block) => block.type === "toolCall");
  const images: Json[] = [];
  let at = first;
  for (; history[at]?.role === "toolResult"; at++) {
    const result = history[at] as ToolResultMessage;
    const call = calls[at - first]!;
    const pictures = encodeContent(result.content.filter((block) => block.type === "image"));
    images.push(...pictures);
    const text =
      textOf(result) || (pictures.length > 0 ? "(see the attached image)" : "(no output)");
    const response = result.isError ? { error: text } : { output: text };
    add(out, "user", [{ functionResponse: { ...callHead(call, step.sentIds), response } }]);
  }
  add(out, "user", images);
  return at;
}

function encodeContent(content: readonly (TextBlock | ImageBlock)[]): Json[] {
  return content.map((block) => {
    if (block.type === "text") return { text: block.text };
    const { mimeType, data } = block;
    if (!IMAGE_TYPES.has(mimeType)) {
      return { text: `[image left out: the model does not read ${mimeType}]` };
    }
    return { inlineData: { mimeType, data } };
  });
}

/** Models make names up; one bad name in the history would spoil the session for good. */
function safeName(name: string): string {
  if (/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(name)) return name;
  const mended = name.replace(/[^a-zA-Z0-9_.:-]/g, "_").slice(0, 127);
  return /^[a-zA-Z_]/.test(mended) ? mended : `_${mended}`;
}
