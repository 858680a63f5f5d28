// What extensions of the family tell one another, whatever it is. One for the process, as there: who listens
// is who was loaded, in whichever session.

import type { FamilyBus } from "./family-api.ts";

const listeners = new Map<string, Set<(data: unknown) => void>>();

export const familyBus: FamilyBus = {
  on(channel, listener) {
    const set = listeners.get(channel) ?? new Set();
    listeners.set(channel, set.add(listener));
    return () => set.delete(listener);
  },
  emit(channel, data) {
    for (const listener of listeners.get(channel) ?? []) listener(data);
  },
};
