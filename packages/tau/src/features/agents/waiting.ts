// Who waits for a message of whom. If nobody is left who could write to somebody, the last one to wait is
// told so at once, instead of waiting for ever.

import { MAIN } from "./agent-names.ts";
import type { AgentRegistry } from "./registry.ts";

export class Waiting {
  /** Undefined: a message of anybody. */
  readonly #waits = new Map<string, string | undefined>();
  readonly #registry: AgentRegistry;

  constructor(registry: AgentRegistry) {
    this.#registry = registry;
  }

  /** Why nobody would ever write, in a sentence; undefined if somebody may. */
  whyInVain(self: string, from: string | undefined): string | undefined {
    const waits = new Map(this.#waits).set(self, from);
    const stuck = new Set(waits.keys());
    // Whoever works and waits for nobody may write; so may whoever is written to by such a one.
    for (let hasChanged = true; hasChanged;) {
      hasChanged = false;
      for (const one of stuck) {
        if (!this.#sendersOf(one, waits.get(one)).some((id) => this.#isFree(id, stuck))) continue;
        stuck.delete(one);
        hasChanged = true;
      }
    }
    if (!stuck.has(self)) return undefined;
    if (from === undefined) return "Every other agent waits, too, or is idle: nobody would write.";
    const other = waits.get(from);
    if (!waits.has(from)) return `${from} is idle and writes only if it is written to.`;
    const whom = other === undefined ? "a message" : `a message from ${other}`;
    return `${from} itself waits for ${whom}: you would wait for one another for ever. Write to it first.`;
  }

  begin(self: string, from: string | undefined): Disposable {
    this.#waits.set(self, from);
    return { [Symbol.dispose]: () => void this.#waits.delete(self) };
  }

  #sendersOf(self: string, from: string | undefined): string[] {
    if (from !== undefined) return [from];
    return [MAIN, ...this.#registry.agents().map(({ id }) => id)].filter((id) => id !== self);
  }

  /** It works, or is about to; a person may write from the main session at any time. */
  #isFree(id: string, stuck: ReadonlySet<string>): boolean {
    if (stuck.has(id)) return false;
    if (id === MAIN) return true;
    const agent = this.#registry.get(id);
    if (!agent) return false;
    const { state, session } = agent;
    return state === "queued" || state === "running" || (session?.mailbox.wantsRun ?? false);
  }
}
