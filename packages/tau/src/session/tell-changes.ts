// What follows for those who watch from entries that have just become durable: another title, another model.

import type { SessionEntry } from "./entry.ts";
import type { Session } from "./session.ts";

type Telling = Pick<Session, "emit" | "model" | "thinking">;

export function tellOfEntries(session: Telling, entries: readonly SessionEntry[]): void {
  for (const entry of entries) {
    if (entry.type === "title") {
      session.emit({ type: "title_changed", title: entry.title, source: entry.source });
    } else if (entry.type === "model_change" && entry.temporary) tellModel(session, true);
  }
}

export function tellModel({ emit, model, thinking }: Telling, temporary: boolean): void {
  emit({ type: "model_changed", model: `${model.provider}/${model.id}`, temporary, thinking });
}
