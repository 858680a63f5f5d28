// Who listens at which hook point, and in which order: built-in behaviours by the order
// they declare, then extensions as they were loaded. Calling them is `HookCalls`' work.

import type { HookHandler, HookName } from "./hook-points.ts";

export type HookOwner =
  { kind: "behaviour"; name: string; order: number } | { kind: "extension"; name: string };

export type HookHandlers = { [K in HookName]?: HookHandler<K> };

export interface Registration<K extends HookName> {
  owner: HookOwner;
  handler: HookHandler<K>;
}

interface Place {
  owner: HookOwner;
  /** When its owner joined. */
  joined: number;
  /** Counts handlers. */
  number: number;
}

interface Placed<K extends HookName> extends Registration<K>, Place {}

/** One behaviour's or extension's hold on the hooks. */
export interface HookMember {
  /** Returns the way to stop. */
  on<K extends HookName>(name: K, handler: HookHandler<K>): () => void;
  /** Takes all of its handlers away. */
  leave(): void;
}

type Lists = { [K in HookName]?: Placed<K>[] };

export class Hooks {
  readonly #lists: Lists = {};
  #members = 0;
  #handlers = 0;

  /** An owner's place is where it joined, whenever it adds its handlers. */
  join(owner: HookOwner): HookMember {
    const joined = this.#members++;
    const disposers = new Set<() => void>();
    return {
      on: (name, handler) => {
        const dispose = this.#add(name, { owner, handler, joined, number: this.#handlers++ });
        disposers.add(dispose);
        return () => {
          disposers.delete(dispose);
          dispose();
        };
      },
      leave: () => {
        for (const dispose of disposers) dispose();
        disposers.clear();
      },
    };
  }

  /** All handlers of one owner at once. Returns the way to stop. */
  register(owner: HookOwner, handlers: HookHandlers): () => void {
    const member = this.join(owner);
    for (const [name, handler] of Object.entries(handlers)) {
      member.on(name as HookName, handler as HookHandler<HookName>);
    }
    return () => member.leave();
  }

  has(name: HookName): boolean {
    return (this.#lists[name]?.length ?? 0) > 0;
  }

  /** In their order. The list of a moment: who comes or goes meanwhile does not disturb it. */
  at<K extends HookName>(name: K): readonly Registration<K>[] {
    return (this.#lists[name] as Placed<K>[] | undefined) ?? [];
  }

  #add<K extends HookName>(name: K, placed: Placed<K>): () => void {
    const list = [...((this.#lists[name] as Placed<K>[] | undefined) ?? []), placed];
    (this.#lists as Record<K, Placed<K>[]>)[name] = list.sort(inOrder);
    return () => {
      const left = (this.#lists[name] as Placed<K>[]).filter((one) => one !== placed);
      (this.#lists as Record<K, Placed<K>[]>)[name] = left;
    };
  }
}

function inOrder(a: Place, b: Place): number {
  if (a.owner.kind !== b.owner.kind) return a.owner.kind === "behaviour" ? -1 : 1;
  if (a.owner.kind === "behaviour" && b.owner.kind === "behaviour") {
    const byOrder = a.owner.order - b.owner.order;
    if (byOrder !== 0) return byOrder;
  }
  return a.joined - b.joined || a.number - b.number;
}
