// What extensions of the family tell one another, whatever it is: one for those that were loaded together,
// so that the extensions of one session hear nothing of another's.

export interface FamilyBus {
  /** Returns the way to stop listening. */
  on(channel: string, listener: (data: unknown) => void): () => void;
  emit(channel: string, data?: unknown): void;
}

const buses = new WeakMap<object, FamilyBus>();

/** `group`: the same for all that were loaded together. */
export function familyBus(group: object): FamilyBus {
  const bus = buses.get(group) ?? makeFamilyBus();
  buses.set(group, bus);
  return bus;
}

export function makeFamilyBus(): FamilyBus & { clear(): void } {
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  return {
    on(channel, listener) {
      const set = listeners.get(channel) ?? new Set();
      listeners.set(channel, set.add(listener));
      return () => set.delete(listener);
    },
    emit(channel, data) {
      for (const listener of listeners.get(channel) ?? []) {
        try {
          listener(data);
        } catch (error) {
          // Whose it is, its stack says; whoever told it has nothing to do with it.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },
    clear: () => listeners.clear(),
  };
}
