// The events section of the page about RPC mode: the event table's rows, and the few events that
// only the protocol has.

import { BUILT_IN } from "../../features/built-in.ts";
import { registerRows } from "../../features/register-rows.ts";
import { eventRows } from "../../session/event-table.ts";

/** What the protocol itself tells. */
const PROTOCOL_EVENTS: readonly (readonly [type: string, docs: string])[] = [
  ["ready", "commands are heard; always the first"],
  [
    "ask",
    "a question: Tau's own, whether a call may run (`approval`), the model's (`questions`), or an extension's (`select`, `confirm`, `input`, `editor`; `from` is its name)",
  ],
  ["ask_end", "nobody waits for its answer any more"],
  [
    "extension_notify",
    "an extension says something: `from` (its name, as in all of these), `text`, `tone`",
  ],
  [
    "extension_status",
    "a few words of an extension's to keep in sight, by `key`; without `text` they go away",
  ],
  [
    "extension_widget",
    "lines of an extension's to keep in sight `above` or `below` the prompt, by `key`; without `lines` they go away",
  ],
  [
    "extension_title",
    "an extension names the window; without `title`, its name is the client's again",
  ],
  ["extension_draft", "an extension puts `text` into the prompt"],
  [
    "settled",
    "nothing runs, no agent works, and every result has been taken note of: `end` is that of the last run",
  ],
  ["run_error", "what a run that had ended already broke on"],
];

const BEGIN =
  "<!-- Events: generated from packages/tau/src/session/event-table.ts by `npm run docs`. -->";
const END = "<!-- End of events. -->";

/** The page with its events section as the table has it. */
export function withEvents(page: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error("The page has lost the marks around its events.");
  return page.slice(0, from) + eventsSection() + page.slice(to);
}

function eventsSection(): string {
  const own = PROTOCOL_EVENTS.map(([type, docs]) => row(type, docs, ""));
  registerRows(BUILT_IN);
  const told = eventRows().map(([type, { docs, kept }]) => row(type, docs, kept ? "yes" : ""));
  const head = ["| `type` | Meaning | Kept |", "| --- | --- | --- |"];
  return [BEGIN, "", ...head, ...own, ...told, "", ""].join("\n");
}

function row(type: string, docs: string, kept: string): string {
  return `| \`${type}\` | ${docs.replaceAll("|", "\\|")} | ${kept} |`;
}
