// Names that people give: to a session, and to entries of its tree. Both end up on one line of
// a list, whatever was typed or pasted.

import { oneLine } from "@tau/tui/width";
import type { LabelEntry, TitleEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";
import { UnknownEntry } from "../log/log-error.ts";
import type { SessionLog } from "../session-log.ts";
import { OperationRefused } from "./operation-error.ts";

/** Longer ones are pasted by mistake. */
export const MAX_TITLE_CHARACTERS = 200;
export const MAX_LABEL_CHARACTERS = 60;

/** Throws `OperationRefused` where nothing is left of the title. */
export async function renameSession(log: SessionLog, title: string): Promise<TitleEntry> {
  const name = tidyTitle(title);
  return (await log.append({ type: "title", title: name, source: "user" })) as TitleEntry;
}

/** As a list shows it. Throws `OperationRefused` where nothing is left. */
export function tidyTitle(title: string): string {
  const name = tidy(title, MAX_TITLE_CHARACTERS);
  if (name === "") throw new OperationRefused("A title needs at least one visible character.");
  return name;
}

/** Without a label, or with an empty one, it is taken away. Throws `UnknownEntry`. */
export async function labelEntry(
  log: SessionLog,
  targetId: string,
  label?: string,
): Promise<LabelEntry> {
  const target = await log.entry(targetId);
  if (!target || !movesLeaf(target)) throw new UnknownEntry(targetId);
  const name = tidy(label ?? "", MAX_LABEL_CHARACTERS);
  return (await log.append({ type: "label", targetId, label: name || undefined })) as LabelEntry;
}

function tidy(text: string, characters: number): string {
  return [...oneLine(text).replace(/\s+/g, " ").trim()].slice(0, characters).join("").trim();
}
