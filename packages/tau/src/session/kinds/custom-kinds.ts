// How entries of features look: `custom` and `custom_message` entries are told apart by their
// `customType`, and a feature that brings one says here what it is. Without a row they are kept,
// folded and sent all the same; they are only described by their name. One table for the whole
// process, like the tools' views: an entry means the same in every session, and a row is pure.

import type { CustomEntry, CustomMessageEntry } from "../entry.ts";
import { note, type ShownPart } from "../projection/block.ts";
import { isSound } from "../projection/sound-part.ts";
import type { EntryDescription } from "./entry-kind.ts";

export type AnyCustomEntry = CustomEntry | CustomMessageEntry;

export interface CustomEntryKind {
  customType: string;
  describe?(entry: AnyCustomEntry): EntryDescription;
  /** What people see of it in the conversation; without it, a message that is for display is a note. */
  show?(entry: AnyCustomEntry): readonly ShownPart[];
}

class CustomKinds {
  readonly #rows = new Map<string, CustomEntryKind>();

  /** Of two for one type the later counts. Returns the way to take it away. */
  register(kind: CustomEntryKind): () => void {
    const row = harmless(kind);
    this.#rows.set(kind.customType, row);
    return () => {
      if (this.#rows.get(kind.customType) === row) this.#rows.delete(kind.customType);
    };
  }

  /** Its blocks; the first one that is a note carries the entry, for whoever draws it in its own way. */
  shown(entry: AnyCustomEntry): readonly ShownPart[] | undefined {
    const parts = this.of(entry)?.show?.(entry);
    const first = parts?.findIndex(({ kind }) => kind === "note");
    return parts?.map((part, at) =>
      at === first && part.kind === "note" ? { ...part, entry } : part,
    );
  }

  of({ customType }: Pick<AnyCustomEntry, "customType">): CustomEntryKind | undefined {
    return this.#rows.get(customType);
  }
}

/** Whatever a feature's code does with an old entry, the session can be opened: its name is shown. */
function harmless({ customType, describe, show }: CustomEntryKind): CustomEntryKind {
  return {
    customType,
    describe:
      describe &&
      ((entry) => attempt(() => describe(entry)) ?? { kind: "custom", text: customType }),
    show: show && ((entry) => attempt(() => show(entry).filter(isSound)) ?? [note(customType)]),
  };
}

/** Undefined if it throws. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

export const customKinds = new CustomKinds();
