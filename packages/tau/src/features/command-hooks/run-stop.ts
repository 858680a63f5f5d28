// A hook may want everything to stop (`continue: false`): the run ends with the turn that it is in.

import type { HookSaid } from "./hook-said.ts";

export class RunStop {
  #reason: string | undefined;

  /** Whether one of them wants that. */
  note(said: readonly HookSaid[]): boolean {
    const wanted = said.find(({ stops }) => stops !== undefined);
    this.#reason ??= wanted?.stops;
    return wanted !== undefined;
  }

  /** Why, once. */
  take(): string | undefined {
    const reason = this.#reason;
    this.#reason = undefined;
    return reason;
  }
}
