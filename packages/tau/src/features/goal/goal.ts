// The goal of a session: what it is, how far it has come, and what it has cost. It is what the log says;
// only what has been spent since the last verdict is kept beside it.

import { costOf, usd } from "@tau/agent/budget";
import type { AssistantMessage } from "@tau/ai/message";
import type { ModelCost } from "@tau/ai/model";
import { partKey } from "../../base/part.ts";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { GoalEnd } from "./events.ts";
import { decodeGoal, GOAL_ENTRY, goalEntry, type GoalState } from "./goal-state.ts";
import type { Verdict } from "./read-verdict.ts";
import type { GoalSettings } from "./settings.ts";

/** The user's own session's. */
export const GOAL = partKey<Goal>("goal", { viewOf: (goal) => ({ state: goal.state }) });

/** Verdicts in a row that nobody understands; a judge that cannot judge is not asked for ever. */
const MAX_UNCLEAR = 3;
/** A condition is a sentence or a few. */
export const MAX_CONDITION_CHARS = 4000;

type Host = Pick<FeatureHost, "view" | "append" | "notify" | "hide">;

export class Goal {
  readonly #host: Host;
  readonly settings: GoalSettings;
  #decoded: { from: unknown; state: GoalState | undefined } = { from: undefined, state: undefined };
  /** Since the last verdict. */
  #turns = 0;
  #costUsd = 0;
  /** Of all agents, now and when it was last counted. */
  #agentsUsd = 0;
  #countedUsd = 0;

  constructor(host: Host, settings: GoalSettings) {
    this.#host = host;
    this.settings = settings;
  }

  get state(): GoalState | undefined {
    const from = this.#host.view.state.kept[GOAL_ENTRY];
    if (from !== this.#decoded.from) this.#decoded = { from, state: decodeGoal(from) };
    return this.#decoded.state;
  }

  /** The one that is worked towards. */
  get active(): GoalState | undefined {
    return this.state?.status === "active" ? this.state : undefined;
  }

  async set(words: string): Promise<void> {
    const condition = this.#host.hide(words.trim().slice(0, MAX_CONDITION_CHARS));
    this.#startCounting();
    await this.#keep({
      condition,
      status: "active",
      isTold: false,
      rounds: 0,
      turns: 0,
      costUsd: 0,
      unclear: 0,
    });
    this.#host.notify({ type: "goal_set", condition });
  }

  async markTold(): Promise<void> {
    if (this.active) await this.#keep({ ...this.active, isTold: true });
  }

  async end(status: GoalEnd, why: string): Promise<void> {
    const { active } = this;
    if (!active) return;
    await this.#keep({ ...active, status });
    this.#host.notify({ type: "goal_end", condition: active.condition, status, why });
  }

  /** A reply of the conversation, or of the judge, which is not a turn. */
  count({ usage }: AssistantMessage, whose: "work" | "judge", cost: ModelCost): void {
    if (whose === "work") this.#turns += 1;
    this.#costUsd = usd(this.#costUsd + costOf(usage, cost));
  }

  /** What its agents have cost so far, all together. */
  countAgents(costUsd: number): void {
    this.#agentsUsd = costUsd;
  }

  /** In words; undefined as long as something is left. */
  get limit(): string | undefined {
    const { active } = this;
    if (!active) return undefined;
    const { turns, costUsd } = this.#counted(active);
    const { maxTurns, maxCostUsd } = this.settings;
    if (turns >= maxTurns) return `${maxTurns} model calls (goal.maxTurns)`;
    if (costUsd >= maxCostUsd && costUsd > 0) return `$${maxCostUsd} (goal.maxCostUsd)`;
    return undefined;
  }

  /** What comes of a verdict: another round, or none. */
  async take({ type, words }: Verdict): Promise<"again" | "over"> {
    const { active } = this;
    if (!active) return "over";
    const unclear = type === "unclear" ? active.unclear + 1 : 0;
    const { maxRounds } = this.settings;
    const goesOn = type === "not_yet" || type === "unclear";
    const rounds = active.rounds + (goesOn ? 1 : 0);
    const round = Math.min(rounds, maxRounds);
    await this.#keep({ ...active, rounds: round, unclear, missing: words });
    this.#host.notify({ type: "goal_judged", verdict: type, words, round, maxRounds });
    if (type === "yes") await this.end("held", words);
    else if (type === "unreachable") await this.end("unreachable", words);
    else if (unclear >= MAX_UNCLEAR) await this.end("unjudged", words);
    else if (rounds > maxRounds) await this.end("spent", `${maxRounds} rounds (goal.maxRounds)`);
    else if (this.limit !== undefined) await this.end("spent", this.limit);
    return goesOn && this.active ? "again" : "over";
  }

  #counted(goal: GoalState): GoalState {
    const agents = Math.max(0, this.#agentsUsd - this.#countedUsd);
    return {
      ...goal,
      turns: goal.turns + this.#turns,
      costUsd: usd(goal.costUsd + this.#costUsd + agents),
    };
  }

  #startCounting(): void {
    this.#turns = 0;
    this.#costUsd = 0;
    this.#countedUsd = this.#agentsUsd;
  }

  /** With what was spent since the last time. */
  async #keep(goal: GoalState): Promise<void> {
    const state = this.#counted(goal);
    this.#startCounting();
    await this.#host.append([goalEntry(state)]);
    this.#host.notify({ type: "goal_changed", goal: state });
  }
}
