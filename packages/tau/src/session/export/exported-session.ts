// What every form of export is made from: the branch that the session stands on.

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

export async function collectSession(log: SessionLog): Promise<ExportedSession> {
  return { header: log.header, title: log.title, entries: await log.branch() };
}

/** As people see it. */
export function blocksOf({ entries }: ExportedSession): Block[] {
  return projectEntries(entries);
}

/** With the format's version, for programs. */
export function exportJson(session: ExportedSession): string {
  return `${JSON.stringify(session, null, 2)}\n`;
}
