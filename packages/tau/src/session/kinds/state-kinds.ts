// The kinds that set something from their place on, and those that only record that something
// happened there.

import { DEFAULT_ROLE, type RuntimeState } from "../context/runtime-state.ts";
import type {
  CustomEntry,
  EventEntry,
  ModelChangeEntry,
  PruneEntry,
  RuleInjectionEntry,
  ThinkingChangeEntry,
} from "../entry.ts";
import { showEvent } from "../event-table.ts";
import { note, type ShownPart } from "../projection/block.ts";
import { consentWords } from "../projection/consent-words.ts";
import { customKinds } from "./custom-kinds.ts";
import {
  byName,
  setsNothing,
  unheard,
  unseen,
  type EntryDescription,
  type EntryKind,
} from "./entry-kind.ts";

export const modelChangeKind: EntryKind<ModelChangeEntry> = {
  place: "state",
  indexed: "head",
  inTree: "on_request",
  fold: withModel,
  describe: ({ model: text }) => ({ kind: "model", text }),
  messages: unheard,
  show: unseen,
};

export const thinkingChangeKind: EntryKind<ThinkingChangeEntry> = {
  place: "state",
  indexed: "head",
  inTree: "on_request",
  fold: (state, { thinkingLevel }) => ({ ...state, thinkingLevel }),
  describe: ({ thinkingLevel: text }) => ({ kind: "thinking", text }),
  messages: unheard,
  show: unseen,
};

export const customKind: EntryKind<CustomEntry> = {
  place: "state",
  indexed: "head",
  inTree: "on_request",
  fold: (state, { customType, data }) => ({
    ...state,
    kept: { ...state.kept, [customType]: data },
  }),
  describe: (entry) =>
    customKinds.of(entry)?.describe?.(entry) ?? { kind: "custom", text: entry.customType },
  messages: unheard,
  show: (entry) => customKinds.shown(entry) ?? [],
};

export const ruleInjectionKind: EntryKind<RuleInjectionEntry> = {
  place: "state",
  indexed: "head",
  inTree: "on_request",
  fold: (state, entry) => {
    const injectedRules = [...new Set([...state.injectedRules, ...entry.injectedRules])];
    return { ...state, injectedRules };
  },
  describe: byName,
  messages: unheard,
  show: unseen,
};

/** What it prunes is looked up by whoever builds the context, not folded into the state. */
export const pruneKind: EntryKind<PruneEntry> = {
  place: "state",
  indexed: "head",
  inTree: "on_request",
  fold: setsNothing,
  describe: ({ entryIds }) => ({ kind: "prune", text: `${entryIds.length} results` }),
  messages: unheard,
  show: ({ entryIds, tokensSaved }) => [prunedNote(entryIds.length, tokensSaved)],
};

/** A record: events are many, and none of them is looked for when a session is opened. */
export const eventKind: EntryKind<EventEntry> = {
  place: "record",
  indexed: "head",
  inTree: "on_request",
  fold: setsNothing,
  describe: describeEvent,
  messages: unheard,
  show: ({ event }) => showEvent(event),
};

function describeEvent({ event }: EventEntry): EntryDescription {
  const words = showEvent(event)
    .map(wordsOf)
    .filter((text) => text !== "");
  return { kind: event.type.replaceAll("_", " "), text: words.join(" ") };
}

function wordsOf(part: ShownPart): string {
  if (part.kind === "note") return part.text;
  if (part.kind === "command") return part.line;
  if (part.kind === "consent") return `${consentWords(part.consent)}: ${part.about}`;
  if (part.kind !== "own_run") return "";
  const said = part.result?.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return [part.sign, JSON.stringify(part.arguments), ...(said ?? [])].join(" ");
}

function prunedNote(results: number, tokens: number) {
  const what = results === 1 ? "1 earlier result" : `${results} earlier results`;
  return note(`Pruned ${what} from the context: ${tokens.toLocaleString("en-US")} tokens less.`);
}

function withModel(state: RuntimeState, entry: ModelChangeEntry): RuntimeState {
  // Older sessions have no role.
  const role = entry.role ?? DEFAULT_ROLE;
  if (entry.temporary) {
    return { ...state, temporaryModels: { ...state.temporaryModels, [role]: entry.model } };
  }
  const { [role]: _ended, ...temporaryModels } = state.temporaryModels;
  return { ...state, models: { ...state.models, [role]: entry.model }, temporaryModels };
}
