// What the kinds that the conversation is made of show to people.

import { textOf, type AssistantMessage, type ToolResultMessage } from "@tau/ai/message";
import type {
  BranchSummaryEntry,
  CompactionEntry,
  CustomMessageEntry,
  KeptRun,
  MessageEntry,
} from "../entry.ts";
import { customKinds } from "../kinds/custom-kinds.ts";
import { note, type CallEnd, type ShownPart, type Spoken } from "./block.ts";
import { describeFailure } from "./describe-failure.ts";

/** Senders whose message tells the model of something that has a block of its own. */
const SEEN_HAPPEN: ReadonlySet<string> = new Set(["shell", "cell"]);

export function showMessage(entry: MessageEntry): readonly ShownPart[] {
  const { message, typed, sender, ran, thinkingMs } = entry;
  switch (message.role) {
    case "user": {
      if (sender !== undefined && SEEN_HAPPEN.has(sender)) return [];
      const pictures = message.content.filter((block) => block.type === "image");
      const said = textOf(message);
      if (typed === undefined) return [{ kind: "user", text: said, pictures }];
      return [{ kind: "user", text: typed, whole: said, pictures }];
    }
    case "assistant":
      return showReply(message, entry.id, thinkingMs ?? []);
    case "toolResult":
      return [{ kind: "result", callId: message.toolCallId, ended: endOf(message, ran) }];
    default:
      // A developer's word is for the model, and a role from elsewhere for nobody.
      return [];
  }
}

/** Nothing that could be read: a person would wait for more. */
const EMPTY_ANSWER = "The model's answer was empty.";

function showReply(
  message: AssistantMessage,
  reply: string,
  thinkingMs: readonly number[],
): ShownPart[] {
  const spoken: Spoken = { model: `${message.provider}/${message.model}`, reply };
  const parts: ShownPart[] = [];
  let thoughts = 0;
  for (const block of message.content) {
    if (block.type === "thinking") {
      const durationMs = thinkingMs[thoughts++];
      const { text } = block;
      if (!isBlank(text)) parts.push({ kind: "thinking", text, durationMs, ...spoken });
    } else if (block.type === "text") {
      const { text } = block;
      if (!isBlank(text)) parts.push({ kind: "answer", text, ...spoken });
    } else if (block.type === "toolCall") {
      const { id: callId, name, arguments: args } = block;
      parts.push({ kind: "call", callId, name, arguments: args, phase: "waiting", ...spoken });
    }
  }
  const isSilent = parts.every(({ kind }) => kind === "thinking");
  if (isSilent && message.stopReason === "stop") parts.push(note(EMPTY_ANSWER));
  if (message.stopReason === "error") {
    parts.push(note(describeFailure(message.error).sentence, "error"));
  }
  if (message.stopReason === "length") {
    parts.push(note("The model's output limit cut the answer short.", "warning"));
  }
  return parts;
}

/** Logs of before say nothing of the run: then the result tells. */
export function endOf(message: ToolResultMessage, ran: KeptRun = { wasRun: true }): CallEnd {
  const { isError } = message;
  const { wasRun, forModel = 0, details, omitted, durationMs, artifactId } = ran;
  const { length } = message.content;
  const content = forModel === 0 ? message.content : message.content.slice(0, length - forModel);
  const phase = wasRun ? (isError ? "failed" : "done") : "refused";
  return { phase, result: { content, isError }, details, omitted, durationMs, artifactId };
}

export function showCustomMessage(entry: CustomMessageEntry): readonly ShownPart[] {
  const own = customKinds.shown(entry);
  if (own) return own;
  const text = textOf(entry).trim();
  return entry.display && text !== "" ? [{ ...note(text), entry }] : [];
}

export function showCompaction(entry: CompactionEntry): readonly ShownPart[] {
  const { summary: text, tokensBefore: before, tokensAfter: after } = entry;
  // Sessions of older versions were not always measured.
  const size = before > 0 ? { before, after } : undefined;
  return [{ kind: "summary", of: "conversation", text, size }];
}

export function showBranchSummary({ summary: text }: BranchSummaryEntry): readonly ShownPart[] {
  return [{ kind: "summary", of: "branch", text }];
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
