// Summarises a conversation of any length: what does not fit into one question is asked about
// part by part, each answer taking the one before it along. So nothing is left out for being
// too much, and a summariser with a small window can still do the work.

import type { Model } from "@tau/ai/model";
import { userText, type ImageBlock, type Message } from "@tau/ai/message";
import { textTokens } from "../../base/message-tokens.ts";
import { mergeConstraints, numbered, parseAnswer } from "./constraints.ts";
import summarySystem from "./prompts/summary-system.md" with { type: "text" };
import summaryUpdate from "./prompts/summary-update.md" with { type: "text" };
import { quoted, serialiseMessage } from "./serialise-conversation.ts";
import type { CompactionDeps, CompactionInput } from "./strategy.ts";

/** Of the reserve for replies; the rest is for the conversation to go on in. */
const SUMMARY_SHARE_OF_RESERVE = 0.8;
/** A summary must not fill a small window by itself. */
const SUMMARY_SHARE_OF_WINDOW = 1 / 8;
/** Tokens for instructions, constraints and tags around a transcript. */
const PROMPT_TOKENS = 3000;
/** Estimates are off by as much as a quarter. */
const SAFETY = 0.75;
const MIN_PART_TOKENS = 1000;

export interface RollUpOptions {
  input: Pick<CompactionInput, "model" | "settings" | "instructions" | "additionalContext">;
  deps: Pick<CompactionDeps, "ask">;
  messages: readonly Message[];
  /** What to do with the first part where there is no summary yet. */
  task: string;
  /** What to do where there is one. */
  updateTask?: string;
  narrative: string;
  constraints: readonly string[];
  /** Pages of an earlier snapshot, to be read with the first part. */
  frames?: readonly ImageBlock[];
}

export interface RolledUp {
  narrative: string;
  constraints: string[];
  short?: string;
}

export async function rollUp(options: RollUpOptions): Promise<RolledUp> {
  const { input, deps, messages, task } = options;
  const window = input.model.contextWindow;
  const maxOutput = summaryTokens(input.model, input.settings.reserveTokens, window);
  const room = Math.max(MIN_PART_TOKENS, (window - 2 * maxOutput - PROMPT_TOKENS) * SAFETY);
  let state: RolledUp = { narrative: options.narrative, constraints: [...options.constraints] };
  for (const [index, part] of partsOf(messages, room).entries()) {
    const prompt = [
      quoted("conversation", part),
      state.narrative === "" ? "" : quoted("previous-summary", state.narrative),
      state.constraints.length === 0
        ? ""
        : quoted("known-constraints", numbered(state.constraints)),
      ...(input.additionalContext ?? []).map((text) => quoted("additional-context", text)),
      (state.narrative === "" ? task : (options.updateTask ?? summaryUpdate)).trim(),
      input.instructions ? `The user asks for this in particular: ${input.instructions}` : "",
    ];
    const question = userText(prompt.filter((text) => text !== "").join("\n\n"));
    if (index === 0) question.content.push(...(options.frames ?? []));
    const system = [summarySystem.trim()];
    const answer = await deps.ask({ system, messages: [question], maxOutput });
    const parsed = parseAnswer(answer);
    // Without a narrative the part would be lost: better no compaction than that.
    if (parsed.narrative === "") return { narrative: "", constraints: state.constraints };
    state = {
      narrative: parsed.narrative,
      constraints: mergeConstraints(state.constraints, parsed),
      short: parsed.short,
    };
  }
  return state;
}

export function summaryTokens(model: Model, reserveTokens: number, window: number): number {
  return Math.floor(
    Math.min(
      model.maxOutput,
      reserveTokens * SUMMARY_SHARE_OF_RESERVE,
      window * SUMMARY_SHARE_OF_WINDOW,
    ),
  );
}

/** Transcripts of at most about `room` tokens, cut between messages where that is possible. */
function partsOf(messages: readonly Message[], room: number): string[] {
  const parts: string[] = [];
  let texts: string[] = [];
  let tokens = 0;
  const finish = (): void => {
    if (texts.length > 0) parts.push(texts.join("\n\n"));
    texts = [];
    tokens = 0;
  };
  for (const message of messages) {
    for (const text of slices(serialiseMessage(message), room)) {
      const weight = textTokens(text);
      if (tokens + weight > room) finish();
      texts.push(text);
      tokens += weight;
    }
  }
  finish();
  return parts;
}

function slices(text: string, room: number): string[] {
  if (text.trim() === "") return [];
  const count = Math.ceil(textTokens(text) / room);
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * length, (index + 1) * length).toWellFormed(),
  );
}
