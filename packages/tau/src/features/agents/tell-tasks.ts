// Tells whoever watches a session that an agent begins to work for it, and what came of it: once for
// each task, however the model hears of it.

import type { Session } from "../../session/session.ts";
import type { Agent, AgentOutcome } from "./agent.ts";
import { MAIN } from "./agent-names.ts";
import { resultText } from "./outcome-text.ts";
import type { AgentRegistry } from "./registry.ts";

/** Of what was handed in, for people; all of it is at `agent://NAME`. */
const MAX_RESULT_CHARACTERS = 4000;

interface BegunTask {
  readonly agent: Agent;
  readonly outcome: Promise<AgentOutcome>;
}

export class TaskTeller {
  readonly #registry: Pick<AgentRegistry, "get" | "main">;
  readonly #told = new WeakSet<AgentOutcome>();

  constructor(registry: Pick<AgentRegistry, "get" | "main">) {
    this.#registry = registry;
  }

  begun(tasks: readonly BegunTask[]): void {
    for (const { agent, outcome } of tasks) {
      const session = this.#parentOf(agent);
      session?.emit(session.hide({ type: "task_start" as const, ...aboutOf(agent) }));
      void outcome.then((settled) => this.over(agent, settled));
    }
  }

  /** Nothing if it goes on another time, or was told before. */
  over(agent: Agent, outcome: AgentOutcome): void {
    const session = this.#parentOf(agent);
    if (!session || outcome.end === "interrupted" || this.#told.has(outcome)) return;
    this.#told.add(outcome);
    const { end, durationMs, error } = outcome;
    const result = cut(resultText(outcome.result)) || undefined;
    const about = aboutOf(agent);
    session.emit(
      session.hide({ type: "task_end" as const, ...about, end, durationMs, error, result }),
    );
  }

  #parentOf({ record: { parent } }: Agent): Session | undefined {
    return parent === MAIN ? this.#registry.main : this.#registry.get(parent)?.session;
  }
}

function aboutOf({ id, record: { kind, description } }: Agent) {
  return { id, kind, description };
}

function cut(text: string): string {
  if (text.length <= MAX_RESULT_CHARACTERS) return text;
  const isHalf = (text.charCodeAt(MAX_RESULT_CHARACTERS - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, MAX_RESULT_CHARACTERS - (isHalf ? 1 : 0))}…`;
}
