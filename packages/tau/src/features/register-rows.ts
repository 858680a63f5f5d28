// What features say of their events and entries, put where sessions are read and shown: also by
// programs that open no session.

import type { Feature } from "../feature-api/feature.ts";
import { registerEvents } from "../session/event-table.ts";
import { customKinds } from "../session/kinds/custom-kinds.ts";

export function registerRows(features: readonly Feature[]): void {
  for (const { name, events = {}, entries = [] } of features) {
    registerEvents(events, name);
    for (const kind of entries) customKinds.register(kind);
  }
}
