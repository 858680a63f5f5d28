// What the log says once a report stands for an exploration: the position goes back to the checkpoint, the
// report is a summary of the branch that was left, and what the branch decided beyond words goes along, as
// does what the user said meanwhile. Files stay as they are.

import { textOf, type Message } from "@tau/ai/message";
import type { NewEntry, SessionEntry } from "../../session/entry.ts";
import { isResult } from "../../session/context/entry-messages.ts";
import { CLOSE_ENTRY, isOwn, turnOfCheckpoint } from "./checkpoint-entry.ts";

export interface Collapse {
  /** All of it in one write. */
  entries: readonly NewEntry[];
  leafId: string;
  /** How many messages the report stands for. */
  messages: number;
}

/** Undefined if no checkpoint is open on the branch. */
export function planCollapse(
  branch: readonly SessionEntry[],
  { goal, report }: { goal: string; report: string },
): Collapse | undefined {
  const end = turnOfCheckpoint(branch);
  if (end === undefined) return undefined;
  const leafId = branch[end]!.id;
  const left = branch.slice(end + 1);
  const messages = left.filter((entry) => entry.type === "message").length;
  // Set and reported in one turn: there is nothing to leave.
  if (messages === 0) return { entries: [CLOSE_ENTRY], leafId, messages };
  const fromId = left.at(-1)!.id;
  const summary = summaryOf(left, { goal, report });
  return {
    entries: [
      { type: "leaf", leafId, reason: "rewind" },
      { type: "branch_summary", fromId, summary, details: { goal, report } },
      ...decided(left),
      CLOSE_ENTRY,
      ...saidLast(left),
    ],
    leafId,
    messages,
  };
}

function summaryOf(
  left: readonly SessionEntry[],
  { goal, report }: { goal: string; report: string },
): string {
  const said = left.flatMap((entry) => (isUsers(entry) ? wordsOf(entry.message) : []));
  const words = said.map((text) => `<user>\n${text}\n</user>`);
  const meanwhile = words.length === 0 ? [] : ["The user said meanwhile:", ...words];
  return [`You investigated: ${goal}`, "Your report:", report, ...meanwhile].join("\n\n");
}

type UsersEntry = Extract<SessionEntry, { type: "message" }>;

/** Of jobs and agents the report says what matters; the user's own words are never lost. */
function isUsers(entry: SessionEntry): entry is UsersEntry {
  return entry.type === "message" && entry.message.role === "user" && entry.sender === undefined;
}

function wordsOf(message: Message): string[] {
  const text = textOf(message).trim();
  return text === "" ? [] : [text];
}

/** What behaviours and extensions remember: the todo list does not go back with the words. */
function decided(left: readonly SessionEntry[]): NewEntry[] {
  return left.flatMap((entry) =>
    entry.type === "custom" && !isOwn(entry)
      ? [{ type: "custom", customType: entry.customType, data: entry.data }]
      : [],
  );
}

/** After the last results, behaviours may have told the model something: it has not seen that yet. */
function saidLast(left: readonly SessionEntry[]): NewEntry[] {
  const behind = left.slice(left.findLastIndex(isResult) + 1);
  return behind.flatMap((entry): NewEntry[] => {
    if (entry.type === "custom_message") {
      const { id: _id, parentId: _parent, timestamp: _time, aside: _aside, ...said } = entry;
      return [said];
    }
    if (entry.type !== "message" || entry.message.role !== "developer") return [];
    return [{ type: "message", message: entry.message, sender: entry.sender }];
  });
}
