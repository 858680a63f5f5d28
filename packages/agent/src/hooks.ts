// Who listens at which hook point, and in which order: built-in behaviours by the order they
// declare, extensions together, as they were loaded. A behaviour may say another order for one
// point: what restores secrets comes after the extensions there, though it hides before them.
// Calling them is `HookCalls`' work.

import type { HookHandler, HookName } from "./hook-points.ts";

export type HookOwner =
  | { kind: "behaviour"; name: string; order: number }
  | { kind: "extension"; name: string; person?: PersonTime };

/** While an owner asks a person something, it is the person who takes the time. */
export interface PersonTime {
  readonly isAsking: boolean;
  /** So far, the question that is open included. */
  readonly totalMs: number;
}

/** A clock of an owner's own time, from now on: it stands still while a person is asked. */
export function ownClock(person: PersonTime | undefined): () => number {
  const own = (): number => performance.now() - (person?.totalMs ?? 0);
  const started = own();
  return () => own() - started;
}

/** Where extensions stand, at every point; a behaviour with a higher order comes after them. */
export const EXTENSION_ORDER = 10_000;

/** A handler whose place at its point is not its owner's. For behaviours: extensions have one place. */
export interface OrderedHandler<K extends HookName> {
  order: number;
  handle: HookHandler<K>;
}

export type HookHandlers = { [K in HookName]?: HookHandler<K> | OrderedHandler<K> };

export interface Registration<K extends HookName> {
  owner: HookOwner;
  handler: HookHandler<K>;
}

interface Place {
  order: number;
  /** When its owner joined. */
  joined: number;
}

interface Placed<K extends HookName> extends Registration<K>, Place {}

/** One behaviour's or extension's hold on the hooks. */
export interface HookMember {
  /** Returns the way to stop. */
  on<K extends HookName>(name: K, handler: HookHandler<K> | OrderedHandler<K>): () => void;
  /** Takes all of its handlers away. */
  leave(): void;
}

type Lists = { [K in HookName]?: Placed<K>[] };

export class Hooks {
  readonly #lists: Lists = {};
  #members = 0;

  /** An owner's place is where it joined, whenever it adds its handlers. */
  join(owner: HookOwner): HookMember {
    const joined = this.#members++;
    const disposers = new Set<() => void>();
    return {
      on: (name, given) => {
        const { order, handle: handler } = placeOf(owner, given);
        const dispose = this.#add(name, { owner, handler, order, joined });
        disposers.add(dispose);
        return () => {
          disposers.delete(dispose);
          dispose();
        };
      },
      leave: () => {
        for (const dispose of disposers) dispose();
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

function placeOf<K extends HookName>(
  owner: HookOwner,
  given: HookHandler<K> | OrderedHandler<K>,
): OrderedHandler<K> {
  const own = owner.kind === "behaviour" ? owner.order : EXTENSION_ORDER;
  if (typeof given === "function") return { order: own, handle: given };
  // Nobody from outside can step behind what guards.
  return owner.kind === "behaviour" ? given : { ...given, order: own };
}

/** Handlers of one owner stay as they came: the sort is stable. */
function inOrder(a: Place, b: Place): number {
  return a.order - b.order || a.joined - b.joined;
}
