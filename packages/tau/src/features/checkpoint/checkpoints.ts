// The checkpoint of one session: whether one is open, the report that waits for the end of its turn, and how
// the conversation goes back. The log says whether one is open; only the report is kept beside it, for the
// rest of a turn.

import { HookCalls } from "@tau/agent/hook-calls";
import type { CompactionReport } from "@tau/agent/session-hook-points";
import { messagesTokens } from "../../base/message-tokens.ts";
import type { SessionHost } from "../../session/session-host.ts";
import {
  beginEntry,
  openCheckpoint,
  turnOfCheckpoint,
  type Checkpoint,
} from "./checkpoint-entry.ts";
import { planCollapse } from "./collapse.ts";

export type CheckpointHost = Pick<SessionHost, "append" | "hide" | "hooks" | "log" | "notify"> & {
  view: Pick<SessionHost["view"], "live" | "state">;
};

const CANCELLED = "an extension does not want to leave this place in the tree.";

export class Checkpoints {
  readonly #host: CheckpointHost;
  #report: string | undefined;

  constructor(host: CheckpointHost) {
    this.#host = host;
  }

  get open(): Checkpoint | undefined {
    return openCheckpoint(this.#host.view.state.kept);
  }

  /** A report waits for the end of the turn. */
  get isReported(): boolean {
    return this.#report !== undefined;
  }

  /** On disk when this resolves. */
  async begin(goal: string): Promise<Checkpoint> {
    const begun = { goal: this.#host.hide(goal), startedAt: new Date().toISOString() };
    await this.#host.append([beginEntry(begun)]);
    return begun;
  }

  /** Of those who have a say in moves in the tree; undefined if there is none. */
  async objection(signal: AbortSignal): Promise<string | undefined> {
    const { log } = this.#host;
    const branch = await log.branch();
    const end = turnOfCheckpoint(branch);
    const to = end === undefined ? null : branch[end]!.id;
    for (const answer of await this.#calls(signal).session("session_before_tree", {
      from: log.leafId,
      to,
    })) {
      if ("cancel" in answer) return answer.reason ?? CANCELLED;
    }
    return undefined;
  }

  report(report: string): void {
    this.#report = this.#host.hide(report);
  }

  /** A turn that was stopped has not rewound anything. */
  forget(): void {
    this.#report = undefined;
  }

  /** Undefined if nothing was reported. All results of the turn are in the log. */
  async rewind(signal: AbortSignal): Promise<CompactionReport | undefined> {
    const report = this.#report;
    const { open } = this;
    this.#report = undefined;
    if (report === undefined || !open) return undefined;
    const { append, log, notify, view } = this.#host;
    const { goal } = open;
    const plan = planCollapse(await log.branch(), { goal, report });
    if (!plan) return undefined;
    const from = log.leafId;
    const before = messagesTokens(view.live.messages);
    await append(plan.entries);
    const { messages } = plan;
    if (messages > 0) {
      const to = log.leafId;
      notify({ type: "checkpoint_rewound", goal, messages });
      notify({ type: "position_changed", from, to, inRun: true });
      await this.#calls(signal).notify("session_tree", { from, to });
    }
    return { type: "compacted", before, after: messagesTokens(view.live.messages) };
  }

  #calls(signal: AbortSignal): HookCalls {
    const { hooks, notify: emit } = this.#host;
    return new HookCalls(hooks, { signal, emit });
  }
}
