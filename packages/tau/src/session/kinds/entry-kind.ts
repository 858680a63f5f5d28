// What Tau knows of one kind of entry. The rows stand in `entry-kinds.ts`; everything that treats
// entries differently by kind asks the row, so that a new kind is one row and the compiler says
// what the row still lacks.

import type { Message } from "@tau/ai/message";
import type { RuntimeState } from "../context/runtime-state.ts";
import type { SessionEntry } from "../entry.ts";
import type { ShownPart } from "../projection/block.ts";

/**
 * Where an entry stands to the tree and the conversation:
 * - `conversation`: it was said, and the model is told of it.
 * - `summary`: it stands for conversation before it.
 * - `state`: it sets something from here on; found through the lines' `$.state` without reading
 *   the conversation in between.
 * - `record`: it happened here and sets nothing.
 * - `aside`: it says something about the session and leaves the position where it is. Written with
 *   `aside` on the line, for readers that do not know the kind.
 */
export type EntryPlace = "conversation" | "summary" | "state" | "record" | "aside";

export interface EntryDescription {
  /** A word or two. */
  kind: string;
  /** Its words, as long as they are. */
  text: string;
}

/** The tree shows it to everybody, or only to whoever looks for it; what stands aside is not in the tree. */
type Standing =
  | { place: Exclude<EntryPlace, "aside">; inTree: "shown" | "on_request" }
  | { place: "aside"; inTree: "never" };

export type EntryKind<E> = Standing & {
  /** What an index of a file needs of a line: its head alone, or what it says. */
  indexed: "head" | "whole";
  /** The state after it; the same object if it changes nothing. */
  fold(state: RuntimeState, entry: E): RuntimeState;
  /** For lists, trees and searches. */
  describe(entry: E): EntryDescription;
  /** What it puts before the model. */
  messages(entry: E): readonly Message[];
  /** What it shows to people. */
  show(entry: E): readonly ShownPart[];
};

/** For kinds that set nothing. */
export const setsNothing = (state: RuntimeState): RuntimeState => state;

const NOTHING: readonly Message[] = [];

/** For kinds that no model hears of. */
export const unheard = (): readonly Message[] => NOTHING;

const UNSEEN: readonly ShownPart[] = [];

/** For kinds that nobody is shown in the conversation. */
export const unseen = (): readonly ShownPart[] => UNSEEN;

/** For kinds whose name says it all. */
export function byName({ type }: Pick<SessionEntry, "type">): EntryDescription {
  return { kind: type.replaceAll("_", " "), text: "" };
}
