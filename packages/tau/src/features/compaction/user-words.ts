// What the user said, word for word, beside the summary: instructions are what summaries lose
// first and users miss most. The first message (what this is all about) and the newest ones
// survive within a budget; what is left out is counted.

import { textOf } from "@tau/ai/message";
import type { SessionEntry } from "../../session/entry.ts";
import { textTokens } from "../../base/message-tokens.ts";
import { cutMiddle } from "./serialise-conversation.ts";

/** Tokens: about three pages, a fifth of what is kept of the recent conversation. */
const MAX_WORDS_TOKENS = 4000;
const MAX_SHARE_OF_WINDOW = 0.05;
/** No message may take the place of all others: half a budget, at four characters a token. */
const MAX_CHARS_OF_BUDGET_TOKEN = 2;

export interface UserWords {
  /** Oldest first. */
  messages: string[];
  /** Messages between the first and the second of `messages` that were left out. */
  omitted: number;
}

export function wordsBudget(contextWindow: number): number {
  return Math.min(MAX_WORDS_TOKENS, Math.floor(contextWindow * MAX_SHARE_OF_WINDOW));
}

export function collectWords(
  entries: readonly SessionEntry[],
  previous: unknown,
  budgetTokens: number,
): UserWords {
  const before = wordsIn(previous);
  const said = [...before.messages];
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const text = textOf(entry.message).trim();
    if (text !== "") said.push(text);
  }
  return fit(said, before.omitted, budgetTokens);
}

function fit(said: readonly string[], alreadyOmitted: number, budgetTokens: number): UserWords {
  if (said.length === 0) return { messages: [], omitted: alreadyOmitted };
  const maxChars = Math.max(1, budgetTokens * MAX_CHARS_OF_BUDGET_TOKEN);
  const cut = said.map((text) => cutMiddle(text, maxChars));
  const [first, ...rest] = cut as [string, ...string[]];
  let left = budgetTokens - textTokens(first);
  const newest: string[] = [];
  for (const text of rest.toReversed()) {
    left -= textTokens(text);
    if (left < 0) break;
    newest.unshift(text);
  }
  return {
    messages: [first, ...newest],
    omitted: alreadyOmitted + rest.length - newest.length,
  };
}

export function renderWords({ messages, omitted }: UserWords): string {
  if (messages.length === 0) return "";
  const items = messages.map((text) => `<message>\n${text}\n</message>`);
  if (omitted > 0) items.splice(1, 0, `(${omitted} messages left out here)`);
  return `What the user said in the summarised part, word for word:\n<user-messages>\n${items.join("\n")}\n</user-messages>`;
}

function wordsIn(details: unknown): UserWords {
  const found = (details as { userWords?: Partial<UserWords> } | null | undefined)?.userWords;
  const messages = Array.isArray(found?.messages)
    ? found.messages.filter((text) => typeof text === "string")
    : [];
  return { messages, omitted: typeof found?.omitted === "number" ? found.omitted : 0 };
}
