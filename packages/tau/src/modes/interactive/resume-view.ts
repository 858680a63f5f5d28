// Where an earlier session stands, shown when it is opened: the last of what was said and done.
// However long the session, no more than a few screens are laid out; the rest is one key away.

import { textOf, toolCallsOf, type ToolResultMessage } from "@tau/ai/message";
import type { TranscriptEntry } from "../../session/context/transcript.ts";
import { endOfAnswer } from "./answer-end.ts";
import { makeEndedCall, makeWholeMarkdown, type BlockPlace } from "./blocks/make-block.ts";
import { UserBlock } from "./blocks/user-block.ts";
import type { Surface } from "./surface.ts";

/** About three screens of an ordinary conversation. */
const SHOWN_ENTRIES = 40;
/** An answer longer than this is shown from its end. */
const MAX_ANSWER_CHARS = 20_000;

export interface ResumeViewOptions extends BlockPlace {
  surface: Surface;
  hyperlinks: "on" | "off";
  /** The key that shows all of it. */
  wholeKey: string | undefined;
}

export function showEarlier(entries: readonly TranscriptEntry[], options: ResumeViewOptions): void {
  const { surface } = options;
  // It begins with something a person said, where that is not too far away.
  const from = Math.max(entries.length - SHOWN_ENTRIES, 0);
  const ahead = entries.findIndex((entry, at) => at >= from && isPrompt(entry));
  const first = ahead < 0 ? from : ahead;
  if (first > 0) {
    surface.note(`${first} earlier entries${whereAll(options)}`);
  }
  const shown = entries.slice(first);
  const results = new Map<string, ToolResultMessage>();
  for (const entry of shown) {
    if (entry.type === "message" && entry.message.role === "toolResult") {
      results.set(entry.message.toolCallId, entry.message);
    }
  }
  for (const entry of shown) showEntry(entry, results, options);
}

const whereAll = ({ wholeKey }: ResumeViewOptions): string =>
  wholeKey === undefined ? "" : `; ${wholeKey} shows all of it`;

const isPrompt = (entry: TranscriptEntry): boolean =>
  entry.type === "message" && entry.message.role === "user";

function showEntry(
  entry: TranscriptEntry,
  results: ReadonlyMap<string, ToolResultMessage>,
  options: ResumeViewOptions,
): void {
  const { surface } = options;
  const { theme } = surface;
  if (entry.type === "compaction") return surface.note("The conversation was summarised here.");
  if (entry.type === "branch_summary") {
    return surface.note("Another branch was left here with a summary.");
  }
  if (entry.type === "custom_message") {
    const text = textOf(entry).trim();
    if (text !== "") surface.note(text);
    return;
  }
  const { message } = entry;
  if (message.role === "user") {
    surface.append(new UserBlock({ text: textOf(message), theme }));
  } else if (message.role === "assistant") {
    const { text, omittedChars } = endOfAnswer(textOf(message), MAX_ANSWER_CHARS);
    if (omittedChars > 0)
      surface.note(`${omittedChars} earlier characters of this answer${whereAll(options)}`);
    if (text.trim() !== "") surface.append(makeWholeMarkdown(options, text, options.hyperlinks));
    for (const call of toolCallsOf(message)) {
      const result = results.get(call.id);
      surface.append(makeEndedCall(options, call, { result, detail: "short" }), "call");
    }
  }
}
