// What every form of export is made from: the branch that the session stands on.

import { redactMessage, type Redactor } from "../../base/redactor.ts";
import type { SessionEntry, SessionHeader } from "../entry.ts";
import type { Block } from "../projection/block.ts";
import { projectEntries } from "../projection/project-entries.ts";
import type { SessionLog } from "../session-log.ts";

export interface ExportedSession {
  header: SessionHeader;
  title: string | undefined;
  /** From the root to where the session stands. */
  entries: readonly SessionEntry[];
}

/** What was written down before its secrets were known is hidden on the way out. */
export async function collectSession(
  log: SessionLog,
  redactor: Redactor | undefined,
): Promise<ExportedSession> {
  const { header, title } = log;
  const entries = await log.branch();
  if (!redactor) return { header, title, entries };
  return {
    header,
    title: title && redactor.hide(title),
    entries: entries.map((entry) => redactEntry(entry, redactor)),
  };
}

/** Only in what somebody wrote: the words that hold an entry together stay. */
function redactEntry(entry: SessionEntry, redactor: Redactor): SessionEntry {
  const { id, parentId, timestamp, type, ...rest } = entry;
  const frame = { id, parentId, timestamp, type };
  if (entry.type !== "message") return { ...frame, ...redactor.hideIn(rest) } as SessionEntry;
  const { message, ...more } = entry;
  const hidden = { ...redactor.hideIn(more), message: redactMessage(message, redactor) };
  return { ...hidden, ...frame } as SessionEntry;
}

/** As people see it. */
export function blocksOf({ entries }: ExportedSession): Block[] {
  return projectEntries(entries);
}

/** With the format's version, for programs. */
export function exportJson(session: ExportedSession): string {
  return `${JSON.stringify(session, null, 2)}\n`;
}
