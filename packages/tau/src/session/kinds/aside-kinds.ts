// The kinds that say something about the session and leave its position where it is.

import type { RuntimeState } from "../context/runtime-state.ts";
import type { LabelEntry, LeafEntry, MailEntry, ModelCallEntry, TitleEntry } from "../entry.ts";
import { byName, setsNothing, unheard, unseen, type EntryKind } from "./entry-kind.ts";

/** Where it moves to is the log's own matter: the position, not the state, follows it. */
export const leafKind: EntryKind<LeafEntry> = {
  place: "aside",
  indexed: "whole",
  inTree: "never",
  fold: setsNothing,
  describe: byName,
  messages: unheard,
  show: unseen,
};

export const titleKind: EntryKind<TitleEntry> = {
  place: "aside",
  indexed: "whole",
  inTree: "never",
  fold: withTitle,
  describe: ({ title: text }) => ({ kind: "title", text }),
  messages: unheard,
  show: unseen,
};

export const labelKind: EntryKind<LabelEntry> = {
  place: "aside",
  indexed: "whole",
  inTree: "never",
  fold: setsNothing,
  describe: ({ label = "" }) => ({ kind: "label", text: label }),
  messages: unheard,
  show: unseen,
};

/** It becomes conversation as the message that it is delivered as. */
export const mailKind: EntryKind<MailEntry> = {
  place: "aside",
  indexed: "head",
  inTree: "never",
  fold: setsNothing,
  describe: byName,
  messages: unheard,
  show: unseen,
};

/** It may come at any moment, from work that nobody waits for: the position does not follow it. */
export const modelCallKind: EntryKind<ModelCallEntry> = {
  place: "aside",
  indexed: "head",
  inTree: "never",
  fold: setsNothing,
  describe: ({ purpose, model }) => ({ kind: "model call", text: `${purpose} ${model}` }),
  messages: unheard,
  show: unseen,
};

function withTitle(state: RuntimeState, { title, source }: TitleEntry): RuntimeState {
  // A name that was made up never replaces one that was given.
  if (source === "auto" && state.titleSource === "user") return state;
  return { ...state, title, titleSource: source };
}
