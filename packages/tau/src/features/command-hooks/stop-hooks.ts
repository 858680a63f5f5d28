// Hooks on the end of a run: one that objects makes the model go on, with the objection as its next task.
// How often in a row is bounded, whatever hooks say.

import type { Mailbox } from "@tau/agent/mailbox";
import { textOf, type Message } from "@tau/ai/message";
import { nameOf } from "./command-hook.ts";
import type { HookRunner } from "./hook-runner.ts";

/** Enough for a check that has to pass; a hook that never agrees ends here. */
const MAX_CONTINUATIONS = 8;

export interface StopHookParts {
  runner: HookRunner;
  /** A session that works for another one. */
  isChild: boolean;
  mailbox: Pick<Mailbox, "post">;
  tell: (message: string) => void;
}

export class StopHooks {
  readonly #parts: StopHookParts;
  /** In the run that is on. */
  #continued = 0;

  constructor(parts: StopHookParts) {
    this.#parts = parts;
  }

  /** At the beginning of a run. */
  begin(): void {
    this.#continued = 0;
  }

  /** Whether the run is really over. */
  async end(messages: readonly Message[], signal: AbortSignal): Promise<boolean> {
    const { runner, isChild, mailbox, tell } = this.#parts;
    const last = messages.findLast(({ role }) => role === "assistant");
    const said = await runner.run(
      {
        event: isChild ? "SubagentStop" : "Stop",
        input: {
          stop_hook_active: this.#continued > 0,
          last_assistant_message: last ? textOf(last) : null,
        },
      },
      signal,
    );
    const ends = said.find(({ stops }) => stops !== undefined);
    if (ends || signal.aborted) {
      if (ends) tell(`${ends.stops} (${nameOf(ends.hook)})`);
      return true;
    }
    const objections = said.filter(({ block }) => block !== undefined);
    if (objections.length === 0) return true;
    if (this.#continued >= MAX_CONTINUATIONS) {
      tell(
        `stopped all the same: ${nameOf(objections[0]!.hook)} objected ${this.#continued} times`,
      );
      return true;
    }
    this.#continued++;
    const text = objections.map(({ block }) => block).join("\n\n");
    await mailbox.post(
      { role: "user", content: [{ type: "text", text }], timestamp: Date.now() },
      { delivery: "followUp", sender: "hook" },
    );
    return false;
  }
}
