// Where one comes to stand when an entry of the tree is chosen. Somebody's own words are chosen
// in order to say them differently: one stands before them, and they go back to the editor.

import { textOf } from "@tau/ai/message";
import type { SessionEntry } from "../entry.ts";

export interface Landing {
  leafId: string | null;
  /** For the editor. */
  editorText?: string;
}

/** `parentId` is where the entry really hangs, also where its own parent is damaged. */
export function landingOn(entry: SessionEntry, parentId: string | null): Landing {
  if (entry.type === "message" && entry.message.role === "user") {
    return { leafId: parentId, editorText: textOf(entry.message) };
  }
  if (entry.type === "custom_message") return { leafId: parentId, editorText: textOf(entry) };
  return { leafId: entry.id };
}
